"""A dialect that is one folder and one line has routes, tools, scopes and refusals of its own."""

import json
import secrets
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from groundwire.dialects import DIALECTS
from groundwire.dialects.declaration.dialect import Dialect
from groundwire.dialects.default import DEFAULT
from groundwire.dialects.openai import OPENAI
from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.services.call_context import CallContext
from groundwire.services.keys.admin import KeySpec
from groundwire_mcp.jsonrpc.errors import ResultCode
from groundwire_mcp.transport.http import HttpRequest
from tests.server.dialects.shared.conftest import KNOWN, ToyWorld
from tests.server.dialects.shared.toy import TOY
from tests.support.worlds.exchange import owner
from tests.support.worlds.world import Answer, caller

OPEN = (*DIALECTS, replace(TOY, allows_open_discovery=True))
WITHOUT_SESSIONS = (*DIALECTS, replace(TOY, keeps_sessions=False))
UPPER = replace(TOY, name="upper", tools=OPENAI.tools, mcp_paths=("/toy/upper/mcp",), rest_routes=())
"""Dialect with a fixed path that also matches a path with a parameter of the toy."""
SOMEBODY = Caller(Principal("t", None, frozenset()), "", KeyKind.PERSONAL, frozenset(), frozenset(), USUAL_OPTIONS)
EVERYBODY = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
NOTHING = SimpleNamespace(close=lambda: None)
JSON = {"content-type": "application/json"}


def key(world: ToyWorld, *, scopes: frozenset[Scope] = frozenset({Scope.SEARCH}), **more: Any) -> dict[str, str]:
    """The headers of a new key in a tenant with one document."""
    tenant = world.tenant(secrets.token_hex(4))
    world.ingest(tenant, "The pump needs oil.", EVERYBODY, path="/nowhere/pump.txt")
    options = replace(USUAL_OPTIONS, **more)
    spec = KeySpec(tenant, "k", KeyKind.PERSONAL, "ana", frozenset(), (), scopes, ALL_COLLECTIONS, options)
    return JSON | caller(world.services.administration.key_admin.create(spec))


def ask(world: ToyWorld, path: str, headers: dict[str, str], method: str, **params: object) -> Answer:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return world.request("POST", path, headers, json.dumps(message).encode())


def tools(world: ToyWorld, path: str, headers: dict[str, str]) -> list[str]:
    return [tool["name"] for tool in ask(world, path, headers, "tools/list").result["tools"]]


def last_outcome(world: ToyWorld) -> tuple[object, object]:
    """Return outcome and status of the last audit record."""
    [record] = world.services.stores.audit.read(1)
    return record["outcome"], record["status"]


@pytest.mark.parametrize("path", ["/toy/mcp", "/toy/upper/mcp"])
def test_its_own_mcp_route_has_its_tools_and_no_other_whatever_the_keys_toolset(world: ToyWorld, path: str) -> None:
    world.switch_on("toy", "default", "openai")
    for toolset in ("default", "openai"):
        headers = key(world, toolset=toolset)
        assert tools(world, path, headers) == ["count"]
        counted = ask(world, path, headers, "tools/call", name="count", arguments={"words": "oil pump"})
        assert counted.result["content"][0]["text"] == "1"
        unknown = ask(world, path, headers, "tools/call", name="rag_search", arguments={"search_phrases": ["oil"]})
        assert unknown.payload["error"]["code"] == -32602
        assert "count" not in tools(world, "/mcp", headers)


@pytest.mark.parametrize("known", [(*DIALECTS, TOY, UPPER), (*DIALECTS, UPPER, TOY)], ids=["last", "first"])
def test_a_fixed_path_counts_before_a_path_with_parameters(world: ToyWorld, known: tuple[Dialect, ...]) -> None:
    world.switch_on("toy", "upper", known=known)
    headers = key(world)
    assert tools(world, "/toy/upper/mcp", headers) == ["search", "fetch"]
    assert tools(world, "/toy/lower/mcp", headers) == ["count"]


def test_an_empty_segment_matches_no_parameter(world: ToyWorld) -> None:
    world.switch_on("toy")
    headers = key(world)
    for path in ("/toy//mcp", "/toy//retrieve"):
        assert world.request("POST", path, headers, b"oil").status == 404
    # The gateway refuses the path before the router; the router refuses it on its own.
    found = {
        path: world.services.agents.mcp_server.handle(
            HttpRequest("POST", path, {}, b""), CallContext(SOMEBODY)
        ).result_code
        for path in ("/toy//mcp", "/toy/x/mcp")
    }
    assert found["/toy//mcp"] is ResultCode.UNKNOWN_PATH
    assert found["/toy/x/mcp"] is not ResultCode.UNKNOWN_PATH


def test_without_sessions_none_begins_and_the_id_of_a_client_is_not_read(
    world: ToyWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.switch_on("toy")
    headers = key(world)
    unknown = headers | {"mcp-session-id": "unknown"}
    started = ask(world, "/toy/mcp", headers, "initialize", protocolVersion="2025-06-18")
    assert "mcp-session-id" in dict(started.response.headers)
    assert ask(world, "/toy/mcp", unknown, "tools/list").status == 404
    world.switch_on("toy", known=WITHOUT_SESSIONS)
    monkeypatch.setitem(vars(owner(world.services, "sessions")), "sessions", NOTHING)
    started = ask(world, "/toy/mcp", headers, "initialize", protocolVersion="2025-06-18")
    assert started.status == 200
    assert "mcp-session-id" not in dict(started.response.headers)
    assert tools(world, "/toy/mcp", unknown) == ["count"]


def test_its_rest_route_answers_with_path_query_and_body(world: ToyWorld) -> None:
    world.switch_on("toy")
    answer = world.request("POST", "/toy/upper/retrieve?api-version=1", key(world), b"oil pump")
    assert (answer.status, answer.payload) == (200, {"shelf": "upper", "query": "api-version=1", "passages": 1})
    assert world.services.stores.audit.verify().is_intact


def test_a_key_without_the_scope_is_refused_on_both_routes_in_the_dialects_form_on_rest(world: ToyWorld) -> None:
    world.switch_on("toy")
    headers = key(world, scopes=frozenset({Scope.VERIFY}))
    called = ask(world, "/toy/mcp", headers, "tools/call", name="count", arguments={"words": "oil"})
    assert (called.status, called.payload["error"]["data"]["scope"]) == (403, "search")
    refused = world.request("POST", "/toy/upper/retrieve", headers, b"oil")
    assert refused.status == 403
    assert "`search`" in refused.payload["toy_says"]


def test_a_route_without_a_scope_is_refused_to_every_key(world: ToyWorld) -> None:
    closed = replace(TOY, rest_routes=tuple(route._replace(scopes=frozenset()) for route in TOY.rest_routes))
    world.switch_on("toy", known=(*DIALECTS, closed))
    refused = world.request("POST", "/toy/upper/retrieve", key(world, scopes=frozenset({Scope.ADMIN})), b"oil")
    assert refused.status == 403


def test_unknown_callers_are_refused_in_the_dialects_form_and_on_other_routes_as_before(world: ToyWorld) -> None:
    world.switch_on("toy", "default")
    refused = world.request("POST", "/toy/upper/retrieve", JSON, b"{}")
    assert (refused.status, list(refused.payload)) == (401, ["toy_says"])
    refused = world.request("POST", "/toy/mcp", JSON, b"{}")
    assert (refused.status, refused.payload["error"]["message"][:14]) == (401, "The toy says: ")
    assert world.request("POST", "/mcp", JSON, b"{}").payload["error"]["message"].startswith("A valid API key")
    assert "error" in world.request("GET", "/v1/status", JSON, b"").payload


def test_what_is_not_switched_on_is_not_there(world: ToyWorld) -> None:
    world.switch_on("default")
    headers = key(world)
    answer = ask(world, "/toy/mcp", headers, "tools/list")
    assert (answer.status, answer.payload) == (404, {"message": "Not Found"})
    assert last_outcome(world) == ("unknown_path", 404)
    assert world.request("POST", "/toy/upper/retrieve", headers, b"oil").status == 404
    assert tools(world, "/mcp", headers) == list(DEFAULT.listed_tool_names)
    world.switch_on("toy")
    assert tools(world, "/mcp", headers) == []


def test_a_key_for_other_dialects_is_refused_in_the_form_of_the_route(world: ToyWorld) -> None:
    world.switch_on("toy", "default", "openai")
    headers = key(world, dialects=frozenset({"default"}))
    assert tools(world, "/mcp", headers) == list(DEFAULT.listed_tool_names)
    refused = world.request("POST", "/toy/upper/retrieve", headers, b"oil")
    assert (refused.status, list(refused.payload)) == (403, ["toy_says"])
    refused = ask(world, "/toy/mcp", headers, "tools/list")
    assert (refused.status, refused.payload["id"]) == (403, 1)
    assert refused.payload["error"]["message"].startswith("The toy says: Forbidden")
    assert last_outcome(world) == ("forbidden_dialect", 403)
    toys = key(world, dialects=frozenset({"toy"}))
    assert tools(world, "/toy/mcp", toys) == ["count"]
    refused = ask(world, "/mcp", toys, "tools/list")
    assert (refused.status, refused.payload["error"]["code"], refused.payload["id"]) == (403, -32001, 1)
    assert last_outcome(world) == ("forbidden_dialect", 403)


def test_a_key_names_dialects_that_there_are(world: ToyWorld) -> None:
    world.switch_on("default")
    for named in (frozenset({"nope"}), frozenset[str]()):
        with pytest.raises(InvalidInput):
            key(world, dialects=named)


def test_an_unknown_dialect_cannot_be_switched_on(world: ToyWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_DIALECTS", "default nope")
    world.reopen()
    with pytest.raises(InvalidInput, match="'nope'"):
        _ = world.services.agents.dialects


@pytest.mark.parametrize("method", ["initialize", "tools/list", "ping"])
def test_open_discovery_answers_constants_to_whoever_sends_no_key(world: ToyWorld, method: str) -> None:
    world.switch_on("toy", "default", known=OPEN, open_discovery="toy")
    answer = ask(world, "/toy/mcp", JSON, method, protocolVersion="2025-06-18")
    assert answer.status == 200
    assert ("mcp-session-id" in dict(answer.response.headers)) == (method == "initialize")
    assert ask(world, "/mcp", JSON, method).status == 401
    # Off where the setting does not name it.
    world.switch_on("toy", "default", known=OPEN)
    assert ask(world, "/toy/mcp", JSON, method).status == 401


def test_open_discovery_is_for_dialects_that_allow_it_and_are_switched_on(world: ToyWorld) -> None:
    for known, names in ((KNOWN, ("toy", "default")), (OPEN, ("default",))):
        with pytest.raises(InvalidInput, match="'toy'"):
            world.switch_on(*names, known=known, open_discovery="toy")


def test_open_discovery_opens_nothing_else(world: ToyWorld) -> None:
    world.switch_on("toy", known=OPEN, open_discovery="toy")
    for method in ("tools/call", "resources/list", "prompts/get", "logging/setLevel", "none"):
        assert ask(world, "/toy/mcp", JSON, method, name="count", arguments={"words": "oil"}).status == 401
    assert ask(world, "/toy/mcp", JSON, "tools/list", cursor="x").status == 401
    batch = b'[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]'
    for verb, body in (("POST", batch), ("POST", b"x"), ("GET", b""), ("DELETE", b"")):
        assert world.request(verb, "/toy/mcp", JSON, body).status == 401
    wrong = JSON | {"authorization": "Bearer gw_local_wrong"}
    assert ask(world, "/toy/mcp", wrong, "tools/list").status == 401
    assert world.request("POST", "/toy/upper/retrieve", JSON, b"oil").status == 401


def test_open_discovery_reads_no_store(world: ToyWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    world.switch_on("toy", known=OPEN, open_discovery="toy")
    for store in ("sessions", "documents", "indexes", "seal", "search"):
        monkeypatch.setitem(vars(owner(world.services, store)), store, NOTHING)
    assert ask(world, "/toy/mcp", JSON, "initialize", protocolVersion="2025-06-18").status == 200
    assert tools(world, "/toy/mcp", JSON) == ["count"]
