"""Calls that wait on the outside hold no slot, closing waits for nothing, and a refusal has the form of its dialect."""

import asyncio
import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from contextvars import copy_context
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from groundwire.domain.errors import LimitExceeded
from groundwire.domain.keys.fairness.work import Capacity, Levels, Work
from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.gateway.lambda_runtime import LambdaFunction, LocalLambdaContext
from groundwire.entry.gateway.template import FunctionSpec, RouteSpec
from groundwire.entry.local_server.allowed_hosts import HostAllowList
from groundwire.entry.local_server.application import GatewayApplication
from groundwire.entry.local_server.workers import ServerCapacity
from groundwire.ports.deadline import beside, outside, waiting
from groundwire.services.keys.admin import KeyWithSecret
from tests.support.aws.template.routes import deployed_routes
from tests.support.worlds.world import open_world

FULL: Final = ServerCapacity(calls=Capacity(Levels(8, 4, 2, 1), Levels(8, 8, 8, 0), 10))
"""Capacity in which no user's call may wait."""
ONE_CALL: Final = ServerCapacity(calls=Capacity(Levels(8, 4, 2, 1), Levels(256, 256, 256, 256), 10))
"""Capacity in which all calls of a user may wait."""
PLACES: Final = ServerCapacity(outside=Capacity(Levels(8, 4, 3, 2), Levels(16, 8, 6, 4), 1e6))


def authorizer(event: dict[str, Any], _: LocalLambdaContext) -> object:
    headers = event["headers"]
    context = {"decision": "admitted", "tenant": headers["tenant"], "kid": headers["api-key"]}
    return {"isAuthorized": True, "context": context}


async def statuses_of(
    work: Callable[[dict[str, Any]], int],
    scene: Callable[[httpx.AsyncClient], Any],
    capacity: ServerCapacity,
    check: Callable[[dict[str, Any], LocalLambdaContext], object] = authorizer,
) -> None:
    """Plays a scene with a server whose function returns the status that `work` does."""

    def function(event: dict[str, Any], _: LocalLambdaContext) -> object:
        return {"statusCode": work(event)}

    own, checks = (FunctionSpec(name, Path("app.py"), "handler", 29, 128) for name in ("Function", "Authorizer"))
    handlers = {"Authorizer": check, "Function": function}
    routes = [RouteSpec("ANY /{proxy+}", own, checks, {})]
    dispatcher = Dispatcher(routes, lambda spec: LambdaFunction(spec, handlers[spec.name]))
    with closing(GatewayApplication(dispatcher, HostAllowList("", []), 30, capacity)) as gateway:
        transport = httpx.ASGITransport(gateway)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=60) as client:
            await scene(client)


def send(client: httpx.AsyncClient, path: str, key: str, tenant: str = "acme") -> "asyncio.Task[httpx.Response]":
    return asyncio.create_task(client.post(path, headers={"api-key": key, "tenant": tenant}))


def test_calls_that_wait_for_a_source_hold_no_slot_and_a_key_has_a_part_of_the_places() -> None:
    release, called = threading.Event(), threading.Semaphore(0)

    def work(event: dict[str, Any]) -> int:
        if event["rawPath"] != "/slow":
            return 200
        try:
            with outside(Work.SOURCE):
                called.release()
                assert release.wait(timeout=30)
        except LimitExceeded as error:
            return 429 if error.retry_after_s >= 1 else 500
        return 201

    async def scene(client: httpx.AsyncClient) -> None:
        slow = [send(client, "/slow", "k1") for _ in range(28)]
        refused, held = await asyncio.wait(slow, return_when=asyncio.FIRST_COMPLETED)
        while len(held) > 4:
            more, held = await asyncio.wait(held, return_when=asyncio.FIRST_COMPLETED)
            refused |= more
        assert {task.result().status_code for task in refused} == {429}
        # Of the same key, of another one, and of another tenant: 28 calls of one to a source delay nobody's search.
        answers = await asyncio.gather(*(send(client, "/search", key) for key in ("k1", "k2", "k2", "k3") * 5))
        assert {answer.status_code for answer in answers} == {200}
        assert (await send(client, "/search", "k9", "birch")).status_code == 200
        others = [send(client, "/slow", "k2") for _ in range(2)]
        await asyncio.to_thread(lambda: [called.acquire() for _ in range(4)])
        release.set()
        assert {answer.status_code for answer in await asyncio.gather(*held, *others)} == {201}

    asyncio.run(statuses_of(work, scene, PLACES))


def test_a_known_key_is_not_checked_for_a_call_while_its_calls_have_all_its_slots() -> None:
    release, started, checks = threading.Event(), threading.Event(), Counter[str]()

    def check(event: dict[str, Any], context: LocalLambdaContext) -> object:
        checks[event["headers"]["api-key"]] += 1
        return authorizer(event, context)

    def work(event: dict[str, Any]) -> int:
        if event["rawPath"] == "/long":
            started.set()
            assert release.wait(timeout=30)
        return 200

    async def scene(client: httpx.AsyncClient) -> None:
        # The first call of each makes its key known.
        for key, tenant in (("k1", "acme"), ("k2", "birch")):
            assert (await send(client, "/search", key, tenant)).status_code == 200
        long = send(client, "/long", "k1")
        await asyncio.to_thread(started.wait, 30)
        waiting_call = send(client, "/search", "k1")
        assert (await send(client, "/search", "k2", "birch")).status_code == 200
        assert checks == {"k1": 2, "k2": 2}
        release.set()
        assert [answer.status_code for answer in await asyncio.gather(long, waiting_call)] == [200, 200]
        assert checks["k1"] == 3

    asyncio.run(statuses_of(work, scene, ONE_CALL, check))


def test_a_call_that_waits_for_its_own_threads_holds_no_slot_and_these_take_places() -> None:
    release, started = threading.Event(), threading.Semaphore(0)

    def source() -> None:
        with outside(Work.SOURCE), waiting(), beside():
            started.release()
            assert release.wait(timeout=30)

    def work(event: dict[str, Any]) -> int:
        if event["rawPath"] == "/joined":
            with beside():
                thread = threading.Thread(target=copy_context().run, args=(source,))
            thread.start()
            with waiting():
                thread.join()
        return 200

    async def scene(client: httpx.AsyncClient) -> None:
        joined = [send(client, "/joined", "k1") for _ in range(2)]
        await asyncio.to_thread(lambda: [started.acquire() for _ in joined])
        answers = await asyncio.gather(*(send(client, "/search", "k1") for _ in range(9)))
        assert {answer.status_code for answer in answers} == {200}
        release.set()
        assert [answer.status_code for answer in await asyncio.gather(*joined)] == [200, 200]

    asyncio.run(statuses_of(work, scene, PLACES))


def test_more_calls_to_sources_than_threads_all_end_and_delay_no_other_call_for_good() -> None:
    # A process that can be ended: calls that wait for each other for good would hold the threads of this one.
    program = f"from {__name__} import play_more_calls_than_threads as play; play()"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def play_more_calls_than_threads() -> None:
    few_threads = ServerCapacity(
        calls=Capacity(Levels(4, 4, 2, 1), Levels(256, 256, 8, 8), 1e6),
        outside=Capacity(Levels(2, 2, 2, 2), Levels(8, 8, 8, 8), 1e6),
    )
    release, started = threading.Event(), threading.Semaphore(0)

    def work(event: dict[str, Any]) -> int:
        if event["rawPath"] == "/busy":
            started.release()
            assert release.wait(timeout=30)
        if event["rawPath"] == "/slow":
            try:
                with outside(Work.SOURCE):
                    return 201
            except LimitExceeded:
                return 429
        return 200

    async def scene(client: httpx.AsyncClient) -> None:
        busy = [send(client, "/busy", f"busy{number}") for number in range(4)]
        await asyncio.to_thread(lambda: [started.acquire() for _ in busy])
        slow = [send(client, "/slow", f"k{number}") for number in range(60)]
        # Control slots are free: its answer shows that the calls before it are authorized and wait.
        headers = {"api-key": "k99", "tenant": "birch"}
        assert (await client.delete("/v1/keys/gw1", headers=headers)).status_code == 200
        release.set()
        assert {answer.status_code for answer in await asyncio.gather(*busy)} == {200}
        assert {answer.status_code for answer in await asyncio.gather(*slow)} <= {201, 429}
        assert (await send(client, "/search", "k99", "birch")).status_code == 200
        assert (await client.delete("/v1/keys/gw1", headers=headers)).status_code == 200

    asyncio.run(statuses_of(work, scene, few_threads))


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("DELETE", "/v1/keys/gw1"),
        ("PATCH", "/v1/keys/gw1"),
        ("PUT", "/v1/documents/d1/policy"),
        ("DELETE", "/v1/documents/d1"),
        ("POST", "/v1/documents/d1/close"),
        ("DELETE", "/v1/collections/shelf"),
        ("PATCH", "/v1/users/a%40example.com"),
        ("POST", "/v1/users/offboard"),
        ("POST", "/v1/users/block"),
        ("DELETE", "/v1/session"),
        ("DELETE", "/v1/users/a%40example.com"),
    ],
)
def test_a_change_that_closes_waits_for_no_call(method: str, path: str) -> None:
    async def scene(client: httpx.AsyncClient) -> None:
        headers = {"api-key": "k1", "tenant": "acme"}
        assert (await client.request(method, path, headers=headers)).status_code == 200
        assert (await client.post("/v1/search", headers=headers)).status_code == 503

    asyncio.run(statuses_of(lambda _: 200, scene, FULL))


def rpc(tool: str, **arguments: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


REQUESTS: Final = {
    "mindset": ("/mcp", "mindset", rpc("rag_search", search_phrases=["safe"])),
    "foundry": ("/edgeai/mcp", "default", rpc("search_text", query="safe")),
    "rest": ("/v1/search", "mindset", {"phrases": ["safe"]}),
    "azure": ("/agents/a/retrieve?api-version=2025-05-01-preview", "default", {"messages": []}),
    "opensearch": ("/opensearch/notes/_search", "default", {"query": {"match_all": {}}}),
    "vertex": ("/v1/projects/p/locations/l:retrieveContexts", "default", {"query": {"text": "safe"}}),
}


@pytest.mark.parametrize("dialect", REQUESTS)
def test_a_refusal_is_that_of_a_key_over_its_rate_in_the_form_of_the_dialect(
    dialect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, toolset, body = REQUESTS[dialect]
    with open_world(tmp_path / "home", monkeypatch) as world:
        tenant = world.tenant("acme")

        async def post(key: KeyWithSecret, capacity: ServerCapacity, times: int) -> httpx.Response:
            hosts = HostAllowList(world.services.settings.public_url, [])
            headers = {"authorization": f"Bearer {key.secret.reveal()}", "content-type": "application/json"}
            with closing(GatewayApplication(Dispatcher(deployed_routes()), hosts, 30, capacity)) as gateway:
                transport = httpx.ASGITransport(gateway)
                async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as http:
                    for _ in range(times - 1):
                        await http.post(path, content=json.dumps(body), headers=headers)
                    return await http.post(path, content=json.dumps(body), headers=headers)

        over_rate = asyncio.run(post(world.slow_key(tenant, toolset), ServerCapacity(), 4))
        refused = asyncio.run(post(world.twin(world.personal_key(tenant, "ana", frozenset()), toolset), FULL, 1))
        assert refused.status_code == over_rate.status_code
        assert refused.headers.get("content-type") == over_rate.headers.get("content-type")
        assert ("retry-after" in refused.headers) == ("retry-after" in over_rate.headers)
        assert list(refused.json()) == list(over_rate.json())
        [record] = world.services.stores.audit.read(1)
        assert record["reason"] == "fair_share"
