"""API Gateway's limits hold here too, with its answers."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import ExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from groundwire.domain.keys.fairness.work import Capacity, Levels
from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.gateway.lambda_runtime import LambdaFunction, LocalLambdaContext
from groundwire.entry.gateway.template import FunctionSpec, RouteSpec
from groundwire.entry.local_server import application
from groundwire.entry.local_server.allowed_hosts import HostAllowList
from groundwire.entry.local_server.application import MAX_BODY_BYTES, MAX_HEADER_BYTES, GatewayApplication
from groundwire.entry.local_server.fair_share import CapacityExceededError
from groundwire.entry.local_server.request_bodies import UNCOUNTED_BYTES, BodyMemory
from groundwire.entry.local_server.workers import ServerCapacity


class Held:
    """Function that signals its start, and answers when a test releases it."""

    def __init__(self) -> None:
        self.started = threading.Semaphore(0)
        self.release = threading.Event()

    def __call__(self, event: dict[str, object], context: LocalLambdaContext) -> object:
        self.started.release()
        self.release.wait()
        return {"path": event["rawPath"], "loop": asyncio.get_event_loop().is_closed()}


@pytest.fixture
def held() -> Iterator[Held]:
    function = Held()
    yield function
    function.release.set()


@asynccontextmanager
async def gateway_of(function: Held, timeout_s: float, pending: int) -> AsyncGenerator[GatewayApplication]:
    spec = FunctionSpec("Held", Path("app.py"), "handler", 29, 128)
    dispatcher = Dispatcher([RouteSpec("$default", spec, None, {})], lambda spec: LambdaFunction(spec, function))
    calls = Capacity(Levels(16, 8, 8, 8), Levels(*[pending] * 4), seconds=30)
    gateway = GatewayApplication(dispatcher, HostAllowList("", []), timeout_s, ServerCapacity(calls))
    with closing(gateway):
        yield gateway
        function.release.set()


@asynccontextmanager
async def served(function: Held, timeout_s: float, pending: int) -> AsyncGenerator[httpx.AsyncClient]:
    async with (
        gateway_of(function, timeout_s, pending) as gateway,
        httpx.AsyncClient(transport=httpx.ASGITransport(gateway), base_url="http://localhost") as client,
    ):
        yield client


def test_a_body_of_exactly_10_mb_arrives(http: httpx.Client) -> None:
    response = http.post("/echo", content=b"x" * MAX_BODY_BYTES, headers={"content-type": "text/plain"})
    assert response.status_code == 200
    assert len(response.json()["event"]["body"]) == MAX_BODY_BYTES


def test_a_larger_body_is_refused_and_the_sender_gets_to_read_it(http: httpx.Client) -> None:
    response = http.post("/echo", content=b"x" * (MAX_BODY_BYTES + 1))
    assert (response.status_code, response.json()) == (413, {"message": "Request Entity Too Large"})


def test_a_body_of_unknown_length_is_measured_as_it_comes(http: httpx.Client) -> None:
    response = http.post("/echo", content=(b"x" * 1_000_000 for _ in range(11)))
    assert response.status_code == 413


LARGE: Final = b"x" * (UNCOUNTED_BYTES + 600)


def test_bodies_of_one_address_are_bounded_together_and_room_comes_back(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "MAX_BUFFERED_BYTES", 2_000)

    async def play() -> None:
        async with served(held, timeout_s=20, pending=8) as client:
            running = asyncio.create_task(client.post("/first", content=LARGE))
            await asyncio.to_thread(held.started.acquire)
            refused = await client.post("/second", content=LARGE)
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
            assert refused.headers["connection"] == "close"
            held.release.set()
            assert (await running).status_code == 200
            assert (await client.post("/third", content=LARGE)).status_code == 200

    asyncio.run(play())


def test_bodies_of_one_address_leave_a_half_of_the_room_to_others() -> None:
    memory = BodyMemory(2_000)
    with ExitStack() as running:

        def receive(network: str) -> None:
            running.enter_context(memory.reservation(network)).add(len(LARGE))

        receive("192.0.2.1")
        with pytest.raises(CapacityExceededError):
            receive("192.0.2.1")
        receive("198.51.100.7")
        receive("203.0.113.9")
        # All of them together have their limit, too.
        with pytest.raises(CapacityExceededError):
            receive("203.0.113.10")
    with memory.reservation("192.0.2.1") as reservation:
        reservation.add(UNCOUNTED_BYTES + 1_000)


def test_small_bodies_are_taken_while_large_ones_have_all_the_room(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "MAX_BUFFERED_BYTES", 2_000)

    async def play() -> None:
        async with served(held, timeout_s=20, pending=8) as client:
            large = asyncio.create_task(client.post("/first", content=LARGE))
            await asyncio.to_thread(held.started.acquire)
            small = asyncio.create_task(client.post("/second", content=b"x" * UNCOUNTED_BYTES))
            held.release.set()
            assert [(await each).status_code for each in (large, small)] == [200, 200]

    asyncio.run(play())


def test_a_body_that_ends_with_its_connection_is_no_request(held: Held) -> None:
    pieces = iter([{"type": "http.request", "body": b"x", "more_body": True}, {"type": "http.disconnect"}])
    statuses: list[int] = []

    async def receive() -> Any:
        return next(pieces)

    async def send(message: Any) -> None:
        statuses.extend([message["status"]] if "status" in message else [])

    async def play() -> None:
        async with gateway_of(held, timeout_s=20, pending=8) as gateway:
            head = {"method": "POST", "path": "/first", "raw_path": b"/first", "query_string": b""}
            about = {"headers": [(b"host", b"localhost")], "client": None, "http_version": "1.1"}
            await gateway({"type": "http", **head, **about}, receive, send)

    asyncio.run(play())
    assert statuses == [408]
    assert not held.started.acquire(blocking=False)


def test_request_line_and_headers_share_one_limit(http: httpx.Client) -> None:
    assert http.get("/echo", headers={"x-big": "x" * (MAX_HEADER_BYTES - 1_000)}).status_code == 200
    for response in (
        http.get("/echo", headers={"x-big": "x" * MAX_HEADER_BYTES}),
        http.get("/echo", params={"q": "x" * MAX_HEADER_BYTES}),
        http.get("/echo", headers=[("x-many", "x" * 1_000)] * 11),
    ):
        assert (response.status_code, response.json()) == (431, {"message": "Request Header Fields Too Large"})


def test_a_head_far_beyond_the_limit_is_refused_wherever_the_parser_stops(http: httpx.Client) -> None:
    assert http.get("/echo", headers={"x-big": "x" * 200_000}).status_code in {400, 431}


def test_a_call_that_outlives_the_gateway_is_answered_and_others_continue(held: Held) -> None:
    async def play() -> None:
        async with served(held, timeout_s=0.05, pending=8) as client:
            delayed = await client.post("/slow")
            assert (delayed.status_code, delayed.json()) == (503, {"message": "Service Unavailable"})
            held.release.set()
            assert (await client.post("/next")).json() == {"path": "/next", "loop": False}

    asyncio.run(play())


def test_calls_beyond_capacity_are_refused_at_once_and_served_again_when_there_is_room(held: Held) -> None:
    async def play() -> None:
        async with served(held, timeout_s=20, pending=2) as client:
            running = [asyncio.create_task(client.post(f"/{number}")) for number in range(2)]
            await asyncio.to_thread(lambda: [held.started.acquire() for _ in running])
            refused = await client.post("/third")
            assert (refused.status_code, refused.json()) == (503, {"message": "Service Unavailable"})
            held.release.set()
            assert {task.status_code for task in await asyncio.gather(*running)} == {200}
            assert (await client.post("/fourth")).status_code == 200

    asyncio.run(play())


def test_functions_run_side_by_side_each_thread_with_an_event_loop(held: Held) -> None:
    async def play() -> None:
        async with served(held, timeout_s=20, pending=8) as client:
            running = [asyncio.create_task(client.post(f"/{number}")) for number in range(4)]
            # All four have begun while none has ended: they do not wait for each other.
            await asyncio.to_thread(lambda: [held.started.acquire() for _ in running])
            held.release.set()
            answers = [task.json() for task in await asyncio.gather(*running)]
            assert answers == [{"path": f"/{number}", "loop": False} for number in range(4)]

    asyncio.run(play())
