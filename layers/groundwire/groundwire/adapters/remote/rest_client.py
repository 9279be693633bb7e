"""Client of a service's REST API, with one key."""

import json
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode

from groundwire.adapters.remote.http_client import ServerResponse, checked_url, send_request
from groundwire.domain.error_codes import ROUTE_HINTS, error_from_members, members_text
from groundwire.domain.errors import Conflict, DomainError, Forbidden, InvalidInput, NotFound, Unavailable
from groundwire.domain.text.json_values import is_list, is_mapping, list_or_empty, load_mapping
from groundwire.retry import RetryBudget, RetryPolicy

_RETRY: Final = RetryPolicy(attempts=5)
_MAX_WAIT_SECONDS: Final = 60
_DEFAULT_WAIT_SECONDS: Final = 2
_RETRYABLE: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_SUCCESS: Final = range(200, 300)
_REDIRECTS: Final = range(300, 400)
_SERVER_ERROR: Final = 500
_NOTHING: Final[Mapping[str, object]] = {}
_DETAILED_ERRORS: Final[Mapping[int, type[DomainError]]] = {
    HTTPStatus.BAD_REQUEST: InvalidInput,
    HTTPStatus.FORBIDDEN: Forbidden,
    HTTPStatus.NOT_FOUND: NotFound,
    HTTPStatus.CONFLICT: Conflict,
    HTTPStatus.UNPROCESSABLE_ENTITY: InvalidInput,
}
"""Errors of routes whose bodies have `detail` instead of a code."""


class RestClient:
    """One service and the key for it; every method raises the `DomainError` that the service returns.

    Args:
        sleep: waits for so many seconds before a call is repeated that got status 429 or 503.
    """

    def __init__(self, url: str, key: str, sleep: Callable[[float], None] = time.sleep) -> None:
        """Take the service's address and the key.

        Raises:
            InvalidInput: `checked_url` refuses the address.
        """
        self.url: Final = checked_url(url)
        self._key = key
        self._sleep = sleep

    def __repr__(self) -> str:
        """Return the address without the key."""
        return f"Service({self.url!r})"

    def get(self, path: str, **query: str | None) -> Mapping[str, object]:
        """Return the object at `path`; query parameters of None are left out."""
        parameters = {name: value for name, value in query.items() if value is not None}
        return self._request("GET", f"{path}?{urlencode(parameters)}" if parameters else path)

    def post(
        self, path: str, body: Mapping[str, object], headers: Mapping[str, str] | None = None
    ) -> Mapping[str, object]:
        """Return the service's response to `body`."""
        return self._request("POST", path, body, headers or {})

    def put(self, path: str, body: Mapping[str, object]) -> Mapping[str, object]:
        """Return the stored object."""
        return self._request("PUT", path, body)

    def patch(self, path: str, body: Mapping[str, object]) -> Mapping[str, object]:
        """Return the changed object."""
        return self._request("PATCH", path, body)

    def delete(self, path: str) -> Mapping[str, object]:
        """Return the description of the deleted object; an empty one where the service returns none."""
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
        response = send_request(method, self.url + path, headers, content)
        budget = RetryBudget(_RETRY)
        while response.status in _RETRYABLE and budget.take():
            self._sleep(_retry_after_seconds(response))
            response = send_request(method, self.url + path, headers, content)
        return self._response_object(response)

    def _response_object(self, response: ServerResponse) -> Mapping[str, object]:
        members = _NOTHING if response.status == HTTPStatus.NO_CONTENT else load_mapping(response.body)
        if response.status in _SUCCESS and members is not None:
            return members
        error = None if members is None else members.get("error")
        if response.status == HTTPStatus.UNAUTHORIZED:
            raise Forbidden(f"{self.url} does not admit this key: it is wrong, expired or revoked. Give another.")
        if is_mapping(error) and "code" in error:
            raise error_from_members(error, ROUTE_HINTS)
        if members is not None and "detail" in members and response.status in _DETAILED_ERRORS:
            raise _DETAILED_ERRORS[response.status](_detail_text(members["detail"]))
        raise self._unexpected_error(response)

    def _unexpected_error(self, response: ServerResponse) -> DomainError:
        if response.status in _REDIRECTS:
            location = response.headers.get("location", "nowhere")
            return Unavailable(f"{self.url} redirects calls to {location}: if you trust that address, use it instead.")
        if response.status >= _SERVER_ERROR or response.status in _RETRYABLE:
            return Unavailable(
                f"{self.url} failed ({response.status}): try again later.", _retry_after_seconds(response)
            )
        return NotFound(f"{self.url} does not answer like a Groundwire server ({response.status}): check the address.")


def _retry_after_seconds(response: ServerResponse) -> int:
    header = response.headers.get("retry-after", "")
    # `isdigit` alone accepts digits that `int` refuses, and the header may be a date.
    return min(int(header), _MAX_WAIT_SECONDS) if header.isascii() and header.isdigit() else _DEFAULT_WAIT_SECONDS


def _detail_text(detail: object) -> str:
    """Return a text, or the texts of a list of members that are not valid, in one line."""
    if not is_list(detail):
        return str(detail)
    # The first part of a path is `body` or `query`.
    return members_text(
        (list_or_empty(each.get("loc"))[1:], str(each.get("msg"))) for each in filter(is_mapping, detail)
    )
