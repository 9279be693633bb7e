"""A hub on 127.0.0.1 with one repository, as far as a download asks it."""

import hashlib
import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

COMMIT = "c0ffee" + "0" * 34


@dataclass
class Hub:
    """Hub of model files, with the requests that it received.

    Attributes:
        broken: paths of files that the hub fails on.
        cut: paths of files that break off in the middle, once each.
        asked: method, path and range of every request for a file.
    """

    url: str
    name: str
    folder: Path
    broken: set[str] = field(default_factory=set[str])
    cut: set[str] = field(default_factory=set[str])
    requested: list[tuple[str, str, str | None]] = field(default_factory=list[tuple[str, str, str | None]])

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        path = handler.path.partition("?")[0]
        if path.startswith(f"/api/models/{self.name}"):
            self._describe(handler, path)
        elif path.startswith(prefix := f"/{self.name}/resolve/{COMMIT}/"):
            self._serve(handler, path.removeprefix(prefix))
        else:
            _end(handler, 404, b"", {"X-Error-Code": "RepoNotFound"})

    def _describe(self, handler: BaseHTTPRequestHandler, path: str) -> None:
        _, _, revision = path.partition("/revision/")
        if revision not in {"", "main", "v1", COMMIT}:
            _end(handler, 404, b"", {"X-Error-Code": "RevisionNotFound"})
            return
        files = [file for file in sorted(self.folder.rglob("*")) if file.is_file()]
        siblings = [
            {"rfilename": file.relative_to(self.folder).as_posix(), "size": file.stat().st_size} for file in files
        ]
        described = {"id": self.name, "modelId": self.name, "sha": COMMIT, "private": False, "siblings": siblings}
        _end(handler, 200, json.dumps(described).encode(), {"Content-Type": "application/json"})

    def _serve(self, handler: BaseHTTPRequestHandler, name: str) -> None:
        wanted = handler.headers.get("Range")
        self.requested.append((handler.command, name, wanted))
        if name in self.broken:
            _end(handler, 403, b"", {})
            return
        content = (self.folder / name).read_bytes()
        facts = {"X-Repo-Commit": COMMIT, "ETag": f'"{hashlib.sha256(content).hexdigest()}"', "Accept-Ranges": "bytes"}
        start = int(wanted.removeprefix("bytes=").partition("-")[0]) if wanted else 0
        if wanted:
            facts["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        breaks = handler.command == "GET" and name in self.cut
        self.cut -= {name} if breaks else set()
        _end(handler, 206 if wanted else 200, content[start:], facts, cut=breaks)


def _end(
    handler: BaseHTTPRequestHandler, status: int, body: bytes, facts: dict[str, str], *, cut: bool = False
) -> None:
    handler.send_response(status)
    for name, value in {"Content-Length": str(len(body)), **facts}.items():
        handler.send_header(name, value)
    handler.end_headers()
    if handler.command != "HEAD":
        handler.wfile.write(body[: len(body) // 2] if cut else body)
    handler.close_connection = handler.close_connection or cut


@contextmanager
def hub(name: str, folder: Path) -> Generator[Hub]:
    """Serves `folder` as the repository `name` until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        served: ClassVar[Hub]

        def do_GET(self) -> None:
            self.served.answer(self)

        do_HEAD = do_GET  # noqa: N815 - the name that the standard library looks for

        def log_message(self, format: str, *args: Any) -> None: ...  # noqa: A002 - the name of what is overridden

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Handler.served = Hub(f"http://127.0.0.1:{server.server_port}", name, folder)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield Handler.served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
