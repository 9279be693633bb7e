"""Views of an operator on a server of one machine: readiness, metrics of requests, an access log."""

import asyncio
import json
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final

from groundwire import __version__
from groundwire.domain.errors import Conflict, DomainError
from groundwire.entry.gateway.responses import GatewayResponse

READY_PATH: Final = "/ready"
_FRESH_S: Final = 1.0
"""Time for which one check answers every probe: the path needs no key, so its cost must not grow with its calls."""
_TIMEOUT_S: Final = 5.0
_METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds in seconds; the last is the time after which the gateway answers 503."""


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """A finished request, without its path and query: these may hold the secret of a link, or a question.

    Attributes:
        route: key of its route in the template; empty where no route has it.
        client: address of the socket's other end, or of the caller that a trusted proxy names.
    """

    method: str
    route: str
    status: int
    seconds: float
    response_bytes: int
    client: str


Observer = Callable[[RequestRecord], None]


class Readiness:
    """Response of `/ready`: 200 where the check holds, else 503."""

    def __init__(self, check: Callable[[], bool]) -> None:
        """Create it; `check` may take a while, and may raise a DomainError for "no"."""
        self._check = check
        self._running: asyncio.Future[bool] | None = None
        self._started = 0.0

    async def answer(self) -> GatewayResponse:
        """Return the response; calls within a second share one check."""
        now = asyncio.get_running_loop().time()
        if self._running is None or (self._running.done() and now - self._started >= _FRESH_S):
            self._running, self._started = asyncio.ensure_future(asyncio.to_thread(self._holds)), now
        try:
            is_ready = await asyncio.wait_for(asyncio.shield(self._running), _TIMEOUT_S)
        except TimeoutError:
            is_ready = False
        status, word = (HTTPStatus.OK, "ready") if is_ready else (HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")
        return GatewayResponse(
            status,
            (("content-type", "application/json"),),
            json.dumps({"status": word}, separators=(",", ":")).encode(),
        )

    def _holds(self) -> bool:
        try:
            return self._check()
        except DomainError:
            return False


@dataclass(frozen=True, slots=True)
class ServerWatch:
    """Readiness of the server, and observers of each finished request."""

    readiness: Readiness
    observers: Sequence[Observer] = ()


class RequestMetrics:
    """Counts and times of requests, without any name of a tenant, key, user or document."""

    def __init__(self) -> None:
        # Imported on use: a server without metrics does not load the library.
        from prometheus_client import CollectorRegistry, Counter, Histogram, Info, ProcessCollector

        self.registry: CollectorRegistry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        Info("groundwire", "Version of the server.", registry=self.registry).info({"version": __version__})
        self._requests = Counter(
            "groundwire_requests", "Finished requests.", ["method", "route", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "groundwire_request_seconds",
            "Time from the head of a request to its response.",
            ["route"],
            buckets=_BUCKETS,
            registry=self.registry,
        )

    def observe(self, record: RequestRecord) -> None:
        """Count a request. Labels have few values whatever callers send: routes are those of the template."""
        method = record.method if record.method in _METHODS else "other"
        route = record.route or "none"
        self._requests.labels(method, route, str(record.status)).inc()
        self._seconds.labels(route).observe(record.seconds)


@contextmanager
def metrics_served(metrics: RequestMetrics, host: str, port: int) -> Generator[int]:
    """Serve the metrics on an address of their own within the block, for Prometheus and OpenMetrics; give the port.

    Raises:
        Conflict: the address cannot be listened on.
    """
    from prometheus_client import start_http_server

    try:
        server, thread = start_http_server(port, host, metrics.registry)
    except OSError as error:
        raise Conflict(f"Metrics cannot be served on {host}:{port} ({error.strerror}): choose another.") from error
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def write_access_log(record: RequestRecord) -> None:
    """Write a request as one JSON line to standard output."""
    line = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "method": record.method,
        "route": record.route or None,
        "status": record.status,
        "duration_ms": round(record.seconds * 1000, 1),
        "bytes": record.response_bytes,
        "client": record.client,
    }
    # A closed or full standard output must not end the server's answers.
    with suppress(OSError, ValueError):
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
