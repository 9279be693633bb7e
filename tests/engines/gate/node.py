"""The engine behind the gate."""

from collections.abc import Generator
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Lock
from typing import Any, Final
from urllib.parse import quote, urlsplit

from tests.engines.gate.exchange import JSON, Answer, Request
from tests.engines.gate.names import Names

_PATIENCE_S: Final = 60


class Node:
    """Calls to the engine, over connections that are kept."""

    def __init__(self, url: str) -> None:
        self._names = Names()
        self._address = urlsplit(url)
        self._idle: list[HTTPConnection] = []
        self._lock = Lock()

    def pass_on(self, request: Request) -> Answer:
        """The engine's answer to the request."""
        sent = self._names.inward(request)
        return self._sent(sent.method, sent.target, sent.body, request.headers.get("content-type", JSON))

    def ask(self, method: str, index: str, operation: str) -> Answer:
        """The answer to a call of the gate's own."""
        return self._sent(method, f"/{quote(self._names.of_node(index))}/{operation}", b"", JSON)

    def clear(self) -> None:
        """No index of the gate is left."""
        self._sent("DELETE", f"/{self._names.everything}", b"", JSON)

    def close(self) -> None:
        """Its connections are closed."""
        with self._lock:
            for connection in self._idle:
                connection.close()

    def _sent(self, method: str, target: str, body: bytes, kind: str) -> Answer:
        with self._connection() as connection:
            connection.request(method, target, body, {"content-type": kind} if body else {})
            response = connection.getresponse()
            answer = Answer(response.status, response.read(), response.getheader("content-type", JSON))
            return self._names.outward(answer)

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
