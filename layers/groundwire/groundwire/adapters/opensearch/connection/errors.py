"""Errors of OpenSearch, translated to domain errors."""

from collections.abc import Mapping
from typing import Any, Final, cast

from opensearchpy.exceptions import ConnectionError as NotConnected
from opensearchpy.exceptions import ConnectionTimeout, TransportError

from groundwire.domain import errors

RETRYABLE_STATUSES: Final = frozenset({429, 502, 503, 504})
"""Status codes after which the same request may succeed soon."""

UNAUTHORIZED_STATUSES: Final = frozenset({401, 403})
"""Status codes of a request that was refused for its authentication."""

_ABSENT: Final = 404
_WAKES_AFTER_S: Final = 15
_INVALID: Final = 400
_CUSTOM_ID_REFUSAL: Final = "Document ID is not supported in "
"""Start of the reason with which OpenSearch Serverless refuses a chosen id, in a bulk's item or for all of a request.

Source: langchain-ai/langchainjs#4346, opensearch-project/opensearch-py#792, aws/aws-sdk-pandas#2784.
"""

_NO_INDEX: Final = ("index_not_found_exception", "no such index")


class IndexMissing(errors.Unavailable):
    """Error for an index that does not exist, or not yet on every node; nothing was done."""


class RequestRejected(errors.Unavailable):
    """Error for a request whose form OpenSearch refuses: repeating it changes nothing.

    Attributes:
        status: status code of the answer.
        cause: type of the error in the answer.
    """

    def __init__(self, status: int, cause: str) -> None:
        super().__init__(
            f"The index refuses a request ({status} {cause}): see the log of OpenSearch.", retry_after_s=30
        )
        self.status = status
        self.cause = cause


class CustomIdsRefused(RequestRejected):
    """Error for a document id that the writer chose, where the service assigns the ids; nothing was done."""


class EngineBusy(errors.Unavailable):
    """Error for a request that the engine refuses for the moment; nothing was done."""


class AccessRefused(errors.Unavailable):
    """Error for a request that this process has no right to; nothing was done."""


class NoResponse(errors.Unavailable):
    """Error for a missing response: the request may have been executed or not."""


_BY_STATUS: Final[Mapping[int, tuple[type[errors.Unavailable], str, int]]] = {
    401: (
        errors.Unavailable,
        "refuses the credentials: check its user and password, or the credentials of this process",
        30,
    ),
    403: (
        AccessRefused,
        "refuses access: check the data access policy of the collection and the role of this process",
        30,
    ),
    413: (errors.Unavailable, "does not accept a request of this size: request less at once", 30),
    429: (EngineBusy, "gets too many requests: try again soon", 5),
    502: (NoResponse, "does not answer: try again soon", 5),
    503: (NoResponse, "is busy, or still starting: try again soon", 5),
    504: (NoResponse, "does not answer in time: try again soon", 5),
}
"""Exception, text and seconds until a retry, by status code."""


def is_transient(error: TransportError) -> bool:
    """Return whether the same request may succeed soon."""
    if isinstance(error, ConnectionTimeout):
        return False
    return isinstance(error, NotConnected) or error.status_code in RETRYABLE_STATUSES


def to_domain_error(error: TransportError) -> errors.DomainError:
    """Translate a transport error to a domain error."""
    if isinstance(error, ConnectionTimeout):
        return timeout_error()
    if isinstance(error, NotConnected):
        return NoResponse("The index does not answer: check its address, or try again soon.")
    status = int(error.status_code)
    info: object = error.info
    reported = cast("Mapping[str, object]", info).get("error") if isinstance(info, Mapping) else error.error
    return _refused_id_error(status, reported) or error_for_status(status, f"{error.error} {info}")


def timeout_error() -> NoResponse:
    """Return the error for an expired deadline."""
    return NoResponse("The index did not answer in time: it is waking up. Try again in a moment.", _WAKES_AFTER_S)


def busy_error() -> EngineBusy:
    """Return the error for writes that were refused for the moment."""
    return EngineBusy("The index gets too many requests: try again soon.")


def item_error(status: int, reported: object) -> errors.DomainError:
    """Return the error for one refused action of a bulk, from the `error` of its result."""
    return _refused_id_error(status, reported) or error_for_status(status, str(reported))


def error_for_status(status: int, cause: str) -> errors.DomainError:
    """Return the error for an answer's status code; `cause` is the text of its error."""
    if status == _ABSENT and any(marker in cause for marker in _NO_INDEX):
        return IndexMissing("The index does not exist, or not yet: try again soon.", _WAKES_AFTER_S)
    if status in _BY_STATUS:
        kind, what, retry_after_s = _BY_STATUS[status]
        return kind(f"The index {what}.", retry_after_s)
    # The type alone, as the rest of a reason may quote a document.
    return RequestRejected(status, cause.partition(" ")[0])


def response_error(answer: Mapping[str, Any]) -> errors.DomainError | None:
    """Return the error of one answer of several, None for a complete one; failed shards make it incomplete."""
    if "error" in answer:
        return error_for_status(int(answer.get("status", 500)), f"{answer['error'].get('type')} {answer['error']}")
    if answer.get("timed_out"):
        return timeout_error()
    # OpenSearch answers 200 although a shard failed, whose rows are then missing.
    if answer.get("_shards", {}).get("failed"):
        return errors.Unavailable("A part of the index does not answer: try again soon.")
    return None


def _refused_id_error(status: int, reported: object) -> CustomIdsRefused | None:
    """Return the error where the service refuses an id that the writer chose; None for every other error.

    Only the start of the reason counts: further on it may quote a document.
    """
    fields = cast("Mapping[str, object]", reported) if isinstance(reported, Mapping) else {"reason": reported}
    if status != _INVALID or not str(fields.get("reason")).startswith(_CUSTOM_ID_REFUSAL):
        return None
    return CustomIdsRefused(status, str(fields.get("type")))
