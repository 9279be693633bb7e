"""The REST API of a service, called with one key."""

import json
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final, cast
from urllib.parse import urlencode

from groundwire.adapters.remote.http import Answer, checked_address, exchange
from groundwire.domain.advice import ROUTES
from groundwire.domain.errors import Denied, NotFound, Problem, Unavailable
from groundwire.domain.problem_codes import problem_from

_REPEATS: Final = 4
_LONGEST_WAIT_S: Final = 60
_DEFAULT_WAIT_S: Final = 2
_NOT_NOW: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_MADE: Final = range(200, 300)
_MOVED: Final = range(300, 400)
_SERVER_FAULT: Final = 500


class Service:
    """One service, and the key that it is called with; every method raises the `errors.Problem` that it tells.

    Args:
        sleep: waits so many seconds before a call that was not answered in time is repeated.
    """

    def __init__(self, url: str, key: str, sleep: Callable[[float], None] = time.sleep) -> None:
        """Raises Invalid for an address that is not encrypted."""
        self.url: Final = checked_address(url)
        self._key = key
        self._sleep = sleep

    def __repr__(self) -> str:
        """Without the key."""
        return f"Service({self.url!r})"

    def get(self, path: str, **query: str | None) -> Mapping[str, object]:
        """The object at `path`; a query of None is left out."""
        given = {name: value for name, value in query.items() if value is not None}
        return self._call("GET", f"{path}?{urlencode(given)}" if given else path)

    def post(
        self, path: str, body: Mapping[str, object], headers: Mapping[str, str] | None = None
    ) -> Mapping[str, object]:
        """What the service made of `body`."""
        return self._call("POST", path, body, headers or {})

    def put(self, path: str, body: Mapping[str, object]) -> Mapping[str, object]:
        """What is there now."""
        return self._call("PUT", path, body)

    def delete(self, path: str) -> Mapping[str, object]:
        """What is gone."""
        return self._call("DELETE", path)

    def _call(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        more: Mapping[str, str] | None = None,
    ) -> Mapping[str, object]:
        headers = {"authorization": f"Bearer {self._key}", "accept": "application/json", **(more or {})}
        if body is not None:
            headers["content-type"] = "application/json"
        content = None if body is None else json.dumps(body).encode()
        answer = exchange(method, self.url + path, headers, content)
        for _ in range(_REPEATS):
            if answer.status not in _NOT_NOW:
                break
            self._sleep(_wait(answer))
            answer = exchange(method, self.url + path, headers, content)
        return self._object(answer)

    def _object(self, answer: Answer) -> Mapping[str, object]:
        members = _members(answer.body)
        if answer.status in _MADE and members is not None:
            return members
        error = None if members is None else members.get("error")
        if answer.status == HTTPStatus.UNAUTHORIZED:
            raise Denied(f"{self.url} does not admit this key: it is wrong, expired or revoked. Give another.")
        if isinstance(error, Mapping) and "code" in error:
            raise problem_from(cast("Mapping[str, object]", error), ROUTES)
        raise self._unexplained(answer)

    def _unexplained(self, answer: Answer) -> Problem:
        if answer.status in _MOVED:
            place = answer.headers.get("location", "nowhere")
            return Unavailable(f"{self.url} sends calls on to {place}: if you trust that place, give its address.")
        if answer.status >= _SERVER_FAULT or answer.status in _NOT_NOW:
            return Unavailable(f"{self.url} fails ({answer.status}): try again later.", _wait(answer))
        return NotFound(f"{self.url} does not answer like a Groundwire ({answer.status}): check the address.")


def _wait(answer: Answer) -> int:
    said = answer.headers.get("retry-after", "")
    return min(int(said), _LONGEST_WAIT_S) if said.isascii() and said.isdigit() else _DEFAULT_WAIT_S


def _members(body: bytes) -> Mapping[str, object] | None:
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, object]", value) if isinstance(value, dict) else None
