"""Server over TLS that gives a test's answers, and keeps its requests."""

import ssl
import threading
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Received(NamedTuple):
    """A request as it arrived; names of headers are in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Reply:
    """An answer.

    Attributes:
        body: bytes, or chunks that are sent as they come, without a length.
    """

    body: bytes | Iterable[bytes] = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass
class HttpsServer:
    """A server that runs.

    Attributes:
        received: requests in their order.
        stopping: set at the end; an answer that waits, waits for it.
    """

    port: int
    received: list[Received] = field(default_factory=list[Received])
    stopping: threading.Event = field(default_factory=threading.Event)


def _chunks(method: str, body: bytes | Iterable[bytes]) -> Iterable[bytes]:
    """Return what is sent of a body: nothing in an answer to HEAD."""
    if method == "HEAD":
        return ()
    return (body,) if isinstance(body, bytes) else body


@contextmanager
def https_server(context: ssl.SSLContext | None, answer: Callable[[Received], Reply]) -> Generator[HttpsServer]:
    """A server on 127.0.0.1 until the end of the block; without a context it speaks plain HTTP."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", "0")))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Received(self.command, self.path, headers, body)
            running.received.append(request)
            reply = answer(request)
            self.close_connection = True
            self.send_response_only(reply.status)
            if isinstance(reply.body, bytes):
                self.send_header("content-length", str(len(reply.body)))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            for chunk in _chunks(self.command, reply.body):
                self.wfile.write(chunk)

        do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _answer  # noqa: N815 - the names of http.server

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of http.server
            """Stay quiet."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that hangs up is what many tests are about."""

    server = Server(("127.0.0.1", 0), Handler)
    if context is not None:
        # The handshake is the handler's, in a thread of its own.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    running = HttpsServer(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield running
    finally:
        running.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()
