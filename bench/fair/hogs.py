"""Hogs of `bench.fair`: one for each kind of work, each in a process of its own, at full burst of its key."""

import hashlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http.client import HTTPConnection, HTTPException
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from bench.corpus import COLLECTION
from bench.server import ROOT, plain_environment

_POLITE: Final = 19
_TIMEOUT_S: Final = 60.0
_STARTING_S: Final = 1.0
"""Time in which a hog fills the queues before the others are measured."""
_SMALL_FILE: Final = b"# Notes\n\nThe pump is in hall 4, beside the boiler. Its number is %s.\n"
_LARGE_SECTIONS: Final = 4_000
_QUESTIONS: Final = 50


@dataclass(frozen=True, slots=True)
class Target:
    """What hogs send to.

    Attributes:
        headers: credential and user of the hog.
        dearest: path, headers and body of each dialect's dearest call.
        slow_tool, huge_tool: names of the tools of the two sources.
        document: id of a document, for judged questions.
    """

    port: int
    headers: Mapping[str, str]
    dearest: Mapping[str, tuple[str, Mapping[str, str], Mapping[str, object]]]
    slow_tool: str
    huge_tool: str
    document: str


class Response(NamedTuple):
    """Status, 0 where there was none, body, and headers by lower-case name."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = MappingProxyType({})


def exchange(port: int, method: str, path: str, headers: Mapping[str, str], body: bytes | None = None) -> Response:
    """Return the response to one request over a new connection."""
    connection = HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT_S)
    try:
        connection.request(method, path, body, {"content-type": "application/json", **headers})
        with connection.getresponse() as response:
            received = {name.lower(): value for name, value in response.getheaders()}
            return Response(response.status, response.read(), received)
    except (OSError, HTTPException):
        return Response(0)
    finally:
        connection.close()


def search(port: int, headers: Mapping[str, str]) -> Response:
    """Return the response to a search of one phrase over MCP."""
    return _tool(port, headers, "rag_search", {"search_phrases": ["gate"]})


def _tool(port: int, headers: Mapping[str, str], tool: str, arguments: Mapping[str, object]) -> Response:
    return _message(port, headers, "tools/call", {"name": tool, "arguments": arguments})


def _message(port: int, headers: Mapping[str, str], method: str, params: Mapping[str, object]) -> Response:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return exchange(port, "POST", "/mcp", headers, json.dumps(message).encode())


class Hog(NamedTuple):
    """What each of `width` threads sends again and again; each call returns a status."""

    width: int
    send: Callable[[], int]


def upload(port: int, headers: Mapping[str, str], content: bytes) -> Response:
    """Upload a file of Markdown that every user may read; return the response to its form, or that to its order."""
    order = {
        "collection": COLLECTION,
        "file_name": f"{uuid.uuid4()}.md",
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "policy": {"public": True, "users": [], "any_tags": [], "all_tags": []},
    }
    ticket = exchange(port, "POST", "/v1/uploads", headers, json.dumps(order).encode())
    if ticket.status not in {200, 201}:
        return ticket
    form: dict[str, Any] = json.loads(ticket.body)
    boundary = uuid.uuid4().hex
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in form["fields"].items()
    ]
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="notes.md"\r\n\r\n'.encode()
    body = b"".join([*parts, head, content, f"\r\n--{boundary}--\r\n".encode()])
    url = urlsplit(form["url"])
    form_type = {"content-type": f"multipart/form-data; boundary={boundary}"}
    return exchange(url.port or 80, "POST", url.path, form_type, body)


def _large_file() -> bytes:
    sections = (
        f"## Section {number} {uuid.uuid4()}\n\n" + "The gate of the lock closes when the tide falls. " * 30
        for number in range(_LARGE_SECTIONS)
    )
    return "\n\n".join(sections).encode()


def _unfinished_connection(target: Target) -> int:
    with socket.create_connection(("127.0.0.1", target.port), timeout=_TIMEOUT_S) as opened:
        opened.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ")
        return len(opened.recv(1))


def _link(target: Target) -> Callable[[], int]:
    """Return the function that opens a link of an answer."""
    found = re.search(rb"/o/[\w-]+", search(target.port, target.headers).body)
    if found is None:
        raise LookupError("The answer has no link.")
    path = found[0].decode()
    return lambda: exchange(target.port, "GET", path, {}).status


def _rest(target: Target, method: str, path: str, body: object = None) -> int:
    content = None if body is None else json.dumps(body).encode()
    return exchange(target.port, method, path, target.headers, content).status


def _evaluation(target: Target) -> int:
    judged = [
        {"id": str(number), "text": f"the gate of lock {number}", "relevant": {target.document: 1}}
        for number in range(_QUESTIONS)
    ]
    return _rest(target, "POST", "/v1/evaluations", {"name": "hog", "questions": judged})


_DEAREST: Final = "dearest calls, "
KINDS: Final = (
    *("plain calls", "a slow source", "a huge source", "uploads", "large files", "links", "exports", "evaluations"),
    *("sign-ins", "sessions", "connections", "calls without a key", "invented keys"),
    *(_DEAREST + dialect for dialect in ("default", "mindset", "openai", "foundry", "vertex", "azure", "opensearch")),
)
"""Kinds of work, each with a hog."""


def _hog(kind: str, target: Target) -> Hog:
    port, headers = target.port, target.headers
    if kind.startswith(_DEAREST):
        path, own, body = target.dearest[kind.removeprefix(_DEAREST)]
        content = json.dumps(body).encode()
        return Hog(24, lambda: exchange(port, "POST", path, own, content).status)
    start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "hog", "version": "1"}}
    hogs: dict[str, Callable[[], Hog]] = {
        "plain calls": lambda: Hog(24, lambda: search(port, headers).status),
        "a slow source": lambda: Hog(28, lambda: _tool(port, headers, target.slow_tool, {}).status),
        "a huge source": lambda: Hog(24, lambda: _tool(port, headers, target.huge_tool, {}).status),
        "uploads": lambda: Hog(
            12, lambda: upload(port, headers, _SMALL_FILE % uuid.uuid4().bytes.hex().encode()).status
        ),
        "large files": lambda: Hog(2, lambda: upload(port, headers, _large_file()).status),
        "links": lambda: Hog(24, _link(target)),
        "exports": lambda: Hog(12, lambda: _rest(target, "GET", "/v1/audit?limit=1000")),
        "evaluations": lambda: Hog(12, lambda: _evaluation(target)),
        "sign-ins": lambda: Hog(24, lambda: _rest(target, "POST", "/v1/session")),
        "sessions": lambda: Hog(24, lambda: _message(port, headers, "initialize", start).status),
        "connections": lambda: Hog(520, lambda: _unfinished_connection(target)),
        "calls without a key": lambda: Hog(24, lambda: search(port, {}).status),
        "invented keys": lambda: Hog(24, lambda: search(port, {"authorization": f"Bearer gw_{uuid.uuid4()}"}).status),
    }
    return hogs[kind]()


@contextmanager
def beside(kind: str, target: Target) -> Generator[Counter[int]]:
    """Run a hog beside the block; after the block the counter has the number of its calls by status."""
    statuses = Counter[int]()
    command = [sys.executable, "-m", "bench.fair.hogs", kind]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=plain_environment(), stdin=pipe, stdout=pipe, text=True) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("The hog has no pipes.")
        process.stdin.write(f"{json.dumps(asdict(target))}\n")
        process.stdin.flush()
        if not process.stdout.readline():
            raise RuntimeError("The hog did not start; its error is above.")
        time.sleep(_STARTING_S)
        try:
            yield statuses
        finally:
            process.stdin.close()
            for status, count in json.loads(process.stdout.readline() or "{}").items():
                statuses[int(status)] += count


def main() -> None:
    """Send until the standard input ends; then print the number of calls by status."""
    # The hog stands for other machines, so what its own process computes must not delay the server.
    os.nice(_POLITE)
    target = Target(**json.loads(sys.stdin.readline()))
    hog = _hog(sys.argv[1], target)
    statuses, stop, lock = Counter[int](), threading.Event(), threading.Lock()

    def work() -> None:
        while not stop.is_set():
            try:
                status = hog.send()
            except OSError:
                status = 0
            with lock:
                statuses[status] += 1

    for _ in range(hog.width):
        threading.Thread(target=work, daemon=True).start()
    sys.stdout.write("started\n")
    sys.stdout.flush()
    sys.stdin.read()
    stop.set()
    with lock:
        sys.stdout.write(f"{json.dumps(statuses)}\n")
    sys.stdout.flush()
    # Threads may wait for an answer for a minute; the server sees closed connections, as of clients that end.
    os._exit(0)


if __name__ == "__main__":
    main()
