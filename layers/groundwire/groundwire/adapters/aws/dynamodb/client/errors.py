"""Errors of DynamoDB, translated to domain errors; a failed condition has its own exception."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError, NoRegionError, ParamValidationError

from groundwire.domain import errors

_SERVER_ERROR: Final = 500
_BUSY: Final = ("gets too many requests", "repeat soon", 1)
_FORBIDDEN: Final = ("may not be used", "check the role of the function", 30)
_ABSENT: Final = ("cannot be used", "deploy the stack again", 30)
_NO_CREDENTIALS: Final = ("cannot be asked", "give this process AWS credentials and a region", 30)
_NO_ANSWER: Final = ("does not answer", "repeat soon", 5)
_BY_CODE: Final[Mapping[str, tuple[str, str, int]]] = {
    "LimitExceededException": _BUSY,
    "ProvisionedThroughputExceededException": _BUSY,
    "RequestLimitExceeded": _BUSY,
    "Throttling": _BUSY,
    "ThrottlingException": _BUSY,
    "TransactionInProgressException": _BUSY,
    "AccessDeniedException": _FORBIDDEN,
    "ExpiredTokenException": _FORBIDDEN,
    "IncompleteSignatureException": _FORBIDDEN,
    "InvalidSignatureException": _FORBIDDEN,
    "MissingAuthenticationTokenException": _FORBIDDEN,
    "UnrecognizedClientException": _FORBIDDEN,
    "InaccessibleEncryptionKeyException": _ABSENT,
    "ResourceNotFoundException": _ABSENT,
}
"""Text, remedy and seconds until a retry, by error code."""
_CONDITION: Final = "ConditionalCheckFailed"


class ConditionFailed(errors.Conflict):
    """Error for a write whose condition does not hold; nothing was written.

    Attributes:
        items: the stored row per write of a transaction, where the write requested it
            (ReturnValuesOnConditionCheckFailure); None where the write's own condition was true or nothing is stored.
    """

    def __init__(self, items: tuple[Mapping[str, Any] | None, ...]) -> None:
        super().__init__("The stored row is not as the write requires: read its current state, then try again.")
        self.items = items


class TransactionConflict(errors.Unavailable):
    """Another transaction conflicts with this one: nothing was written, and an immediate repeat may succeed."""


@contextmanager
def translated_errors(table: str) -> Generator[None]:
    """Translate an error inside to ConditionFailed or `errors.Unavailable`, but not that of a malformed request."""
    try:
        yield
    except ParamValidationError:
        raise
    except ClientError as error:
        raise _translate(error, table) from error
    except (NoCredentialsError, NoRegionError) as error:
        raise _unavailable(table, type(error).__name__, _NO_CREDENTIALS) from error
    except BotoCoreError as error:
        raise _unavailable(table, type(error).__name__, _NO_ANSWER) from error


def _translate(error: ClientError, table: str) -> Exception:
    code = str(error.response.get("Error", {}).get("Code"))
    if code == f"{_CONDITION}Exception":
        return ConditionFailed((error.response.get("Item"),))
    if code == "TransactionCanceledException":
        return _cancelled(error, table)
    if code == "TransactionConflictException":
        return _conflict(table, code)
    status = int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", _SERVER_ERROR))
    text_parts = _BY_CODE.get(code, _NO_ANSWER if status >= _SERVER_ERROR else None)
    return error if text_parts is None else _unavailable(table, code, text_parts)


def _unavailable(table: str, cause: str, text_parts: tuple[str, str, int]) -> errors.Unavailable:
    what, remedy, retry_after_s = text_parts
    return errors.Unavailable(f"The table {table} {what} ({cause}): {remedy}.", retry_after_s)


def _cancelled(error: ClientError, table: str) -> Exception:
    """Return the error of a transaction: one of its conditions, or a conflict with another transaction."""
    reasons: list[Mapping[str, Any]] = [*error.response.get("CancellationReasons", [])]
    codes = {str(reason.get("Code")) for reason in reasons}
    # A repeat would fail by the same condition, whatever else went wrong.
    if _CONDITION in codes:
        return ConditionFailed(tuple(reason.get("Item") for reason in reasons))
    # A malformed request is an error of this program, so it is not translated.
    if "ValidationError" in codes:
        return error
    return _conflict(table, "TransactionCanceledException")


def _conflict(table: str, cause: str) -> TransactionConflict:
    return TransactionConflict(
        f"The table {table} is written by another call ({cause}): try again at once.", retry_after_s=1
    )
