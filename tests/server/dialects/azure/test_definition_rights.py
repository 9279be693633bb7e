"""Rights on definitions: who reads what, who writes, and what nobody learns."""

import pytest

from groundwire.domain.access.scopes import Scope
from tests.server.dialects.azure.administration import (
    address,
    admin,
    agent,
    base,
    message_of,
    model,
    put,
    source,
    stored,
)
from tests.server.dialects.azure.office import (
    APRIL_2026,
    AUGUST_2025,
    AUGUST_2026,
    MAY_2025,
    Office,
    grounding,
    intents,
    texts,
)
from tests.support.isolation.policies import for_users
from tests.support.worlds.world import READ, caller

CLOSED = "closed"
MODELS = {"models": [model()], "retrievalInstructions": "Prefer tables.", "answerInstructions": "Be short."}


@pytest.fixture
def defined(office: Office) -> Office:
    """The office with sources of a readable, a hidden and an empty collection, and definitions that name them."""
    office.add("draft", "The wheel pump of the board.", for_users("ben"), collection="board")
    for name, collection in (("hr", "kitchen"), ("safe", CLOSED), ("void", "nothing-there")):
        stored(office, "knowledgesources", source(name, collection, sourceDataFields=[{"name": "title"}]))
    house = base("house", "hr", "safe", "void", "board", "handbook", description="The house.", **MODELS)
    stored(office, "knowledgebases", house, AUGUST_2026)
    helper = agent(AUGUST_2025, "helper", "hr", "safe", "void", "board", "handbook", description="The helper.")
    stored(office, "agents", helper, AUGUST_2025)
    return office


def test_the_admin_scope_shows_the_whole_definition(defined: Office) -> None:
    found = defined.send("GET", address("knowledgebases", "house", AUGUST_2026), None, admin(defined)).payload
    assert [each["name"] for each in found["knowledgeSources"]] == ["hr", "safe", "void", "board", "handbook"]
    assert found["retrievalInstructions"] == "Prefer tables."
    assert found["models"][0]["azureOpenAIParameters"]["resourceUri"] == "https://models.example"


def test_other_keys_see_name_description_and_the_sources_that_exist_for_them(defined: Office) -> None:
    found = defined.send("GET", address("knowledgebases", "house", AUGUST_2026)).payload
    tag = found.pop("@odata.etag")
    assert tag.startswith('"0x')
    assert found == {
        "@odata.context": "$metadata#knowledgebases/$entity",
        "name": "house",
        "description": "The house.",
        "knowledgeSources": [{"name": "hr"}, {"name": "handbook"}],
        "models": [],
        "retrievalReasoningEffort": None,
        "outputMode": None,
        "retrievalInstructions": None,
        "answerInstructions": None,
        "encryptionKey": None,
    }
    [shown] = [
        each
        for each in defined.send("GET", address("knowledgebases", None, AUGUST_2026)).payload["value"]
        if each["name"] == "house"
    ]
    assert shown == {"@odata.etag": tag, **{name: value for name, value in found.items() if name[0] != "@"}}
    for version, member, named in ((AUGUST_2025, "knowledgeSources", "hr"), (MAY_2025, "targetIndexes", "kitchen")):
        found = defined.send("GET", address("agents", "helper", version)).payload
        names = [each.get("name") or each.get("indexName") for each in found[member]]
        assert (names, found["models"], found["description"]) == ([named, "handbook"], [], "The helper.")


def test_a_source_shows_its_collection_where_that_exists_for_the_caller(defined: Office) -> None:
    shown = defined.send("GET", address("knowledgesources", "hr")).payload
    assert shown["searchIndexParameters"]["searchIndexName"] == "kitchen"
    assert shown["searchIndexParameters"]["sourceDataFields"] == []
    for name in ("safe", "void"):
        hidden = defined.send("GET", address("knowledgesources", name)).payload
        assert (hidden["name"], hidden["kind"]) == (name, "searchIndex")
        assert (hidden["description"], hidden["searchIndexParameters"]) == (f"All of {name}.", None)
    ben = caller(defined.key, "ben")
    shown = defined.send("GET", address("knowledgesources", "safe"), None, ben).payload
    assert shown["searchIndexParameters"]["searchIndexName"] == CLOSED


def test_a_hidden_a_retired_and_an_unknown_name_get_the_same_404(defined: Office) -> None:
    for kind, version in (("agents", MAY_2025), ("knowledgebases", APRIL_2026), ("knowledgesources", APRIL_2026)):
        answers = {
            name: defined.send("GET", address(kind, name, version)) for name in (CLOSED, "board", "nothing", "Handbook")
        }
        assert {each.status for each in answers.values()} == {404}
        assert len({message_of(each).replace(repr(name), "") for name, each in answers.items()}) == 1


def test_a_hidden_name_is_in_no_list_definition_answer_or_error(defined: Office) -> None:
    paths = [
        address(kind, name, version)
        for kind, version, names in (
            ("agents", MAY_2025, (None, "helper", "nothing")),
            ("agents", AUGUST_2025, (None, "helper")),
            ("knowledgebases", APRIL_2026, (None, "house")),
            ("knowledgesources", AUGUST_2026, (None, "hr", "safe")),
        )
        for name in names
    ]
    answers = [defined.send("GET", path).bytes for path in paths]
    question = intents("wheel pump")
    for version, name in ((MAY_2025, "helper"), (AUGUST_2025, "helper"), (APRIL_2026, "house")):
        messages = {"messages": [{"role": "user", "content": [{"type": "text", "text": "wheel pump"}]}]}
        kind = "knowledgebases" if version == APRIL_2026 else "agents"
        path = f"/{kind}('{name}')/retrieve?api-version={version}"
        answer = defined.send("POST", path, question if version == APRIL_2026 else messages)
        assert answer.status == 200, answer.payload
        answers.append(answer.bytes)
    assert not any(name in answer for answer in answers for name in (b"closed", b"board"))
    assert sum(b"handbook" in answer for answer in answers) >= len(answers) - 4


def test_a_request_that_names_a_hidden_source_of_a_definition_learns_no_more_than_with_an_unknown_one(
    defined: Office,
) -> None:
    def refused(name: str) -> tuple[int, str]:
        named = {"knowledgeSourceName": name, "kind": "searchIndex"}
        status, message = defined.refusal({**intents("x"), "knowledgeSourceParams": [named]}, APRIL_2026, "house")
        return status, message.replace(name, "")

    assert refused("board") == refused("other") == refused(CLOSED)
    assert refused("board")[0] == 400


def test_writing_needs_the_admin_scope_whatever_there_is(defined: Office) -> None:
    refusals = set[tuple[int, bytes]]()
    for name in ("house", "handbook", CLOSED, "nothing"):
        for method in ("PUT", "DELETE"):
            for body in (base(name, "handbook"), {"name": 1}):
                answer = defined.send(method, address("knowledgebases", name), body)
                refusals.add((answer.status, answer.response.body))
        answer = defined.send("POST", address("knowledgebases"), base(name, "handbook"))
        refusals.add((answer.status, answer.response.body))
    [(status, body)] = refusals
    assert status == 403
    assert b'"error"' in body
    assert b"admin" in body


def test_an_administrator_of_some_collections_changes_no_definition_that_searches_others(defined: Office) -> None:
    limited = defined.world.acting_key(
        defined.tenant, scopes=READ | {Scope.ADMIN}, collections=frozenset({"kitchen", "handbook"})
    )
    own = caller(limited, "ana")
    before = defined.send("GET", address("knowledgesources", "safe"), None, admin(defined)).payload
    for kind, name, body in (
        ("knowledgesources", "safe", source("safe", "kitchen")),
        ("knowledgebases", "house", base("house", "kitchen")),
    ):
        assert defined.send("PUT", address(kind, name), body, own).status == 403
        assert defined.send("DELETE", address(kind, name), None, own).status == 403
    assert defined.send("GET", address("knowledgesources", "safe"), None, admin(defined)).payload == before
    assert defined.send("PUT", address("knowledgesources", "hr"), source("hr", "handbook"), own).status in {200, 204}
    assert defined.send("DELETE", address("knowledgesources", "hr"), None, own).status == 204


def test_a_key_without_the_scopes_and_no_key_read_nothing(defined: Office) -> None:
    verify = defined.world.acting_key(defined.tenant, scopes=frozenset({Scope.VERIFY}))
    for headers in ({}, caller(verify, "ana"), {"api-key": "wrong"}):
        for path in (address("knowledgebases"), address("knowledgebases", "house"), address("knowledgesources", "hr")):
            answer = defined.send("GET", path, None, headers)
            assert answer.status == (403 if headers else 401), (headers, path)
            assert message_of(answer)


def test_definitions_of_another_tenant_do_not_exist(defined: Office) -> None:
    tenant = defined.world.tenant("beryl")
    other = Office(defined.world, tenant, defined.world.acting_key(tenant))
    other.add("guide", "The wheel pump of another tenant.")
    own = admin(other)
    for path in (address("knowledgebases", "house"), address("knowledgesources", "hr"), address("knowledgebases", "x")):
        assert other.send("GET", path, None, own).status == 404
        assert other.send("DELETE", path, None, own).status == 404
    names = [each["name"] for each in other.send("GET", address("knowledgebases"), None, own).payload["value"]]
    assert names == ["handbook"]
    stored(other, "knowledgebases", base("house", "handbook"))
    assert defined.send("GET", address("knowledgebases", "house")).payload["description"] == "The house."


def test_an_administrator_of_some_collections_reads_the_names_of_no_others(defined: Office) -> None:
    bounded = defined.world.acting_key(
        defined.tenant, scopes=READ | {Scope.ADMIN}, collections=frozenset({"kitchen", "handbook"})
    )
    headers = caller(bounded, "ana")
    shown = defined.send("GET", address("knowledgesources", "hr"), None, headers).payload
    assert shown["searchIndexParameters"]["searchIndexName"] == "kitchen"
    assert shown["searchIndexParameters"]["sourceDataFields"] == [{"name": "title"}]
    beyond = defined.send("GET", address("knowledgesources", "safe"), None, headers).payload
    assert (beyond["name"], beyond["searchIndexParameters"]) == ("safe", None)
    for kind, name, version in (("knowledgebases", "house", AUGUST_2026), ("agents", "helper", MAY_2025)):
        found = defined.send("GET", address(kind, name, version), None, headers)
        listed = defined.send("GET", address(kind, None, version), None, headers)
        assert b"kitchen" in found.bytes or b"hr" in found.bytes
        assert not any(word in each.bytes for each in (found, listed) for word in (b"closed", b"board", b"safe"))


def test_a_definition_names_collections_that_the_key_reaches(office: Office) -> None:
    key = office.world.acting_key(office.tenant, scopes=READ | {Scope.ADMIN}, collections=frozenset({"kitchen"}))
    own = caller(key, "ana")
    stored(office, "knowledgesources", source("books", "handbook"))
    for kind, version, body in (
        ("knowledgesources", APRIL_2026, source("hr", "handbook")),
        ("knowledgesources", APRIL_2026, source("hr", "nothing")),
        ("knowledgebases", APRIL_2026, base("house", "handbook")),
        ("knowledgebases", APRIL_2026, base("house", "nothing")),
        ("agents", MAY_2025, agent(MAY_2025, "helper", "handbook")),
    ):
        answer = office.send("PUT", address(kind, body["name"], version), body, own)
        assert answer.status == 400, answer.payload
        assert "handbook" in message_of(answer) or "nothing" in message_of(answer)
    for kind, body in (
        ("knowledgesources", source("hr", "kitchen")),
        ("knowledgebases", base("house", "books", "kitchen")),
    ):
        assert office.send("PUT", address(kind, body["name"]), body, own).status == 201


def test_the_sequence_of_an_agent_framework_needs_one_personal_key(defined: Office) -> None:
    key = defined.world.personal_key(defined.tenant, "ana", frozenset())
    own = {"api-key": key.secret.reveal()}
    for name in ("house", "handbook"):
        found = defined.send("GET", address("knowledgebases", name, AUGUST_2026), None, own).payload
        parameters = []
        for each in found["knowledgeSources"]:
            read = defined.send("GET", address("knowledgesources", each["name"], AUGUST_2026), None, own)
            assert read.status == 200
            kind = read.payload["kind"]
            parameters.append({"knowledgeSourceName": each["name"], "kind": kind, "includeReferenceSourceData": True})
        body = {
            **intents("wheel pump"),
            "includeActivity": True,
            "knowledgeSourceParams": parameters,
            "retrievalReasoningEffort": {"kind": "minimal"},
            "outputMode": "extractiveData",
        }
        answer = defined.send("POST", f"/knowledgebases('{name}')/retrieve?api-version={AUGUST_2026}", body, own)
        assert answer.status == 200, answer.payload
        assert "The wheel pump needs oil." in texts(answer.payload)
        assert all(each["sourceData"] for each in answer.payload["references"])


def test_a_definition_answers_empty_where_nothing_is_readable(office: Office) -> None:
    stored(office, "knowledgesources", source("safe", CLOSED))
    for name, sources in (("plain", (CLOSED,)), ("named", ("safe",))):
        stored(office, "knowledgebases", base(name, *sources))
        assert office.send("GET", address("knowledgebases", name)).payload["knowledgeSources"] == []
        answer = office.retrieve(intents("wheel pump"), APRIL_2026, name)
        assert (grounding(answer), answer["references"]) == ([], [])
        named = {"knowledgeSourceName": "safe", "kind": "searchIndex"}
        if name == "named":
            body = {**intents("wheel pump"), "knowledgeSourceParams": [named]}
            assert office.retrieve(body, APRIL_2026, name)["references"] == []
    assert put(office, "knowledgebases", base("plain", CLOSED)).status == 200
