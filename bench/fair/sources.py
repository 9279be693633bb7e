"""MCP sources of `bench.fair`, in a process of their own: one whose tool is slow, and one whose results are huge."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final, NamedTuple

from bench.server import ROOT, plain_environment

_WAIT_S: Final = 5.0
_HUGE: Final = "The pump is in hall 4, beside the boiler. " * 20_000
_POLITE: Final = 19


class Sources(NamedTuple):
    """Ports of the two sources."""

    slow: int
    huge: int


class _Source(BaseHTTPRequestHandler):
    """MCP server with one tool."""

    protocol_version = "HTTP/1.1"
    wait_s = 0.0
    text = "nothing"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Print nothing."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        tool = {"name": "search", "inputSchema": {"type": "object"}}
        info = {"name": "source", "version": "1"}
        results: dict[str, object] = {
            "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info},
            "tools/list": {"tools": [tool]},
            "tools/call": {"content": [{"type": "text", "text": self.text}]},
        }
        if request["method"] == "tools/call":
            time.sleep(self.wait_s)
        found = results.get(request["method"])
        error = {"code": -32601, "message": "no"}
        reply = {"jsonrpc": "2.0", "id": request.get("id"), **({"result": found} if found else {"error": error})}
        body = json.dumps(reply).encode() if "id" in request else b""
        self.send_response(200 if body else 202)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing: the server ends a connection from which it has read enough."""


class _Slow(_Source):
    wait_s = _WAIT_S


class _Huge(_Source):
    text = _HUGE


@contextmanager
def running_sources() -> Generator[Sources]:
    """The ports of the sources until the end of the block."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "bench.fair.sources"]
    with subprocess.Popen(command, cwd=ROOT, env=plain_environment(), stdin=pipe, stdout=pipe, text=True) as process:
        if process.stdout is None or not (line := process.stdout.readline()):
            raise RuntimeError("The sources did not start; their error is above.")
        try:
            yield Sources(*json.loads(line))
        finally:
            process.terminate()


def main() -> None:
    """Serve both at free ports until the standard input ends."""
    # The sources stand for other machines, so their work must not delay the server's.
    os.nice(_POLITE)
    servers = [_Server(("127.0.0.1", 0), kind) for kind in (_Slow, _Huge)]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdout.write(f"{json.dumps([server.server_port for server in servers])}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
