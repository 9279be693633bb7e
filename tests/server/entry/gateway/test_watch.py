"""Views of an operator on a server of one machine: readiness, metrics and an access log."""

import asyncio
import io
import json
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path

import httpx
import pytest

from groundwire.domain.errors import InvalidInput, Unavailable
from groundwire.entry.cli.server.watching import address_of_metrics
from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.gateway.lambda_runtime import LambdaFunction, LocalLambdaContext
from groundwire.entry.gateway.template import FunctionSpec, RouteSpec
from groundwire.entry.local_server.allowed_hosts import HostAllowList
from groundwire.entry.local_server.application import GatewayApplication, ServerParts
from groundwire.entry.local_server.watch import (
    Observer,
    Readiness,
    RequestMetrics,
    ServerWatch,
    metrics_served,
    write_access_log,
)

SECRET = "s3cret-token-of-a-link"


def answer(event: dict[str, object], context: LocalLambdaContext) -> object:
    return {"path": event["rawPath"]}


@asynccontextmanager
async def served(check: Callable[[], bool], observers: Sequence[Observer] = ()) -> AsyncGenerator[httpx.AsyncClient]:
    spec = FunctionSpec("Answer", Path("app.py"), "handler", 29, 128)
    routes = [RouteSpec(key, spec, None, {}) for key in ("GET /open/{token}", "POST /v1/search")]
    dispatcher = Dispatcher(routes, lambda spec: LambdaFunction(spec, answer))
    watch = ServerWatch(Readiness(check), observers)
    with closing(GatewayApplication(dispatcher, HostAllowList("", []), parts=ServerParts(watch=watch))) as gateway:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(gateway), base_url="http://localhost") as client:
            yield client


def statuses(check: Callable[[], bool], count: int) -> list[int]:
    async def probe() -> list[int]:
        async with served(check) as client:
            return [each.status_code for each in await asyncio.gather(*[client.get("/ready") for _ in range(count)])]

    return asyncio.run(probe())


def test_ready_is_200_if_the_check_holds_and_503_if_not() -> None:
    def refuse() -> bool:
        raise Unavailable("registry.db is locked")

    assert statuses(lambda: True, 1) == [200]
    assert statuses(lambda: False, 1) == [503]
    assert statuses(refuse, 1) == [503]


def test_concurrent_probes_share_one_check() -> None:
    checks: list[int] = []

    def check() -> bool:
        checks.append(1)
        return True

    assert statuses(check, 50) == [200] * 50
    assert len(checks) == 1


def test_a_server_without_an_operators_view_has_no_such_path() -> None:
    async def probe() -> int:
        with closing(GatewayApplication(Dispatcher([]), HostAllowList("", []))) as gateway:
            transport = httpx.ASGITransport(gateway)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                return (await client.get("/ready")).status_code

    assert asyncio.run(probe()) == 404


async def send_some(client: httpx.AsyncClient) -> None:
    await client.get(f"/open/{SECRET}?q={SECRET}")
    await client.post("/v1/search", json={"query": SECRET})
    await client.request("SPY", f"/{SECRET}")


def test_metrics_count_requests_by_route_and_hold_no_path_and_no_word_of_a_caller() -> None:
    metrics = RequestMetrics()

    async def run() -> None:
        async with served(lambda: True, [metrics.observe]) as client:
            await send_some(client)

    asyncio.run(run())
    with metrics_served(metrics, "127.0.0.1", 0) as port:
        response = httpx.get(f"http://127.0.0.1:{port}/metrics", headers={"accept": "application/openmetrics-text"})
    assert response.headers["content-type"].startswith("application/openmetrics-text")
    assert 'groundwire_requests_total{method="GET",route="GET /open/{token}",status="200"} 1.0' in response.text
    assert 'groundwire_requests_total{method="other",route="none",status="404"} 1.0' in response.text
    assert 'groundwire_request_seconds_count{route="POST /v1/search"} 1.0' in response.text
    assert SECRET not in response.text
    assert response.text.endswith("# EOF\n")


def test_the_end_of_the_block_frees_the_address_of_the_metrics() -> None:
    metrics = RequestMetrics()
    before = threading.active_count()
    with metrics_served(metrics, "127.0.0.1", 0) as port:
        pass
    with metrics_served(metrics, "127.0.0.1", port):
        pass
    assert threading.active_count() == before


def test_the_access_log_is_one_json_line_per_request_without_path_and_query(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def run() -> None:
        async with served(lambda: True, [write_access_log]) as client:
            await send_some(client)

    asyncio.run(run())
    printed = capsys.readouterr().out
    lines = [json.loads(line) for line in printed.splitlines()]
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("GET", "GET /open/{token}", 200),
        ("POST", "POST /v1/search", 200),
        ("SPY", None, 404),
    ]
    assert {"time", "method", "route", "status", "duration_ms", "bytes", "client"} == lines[0].keys()
    assert SECRET not in printed


def test_a_closed_standard_output_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr("sys.stdout", closed)

    async def run() -> int:
        async with served(lambda: True, [write_access_log]) as client:
            return (await client.post("/v1/search", json={})).status_code

    assert asyncio.run(run()) == 200


@pytest.mark.parametrize(
    ("option", "address"),
    [
        ("127.0.0.1:9464", ("127.0.0.1", 9464)),
        ("[::1]:9464", ("::1", 9464)),
        ("metrics.internal:1", ("metrics.internal", 1)),
    ],
)
def test_an_address_of_metrics_is_read(option: str, address: tuple[str, int]) -> None:
    assert address_of_metrics(option) == address


@pytest.mark.parametrize("option", ["9464", "127.0.0.1", "127.0.0.1:", "127.0.0.1:70000", "::1:9464", " :1", "a b:1"])
def test_another_form_is_refused_with_an_example(option: str) -> None:
    with pytest.raises(InvalidInput, match=r"HOST:PORT, such as 127\.0\.0\.1:9464"):
        address_of_metrics(option)
