"""Relay between a client and the server that records their messages, since not every client reports them."""

import http.client
import json
import ssl
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import urlsplit

_HOP_BY_HOP: Final = {"connection", "keep-alive", "transfer-encoding", "content-length", "host"}
_TIMEOUT_S: Final = 30


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer; header names in lower case."""

    verb: str
    headers: dict[str, str]
    message: dict[str, Any]
    status: int
    answer: bytes
    path: str = ""
    answered: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Relay:
    """Relay whose address a client is given in place of the server's.

    Attributes:
        address: without a path.
        exchanges: all of them up to now.
    """

    address: str
    exchanges: list[Exchange] = field(default_factory=list[Exchange])

    @property
    def url(self) -> str:
        """Address of the shared MCP endpoint."""
        return f"{self.address}/mcp"

    @property
    def wire_version(self) -> str | None:
        """The version in which the client called a tool last; None when it called none.

        The header says it; the oldest clients send none and keep to what `initialize` was answered.
        """
        agreed = None
        for exchange in reversed(self.exchanges):
            if exchange.message.get("method") == "tools/call":
                agreed = exchange.headers.get("mcp-protocol-version")
                break
        return agreed or self._negotiated()

    def _negotiated(self) -> str | None:
        for exchange in reversed(self.exchanges):
            if exchange.message.get("method") == "initialize":
                return str(json.loads(exchange.answer)["result"]["protocolVersion"])
        return None


def no_headers() -> Mapping[str, str]:
    """Return that a call keeps its own headers."""
    return {}


@contextmanager
def relayed(
    server: str,
    headers_of_calls: Callable[[], Mapping[str, str]] = no_headers,
    secure: ssl.SSLContext | None = None,
) -> Generator[Relay]:
    """A relay to the server at this address, until the end of the block; with `secure` its clients speak TLS.

    It changes nothing but the headers that `headers_of_calls` returns, for each call of a tool.
    """
    exchanges: list[Exchange] = []

    class Handler(_Handler):
        upstream = str(urlsplit(server).netloc)
        kept = exchanges
        replaced = staticmethod(headers_of_calls)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        # A client that is still connected when its process ends must not hold the test.
        listening.daemon_threads = True
        if secure is not None:
            # The handshake belongs to the thread of its connection, with the first bytes that it reads.
            listening.socket = secure.wrap_socket(listening.socket, server_side=True, do_handshake_on_connect=False)
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            scheme = "http" if secure is None else "https"
            yield Relay(f"{scheme}://127.0.0.1:{listening.server_address[1]}", exchanges)
        finally:
            listening.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    upstream: str
    kept: list[Exchange]
    replaced: Callable[[], Mapping[str, str]]

    def handle(self) -> None:
        # A client whose process ends with its connections open resets them.
        with suppress(ConnectionError):
            super().handle()

    def _relay(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        sent = {name.lower(): value for name, value in self.headers.items()}
        message = _message(body)
        if message.get("method") == "tools/call":
            sent |= self.replaced()
        status, headers, answer = self._ask(body, sent)
        answered = {name.lower(): value for name, value in headers}
        self.kept.append(Exchange(self.command, sent, message, status, answer, self.path, answered))
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    # The names are the library's.
    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_HEAD = _relay  # noqa: N815

    def _ask(self, body: bytes, sent: dict[str, str]) -> tuple[int, list[tuple[str, str]], bytes]:
        connection = http.client.HTTPConnection(self.upstream, timeout=_TIMEOUT_S)
        try:
            kept = {name: value for name, value in sent.items() if name not in _HOP_BY_HOP}
            connection.request(self.command, self.path, body or None, kept)
            answer = connection.getresponse()
            headers = [(name, value) for name, value in answer.getheaders() if name.lower() not in _HOP_BY_HOP]
            return answer.status, headers, answer.read()
        finally:
            connection.close()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
        """Log nothing: the relay keeps the messages itself."""


def _message(body: bytes) -> dict[str, Any]:
    """The JSON-RPC message; empty for anything else, such as lines of JSON."""
    try:
        message = json.loads(body)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}
