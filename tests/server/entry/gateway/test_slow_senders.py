"""Bytes in drips buy no time: a head has ten seconds, a body or a response thirty, and what is left of one ten."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.gateway.lambda_runtime import LambdaFunction
from groundwire.entry.gateway.template import FunctionSpec, RouteSpec
from groundwire.entry.local_server.allowed_hosts import HostAllowList
from groundwire.entry.local_server.application import INTEGRATION_TIMEOUT_S, GatewayApplication
from groundwire.entry.local_server.connections.protocol import (
    DRAIN_TIMEOUT_SECONDS,
    HEAD_TIMEOUT_SECONDS,
    MAX_CONNECTIONS,
    WRITE_TIMEOUT_SECONDS,
)
from groundwire.entry.local_server.server import GatewayServer
from tests.server.entry.gateway.virtual_time import play
from tests.server.entry.gateway.wire import Wire

LAST = b"GET /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
WHOLE = b"GET /echo HTTP/1.1\r\nHost: localhost\r\n\r\n"
BODY_TO_COME = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
MISDIRECTED = BODY_TO_COME.replace(b"localhost", b"evil.example")


@pytest.fixture
def gateway() -> Iterator[GatewayApplication]:
    spec = FunctionSpec("Echo", Path("app.py"), "handler", 29, 128)
    dispatcher = Dispatcher(
        [RouteSpec("ANY /echo", spec, None, {})], lambda spec: LambdaFunction(spec, lambda event, _: event)
    )
    with closing(GatewayApplication(dispatcher, HostAllowList("", []))) as gateway:
        yield gateway


@pytest.mark.parametrize("before", [b"", WHOLE])
def test_a_head_in_drips_ends_the_connection_in_time(gateway: GatewayApplication, before: bytes) -> None:
    async def scene() -> None:
        wire = Wire(gateway)
        await wire.send(before)
        await wire.drip(b"GET /echo HTTP/1.1\r\nx-slow: " + b"x" * 1_000, every=1)
        first_byte = 1 if before else 0
        assert wire.ended_at == first_byte + HEAD_TIMEOUT_SECONDS

    play(scene())


def test_a_second_head_that_began_with_the_first_request_gets_no_more_time(gateway: GatewayApplication) -> None:
    async def scene() -> None:
        wire = Wire(gateway)
        await wire.send(WHOLE + b"GET /ec")
        await wire.drip(b"x" * 1_000, every=1)
        assert (wire.stated.count(b"HTTP/1.1 200"), wire.ended_at) == (1, HEAD_TIMEOUT_SECONDS)

    play(scene())


@pytest.mark.parametrize("every", [1, 12, 29])
def test_a_body_in_drips_is_answered_in_time_and_ends_the_connection(gateway: GatewayApplication, every: float) -> None:
    async def scene() -> None:
        wire = Wire(gateway)
        await wire.send(BODY_TO_COME)
        await wire.drip(b"x" * 999, every)
        assert wire.stated.startswith(b"HTTP/1.1 408")
        assert wire.ended_at == INTEGRATION_TIMEOUT_S

    play(scene())


@pytest.mark.parametrize("drips", [0, 1, 999])
def test_the_rest_of_an_answered_request_is_not_waited_for(gateway: GatewayApplication, drips: int) -> None:
    async def scene() -> None:
        wire = Wire(gateway)
        await wire.send(MISDIRECTED)
        assert wire.stated.startswith(b"HTTP/1.1 421")
        await wire.drip(b"x" * drips, every=1)
        await asyncio.sleep(DRAIN_TIMEOUT_SECONDS)
        assert wire.ended_at == DRAIN_TIMEOUT_SECONDS

    play(scene())


def test_who_sends_the_rest_of_an_answered_request_is_served_again(gateway: GatewayApplication) -> None:
    async def scene() -> None:
        wire = Wire(gateway)
        await wire.send(MISDIRECTED)
        await asyncio.sleep(DRAIN_TIMEOUT_SECONDS - 1)
        await wire.send(b"x" * 1_000)
        await asyncio.sleep(HEAD_TIMEOUT_SECONDS - 1)
        await wire.send(WHOLE)
        assert wire.stated.count(b"HTTP/1.1 200") == 1
        await asyncio.sleep(100)
        assert wire.ended_at is not None

    play(scene())


def test_who_asks_in_time_is_served_again_and_again(gateway: GatewayApplication) -> None:
    async def scene() -> None:
        wire = Wire(gateway)
        for _ in range(50):
            await wire.send(WHOLE)
            await asyncio.sleep(9)
        assert wire.stated.count(b"HTTP/1.1 200") == 50

    play(scene())


@pytest.mark.parametrize("start", [b"GET /echo HTTP/1.1\r\nx-slow: ", BODY_TO_COME])
def test_connections_that_are_opened_again_and_again_leave_a_place_to_others(
    gateway: GatewayApplication, start: bytes
) -> None:
    async def scene() -> None:
        server = GatewayServer(gateway, lambda: None)
        other = Wire(gateway, server, "198.51.100.7")
        await other.send(BODY_TO_COME)
        opened: list[Wire] = []
        for number in range(MAX_CONNECTIONS + 20):
            await asyncio.sleep(0.001)
            # Addresses of one network of 64 bits are one address.
            opened.append(Wire(gateway, server, f"2001:db8::{number:x}"))
            await opened[-1].send(start)
        last = Wire(gateway, server, "203.0.113.9")
        await last.send(WHOLE)
        assert b"HTTP/1.1 200" in last.stated
        assert other.ended_at is None
        # The oldest ones gave way.
        ended = [wire.ended_at is not None for wire in opened]
        assert ended == sorted(ended, reverse=True)
        assert any(ended)

    play(scene())


def test_connections_that_are_opened_in_one_moment_each_end_another_one(gateway: GatewayApplication) -> None:
    async def scene() -> None:
        server = GatewayServer(gateway, lambda: None)
        opened = [Wire(gateway, server) for _ in range(MAX_CONNECTIONS + 20)]
        assert sum(wire.ended_at is None for wire in opened) <= MAX_CONNECTIONS

    play(scene())


@pytest.mark.parametrize("request_head", [WHOLE, LAST, WHOLE + WHOLE])
def test_a_response_that_nobody_reads_ends_the_connection(gateway: GatewayApplication, request_head: bytes) -> None:
    async def scene() -> None:
        wire = Wire(gateway)
        wire.reads = False
        await wire.send(request_head)
        await asyncio.sleep(10 * WRITE_TIMEOUT_SECONDS)
        assert b"HTTP/1.1 200" in wire.stated
        assert wire.ended_at == WRITE_TIMEOUT_SECONDS

    play(scene())


def test_who_reads_a_response_slowly_is_served_again(gateway: GatewayApplication) -> None:
    async def scene() -> None:
        wire = Wire(gateway)
        for _ in range(3):
            wire.reads = False
            await wire.send(WHOLE)
            await asyncio.sleep(WRITE_TIMEOUT_SECONDS - 1)
            wire.read()
            await wire.send(b"")
        assert (wire.stated.count(b"HTTP/1.1 200"), wire.ended_at) == (3, None)
        await asyncio.sleep(WRITE_TIMEOUT_SECONDS)
        assert wire.ended_at is not None

    play(scene())


@pytest.mark.parametrize("request_head", [WHOLE, LAST])
def test_connections_whose_responses_nobody_reads_leave_a_place_to_others(
    gateway: GatewayApplication, request_head: bytes
) -> None:
    async def scene() -> None:
        server = GatewayServer(gateway, lambda: None)
        for _ in range(MAX_CONNECTIONS + 20):
            wire = Wire(gateway, server)
            wire.reads = False
            await wire.send(request_head)
        last = Wire(gateway, server, "203.0.113.9")
        await last.send(WHOLE)
        assert b"HTTP/1.1 200" in last.stated

    play(scene())


def test_the_connection_that_waits_for_longest_ends_and_not_the_oldest(gateway: GatewayApplication) -> None:
    async def scene() -> None:
        server = GatewayServer(gateway, lambda: None)
        # Those of this machine have no bound of their address.
        used = Wire(gateway, server, "127.0.0.1")
        await asyncio.sleep(1)
        idle = [Wire(gateway, server, "127.0.0.1") for _ in range(MAX_CONNECTIONS - 1)]
        await asyncio.sleep(1)
        await used.send(WHOLE)
        for _ in range(5):
            Wire(gateway, server, "203.0.113.9")
        assert used.ended_at is None
        assert sum(wire.ended_at is not None for wire in idle) == 5

    play(scene())


def test_requests_that_are_complete_do_not_count_against_their_address(gateway: GatewayApplication) -> None:
    async def scene() -> None:
        server = GatewayServer(gateway, lambda: None)
        # All requests of an office are complete but the last one, whose head is on its way.
        office = [Wire(gateway, server, "192.0.2.1") for _ in range(MAX_CONNECTIONS - 4)]
        for wire in office[:-1]:
            # The loop runs no call meanwhile.
            wire.receive(WHOLE)
        hog = [Wire(gateway, server, "198.51.100.7") for _ in range(6)]
        assert office[-1].ended_at is None
        assert any(wire.ended_at is not None for wire in hog)

    play(scene())
