"""Argument checks of tools, and tool errors from domain errors."""

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from groundwire.domain.error_codes import audit_text
from groundwire.domain.errors import DomainError, LimitExceeded, Unavailable
from groundwire.domain.limits import MAX_ANSWER_TOKENS, MIN_ANSWER_TOKENS
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind, ToolResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.dialects.declaration.dialect import ToolHandler
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.tool_context import ToolContext

_MOST_DIGITS: Final = 9
"""Digits of a number that is sent as text: more than any bound has."""

_SHARE: Final = re.compile(r"[01]|[01]?\.[0-9]{1,18}")


def single_argument(arguments: Mapping[str, object], name: str, *, ignore_unknown: bool = False) -> object:
    """Return the tool's one argument.

    Args:
        arguments: the arguments of the call.
        name: the argument's name.
        ignore_unknown: whether to ignore other arguments.

    Raises:
        ToolError: the argument is missing, or there are others.
    """
    unknown = [] if ignore_unknown else sorted(set(arguments) - {name})
    if unknown:
        raise ToolError(ToolErrorKind.ARGUMENTS, f"Unknown argument {unknown[0]!r}: the tool has only {name}.")
    if name not in arguments:
        raise ToolError(ToolErrorKind.ARGUMENTS, f"{name} is missing: call the tool again with it.")
    return arguments[name]


def read_integer(name: str, value: object, least: int, most: int | None = None) -> int | None:
    """Return the whole number of an optional argument; None where it is absent or null.

    Raises:
        ToolError: the value is no whole number, or outside its bounds.
    """
    if value is None:
        return None
    # A number such as 8.0 is an integer of JSON Schema.
    whole = int(value) if isinstance(value, float) and value.is_integer() else value
    # Language models also send numbers as texts.
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= _MOST_DIGITS:
        whole = int(value)
    if not isinstance(whole, int) or isinstance(whole, bool) or whole < least or (most is not None and whole > most):
        bounds = f"from {least}" if most is None else f"from {least} to {most}"
        raise ToolError(ToolErrorKind.ARGUMENTS, f"{name} must be a whole number {bounds}.")
    return whole


def read_share(name: str, value: object) -> float | None:
    """Return the number from 0 to 1 of an optional argument; None where it is absent or null.

    Raises:
        ToolError: the value is no number, or outside its bounds.
    """
    if value is None:
        return None
    # Language models also send numbers as texts.
    share = float(value) if isinstance(value, str) and _SHARE.fullmatch(value) else value
    # A NaN is outside, as no comparison with it holds.
    if not isinstance(share, (int, float)) or isinstance(share, bool) or not 0 <= share <= 1:
        raise ToolError(ToolErrorKind.ARGUMENTS, f"{name} must be a number from 0 to 1.")
    return float(share)


def read_answer_size(call: "CallContext", value: object) -> int:
    """Return the tokens that the answer may have: `max_tokens` of the call, else those of its key.

    Raises:
        ToolError: the value is no whole number, or outside its bounds.
    """
    size = read_integer("max_tokens", value, MIN_ANSWER_TOKENS, MAX_ANSWER_TOKENS)
    return call.caller.options.max_tokens if size is None else size


def with_retryable_errors(failure: str, build: "Callable[[], ToolHandler]") -> "ToolHandler":
    """Return the handler that is built for its first call, with retryable errors for unavailable services.

    A service that is unavailable while the handler is built gives a retryable error, too. The list of tools needs
    neither index nor model.
    """
    built = cache(build)

    def call(call: "CallContext", arguments: Mapping[str, object], context: "ToolContext") -> ToolResult:
        try:
            return built()(call, arguments, context)
        except (Unavailable, LimitExceeded) as error:
            raise tool_error(call, failure, error) from error

    return call


def tool_error(call: "CallContext", failure: str, error: DomainError) -> ToolError:
    """Return the tool error with the prefix `failure`; it is retryable when a repeat may succeed.

    The domain error's text is only in the audit record, since it names folders and models of this server.
    """
    call.audit_fields["problem"] = audit_text(error)
    if isinstance(error, (Unavailable, LimitExceeded)):
        text = f"{failure}: a part of the service does not answer; try again."
        return ToolError(ToolErrorKind.RETRYABLE, text, error.retry_after_s)
    return ToolError(ToolErrorKind.FAILURE, f"{failure}: the service does not work until its operator repairs it.")
