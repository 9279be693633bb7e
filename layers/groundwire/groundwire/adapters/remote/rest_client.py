"""The REST API of a service, called with one key."""

import json
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final, cast
from urllib.parse import urlencode

from groundwire.adapters.remote.http_client import ServerResponse, checked_url, send_request
from groundwire.domain.error_codes import ROUTE_HINTS, error_from_members
from groundwire.domain.errors import DomainError, Forbidden, NotFound, Unavailable

_MAX_RETRIES: Final = 4
_MAX_WAIT_SECONDS: Final = 60
_DEFAULT_WAIT_SECONDS: Final = 2
_RETRYABLE: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_SUCCESS: Final = range(200, 300)
_REDIRECTS: Final = range(300, 400)
_SERVER_FAULT: Final = 500


class RestClient:
    """One service, and the key that it is called with; every method raises the `errors.Problem` that it tells.

    Args:
        sleep: waits so many seconds before a call that was not answered in time is repeated.
    """

    def __init__(self, url: str, key: str, sleep: Callable[[float], None] = time.sleep) -> None:
        """Raises Invalid for an address that is not encrypted."""
        self.url: Final = checked_url(url)
        self._key = key
        self._sleep = sleep

    def __repr__(self) -> str:
        """Without the key."""
        return f"Service({self.url!r})"

    def get(self, path: str, **query: str | None) -> Mapping[str, object]:
        """The object at `path`; a query of None is left out."""
        given = {name: value for name, value in query.items() if value is not None}
        return self._request("GET", f"{path}?{urlencode(given)}" if given else path)

    def post(
        self, path: str, body: Mapping[str, object], headers: Mapping[str, str] | None = None
    ) -> Mapping[str, object]:
        """What the service made of `body`."""
        return self._request("POST", path, body, headers or {})

    def put(self, path: str, body: Mapping[str, object]) -> Mapping[str, object]:
        """What is there now."""
        return self._request("PUT", path, body)

    def delete(self, path: str) -> Mapping[str, object]:
        """What is gone."""
        return self._request("DELETE", path)

    def _request(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> Mapping[str, object]:
        headers = {"authorization": f"Bearer {self._key}", "accept": "application/json", **(extra_headers or {})}
        if body is not None:
            headers["content-type"] = "application/json"
        content = None if body is None else json.dumps(body).encode()
        answer = send_request(method, self.url + path, headers, content)
        for _ in range(_MAX_RETRIES):
            if answer.status not in _RETRYABLE:
                break
            self._sleep(_retry_after_seconds(answer))
            answer = send_request(method, self.url + path, headers, content)
        return self._response_object(answer)

    def _response_object(self, answer: ServerResponse) -> Mapping[str, object]:
        members = _members(answer.body)
        if answer.status in _SUCCESS and members is not None:
            return members
        error = None if members is None else members.get("error")
        if answer.status == HTTPStatus.UNAUTHORIZED:
            raise Forbidden(f"{self.url} does not admit this key: it is wrong, expired or revoked. Give another.")
        if isinstance(error, Mapping) and "code" in error:
            raise error_from_members(cast("Mapping[str, object]", error), ROUTE_HINTS)
        raise self._unexpected_error(answer)

    def _unexpected_error(self, answer: ServerResponse) -> DomainError:
        if answer.status in _REDIRECTS:
            place = answer.headers.get("location", "nowhere")
            return Unavailable(f"{self.url} sends calls on to {place}: if you trust that place, give its address.")
        if answer.status >= _SERVER_FAULT or answer.status in _RETRYABLE:
            return Unavailable(f"{self.url} fails ({answer.status}): try again later.", _retry_after_seconds(answer))
        return NotFound(f"{self.url} does not answer like a Groundwire ({answer.status}): check the address.")


def _retry_after_seconds(answer: ServerResponse) -> int:
    said = answer.headers.get("retry-after", "")
    return min(int(said), _MAX_WAIT_SECONDS) if said.isascii() and said.isdigit() else _DEFAULT_WAIT_SECONDS


def _members(body: bytes) -> Mapping[str, object] | None:
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, object]", value) if isinstance(value, dict) else None
