"""OpenSearch client: each request has a deadline, translated errors, and one retry if it may be repeated."""

import json
import random
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from opensearchpy import OpenSearch
from opensearchpy.exceptions import TransportError

from groundwire.adapters.opensearch.connection import errors
from groundwire.adapters.opensearch.connection.deadline import Deadline
from groundwire.retry import Backoff, RetryPolicy, retry_on

if TYPE_CHECKING:
    from groundwire.adapters.opensearch.connection.login import SecretLogin

Body = Mapping[str, Any]
_LINES: Final = {"content-type": "application/x-ndjson"}
_JSON: Final = {"content-type": "application/json"}
_LOGIN_HEADER: Final = "authorization"
_BACKOFF: Final = Backoff(time.sleep, random.random, first_s=0.5, longest_s=0.5, least_share=0.1)


class EngineClient:
    """One cluster or collection, behind a client without retries of its own.

    Args:
        login: sent with every request, and read again when it is refused; None: the client authenticates itself.
    """

    def __init__(self, client: OpenSearch, login: "SecretLogin | None") -> None:
        self._client = client
        self._login = login

    def request(self, method: str, path: str, body: Body | None, deadline: Deadline) -> Any:
        """Send a request that may be repeated, and return its answer.

        Raises:
            Unavailable: the engine refuses or does not answer; see `connection.errors`.
        """
        return self._request_with_retry(method, path, None if body is None else compact_json(body), _JSON, deadline)

    def create_index(self, index: str, body: Body, deadline: Deadline) -> None:
        """Create the index; an existing one stays as it is."""
        try:
            self.request("PUT", f"/{index}", body, deadline)
        except errors.RequestRejected as refused:
            # Another process was faster, or the answer to a first attempt was lost.
            if refused.cause != "resource_already_exists_exception":
                raise

    def multi_search(self, index: str, bodies: Sequence[Body], deadline: Deadline) -> list[Any]:
        """Return the answers to several searches, in order, from one request.

        Raises:
            DomainError: one of them has no complete answer.
        """
        head = compact_json({"index": index})
        lines = "".join(f"{head}\n{compact_json(body)}\n" for body in bodies)
        answers = self._request_with_retry("POST", "/_msearch", lines, _LINES, deadline)["responses"]
        for answer in answers:
            if (problem := errors.response_error(answer)) is not None:
                raise problem
        return answers

    def bulk(self, lines: str, *, refresh: bool, deadline: Deadline) -> list[Any]:
        """Send a bulk once and return the result of each line.

        Raises:
            NoResponse: the result is unknown.
        """
        path = "/_bulk?refresh=true" if refresh else "/_bulk"
        # Not repeated here: rows without ids of their own would be stored twice.
        return self._request_once("POST", path, lines, _LINES, deadline)["items"]

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _request_with_retry(
        self, method: str, path: str, body: str | None, headers: Mapping[str, str], deadline: Deadline
    ) -> Any:
        def send() -> Any:
            return self._authenticated_request(method, path, body, headers, deadline)

        try:
            return retry_on(TransportError, send, RetryPolicy(2, _BACKOFF, deadline.allows), errors.is_transient)
        except TransportError as error:
            raise errors.to_domain_error(error) from error

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
        header = self._login.authorization_header()
        try:
            return self._perform_request(method, path, body, {**headers, _LOGIN_HEADER: header}, deadline)
        except TransportError as error:
            if error.status_code not in errors.UNAUTHORIZED_STATUSES or not self._login.was_replaced(header):
                raise
        # A request refused for its login has done nothing, so even a bulk may be repeated.
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
    """Return the shortest JSON text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
