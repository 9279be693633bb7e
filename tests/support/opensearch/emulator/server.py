"""HTTP server of the emulator, on this machine alone."""

import socket
from collections.abc import Generator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

from tests.support.opensearch.emulator.emulator import OpenSearchEmulator
from tests.support.opensearch.emulator.failures import Cut
from tests.support.opensearch.emulator.http.messages import Answer, Request
from tests.support.opensearch.emulator.node.node import Node


@contextmanager
def opened(node_url: str, name: str, visible_after: float = 0) -> Generator[OpenSearchEmulator]:
    """An emulator in front of the node that is open for as long as the block.

    Args:
        name: of the service, as in GENERATIONS.
        visible_after: seconds of its clock between refreshes; 0: every search sees all that was written before.
    """
    node = Node(node_url)
    emulated = OpenSearchEmulator(node, name, visible_after)
    door = _Door(emulated)
    emulated.url = f"http://127.0.0.1:{door.server_port}"
    serving = Thread(target=door.serve_forever, kwargs={"poll_interval": 0.01})
    serving.start()
    try:
        yield emulated
    finally:
        emulated.let_go()
        door.shutdown()
        door.hang_up()
        serving.join()
        door.server_close()
        node.clear()
        node.close()


class _Door(ThreadingHTTPServer):
    """Accepts callers, and ends their connections with itself."""

    daemon_threads = False

    def __init__(self, emulated: OpenSearchEmulator) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.emulated = emulated
        self._open: set[socket.socket] = set()
        self._lock = Lock()

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """No connection is kept."""
        with self._lock:
            for connection in self._open:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def _respond(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length", "0")))
        request = Request(self.command, self.path, headers, body)
        # Some give up before they are answered.
        with suppress(BrokenPipeError, ConnectionResetError):
            self._answer(request)

    def _answer(self, request: Request) -> None:
        try:
            answer = self._gate.answer(request)
        except Cut as cut:
            self.close_connection = True
            if cut.sent:
                self._send(Answer(200, cut.sent), missing=1)
        else:
            self._send(answer)

    @property
    def _gate(self) -> OpenSearchEmulator:
        assert isinstance(self.server, _Door)
        return self.server.emulated

    def _send(self, answer: Answer, missing: int = 0) -> None:
        self.send_response(answer.status)
        self.send_header("content-type", answer.kind)
        self.send_header("content-length", str(len(answer.body) + missing))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _respond  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """The emulator keeps its own list of calls."""
