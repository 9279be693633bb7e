"""Each file in events/ goes through the function that it is for, as `sam local invoke -e` would send it."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from groundwire import wiring
from groundwire.dialects.default import DEFAULT
from groundwire.domain.access.policy import Principal
from groundwire.domain.keys.auth_decision import AuthStatus
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.cli.sample_events.event_files import write_live_events
from groundwire.entry.gateway.lambda_runtime import LambdaFunction, load_function
from groundwire.entry.gateway.template import RouteSpec
from groundwire.entry.http.authorizer_context import decision_from_event
from groundwire.wiring.local.services import LocalServices
from tests.support.aws.template.routes import deployed_route
from tests.support.registry.key_specs import agents_key

ROOT = Path(__file__).parents[4]
TENANT = "t_0123456789abcdef"


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalServices]:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    wiring.reset()
    current = wiring.local_services()
    current.stores.tenants.add(Tenant(TENANT, "Acme", rate_per_minute=600, burst=60, created_at=0.0))
    yield current
    wiring.reset()


@pytest.fixture
def route() -> RouteSpec:
    return deployed_route("ANY /mcp")


@pytest.fixture
def mcp(services: LocalServices, route: RouteSpec) -> LambdaFunction:
    return load_function(route.function)


@pytest.fixture
def authorizer(services: LocalServices, route: RouteSpec) -> LambdaFunction:
    assert route.authorizer is not None
    return load_function(route.authorizer)


def sample(name: str) -> dict[str, Any]:
    return json.loads((ROOT / "events" / f"{name}.json").read_text(encoding="utf-8"))


def replay(function: LambdaFunction, event: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    answer: Any = function.invoke(event)
    return answer["statusCode"], json.loads(answer["body"])


def status_of(function: LambdaFunction, event: dict[str, Any]) -> int:
    answer: Any = function.invoke(event)
    return answer["statusCode"]


def test_initialize_and_tools_list_and_discover_are_answered(mcp: LambdaFunction) -> None:
    status, hello = replay(mcp, sample("initialize"))
    assert (status, hello["result"]["protocolVersion"]) == (200, "2025-11-25")
    _, tools = replay(mcp, sample("tools_list"))
    assert {tool["name"] for tool in tools["result"]["tools"]} == set(DEFAULT.listed_tool_names)
    status, discovered = replay(mcp, sample("discover"))
    assert status == 200
    assert "2026-07-28" in discovered["result"]["supportedVersions"]


def test_the_call_of_foundry_locals_page_is_answered(services: LocalServices) -> None:
    foundry = load_function(deployed_route("ANY /edgeai/mcp").function)
    event = sample("foundry")
    # Without a document nothing is searched for, and no model is needed.
    status, answer = replay(foundry, event)
    assert status == 200
    assert answer["result"]["structuredContent"]["edgeragapp"]["results"] == []


def test_a_session_that_the_handshake_begins_is_continued_and_ended(mcp: LambdaFunction) -> None:
    hello: Any = mcp.invoke(sample("initialize"))
    in_session, ending = sample("tools_list_in_session"), sample("delete_session")
    assert [status_of(mcp, event) for event in (in_session, ending)] == [404, 404]
    for event in (in_session, ending):
        event["headers"]["mcp-session-id"] = hello["headers"]["mcp-session-id"]
    assert [status_of(mcp, event) for event in (in_session, ending, in_session, ending)] == [200, 204, 404, 404]


def test_a_handshake_for_a_tenant_that_is_not_there_is_answered_as_by_a_stack_and_begins_nothing(
    mcp: LambdaFunction, services: LocalServices
) -> None:
    services.stores.tenants.mark_deleting(TENANT)
    services.stores.tenants.delete(TENANT)
    hello: Any = mcp.invoke(sample("initialize"))
    assert (hello["statusCode"], json.loads(hello["body"])["result"]["protocolVersion"]) == (200, "2025-11-25")
    following = sample("tools_list_in_session")
    following["headers"]["mcp-session-id"] = hello["headers"]["mcp-session-id"]
    assert status_of(mcp, following) == 404


@pytest.mark.parametrize("name", ["rag_search", "spoofed_headers", "mindset"])
def test_a_search_in_an_empty_tenant_finds_nothing_and_succeeds(mcp: LambdaFunction, name: str) -> None:
    status, answer = replay(mcp, sample(name))
    assert (status, answer["result"]["segments"]) == (200, [])


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """The loop of this thread, on which the function of REST runs."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield loop
    asyncio.set_event_loop(None)
    loop.close()


@pytest.mark.usefixtures("services", "loop")
def test_the_event_of_vertex_reads_a_corpus_that_an_empty_tenant_does_not_have() -> None:
    event = sample("vertex")
    status, answer = replay(load_function(deployed_route(event["routeKey"]).function), event)
    assert (status, answer["error"]["status"]) == (404, "NOT_FOUND")


@pytest.mark.usefixtures("services", "loop")
def test_the_event_of_azure_retrieves_from_a_knowledge_base_that_an_empty_tenant_does_not_have() -> None:
    event = sample("azure")
    status, answer = replay(load_function(deployed_route(event["routeKey"]).function), event)
    assert (status, "'handbook'" in answer["error"]["message"]) == (404, True)


@pytest.mark.usefixtures("services", "loop")
def test_the_event_of_opensearch_searches_an_index_that_an_empty_tenant_does_not_have() -> None:
    event = sample("opensearch")
    status, answer = replay(load_function(deployed_route(event["routeKey"]).function), event)
    assert (status, answer["error"]["reason"]) == (404, "no such index [handbook]")


def test_the_event_of_mindset_is_recorded_with_its_user_and_the_platforms_own_id(
    mcp: LambdaFunction, services: LocalServices
) -> None:
    _, answer = replay(mcp, sample("mindset"))
    assert answer["id"] == "request-123"
    line = json.loads((services.settings.home / "audit.jsonl").read_text().splitlines()[-1])
    assert (line["user"], line["x-human-uid"]) == ("user@example.com", "human_123456789")


def test_verify_of_a_segment_that_never_was_gives_no_access(mcp: LambdaFunction) -> None:
    _, answer = replay(mcp, sample("verify"))
    assert answer["result"]["structuredContent"]["has_access"] is False


def test_without_a_key_the_answer_is_401(mcp: LambdaFunction) -> None:
    status, answer = replay(mcp, sample("no_key"))
    assert status == 401
    assert "error" in answer


def test_spoofed_headers_are_recorded_as_the_user_of_the_context(mcp: LambdaFunction, services: LocalServices) -> None:
    mcp.invoke(sample("spoofed_headers"))
    (log,) = [file for file in services.settings.home.rglob("*.jsonl") if "audit" in str(file)]
    assert json.loads(log.read_text().splitlines()[-1])["user"] == "maria"


def test_the_sample_key_was_issued_by_nobody(authorizer: LambdaFunction) -> None:
    answer: Any = authorizer.invoke(sample("authorizer"))
    assert answer["isAuthorized"] is True
    assert answer["context"]["decision"] == AuthStatus.UNAUTHENTICATED


def test_events_of_a_live_key_are_admitted_and_answered(
    services: LocalServices, authorizer: LambdaFunction, mcp: LambdaFunction, tmp_path: Path
) -> None:
    order = replace(agents_key(TENANT), max_tags=("department:*",))
    key = services.administration.key_admin.create(order).secret.reveal()
    tags = frozenset({"department:sales"})

    def ask(event: dict[str, object], _context: object) -> dict[str, object]:
        # As the command does: its events are files, so the decision crosses as strings.
        context: Any = None
        answer: Any = authorizer.handler(event, context)
        return answer

    written = {
        path.stem: json.loads(path.read_text()) for path in write_live_events(tmp_path, key, "omar", tags, None, ask)
    }
    again: Any = authorizer.invoke(written.pop("authorizer"))
    assert again["context"]["decision"] == AuthStatus.ADMITTED
    for event in written.values():
        caller = decision_from_event(event).caller
        assert caller is not None
        assert caller.principal == Principal(TENANT, "omar", tags)
        status, answer = replay(mcp, event)
        assert status == 200
        assert "result" in answer
