"""HTTP server that keeps its connections, gives a test's answers, and records every byte that it receives."""

import ssl
import threading
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, BinaryIO, cast

from tests.support.entry.https_server import Received


class End(Enum):
    """End of a connection after an answer."""

    KEPT = auto()
    ANNOUNCED = auto()
    SILENT = auto()
    """Closed without a word, before the answer's last byte is out."""


@dataclass
class Answer:
    """An answer.

    Attributes:
        body: bytes with their length, or chunks that are sent as they come.
        raw: sent instead of everything else, and then the connection is closed.
    """

    body: bytes | Iterable[bytes] = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    end: End = End.KEPT
    raw: bytes | None = None


@dataclass
class RecordingServer:
    """A server that runs.

    Attributes:
        received: requests in their order. raw: all bytes, connection by connection.
        stopping: set at the end; an answer that waits, waits for it.
        closed: count of connections that have ended.
    """

    port: int
    received: list[Received] = field(default_factory=list[Received])
    raw: list[bytearray] = field(default_factory=list[bytearray])
    stopping: threading.Event = field(default_factory=threading.Event)
    closed: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def everything(self) -> bytes:
        """Every byte that was received."""
        return b"\n".join(map(bytes, self.raw))


class _Recorded:
    """The readable end of a connection, whose bytes are kept."""

    def __init__(self, reader: BinaryIO, kept: bytearray) -> None:
        self._reader, self._kept = reader, kept

    def readline(self, size: int = -1) -> bytes:
        line = self._reader.readline(size)
        self._kept += line
        return line

    def read(self, size: int = -1) -> bytes:
        data = self._reader.read(size)
        self._kept += data
        return data

    @property
    def closed(self) -> bool:
        return self._reader.closed

    def close(self) -> None:
        self._reader.close()


class _Handler(BaseHTTPRequestHandler):
    """Serves the requests of one connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def _owner(self) -> "_Server":
        return cast("_Server", self.server)

    def setup(self) -> None:
        super().setup()
        kept = bytearray()
        self._owner.running.raw.append(kept)
        self.rfile = cast("Any", _Recorded(cast("BinaryIO", self.rfile), kept))

    def finish(self) -> None:
        super().finish()
        self._owner.running.closed.release()

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Received(self.command, self.path, headers, body)
        self._owner.running.received.append(request)
        reply = self._owner.answer(request)
        self.close_connection = reply.raw is not None or reply.end is not End.KEPT
        if reply.raw is not None:
            self.wfile.write(reply.raw)
        else:
            self._send(reply)

    def _send(self, reply: Answer) -> None:
        self.send_response_only(reply.status)
        whole = reply.body if isinstance(reply.body, bytes) else None
        framing = ("transfer-encoding", "chunked") if whole is None else ("content-length", str(len(whole)))
        end = [("connection", "close")] if reply.end is End.ANNOUNCED else []
        for name, value in (framing, *end, *reply.headers.items()):
            self.send_header(name, value)
        self.end_headers()
        if isinstance(reply.body, bytes):
            self.wfile.write(reply.body)
            return
        for chunk in reply.body:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
        self.wfile.write(b"0\r\n\r\n")

    do_GET = do_POST = do_DELETE = _answer  # noqa: N815 - the names of http.server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of http.server
        """Stay quiet."""


class _Server(ThreadingHTTPServer):
    """Threads that answer; a client that hangs up is what many tests are about."""

    daemon_threads = True
    running: RecordingServer
    answer: Callable[[Received], Answer]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Stay quiet."""


@contextmanager
def recording_server(
    context: ssl.SSLContext | None, answer: Callable[[Received], Answer]
) -> Generator[RecordingServer]:
    """A server on 127.0.0.1 until the end of the block; without a context it speaks plain HTTP."""
    server = _Server(("127.0.0.1", 0), _Handler)
    if context is not None:
        # The handshake is the handler's, in a thread of its own.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    running = RecordingServer(server.server_address[1])
    server.running, server.answer = running, answer
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield running
    finally:
        running.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()
