"""A request that states its length in two ways is refused, and nothing after it on its connection is served."""

import contextlib
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from groundwire.entry.local_server.background_server import run_in_background
from tests.server.entry.gateway.probe import ProbeStack

SMUGGLED = b"POST /guarded HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
"""Counted: the authorizer keeps its calls."""
CHUNKED_END = b"0\r\n\r\n"
LENGTHS = {
    "the length ends before the smuggled request": len(CHUNKED_END),
    "the length covers the smuggled request": len(CHUNKED_END + SMUGGLED),
    "no length at all": 0,
}


@pytest.fixture(scope="module")
def address(stack: ProbeStack) -> Iterator[tuple[str, int]]:
    with run_in_background(stack.template) as url:
        yield urlsplit(url).hostname or "", urlsplit(url).port or 0


def head(path: str, length: int, *, chunked_first: bool) -> bytes:
    framings = [b"Content-Length: %d\r\n" % length, b"Transfer-Encoding: chunked\r\n"]
    stated = b"".join(reversed(framings) if chunked_first else framings)
    return b"POST %b HTTP/1.1\r\nHost: localhost\r\n%b\r\n" % (path.encode(), stated)


def everything(connection: socket.socket) -> bytes:
    """Return all that the server sends until it ends the connection."""
    stated = b""
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(65_536):
            stated += part
    return stated


@pytest.mark.parametrize("path", ["/guarded", "/echo", "/health", "/upload/up_1", "/no-such"])
@pytest.mark.parametrize("length", LENGTHS.values(), ids=LENGTHS)
@pytest.mark.parametrize("chunked_first", [False, True])
def test_what_follows_two_framings_is_never_served(
    address: tuple[str, int], stack: ProbeStack, path: str, length: int, *, chunked_first: bool
) -> None:
    before = len(stack.authorizer_calls)
    with socket.create_connection(address, timeout=20) as connection:
        connection.sendall(head(path, length, chunked_first=chunked_first) + CHUNKED_END + SMUGGLED)
        stated = everything(connection)

    assert stated.startswith(b"HTTP/1.1 400 ")
    assert stated.count(b"HTTP/1.1") == 1
    assert b"connection: close" in stated.lower()
    assert len(stack.authorizer_calls) == before


def test_a_second_request_that_is_sent_later_meets_a_closed_connection(
    address: tuple[str, int], stack: ProbeStack
) -> None:
    before = len(stack.authorizer_calls)
    with socket.create_connection(address, timeout=20) as connection:
        connection.sendall(head("/guarded", 5, chunked_first=False))
        stated = everything(connection)
        with contextlib.suppress(OSError):
            connection.sendall(CHUNKED_END + SMUGGLED)
        stated += everything(connection)

    assert (stated[:13], stated.count(b"HTTP/1.1")) == (b"HTTP/1.1 400 ", 1)
    assert len(stack.authorizer_calls) == before


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"POST /guarded HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}",
        b"POST /guarded HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    ],
)
def test_either_framing_alone_is_served_and_so_is_the_next_request(
    address: tuple[str, int], stack: ProbeStack, request_bytes: bytes
) -> None:
    before = len(stack.authorizer_calls)
    with socket.create_connection(address, timeout=20) as connection:
        closing = SMUGGLED.replace(b"Host", b"Connection: close\r\nHost")
        connection.sendall(request_bytes + closing)
        assert everything(connection).count(b"HTTP/1.1 200") == 2
    assert len(stack.authorizer_calls) == before + 2
