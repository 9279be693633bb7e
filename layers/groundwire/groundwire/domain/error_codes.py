"""JSON form of errors (code, message, retry delay), their names in audit lines, and hints in an interface's words."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, get_args

from groundwire.domain import errors
from groundwire.domain.errors import (
    Conflict,
    DocumentRefused,
    DomainError,
    Forbidden,
    InvalidInput,
    LimitExceeded,
    NotFound,
    Remedy,
    ResourceKind,
    Unavailable,
)

Hints = Mapping[ResourceKind | Remedy, str]
"""Sentence of an interface for each kind of resource that it lists, and for each remedy."""

NO_HINTS: Final[Hints] = MappingProxyType({})
"""Hints of an interface that adds nothing to a message."""
COMMAND_HINTS: Final[Hints] = MappingProxyType(
    {
        "tenant": "`groundwire tenant list` names them.",
        "collection": "`groundwire collection list` names them.",
        "document": "`groundwire documents list` names them.",
        "deleted document": "`groundwire documents list --deleted` names them.",
        "key": "`groundwire key list` names them.",
        "source": "`groundwire source list` names them.",
        "evaluation": "`groundwire evaluation list` names them.",
        "ingestion": "`groundwire ingestion list` names them.",
    }
)
_OPERATOR_REMEDY: Final = "The operator can correct this on the server."
"""An administrator who calls REST may be the operator, so the sentence is right for both."""
ROUTE_HINTS: Final[Hints] = MappingProxyType(
    {
        "collection": "GET /v1/collections lists them.",
        "document": "GET /v1/documents lists them.",
        "deleted document": "GET /v1/deletions lists them.",
        "key": "GET /v1/keys lists them.",
        "evaluation": "GET /v1/evaluations lists them.",
        "ingestion": "GET /v1/ingestions lists them.",
        **dict.fromkeys(get_args(Remedy), _OPERATOR_REMEDY),
    }
)
"""Hints of the REST API; no route lists tenants, since each key has one tenant."""


def message_with_hint(error: DomainError, hints: Hints) -> str:
    """Return the message of an error, with the interface's hint where it has one."""
    kind = error.resource_kind if isinstance(error, NotFound) and error.resource_kind else error.remedy
    hint = hints.get(kind) if kind else None
    return f"{error} {hint}" if hint else str(error)


def not_found_without_hint(message: str, hints: Hints) -> NotFound:
    """Return the error of a message to which another process added the hint at a list of names."""
    for kind in get_args(ResourceKind):
        if (hint := hints.get(kind)) and message.endswith(f" {hint}"):
            return NotFound(message.removesuffix(f" {hint}"), kind)
    return NotFound(message)


def members_text(errors: Iterable[tuple[Sequence[object], str]]) -> str:
    """Return one line about members of a body that are not valid: their paths, each with its message."""
    texts = [
        f"{'.'.join(map(str, path))}{': ' if path else ''}{message.removeprefix('Value error, ')}"
        for path, message in errors
    ]
    return "; ".join(texts)


AUDIT_NAMES: Final[Mapping[type[DomainError], str]] = {
    errors.DomainError: "Problem",
    errors.InvalidInput: "Invalid",
    errors.Forbidden: "Denied",
    errors.NotFound: "NotFound",
    errors.Conflict: "Conflict",
    errors.PreconditionFailed: "PreconditionFailed",
    errors.LimitExceeded: "TooMuch",
    errors.Unavailable: "Unavailable",
    errors.Superseded: "Superseded",
    errors.ResourceBusy: "Occupied",
    errors.ParserBusy: "ParserBusy",
    errors.ParserBroken: "ParserBroken",
    errors.DocumentRefused: "DocumentRefused",
    errors.ParsingFailed: "ParsingFailed",
}


def audit_text(error: DomainError) -> str:
    """Return name and message of the error; a class that is not in the table has the name of its nearest base class."""
    name = next(AUDIT_NAMES[error_class] for error_class in type(error).__mro__ if error_class in AUDIT_NAMES)
    return f"{name}: {error}"


_CODES: Final[Mapping[type[DomainError], str]] = {
    InvalidInput: "invalid",
    DocumentRefused: "refused",
    Forbidden: "denied",
    NotFound: "not_found",
    Conflict: "conflict",
    LimitExceeded: "too_much",
    Unavailable: "unavailable",
}
_UNKNOWN_CODE: Final = "failed"
_RETRY_AFTER: Final = "retry_after_s"
_DEFAULT_RETRY_S: Final = 5


def error_to_members(error: DomainError, hints: Hints) -> dict[str, object]:
    """Return `code`, `message` with the interface's hint and, where a repeat may succeed, `retry_after_s`."""
    code = next((code for kind, code in _CODES.items() if isinstance(error, kind)), _UNKNOWN_CODE)
    retry = {_RETRY_AFTER: error.retry_after_s} if isinstance(error, (LimitExceeded, Unavailable)) else {}
    return {"code": code, "message": message_with_hint(error, hints), **retry}


def error_from_members(members: Mapping[str, object], hints: Hints = NO_HINTS) -> DomainError:
    """Return the error that another process sent, without the hint of its interface.

    An unknown code gives a plain `DomainError`.
    """
    message = str(members.get("message") or "The service gave no reason.")
    retry_after = members.get(_RETRY_AFTER)
    seconds = retry_after if isinstance(retry_after, int) else _DEFAULT_RETRY_S
    match members.get("code"):
        case "too_much":
            return LimitExceeded(message, seconds)
        case "unavailable":
            return Unavailable(message, seconds)
        case "not_found":
            return not_found_without_hint(message, hints)
        case code:
            return next((kind for kind, known in _CODES.items() if known == code), DomainError)(message)
