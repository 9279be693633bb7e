"""A call beyond the rate of its key: a result that a model reads for MCP clients, 429 for everybody else."""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import pytest
from mcp_types.methods import validate_server_result

from groundwire.dialects import DIALECTS
from groundwire.services.keys.admin import KeyWithSecret
from tests.server.dialects.shared.conftest import ToyWorld
from tests.support.worlds.world import Answer, caller

SESSION: Final = {"mcp-session-id": "any"}
MODERN: Final = "2026-07-28"
HANDSHAKE: Final = "2025-11-25"
ENVELOPE: Final = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Client(NamedTuple):
    """Headers and `_meta` with which a client marks its calls."""

    name: str
    headers: Mapping[str, str]
    meta: Mapping[str, Any] | None = None


STATELESS: Final = Client("stateless", {"mcp-protocol-version": MODERN}, ENVELOPE)
MARKED: Final = (
    Client("version", {"mcp-protocol-version": HANDSHAKE}),
    Client("session", SESSION),
    Client("meta", {}, {"progressToken": 1}),
    STATELESS,
)


@pytest.fixture
def tenant(world: ToyWorld) -> str:
    world.switch_on(*(dialect.name for dialect in DIALECTS))
    return world.tenant("amber")


def spent_key(world: ToyWorld, tenant: str, toolset: str) -> KeyWithSecret:
    """A key whose rate is spent."""
    key = world.slow_key(tenant, toolset)
    assert world.post(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}', caller(key)).status == 200
    return key


def ask(
    world: ToyWorld, key: KeyWithSecret, client: Client, method: str = "tools/call", name: str = "fetch", **more: str
) -> Answer:
    params: dict[str, Any] = {"name": name, "arguments": {"id": "x"}} if method == "tools/call" else {}
    params |= {} if client.meta is None else {"_meta": dict(client.meta)}
    headers = {**caller(key), **client.headers, "accept": "application/json, text/event-stream", **more}
    if client is STATELESS:
        headers = {"mcp-method": method, "mcp-name": name, **headers}
    return world.post(json.dumps({"jsonrpc": "2.0", "id": 5, "method": method, "params": params}).encode(), headers)


def last_line(world: ToyWorld) -> dict[str, Any]:
    return dict(json.loads((world.services.settings.home / "audit.jsonl").read_text().splitlines()[-1]))


@pytest.mark.parametrize("toolset", ["default", "openai"])
@pytest.mark.parametrize("client", MARKED, ids=lambda client: client.name)
def test_a_model_reads_when_to_call_again(world: ToyWorld, tenant: str, toolset: str, client: Client) -> None:
    answer = ask(world, spent_key(world, tenant, toolset), client)
    assert (answer.status, answer.payload["id"]) == (200, 5)
    result = answer.payload["result"]
    validate_server_result("tools/call", MODERN if client is STATELESS else HANDSHAKE, result)
    retry = result["_meta"]["groundwire/retry"]
    assert (result["isError"], retry["retryable"]) == (True, True)
    assert 1 <= retry["retry_after_s"] <= 60
    text = f"Too many calls. Call the tool again after {retry['retry_after_s']} s."
    assert result["content"] == [{"type": "text", "text": text}]


@pytest.mark.parametrize("client", MARKED, ids=lambda client: client.name)
def test_the_line_of_the_call_is_that_of_a_refused_one(world: ToyWorld, tenant: str, client: Client) -> None:
    key = spent_key(world, tenant, "default")
    lines: list[dict[str, Any]] = []
    for requested in (Client("unmarked", {}), client):
        ask(world, key, requested)
        lines.append(last_line(world))
    own = {"time", "request_id", "duration_ms", "bytes", "trace", "seq", "prev", "hash"}
    first, second = ({name: line[name] for name in line.keys() - own} for line in lines)
    assert first == second
    assert (second["outcome"], second["decision"], second["status"]) == ("not_admitted", "over_limit", 429)


@pytest.mark.parametrize("method", ["tools/list", "initialize", "ping", "resources/list"])
def test_every_other_method_is_refused_by_http(world: ToyWorld, tenant: str, method: str) -> None:
    answer = ask(world, spent_key(world, tenant, "default"), MARKED[0], method)
    assert answer.status == 429
    assert int(dict(answer.response.headers)["retry-after"]) >= 1


def test_the_code_is_outside_of_those_that_2026_07_28_reserves(world: ToyWorld, tenant: str) -> None:
    key = spent_key(world, tenant, "default")
    codes = [ask(world, key, client, "tools/list").payload["error"]["code"] for client in (MARKED[0], STATELESS)]
    assert codes == [-32000, 429]


def test_mindset_and_calls_without_a_mark_are_refused_by_http(world: ToyWorld, tenant: str) -> None:
    of_mindset = spent_key(world, tenant, "mindset")
    unmarked = ask(world, spent_key(world, tenant, "default"), Client("unmarked", {}))
    for answer in (unmarked, *(ask(world, of_mindset, client, name="rag_search") for client in MARKED)):
        assert (answer.status, answer.payload["error"]["data"]["retryable"]) == (429, True)


@pytest.mark.parametrize(
    ("client", "changed"),
    [
        (MARKED[0], {"origin": "https://evil.example"}),
        (STATELESS, {"mcp-name": "search"}),
        (Client("unknown version", {"mcp-protocol-version": "2031-01-01"}), {}),
    ],
)
def test_a_call_that_is_wrong_otherwise_is_refused_by_http(
    world: ToyWorld, tenant: str, client: Client, changed: dict[str, str]
) -> None:
    assert ask(world, spent_key(world, tenant, "default"), client, **changed).status == 429
    assert ask(world, spent_key(world, tenant, "default"), MARKED[0], name="made_up").status == 429


def test_a_dialect_with_a_route_of_its_own_keeps_the_status(world: ToyWorld, tenant: str) -> None:
    world.switch_on("default", "toy")
    key = spent_key(world, tenant, "default")
    body = json.dumps({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "count"}}).encode()
    headers = {**caller(key), "mcp-protocol-version": HANDSHAKE, "content-type": "application/json"}
    assert world.request("POST", "/toy/anything/mcp", headers, body).status == 429
