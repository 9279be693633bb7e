"""The engine behind the gate."""

from collections.abc import Generator
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from tests.engines.gate.exchange import JSON, Answer, Request

_PATIENCE_S = 60


class Node:
    """Calls to the engine, over connections that are kept."""

    def __init__(self, url: str) -> None:
        self._address = urlsplit(url)
        self._idle: list[HTTPConnection] = []
        self._lock = Lock()

    def pass_on(self, request: Request, body: bytes | None = None) -> Answer:
        """The engine's answer to the request, or to the same with another body."""
        content = request.body if body is None else body
        return self._sent(request.method, request.target, content, request.headers.get("content-type", JSON))

    def ask(self, method: str, target: str, body: bytes = b"") -> Answer:
        """The answer to a call of the gate's own."""
        return self._sent(method, target, body, JSON)

    def close(self) -> None:
        """Its connections are closed."""
        with self._lock:
            for connection in self._idle:
                connection.close()

    def _sent(self, method: str, target: str, body: bytes, kind: str) -> Answer:
        with self._connection() as connection:
            connection.request(method, target, body, {"content-type": kind} if body else {})
            response = connection.getresponse()
            return Answer(response.status, response.read(), response.getheader("content-type", JSON))

    @contextmanager
    def _connection(self) -> Generator[HTTPConnection]:
        with self._lock:
            connection = self._idle.pop() if self._idle else self._new()
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        with self._lock:
            self._idle.append(connection)

    def _new(self) -> HTTPConnection:
        return HTTPConnection(str(self._address.hostname), self._address.port, timeout=_PATIENCE_S)


def mapping_of(answer: Answer) -> dict[str, Any]:
    """The mapping that an answer to `_mapping` holds of its one index; empty where there is no index."""
    if answer.status != 200:
        return {}
    [(_, held)] = answer.payload.items()
    return held["mappings"]
