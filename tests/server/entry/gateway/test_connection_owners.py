"""A connection counts to the tenant, key and user of its last call, before one to its address."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from groundwire.domain.keys.fairness.parties import NEW_USERS, Party
from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.gateway.lambda_runtime import LambdaFunction, LocalLambdaContext
from groundwire.entry.gateway.template import FunctionSpec, RouteSpec
from groundwire.entry.local_server.allowed_hosts import HostAllowList
from groundwire.entry.local_server.application import GatewayApplication, ServerParts
from groundwire.entry.local_server.connections import protocol
from groundwire.entry.local_server.connections.forwarding import TrustedProxies
from groundwire.entry.local_server.connections.protocol import MAX_ADDRESS_CONNECTIONS
from groundwire.entry.local_server.server import GatewayServer
from tests.server.entry.gateway.virtual_time import play
from tests.server.entry.gateway.wire import Wire

OFFICE: Final = "192.0.2.1"
OTHER: Final = "198.51.100.7"
PROXY: Final = "203.0.113.1"


def call(tenant: str, key: str = "k", address: str = "") -> bytes:
    lines = ["POST /call HTTP/1.1", "Host: localhost", "Content-Length: 0"]
    lines += [f"tenant: {tenant}", f"api-key: {key}"] if tenant else []
    lines += [f"X-Forwarded-For: {address}"] if address else []
    return "\r\n".join([*lines, "", ""]).encode()


def authorizer(event: dict[str, Any], _: LocalLambdaContext) -> object:
    headers = event["headers"]
    context = {"decision": "admitted" if "tenant" in headers else "unauthenticated"}
    names = {"tenant": "tenant", "kid": "api-key"}
    context |= {name: headers[header] for name, header in names.items() if header in headers}
    return {"isAuthorized": True, "context": context}


def function_of_any_call(_event: dict[str, Any], _: LocalLambdaContext) -> object:
    return {"statusCode": 200}


@pytest.fixture
def gateway() -> Iterator[GatewayApplication]:
    function, checks = (FunctionSpec(name, Path("app.py"), "handler", 29, 128) for name in ("Function", "Authorizer"))
    handlers = {"Authorizer": authorizer, "Function": function_of_any_call}
    routes = [RouteSpec("POST /call", function, checks, {})]
    dispatcher = Dispatcher(routes, lambda spec: LambdaFunction(spec, handlers[spec.name]))
    parts = ServerParts(proxies=TrustedProxies([PROXY]))
    with closing(GatewayApplication(dispatcher, HostAllowList("", []), parts=parts)) as gateway:
        yield gateway


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(protocol, "MAX_ADDRESS_CONNECTIONS", 8)
    monkeypatch.setattr(protocol, "MAX_CONNECTIONS", 20)
    return 20


def test_the_owner_is_the_party_of_the_last_call(gateway: GatewayApplication) -> None:
    async def scene() -> None:
        wire = Wire(gateway, address=OFFICE)
        assert wire.protocol.owner.party == Party("", OFFICE, NEW_USERS)
        await wire.send(call("acme", "k1"))
        assert wire.protocol.owner.party == Party("acme", "k1", NEW_USERS)
        await wire.send(call(""))
        assert wire.protocol.owner.party == Party("", OFFICE, NEW_USERS)

    play(scene())


def test_idle_connections_of_the_tenant_with_the_most_end_before_those_of_others_behind_its_address(
    gateway: GatewayApplication, few: int
) -> None:
    async def scene() -> None:
        server = GatewayServer(gateway, lambda: None)
        quiet = [Wire(gateway, server, OFFICE) for _ in range(2)]
        noisy = [Wire(gateway, server, OFFICE) for _ in range(few - 2)]
        for number, wire in enumerate([*quiet, *noisy]):
            # The one with the most in sum, however many keys it has.
            await wire.send(call("quiet" if wire in quiet else "noisy", f"k{number}"))
        for _ in range(5):
            await Wire(gateway, server, OTHER).send(call("other"))
        assert [wire.ended_at for wire in quiet] == [None, None]
        assert sum(wire.ended_at is not None for wire in noisy) == 5

    play(scene())


@pytest.mark.parametrize(("address", "most"), [(OFFICE, MAX_ADDRESS_CONNECTIONS), ("127.0.0.1", 200), (PROXY, 200)])
def test_an_address_without_a_key_has_a_number_of_connections_and_a_proxy_or_this_machine_all(
    gateway: GatewayApplication, address: str, most: int
) -> None:
    async def scene() -> None:
        server = GatewayServer(gateway, lambda: None)
        other = Wire(gateway, server, OTHER)
        opened: list[Wire] = []
        for _ in range(200):
            opened.append(Wire(gateway, server, address))
            await asyncio.sleep(0.04)
        # Those of the last second, 25 of them, have had no time to send a head.
        assert 0 <= sum(wire.ended_at is None for wire in opened) - most <= 1
        assert other.ended_at is None

    play(scene())


def test_agents_with_keys_behind_one_address_are_not_bounded_by_it(gateway: GatewayApplication) -> None:
    async def scene() -> None:
        server = GatewayServer(gateway, lambda: None)
        agents: list[Wire] = []
        for number in range(2 * MAX_ADDRESS_CONNECTIONS):
            agents.append(Wire(gateway, server, OFFICE))
            await agents[-1].send(call("acme", f"k{number}"))
            await asyncio.sleep(0.05)
        assert {wire.ended_at for wire in agents} == {None}

    play(scene())


def test_the_address_that_a_trusted_proxy_names_is_that_of_the_caller(gateway: GatewayApplication) -> None:
    async def scene() -> None:
        trusted, untrusted = Wire(gateway, address=PROXY), Wire(gateway, address=OFFICE)
        for wire in (trusted, untrusted):
            await wire.send(call("", address=OTHER))
        assert trusted.protocol.owner.party == Party("", OTHER, NEW_USERS)
        assert untrusted.protocol.owner.party == Party("", OFFICE, NEW_USERS)

    play(scene())
