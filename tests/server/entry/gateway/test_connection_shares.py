"""A caller that holds all the connections that it can leaves one to each other caller, over real sockets."""

import contextlib
import resource
import selectors
import socket
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import pytest

from groundwire.domain.limits import MAX_CONCURRENT_UPLOAD_FORMS
from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.gateway.lambda_runtime import LambdaFunction, LocalLambdaContext
from groundwire.entry.gateway.template import FunctionSpec, RouteSpec
from groundwire.entry.local_server.allowed_hosts import HostAllowList
from groundwire.entry.local_server.application import GatewayApplication
from groundwire.entry.local_server.connections import protocol
from groundwire.entry.local_server.connections.protocol import MAX_CONNECTIONS
from groundwire.entry.local_server.server import GatewayServer, address_of, listen
from groundwire.entry.local_server.workers import ServerCapacity

FUNCTION: Final = FunctionSpec("Function", Path("app.py"), "handler", 29, 128)
AUTHORIZER: Final = FunctionSpec("Authorizer", Path("app.py"), "handler", 3, 128)
ROUTES: Final = [RouteSpec("GET /health", FUNCTION, None, {}), RouteSpec("POST /call", FUNCTION, AUTHORIZER, {})]
KEYS: Final = 8
LARGE: Final = "x" * 1_000_000


class Held:
    """Functions of a server: calls of the tenant `noisy` wait until `release` is set; `large` gets a large response."""

    def __init__(self) -> None:
        self.release = threading.Event()

    def function(self, event: dict[str, Any], _: LocalLambdaContext) -> object:
        tenant = event["headers"].get("tenant")
        if tenant == "noisy":
            assert self.release.wait(timeout=60)
        return {"statusCode": 200, "body": LARGE if tenant == "large" else "{}"}

    def authorizer(self, event: dict[str, Any], _: LocalLambdaContext) -> object:
        headers = event["headers"]
        if headers["api-key"].startswith("invented"):
            assert self.release.wait(timeout=60)
            return {"isAuthorized": True, "context": {"decision": "unauthenticated"}}
        context = {"decision": "admitted", "tenant": headers["tenant"], "kid": headers["api-key"]}
        return {"isAuthorized": True, "context": context}


@pytest.fixture
def held() -> Iterator[Held]:
    functions = Held()
    yield functions
    functions.release.set()


@pytest.fixture(autouse=True)
def many_files() -> Iterator[None]:
    """Sockets of both ends are in this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8_192), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def application_of(held: Held) -> GatewayApplication:
    handlers = {"Authorizer": held.authorizer, "Function": held.function}
    dispatcher = Dispatcher(ROUTES, lambda spec: LambdaFunction(spec, handlers[spec.name]))
    return GatewayApplication(dispatcher, HostAllowList("", []))


@contextlib.contextmanager
def serving(held: Held) -> Generator[str]:
    started = threading.Event()
    with listen("127.0.0.1", 0) as listening, closing(application_of(held)) as gateway:
        server = GatewayServer(gateway, started.set)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            assert started.wait(timeout=30)
            yield address_of(listening)
        finally:
            held.release.set()
            server.should_exit = True
            thread.join()


def request_of(tenant: str, key: str) -> bytes:
    head = f"POST /call HTTP/1.1\r\nHost: localhost\r\ntenant: {tenant}\r\napi-key: {key}\r\nContent-Length: 0\r\n\r\n"
    return head.encode()


@contextlib.contextmanager
def opened(url: str, count: int, data: Callable[[int], bytes]) -> Generator[list[socket.socket]]:
    """Connections that each sent the data of their number; nobody reads from them."""
    address = urlsplit(url)
    with contextlib.ExitStack() as stack:
        sockets: list[socket.socket] = []
        for number in range(count):
            connection = stack.enter_context(socket.create_connection((address.hostname, address.port), timeout=30))
            connection.sendall(data(number))
            sockets.append(connection)
        yield sockets


def readable(sockets: list[socket.socket], timeout_s: float) -> list[socket.socket]:
    """Those that have an answer or have ended."""
    with selectors.DefaultSelector() as selector:
        for each in sockets:
            selector.register(each, selectors.EVENT_READ, each)
        return [key.data for key, _ in selector.select(timeout_s)]


ATTACKS: Final[dict[str, Callable[[int], bytes]]] = {
    "complete calls": lambda number: request_of("noisy", f"k{number % KEYS}"),
    "calls of many tenants' names with invented keys": lambda number: request_of(f"t{number}", f"invented{number}"),
    "unfinished heads": lambda _: b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: ",
    "unfinished bodies": lambda _: request_of("noisy", "k").replace(b"Length: 0", b"Length: 9"),
    "responses that nobody reads": lambda number: request_of("large", f"k{number % KEYS}"),
    "a key that opens one connection after the other": lambda _: request_of("quick", "k"),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_calls_of_another_tenant_and_health_are_answered_beside_more_connections_than_there_are(
    held: Held, attack: str
) -> None:
    with serving(held) as url, httpx.Client(base_url=url, timeout=30) as known:
        own = {"tenant": "quiet", "api-key": "own"}
        assert known.post("/call", headers=own).status_code == 200
        with opened(url, MAX_CONNECTIONS + 100, ATTACKS[attack]) as sockets:
            for _ in range(3):
                # A new connection each time.
                assert httpx.post(f"{url}/call", headers=own, timeout=30).status_code == 200
                assert httpx.get(f"{url}/health", timeout=30).status_code == 200
            # Nobody holds more than the server has.
            assert len(readable(sockets, timeout_s=0)) >= 100


def test_a_tenant_whose_keys_all_call_at_once_holds_a_part_of_the_connections(held: Held) -> None:
    with serving(held) as url, opened(url, MAX_CONNECTIONS + 100, ATTACKS["complete calls"]) as sockets:
        assert httpx.get(f"{url}/health", timeout=30).status_code == 200
        most = ServerCapacity().calls.pending.tenant
        statuses: list[int] = []
        waiting = sockets
        while len(waiting) > most:
            ready = readable(waiting, timeout_s=30)
            assert ready
            for each in ready:
                with contextlib.suppress(OSError):
                    statuses += [int(head.split()[1]) for head in [each.recv(65_536)] if head]
            waiting = [each for each in waiting if each not in ready]
        # All others were refused, or their connection ended after the refusal.
        assert set(statuses) == {503}
        held.release.set()
        for each in waiting:
            assert each.recv(65_536).startswith(b"HTTP/1.1 200")


def test_requests_that_run_or_wait_leave_connections_free() -> None:
    assert ServerCapacity().most_on_connections + MAX_CONCURRENT_UPLOAD_FORMS < MAX_CONNECTIONS


def test_one_step_of_the_server_accepts_a_part_of_the_connections_before_it_reads_their_requests(held: Held) -> None:
    with closing(application_of(held)) as gateway:
        assert GatewayServer(gateway, lambda: None).config.backlog * 4 <= MAX_CONNECTIONS


@pytest.mark.parametrize("queue", ["calls", "control", "authorizations"])
def test_a_tenant_and_callers_without_a_key_leave_places_in_each_queue(queue: str) -> None:
    capacity = getattr(ServerCapacity(), queue)
    # One caller can be both.
    assert 2 * capacity.pending.tenant < capacity.pending.total
    assert 2 * capacity.running.tenant <= capacity.running.total


def test_a_flood_of_signs_of_life_ends_its_own_connections(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "MAX_CONNECTIONS", 90)
    with serving(held) as url:
        request = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with opened(url, 200, lambda _: request * 20):
            assert httpx.get(f"{url}/health", timeout=30).status_code == 200
