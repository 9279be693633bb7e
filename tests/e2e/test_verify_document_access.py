"""A click on a citation: the user of that moment decides, the registry answers, and links outlive no right."""

import httpx
import pytest
from jsonschema import Draft202012Validator

from tests.e2e.company import PUMP, Company, named
from tests.support.clients.agent import Agent, agent
from tests.support.entry.demo_server import Server

UNKNOWN = "This document does not exist or you may not read it."
NO_ACCESS = {"has_access": False, "refreshed_url": None, "access_level": None, "error": UNKNOWN}


@pytest.fixture
def maria(company: Company) -> Agent:
    return company.agent.speaking_for("maria")


@pytest.fixture
def otto(company: Company) -> Agent:
    return company.agent.speaking_for("otto")


@pytest.fixture
def uid(company: Company, maria: Agent) -> str:
    """A citation of a document that only maria may read, and whose id is `pump`."""
    company.ingest("pump.md", PUMP, named("maria"), doc_id="pump")
    [segment] = maria.search("pump")
    return str(segment["segment_uid"])


def answer(asker: Agent, uid: str) -> dict[str, object]:
    """The four fields of the contract."""
    verified = asker.verify(uid)
    assert {name: verified[name] for name in NO_ACCESS} == verified["structuredContent"]
    return dict(verified["structuredContent"])


def opened(asker: Agent, url: object) -> httpx.Response:
    """The link as a person opens it: without the agent's key."""
    return asker.http.get(str(url))


def test_who_may_read_gets_access_and_a_fresh_link_that_opens_the_original(
    company: Company, maria: Agent, uid: str
) -> None:
    granted = answer(maria, uid)
    assert (granted["has_access"], granted["access_level"], granted["error"]) == (True, "view", None)
    document = opened(maria, granted["refreshed_url"])
    assert document.status_code == 200
    assert document.content == PUMP.encode()
    assert "pump.md" in document.headers["content-disposition"]
    assert document.headers["content-disposition"].startswith("inline")


def test_forbidden_and_unknown_are_answered_alike(company: Company, otto: Agent, uid: str) -> None:
    for requested in (uid, "pump.0123456789abcdef", "nothing.0123456789abcdef", "no uid at all"):
        assert answer(otto, requested) == NO_ACCESS


def test_answers_match_the_published_schema(company: Company, maria: Agent, otto: Agent, uid: str) -> None:
    reader = agent(company.agent.http, company.key("--toolset", "mindset"))
    validator = Draft202012Validator(reader.output_schema("verify_document_access"))
    for asker in (maria, otto):
        validator.validate(asker.verify(uid)["structuredContent"])
        assert asker.verify(uid)["isError"] is False


def test_a_deletion_is_reported_to_whom_the_document_was_open_and_to_nobody_else(
    company: Company, maria: Agent, otto: Agent, uid: str
) -> None:
    company.run("documents", "delete", "pump", "--yes")
    assert answer(maria, uid) == NO_ACCESS | {"error": "Document has been deleted"}
    assert answer(otto, uid) == NO_ACCESS


def test_a_document_that_was_restricted_since_is_hidden_from_its_old_readers(
    company: Company, maria: Agent, otto: Agent, uid: str
) -> None:
    company.run("documents", "set-policy", "pump", "--user", "otto", "--until-next-run")
    assert answer(maria, uid) == NO_ACCESS
    assert answer(otto, uid)["has_access"] is True


def test_a_document_that_moved_to_another_name_is_followed(company: Company, maria: Agent, uid: str) -> None:
    company.ingest("moved/blue-pump.md", PUMP, named("maria"), doc_id="pump")
    granted = answer(maria, uid)
    assert "blue-pump.md" in opened(maria, granted["refreshed_url"]).headers["content-disposition"]


def test_a_citation_of_an_earlier_version_still_works(company: Company, maria: Agent, uid: str) -> None:
    company.ingest("pump.md", "# Pump\n\nThe green pump takes 50 litres.\n", named("maria"), doc_id="pump")
    assert uid not in {segment["segment_uid"] for segment in maria.search("pump")}
    assert b"green" in opened(maria, answer(maria, uid)["refreshed_url"]).content


def test_the_user_of_the_call_decides_and_not_the_one_who_searched(company: Company, uid: str) -> None:
    company.run("documents", "set-policy", "pump", "--any-tag", "a", "--until-next-run")
    assert answer(company.agent.speaking_for("maria", ["b"]), uid) == NO_ACCESS
    assert answer(company.agent.speaking_for("anybody", ["a"]), uid)["has_access"] is True


def test_another_tenants_key_learns_nothing_of_a_citation(server: Server, company: Company, uid: str) -> None:
    server.command.tenant(f"rival-of-{company.tenant}")
    rival = agent(company.agent.http, server.command.acting_key(f"rival-of-{company.tenant}"))
    assert answer(rival.speaking_for("maria"), uid) == NO_ACCESS


def test_all_links_that_do_not_open_are_refused_with_one_body(
    server: Server, company: Company, maria: Agent, uid: str
) -> None:
    link = str(answer(maria, uid)["refreshed_url"])
    damaged = link[:-3] + ("AAA" if not link.endswith("AAA") else "BBB")
    nonsense = f"{server.url}/open/nonsense"
    company.run("documents", "set-policy", "pump", "--user", "otto", "--until-next-run")
    refusals = [opened(maria, link), opened(maria, damaged), opened(maria, nonsense)]
    company.run("documents", "delete", "pump", "--yes")
    refusals.append(opened(maria, link))
    assert {response.status_code for response in refusals} == {404}
    assert len({response.content for response in refusals}) == 1
    assert len({tuple(sorted(set(response.headers) - {"date"})) for response in refusals}) == 1


def test_a_link_opens_again_when_the_right_comes_back(company: Company, maria: Agent, uid: str) -> None:
    link = answer(maria, uid)["refreshed_url"]
    company.run("documents", "set-policy", "pump", "--nobody", "--until-next-run")
    assert opened(maria, link).status_code == 404
    company.run("documents", "set-policy", "pump", "--user", "maria", "--until-next-run")
    assert opened(maria, link).status_code == 200


@pytest.mark.parametrize("arguments", [{}, {"segment_uid": 7}, {"segment_uid": ""}, {"segment_uid": "x" * 500}])
def test_what_is_no_citation_at_all_is_an_invalid_argument(company: Company, arguments: dict[str, object]) -> None:
    assert company.agent.tool("verify_document_access", **arguments).json()["error"]["code"] == -32602
