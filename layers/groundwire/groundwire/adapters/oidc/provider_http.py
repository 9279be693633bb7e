"""HTTP client for small JSON documents of the identity provider: no redirects, bounded time and size."""

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
"""Time for the response after connecting; two documents and an admission fit into the authorizer's eight seconds."""
RETRY_SECONDS: Final = 10
_OK: Final = 200


@dataclass(frozen=True, slots=True)
class JsonDocument:
    """A JSON object, with the Cache-Control header in lower case (empty without one)."""

    members: Mapping[str, object]
    cache_control: str


def fetch_json(url: str) -> JsonDocument:
    """Return the document at `url`, which satisfies `oauth.is_secure_url`; redirects are refused.

    Raises:
        Unavailable: the document cannot be fetched now.
    """
    parts = urlsplit(url)
    connection_type = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    with closing(connection_type(parts.hostname or "", parts.port, timeout=CONNECT_TIMEOUT_SECONDS)) as connection:
        try:
            connection.connect()
            with _total_timeout(connection.sock):
                return _request(connection, parts.path or "/")
        except (OSError, HTTPException) as error:
            raise _unavailable(type(error).__name__) from error


@contextmanager
def _total_timeout(connected: socket.socket) -> Generator[None]:
    """Shut the socket down after `RESPONSE_TIMEOUT_SECONDS`; its own timeout would restart with each byte."""

    def cut_off() -> None:
        with suppress(OSError):
            connected.shutdown(socket.SHUT_RDWR)

    connected.settimeout(RESPONSE_TIMEOUT_SECONDS)
    timer = threading.Timer(RESPONSE_TIMEOUT_SECONDS, cut_off)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


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


def _unavailable(reason: str) -> Unavailable:
    return Unavailable(f"The identity provider's keys cannot be had: {reason}.", RETRY_SECONDS)
