"""Problems as they travel in JSON: a code, the message, and when to come back."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from groundwire.domain import errors
from groundwire.domain.errors import (
    Conflict,
    DocumentRefused,
    DomainError,
    Forbidden,
    InvalidInput,
    LimitExceeded,
    NotFound,
    ResourceKind,
    Unavailable,
)

ListingHints = Mapping[ResourceKind, str]
"""A sentence for each kind of thing that the interface lists."""

NO_HINTS: Final[ListingHints] = MappingProxyType({})
"""For an interface that adds nothing to a message."""
COMMAND_HINTS: Final[ListingHints] = MappingProxyType(
    {
        "tenant": "`groundwire tenant list` names them.",
        "collection": "`groundwire collection list` names them.",
        "document": "`groundwire documents list` names them.",
        "key": "`groundwire key list` names them.",
    }
)
ROUTE_HINTS: Final[ListingHints] = MappingProxyType(
    {
        "collection": "GET /v1/collections lists them.",
        "document": "GET /v1/documents lists them.",
        "key": "GET /v1/keys lists them.",
    }
)
"""No route lists tenants: each key has one."""


def message_with_hint(error: DomainError, hints: ListingHints) -> str:
    """Return the message of a problem, with the interface's advice where it has some."""
    sentence = hints.get(error.resource_kind) if isinstance(error, NotFound) and error.resource_kind else None
    return f"{error} {sentence}" if sentence else str(error)


def not_found_without_hint(message: str, hints: ListingHints) -> NotFound:
    """Return the problem of a message to which another process has added this advice."""
    for listed, sentence in hints.items():
        if message.endswith(f" {sentence}"):
            return NotFound(message.removesuffix(f" {sentence}"), listed)
    return NotFound(message)


AUDIT_NAMES: Final[Mapping[type[DomainError], str]] = {
    errors.DomainError: "Problem",
    errors.InvalidInput: "Invalid",
    errors.Forbidden: "Denied",
    errors.NotFound: "NotFound",
    errors.Conflict: "Conflict",
    errors.LimitExceeded: "TooMuch",
    errors.Unavailable: "Unavailable",
    errors.Superseded: "Superseded",
    errors.ResourceBusy: "Occupied",
    errors.DocumentRefused: "DocumentRefused",
}


def audit_text(error: DomainError) -> str:
    """Return name and text of the problem; a class that is not in the table has the name of its nearest base class."""
    kind = next(AUDIT_NAMES[each] for each in type(error).__mro__ if each in AUDIT_NAMES)
    return f"{kind}: {error}"


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


def error_to_members(error: DomainError, hints: ListingHints) -> dict[str, object]:
    """Return `code`, `message` with the interface's advice and, where a repeat may succeed, `retry_after_s`."""
    code = next((code for kind, code in _CODES.items() if isinstance(error, kind)), _UNKNOWN_CODE)
    later = {_RETRY_AFTER: error.retry_after_s} if isinstance(error, (LimitExceeded, Unavailable)) else {}
    return {"code": code, "message": message_with_hint(error, hints), **later}


def error_from_members(members: Mapping[str, object], hints: ListingHints = NO_HINTS) -> DomainError:
    """Return the problem that another process told, without the advice of its interface.

    A code that is not known here gives a plain `Problem`.
    """
    message = str(members.get("message") or "The service gave no reason.")
    later = members.get(_RETRY_AFTER)
    seconds = later if isinstance(later, int) else _DEFAULT_RETRY_S
    match members.get("code"):
        case "too_much":
            return LimitExceeded(message, seconds)
        case "unavailable":
            return Unavailable(message, seconds)
        case "not_found":
            return not_found_without_hint(message, hints)
        case code:
            return next((kind for kind, known in _CODES.items() if known == code), DomainError)(message)
