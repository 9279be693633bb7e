"""Who opens a connection and does not ask is not waited for."""

import contextlib
import socket
import threading
from collections.abc import Generator, Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from groundwire.entry.local_server.background_server import run_in_background
from groundwire.entry.local_server.connections.protocol import ReadTimeoutProtocol
from tests.server.entry.gateway.probe import ProbeStack

WHOLE = b"GET /echo HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def url(stack: ProbeStack, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(ReadTimeoutProtocol, "head_timeout_seconds", 0.3)
    with run_in_background(stack.template) as found:
        yield found


@contextlib.contextmanager
def connected(url: str) -> Generator[socket.socket]:
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout=20) as connection:
        yield connection


def ended(connection: socket.socket) -> bool:
    """Wait until the server ends the connection; return false if it sends data instead."""
    try:
        return connection.recv(65_536) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"", b"GET /echo HTTP/1.1\r\nHost: loc"])
def test_a_head_that_does_not_come_ends_the_connection(url: str, sent: bytes) -> None:
    with connected(url) as connection:
        connection.sendall(sent)
        assert ended(connection)


def test_a_head_that_comes_in_drips_gets_no_more_time(url: str) -> None:
    with connected(url) as connection:
        over = threading.Event()

        def drip() -> None:
            with contextlib.suppress(OSError):
                connection.sendall(b"GET /echo HTTP/1.1\r\nx-slow: ")
                while not over.wait(0.05):
                    connection.sendall(b"x")

        sender = threading.Thread(target=drip)
        sender.start()
        try:
            assert ended(connection)
        finally:
            over.set()
            sender.join()


def test_a_half_sent_second_head_ends_the_connection_too(url: str) -> None:
    with connected(url) as connection:
        connection.sendall(WHOLE)
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200")
        connection.sendall(WHOLE[:20])
        while not ended(connection):
            pass


def test_whoever_asks_in_time_is_served_again_and_again(url: str) -> None:
    with httpx.Client(base_url=url, timeout=20) as client:
        assert [client.post("/echo", content=b"x").status_code for _ in range(50)] == [200] * 50
