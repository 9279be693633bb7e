"""Problems as they travel in JSON: a code, the message, and when to come back."""

from collections.abc import Mapping
from typing import Final

from groundwire.domain.advice import NONE, Advice, advised, not_found
from groundwire.domain.errors import (
    Conflict,
    Denied,
    DocumentRefused,
    Invalid,
    NotFound,
    Problem,
    TooMuch,
    Unavailable,
)

_CODES: Final[Mapping[type[Problem], str]] = {
    Invalid: "invalid",
    DocumentRefused: "refused",
    Denied: "denied",
    NotFound: "not_found",
    Conflict: "conflict",
    TooMuch: "too_much",
    Unavailable: "unavailable",
}
_FAILED: Final = "failed"
_LATER: Final = "retry_after_s"
_DEFAULT_RETRY_S: Final = 5


def problem_members(problem: Problem, advice: Advice) -> dict[str, object]:
    """Return `code`, `message` with the interface's advice and, where a repeat may succeed, `retry_after_s`."""
    code = next((code for kind, code in _CODES.items() if isinstance(problem, kind)), _FAILED)
    later = {_LATER: problem.retry_after_s} if isinstance(problem, (TooMuch, Unavailable)) else {}
    return {"code": code, "message": advised(problem, advice), **later}


def problem_from(members: Mapping[str, object], advice: Advice = NONE) -> Problem:
    """Return the problem that another process told, without the advice of its interface.

    A code that is not known here gives a plain `Problem`.
    """
    message = str(members.get("message") or "The service gave no reason.")
    later = members.get(_LATER)
    seconds = later if isinstance(later, int) else _DEFAULT_RETRY_S
    match members.get("code"):
        case "too_much":
            return TooMuch(message, seconds)
        case "unavailable":
            return Unavailable(message, seconds)
        case "not_found":
            return not_found(message, advice)
        case code:
            return next((kind for kind, known in _CODES.items() if known == code), Problem)(message)
