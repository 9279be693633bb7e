"""Callers at rest beside one that sends as much as it can: `python -m bench.fair [--calls N]`.

For each kind of work one caller calls at full burst. Beside it, another user of the same tenant and one of another
tenant search one after the other. Each median is compared with that of the same users at rest, in the same run.
"""

import argparse
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import numpy as np

from bench.corpus import Corpus
from bench.home import EVERYTHING, TENANT, fill
from bench.machine import this_machine
from bench.report import Figures, Goal, Report
from bench.server import GROUNDWIRE, serving
from bench.sources import register
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.keys.tenant import Tenant
from groundwire.domain.limits import MAX_BURST, MAX_PHRASE_CHARACTERS, MAX_PHRASES, MAX_RATE_PER_MINUTE, MAX_TOP_N
from groundwire.services.keys.admin import KeySpec
from groundwire.settings import environment
from groundwire.wiring.local.services import LocalServices, open_home

FACTOR: Final = 2.0
_OTHER: Final = "t_00000000000other"
_SEGMENTS: Final = 1_000
_SEED: Final = 7
_WAIT_S: Final = 5.0
_TIMEOUT_S: Final = 60.0
_STARTING_S: Final = 1.0
"""Time in which a hog fills the queues before the others are measured."""


class Keys(NamedTuple):
    """Keys of the hog, of another user of its tenant, and of a user of another tenant."""

    hog: str
    same: str
    other: str


class Hog(NamedTuple):
    """What the hog sends from each of `width` threads."""

    width: int
    send: Callable[[int, Keys], None]


class _SlowSource(BaseHTTPRequestHandler):
    """MCP server whose only tool answers after `_WAIT_S`."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Print nothing."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        tool = {"name": "search", "inputSchema": {"type": "object"}}
        info = {"name": "slow", "version": "1"}
        results: dict[str, object] = {
            "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info},
            "tools/list": {"tools": [tool]},
            "tools/call": {"content": [{"type": "text", "text": "nothing"}]},
        }
        if request["method"] == "tools/call":
            time.sleep(_WAIT_S)
        found = results.get(request["method"])
        error = {"code": -32601, "message": "no"}
        reply = {"jsonrpc": "2.0", "id": request.get("id"), **({"result": found} if found else {"error": error})}
        body = json.dumps(reply).encode() if "id" in request else b""
        self.send_response(200 if body else 202)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def slow_source() -> Generator[int]:
    """The port of the slow source until the end of the block."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _SlowSource) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def _key(services: LocalServices, tenant: str, user: str) -> str:
    spec = KeySpec(
        tenant=tenant,
        name=user,
        kind=KeyKind.PERSONAL,
        user=user,
        tags=frozenset(EVERYTHING),
        max_tags=(),
        scopes=frozenset({Scope.SEARCH}),
        collections=ALL_COLLECTIONS,
        options=replace(USUAL_OPTIONS, sources=True),
        rate_per_minute=MAX_RATE_PER_MINUTE,
        burst=MAX_BURST,
    )
    return services.administration.key_admin.create(spec).secret.reveal()


def _call(port: int, key: str | None, tool: str, arguments: Mapping[str, object]) -> int:
    """Return the status of one call over a new connection; 0: there was none."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    headers = {"content-type": "application/json", **({"authorization": f"Bearer {key}"} if key else {})}
    connection = HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT_S)
    try:
        connection.request("POST", "/mcp", json.dumps(message), headers)
        with connection.getresponse() as response:
            response.read()
            return response.status
    except (OSError, HTTPException):
        return 0
    finally:
        connection.close()


def _search(port: int, key: str | None) -> int:
    return _call(port, key, "rag_search", {"search_phrases": ["gate"]})


def _hogs(source_tool: str) -> dict[str, Hog]:
    dear = {"search_phrases": ["tide rope gull " * (MAX_PHRASE_CHARACTERS // 20)] * MAX_PHRASES, "top_n": MAX_TOP_N}

    def connect(port: int, _: Keys) -> None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=_TIMEOUT_S) as opened:
            opened.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ")
            opened.recv(1)

    def plain(port: int, keys: Keys) -> None:
        _search(port, keys.hog)

    def dearest(port: int, keys: Keys) -> None:
        _call(port, keys.hog, "rag_search", dear)

    def source(port: int, keys: Keys) -> None:
        _call(port, keys.hog, source_tool, {})

    def keyless(port: int, _: Keys) -> None:
        _search(port, None)

    return {
        "plain calls": Hog(24, plain),
        "dearest calls": Hog(24, dearest),
        "calls to a slow source": Hog(28, source),
        "calls without a key": Hog(24, keyless),
        "unfinished connections": Hog(520, connect),
    }


def _seconds(port: int, key: str, calls: int) -> list[float]:
    taken: list[float] = []
    for _ in range(calls):
        started = time.perf_counter()
        if _search(port, key) != 200:
            raise RuntimeError("A caller at rest was refused.")
        taken.append(time.perf_counter() - started)
        time.sleep(0.02)
    return taken


@contextmanager
def _beside(hog: Hog, port: int, keys: Keys) -> Generator[None]:
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            hog.send(port, keys)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(hog.width)]
    for thread in threads:
        thread.start()
    time.sleep(_STARTING_S)
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def run(folder: Path, calls: int, only: str | None = None) -> Report:
    """The whole bench in an empty folder; `only` names one kind of work."""
    with slow_source() as source:
        settings = {"GROUNDWIRE_HOME": str(folder), "GROUNDWIRE_SOURCE_HOSTS": f"127.0.0.1:{source}"}
        services = open_home(environment.read_settings({**os.environ, **settings}))
        corpus = Corpus(services.settings.model / "vocab.txt", services.models.model.dimension, _SEED)
        fill(services, corpus, _SEGMENTS)
        rate = MAX_RATE_PER_MINUTE
        services.stores.tenants.add(Tenant(_OTHER, "other", rate, rate, time.time()))
        [tool] = register(services, f"http://127.0.0.1:{source}/mcp", 1, is_stateless=True)
        keys = Keys(_key(services, TENANT, "hog"), _key(services, TENANT, "ana"), _key(services, _OTHER, "bea"))
        services.close()
        with serving(folder, GROUNDWIRE, settings) as port:
            return _measure(port, keys, _hogs(tool), calls, only)


def _measure(port: int, keys: Keys, hogs: Mapping[str, Hog], calls: int, only: str | None) -> Report:
    callers = {"same tenant": keys.same, "other tenant": keys.other}
    for key in callers.values():
        _seconds(port, key, 5)
    goals: list[Goal] = []
    rows: list[tuple[str, *tuple[float, ...]]] = []
    for kind, hog in hogs.items():
        if only not in (None, kind):
            continue
        for name, key in callers.items():
            rest = _seconds(port, key, calls)
            with _beside(hog, port, keys):
                beside = _seconds(port, key, calls)
            factor = float(np.median(beside) / np.median(rest))
            goals.append(Goal(f"{kind}, {name}: median", factor, "x", "the same user at rest", FACTOR))
            columns = [float(np.percentile(each, at)) * 1e3 for each in (rest, beside) for at in (50, 99)]
            rows.append((f"{kind}, {name}", *columns, factor))
    columns = ("", "rest p50", "rest p99", "beside p50", "beside p99", "p50 x")
    table = Figures("A search beside a hog, ms", columns, rows)
    return Report("Callers at rest beside a hog", this_machine(), {"calls": calls}, goals, [table], [])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--calls", type=int, default=100)
    arguments.add_argument("--only", help="One kind of work.")
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with TemporaryDirectory(prefix="groundwire-bench-") as folder:
        run(Path(folder), chosen.calls, chosen.only).show(as_json=chosen.json)


if __name__ == "__main__":
    main()
