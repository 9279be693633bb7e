"""A proxy on this machine that calls an API of the emulator by the host name that no resolver knows here."""

import threading
from collections.abc import Generator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

_TIMEOUT_S: Final = 60
_OWN_HEADERS: Final = frozenset({"host", "connection", "content-length", "transfer-encoding"})


@contextmanager
def forwarding(port: int, host: str) -> Generator[str]:
    """The address of a proxy to a port of 127.0.0.1, whose requests all carry this `Host`, for as long as the block."""
    handler = type("Forward", (_Forward,), {"target": port, "host": host})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, name="host-proxy")
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class _Forward(BaseHTTPRequestHandler):
    target: int
    host: str

    def forward(self) -> None:
        """Answer as the server behind does."""
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        headers = {name: value for name, value in self.headers.items() if name.lower() not in _OWN_HEADERS}
        with closing(HTTPConnection("127.0.0.1", self.target, timeout=_TIMEOUT_S)) as connection:
            connection.request(self.command, self.path, body, {**headers, "host": self.host})
            response = connection.getresponse()
            content = response.read()
        self.send_response_only(response.status)
        for name, value in response.getheaders():
            if name.lower() not in _OWN_HEADERS:
                self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = forward  # noqa: N815 - the names are the base class's

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Log nothing, so that the output of a test is its own."""
