"""Connections to the engine behind the emulator."""

from collections.abc import Generator
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Lock
from typing import Final
from urllib.parse import urlsplit

from tests.support.opensearch.emulator.http.messages import JSON, Answer

_TIMEOUT_S: Final = 60


class Connections:
    """Those that are kept between calls."""

    def __init__(self, url: str) -> None:
        self._address = urlsplit(url)
        self._idle: list[HTTPConnection] = []
        self._lock = Lock()

    def call(self, method: str, target: str, body: bytes = b"", kind: str = JSON) -> Answer:
        """The engine's answer."""
        with self._connection() as connection:
            connection.request(method, target, body, {"content-type": kind} if body else {})
            response = connection.getresponse()
            return Answer(response.status, response.read(), response.getheader("content-type", JSON))

    def close(self) -> None:
        """None is kept."""
        with self._lock:
            for connection in self._idle:
                connection.close()

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
        return HTTPConnection(str(self._address.hostname), self._address.port, timeout=_TIMEOUT_S)
