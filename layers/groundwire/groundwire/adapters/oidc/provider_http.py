"""One small JSON document over HTTPS: from exactly the address that is asked for, in bounded time and size."""

import json
import socket
import threading
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final, cast
from urllib.parse import urlsplit

from groundwire import __version__
from groundwire.domain.errors import Unavailable

MAX_BYTES: Final = 256 * 1024
CONNECT_TIMEOUT_SECONDS: Final = 1.0
RESPONSE_TIMEOUT_SECONDS: Final = 2.0
"""From there on; two documents and an admission fit into the eight seconds that the authorizer has."""
RETRY_SECONDS: Final = 10
_OK: Final = 200


@dataclass(frozen=True, slots=True)
class JsonDocument:
    """A JSON object; `cache_control` as the header says it, lower case, empty without one."""

    members: Mapping[str, object]
    cache_control: str


def fetch_json(url: str) -> JsonDocument:
    """The document at `url`, an `oauth.is_secure_url`. A redirect is no answer: it may lead to anybody.

    Raises:
        Unavailable: there is no such document just now.
    """
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    with closing(kind(parts.hostname or "", parts.port, timeout=CONNECT_TIMEOUT_SECONDS)) as connection:
        try:
            connection.connect()
            with _total_timeout(connection.sock):
                return _request(connection, parts.path or "/")
        except (OSError, HTTPException) as problem:
            raise _unavailable(type(problem).__name__) from problem


@contextmanager
def _total_timeout(connected: socket.socket) -> Generator[None]:
    """Whatever drips, headers or body, ends with the time: a timeout of the socket's own begins anew with each byte."""

    def cut_off() -> None:
        with suppress(OSError):
            connected.shutdown(socket.SHUT_RDWR)

    connected.settimeout(RESPONSE_TIMEOUT_SECONDS)
    watch = threading.Timer(RESPONSE_TIMEOUT_SECONDS, cut_off)
    watch.daemon = True
    watch.start()
    try:
        yield
    finally:
        watch.cancel()


def _request(connection: HTTPConnection, path: str) -> JsonDocument:
    headers = {"accept": "application/json", "user-agent": f"groundwire/{__version__}", "connection": "close"}
    connection.request("GET", path, headers=headers)
    with connection.getresponse() as response:
        if response.status != _OK:
            raise _unavailable(f"it answered {response.status}")
        body = response.read(MAX_BYTES + 1)
        if len(body) > MAX_BYTES:
            raise _unavailable(f"its answer has more than {MAX_BYTES} bytes")
        return JsonDocument(_members(body), (response.headers.get("cache-control") or "").lower())


def _members(body: bytes) -> Mapping[str, object]:
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        raise _unavailable("its answer is no JSON") from None
    if not isinstance(value, dict):
        raise _unavailable("its answer is no JSON object")
    return cast("dict[str, object]", value)


def _unavailable(why: str) -> Unavailable:
    return Unavailable(f"The identity provider's keys cannot be had: {why}.", RETRY_SECONDS)
