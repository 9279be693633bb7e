"""Whoever sends no key may learn what the six tools are, where a setting opens that, and nothing else."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from groundwire.domain.limits import DISCOVERY_BURST, DISCOVERY_RATE_PER_MINUTE, MAX_DISCOVERY_ADDRESSES
from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.gateway.events import GatewayRequest
from groundwire.entry.runtime.address_limit import AddressLimit
from tests.server.dialects.foundry.edge import PATH, PLAIN, TOOLS, Edge
from tests.support.aws.template.routes import deployed_routes
from tests.support.worlds.exchange import owner
from tests.support.worlds.world import Answer, World

NOTHING = SimpleNamespace(close=lambda: None)
INITIALIZE = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "curl", "version": "1.0"}}


@pytest.fixture
def nobody(world: World, tenant: str, monkeypatch: pytest.MonkeyPatch) -> Edge:
    """A client without a key, of a server whose discovery is open."""
    monkeypatch.setenv("GROUNDWIRE_OPEN_DISCOVERY", "foundry")
    world.reopen()
    return Edge(world, {})


def session_of(answer: Answer) -> str:
    return dict(answer.response.headers)["mcp-session-id"]


@pytest.mark.parametrize("method", ["initialize", "tools/list", "tools/call", "ping"])
def test_without_the_setting_every_method_needs_a_key(world: World, tenant: str, method: str) -> None:
    assert Edge(world, {}).request(method).status == 401


def test_nobody_gets_the_six_tools_as_everybody_does(nobody: Edge, ben: Edge) -> None:
    tools = nobody.request("tools/list").result["tools"]
    assert [tool["name"] for tool in tools] == list(TOOLS)
    assert tools == ben.request("tools/list").result["tools"]


def test_the_first_two_steps_of_the_page_need_no_key_and_the_third_takes_their_session(nobody: Edge, ben: Edge) -> None:
    started = nobody.request("initialize", **INITIALIZE)
    assert started.result["protocolVersion"] == "2025-03-26"
    session = {"mcp-session-id": session_of(started)}
    UUID(session["mcp-session-id"])
    notification = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert nobody.post(notification, session).status == 202
    listed = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    assert nobody.post(listed, session).status == 200
    called = {"jsonrpc": "2.0", "id": 3, "method": "tools/call"}
    params = {"name": "search_hybrid", "arguments": {"query": "reset", "top_n": 5}}
    assert nobody.post({**called, "params": params}, session).status == 401
    found = ben.post({**called, "params": params}, session).result["structuredContent"]
    assert found["edgeragapp"]["results"]


def test_a_session_of_nobody_proves_nothing_and_is_not_stored(nobody: Edge, ben: Edge) -> None:
    first, second = (session_of(nobody.request("initialize", **INITIALIZE)) for _ in range(2))
    assert first != second
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    # One that was never given is worth as much.
    for session in (first, str(UUID(int=7))):
        assert nobody.post(message, {"mcp-session-id": session}).status == 200
        assert ben.post(message, {"mcp-session-id": session}).status == 200
    kept = session_of(ben.request("initialize", **INITIALIZE))
    assert ben.post(message, {"mcp-session-id": kept}).status == 200
    assert ben.post(message, {"mcp-session-id": kept[:-1]}).status == 404


def test_no_other_route_is_public(nobody: Edge) -> None:
    for method in ("tools/call", "resources/list", "prompts/get", "logging/setLevel", "none"):
        assert nobody.request(method, name="search_text", arguments={"query": "reset"}).status == 401
    assert nobody.request("tools/list", cursor="x").status == 401
    listed = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for body in ([listed], [], "text", b"x"):
        assert nobody.post(body).status == 401
    for method in ("GET", "DELETE", "PUT"):
        assert nobody.world.request(method, PATH, PLAIN, b"").status == 401
    for wrong in ({"authorization": "Bearer gw_local_wrong"}, {"api-key": ""}, {"authorization": ""}):
        assert nobody.post(listed, wrong).status == 401
    assert nobody.world.post(json.dumps(listed).encode(), {}).status == 401


def files(home: Path) -> dict[str, bytes]:
    return {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()}


def test_nothing_is_read_written_or_woken_for_nobody(nobody: Edge, monkeypatch: pytest.MonkeyPatch) -> None:
    services = nobody.world.services
    nobody.request("ping")
    before = files(services.settings.home)
    for store in ("sessions", "documents", "indexes", "embedders", "collections", "seal", "search", "audit", "users"):
        monkeypatch.setitem(vars(owner(services, store)), store, NOTHING)
    assert nobody.request("initialize", **INITIALIZE).status == 200
    assert [tool["name"] for tool in nobody.request("tools/list").result["tools"]] == list(TOOLS)
    assert nobody.request("server/discover").status == 200
    assert files(services.settings.home) == before


def test_one_address_has_a_rate_and_another_has_its_own(nobody: Edge) -> None:
    dispatcher = Dispatcher(deployed_routes())

    def call(address: str, **headers: str) -> Answer:
        body = json.dumps({"jsonrpc": "2.0", "id": 4, "method": "tools/list"}).encode()
        sent = (("host", "127.0.0.1:8080"), *PLAIN.items(), *headers.items())
        return Answer(dispatcher.answer(GatewayRequest("POST", PATH, "", sent, body, address)))

    answers = [call("192.0.2.1") for _ in range(DISCOVERY_BURST + 10)]
    assert {answer.status for answer in answers[:DISCOVERY_BURST]} == {200}
    refused = answers[-1]
    assert (refused.status, refused.payload["id"], refused.payload["error"]["code"]) == (429, 4, -32000)
    assert int(dict(refused.response.headers)["retry-after"]) >= 1
    assert call("192.0.2.2").status == 200
    # No header of the caller's own names another address.
    assert call("192.0.2.1", **{"x-forwarded-for": "192.0.2.9", "forwarded": "for=192.0.2.9"}).status == 429


class Time:
    """A clock that is set."""

    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def test_a_rate_recovers_with_time() -> None:
    clock = Time()
    limit = AddressLimit(clock)
    assert sum(limit.seconds_until_admitted("192.0.2.1") == 0 for _ in range(1_000)) == DISCOVERY_BURST
    clock.now += 60
    expected = min(DISCOVERY_BURST, DISCOVERY_RATE_PER_MINUTE)
    assert sum(limit.seconds_until_admitted("192.0.2.1") == 0 for _ in range(1_000)) == expected


@pytest.mark.parametrize(
    ("first", "second", "is_one"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::1::", "::1::", True),
        ("", "", True),
    ],
)
def test_a_network_of_ipv6_is_one_address(first: str, second: str, *, is_one: bool) -> None:
    limit = AddressLimit(Time())
    while limit.seconds_until_admitted(first) == 0:
        pass
    assert (limit.seconds_until_admitted(second) > 0) is is_one


def test_the_addresses_that_are_counted_are_bounded() -> None:
    limit = AddressLimit(Time())
    for number in range(MAX_DISCOVERY_ADDRESSES + 100):
        limit.seconds_until_admitted(f"a{number}")
    counted: Any = vars(limit)["_arrival_times"]
    assert len(counted) == MAX_DISCOVERY_ADDRESSES
