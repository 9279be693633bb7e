"""What the suite cannot do: it sends no headers of its own, so a proxy before the server adds the key."""

import threading
from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final
from urllib.parse import urlsplit

_HOP_BY_HOP: Final = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length"})
_TIMEOUT_S: Final = 40


class _Server(ThreadingHTTPServer):
    # A connection's thread ends with its client: closing waits for them all, so that none outlives the test.
    daemon_threads = False


@contextmanager
def listening() -> Generator["KeyProxy"]:
    """A proxy on a free port of 127.0.0.1, whose address is known before there is anything behind it."""
    proxy = KeyProxy()
    try:
        yield proxy
    finally:
        proxy.close()


class KeyProxy:
    """Passes every request on as it came, `Host` and `Origin` included, with a key."""

    def __init__(self) -> None:
        self._server = _Server(("127.0.0.1", 0), _Forward)
        self._thread = threading.Thread(target=self._server.serve_forever, name="conformance-proxy")

    @property
    def url(self) -> str:
        """Where clients reach it."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def forward(self, upstream: str, key: str) -> None:
        """From now on requests reach the server at `upstream`."""
        address = {"upstream": urlsplit(upstream).netloc, "key": key}
        self._server.RequestHandlerClass = type("Forward", (_Forward,), address)
        self._thread.start()

    def close(self) -> None:
        """The port is free again."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()


class _Forward(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = _TIMEOUT_S
    upstream: str
    key: str

    def handle(self) -> None:
        # The suite hangs up where it has read enough.
        with suppress(ConnectionError):
            super().handle()

    def forward(self) -> None:
        """The answer of the server behind, to the request with the key."""
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        with closing(HTTPConnection(self.upstream, timeout=_TIMEOUT_S)) as connection:
            connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in _end_to_end(self.headers.items()):
                connection.putheader(name, value)
            connection.putheader("authorization", f"Bearer {self.key}")
            connection.putheader("content-length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            self._answer(response, response.read())

    do_GET = do_POST = do_DELETE = forward  # noqa: N815 - the names are the base class's

    def _answer(self, response: HTTPResponse, body: bytes) -> None:
        self.send_response_only(response.status, response.reason)
        for name, value in _end_to_end(response.getheaders()):
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Nothing is logged: what went wrong is in the suite's report."""


def _end_to_end(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in headers if name.lower() not in _HOP_BY_HOP]
