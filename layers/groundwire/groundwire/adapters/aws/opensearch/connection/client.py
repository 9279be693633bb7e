"""Requests to an OpenSearch: each within a deadline, its faults told, and a reading one tried twice."""

import json
import random
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from opensearchpy import OpenSearch
from opensearchpy.exceptions import TransportError

from groundwire.adapters.aws.opensearch.connection import errors
from groundwire.adapters.aws.opensearch.connection.deadline import Deadline

if TYPE_CHECKING:
    from groundwire.adapters.aws.opensearch.connection.login import SecretLogin

Body = Mapping[str, Any]
_LINES: Final = {"content-type": "application/x-ndjson"}
_JSON: Final = {"content-type": "application/json"}
_LOGIN_HEADER: Final = "authorization"
_MAX_PAUSE_S: Final = 0.5


class EngineClient:
    """One cluster or collection, reached by a client that tries nothing again by itself.

    Args:
        login: shown with every request, and read anew where it is refused; None: what the client itself shows.
    """

    def __init__(self, client: OpenSearch, login: "SecretLogin | None") -> None:
        self._client = client
        self._login = login

    def request(self, method: str, path: str, body: Body | None, deadline: Deadline) -> Any:
        """The answer to a request that may be sent twice; Raises Unavailable and its kin in `faults`."""
        return self._request_with_retry(method, path, None if body is None else compact_json(body), _JSON, deadline)

    def create_index(self, index: str, body: Body, deadline: Deadline) -> None:
        """The index exists; where it did before, it stays as it was."""
        try:
            self.request("PUT", f"/{index}", body, deadline)
        except errors.RequestRejected as refused:
            if refused.cause != "resource_already_exists_exception":
                raise

    def multi_search(self, index: str, bodies: Sequence[Body], deadline: Deadline) -> list[Any]:
        """The answers to several searches, in order, by one request; Raises when one of them has none."""
        head = compact_json({"index": index})
        lines = "".join(f"{head}\n{compact_json(body)}\n" for body in bodies)
        answers = self._request_with_retry("POST", "/_msearch", lines, _LINES, deadline)["responses"]
        for answer in answers:
            if (problem := errors.response_error(answer)) is not None:
                raise problem
        return answers

    def bulk(self, lines: str, *, refresh: bool, deadline: Deadline) -> list[Any]:
        """What became of each line of a bulk, which is sent once; Raises Unanswered when nobody knows."""
        path = "/_bulk?refresh=true" if refresh else "/_bulk"
        return self._request_once("POST", path, lines, _LINES, deadline)["items"]

    def close(self) -> None:
        """Its connections are closed."""
        self._client.close()

    def _request_with_retry(
        self, method: str, path: str, body: str | None, headers: Mapping[str, str], deadline: Deadline
    ) -> Any:
        try:
            return self._authenticated_request(method, path, body, headers, deadline)
        except TransportError as error:
            # Only so that callers who were in each other's way are not again.
            pause = random.uniform(0.05, _MAX_PAUSE_S)  # noqa: S311
            if not errors.is_transient(error) or not deadline.allows(pause):
                raise errors.to_domain_error(error) from error
        time.sleep(pause)
        return self._request_once(method, path, body, headers, deadline)

    def _request_once(
        self, method: str, path: str, body: str | None, headers: Mapping[str, str], deadline: Deadline
    ) -> Any:
        try:
            return self._authenticated_request(method, path, body, headers, deadline)
        except TransportError as error:
            raise errors.to_domain_error(error) from error

    def _authenticated_request(
        self, method: str, path: str, body: str | None, headers: Mapping[str, str], deadline: Deadline
    ) -> Any:
        if self._login is None:
            return self._perform_request(method, path, body, headers, deadline)
        shown = self._login.authorization_header()
        try:
            return self._perform_request(method, path, body, {**headers, _LOGIN_HEADER: shown}, deadline)
        except TransportError as error:
            if error.status_code not in errors.UNAUTHORIZED_STATUSES or not self._login.was_replaced(shown):
                raise
        # A request that was refused for its login has done nothing, so even one that is sent once is sent again.
        return self._perform_request(
            method, path, body, {**headers, _LOGIN_HEADER: self._login.authorization_header()}, deadline
        )

    def _perform_request(
        self, method: str, path: str, body: str | None, headers: Mapping[str, str], deadline: Deadline
    ) -> Any:
        return self._client.transport.perform_request(
            method, path, body=body, timeout=deadline.seconds_left, headers=headers
        )


def compact_json(value: object) -> str:
    """As short as JSON gets."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
