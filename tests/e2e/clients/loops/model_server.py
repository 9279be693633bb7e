"""A model that follows a script: its first answer calls a tool, the next ends the run; what it is fed is kept."""

import json
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

from tests.e2e.clients.loops.replies import APIS, ToolCall

Request = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ScriptedModel:
    """A server of models.

    Attributes:
        url: of all scripts; behind it comes the name of one.
        requests: the bodies that each script was sent, by its name.
        refused: what was asked for that the server does not know.
    """

    url: str
    requests: Mapping[str, list[Request]]
    refused: list[str]

    def address(self, script: str) -> str:
        """Return the address that a library is given, without the version that most add to it."""
        return f"{self.url}/{script}"


@contextmanager
def scripted_model(scripts: Mapping[str, ToolCall]) -> Generator[ScriptedModel]:
    """Serve on a free port of 127.0.0.1 until the end of the block."""

    class Handler(_Handler):
        calls = scripts
        requests: ClassVar = {name: [] for name in scripts}
        refused: ClassVar = []

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        # A library that keeps its connection must not hold the test.
        listening.daemon_threads = True
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            url = f"http://127.0.0.1:{listening.server_address[1]}"
            yield ScriptedModel(url, Handler.requests, Handler.refused)
        finally:
            listening.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    calls: Mapping[str, ToolCall]
    requests: ClassVar[dict[str, list[Request]]]
    refused: ClassVar[list[str]]

    def handle(self) -> None:
        # A library's process that ends with its connections open resets them.
        with suppress(ConnectionError):
            super().handle()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        script, slash, rest = self.path.removeprefix("/").partition("/")
        api = APIS.get(f"{slash}{rest}".partition("?")[0])
        if api is None or script not in self.calls:
            self.refused.append(self.path)
            self._send(404, "application/json", b"{}")
            return
        request: Request = json.loads(body)
        call = None if self.requests[script] else self.calls[script]
        self.requests[script].append(request)
        if request.get("stream"):
            self._send(200, "text/event-stream", "".join(api.stream(call)).encode())
        else:
            self._send(200, "application/json", json.dumps(api.whole(call)).encode())

    def _send(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
        """Log nothing: the server keeps the requests itself."""
