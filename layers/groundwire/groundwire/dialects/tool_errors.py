"""What tools do with their arguments, and everything here with whatever keeps it from answering."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from groundwire.domain.error_codes import audit_text
from groundwire.domain.errors import DomainError, LimitExceeded, Unavailable
from groundwire.protocol.definitions.tool_context import ToolContext
from groundwire.protocol.definitions.tools import ToolError, ToolErrorKind, ToolResult
from groundwire.services.call_context import CallContext

ToolHandler: TypeAlias = Callable[[CallContext, Mapping[str, object], ToolContext], ToolResult]


def single_argument(arguments: Mapping[str, object], name: str, *, ignore_unknown: bool = False) -> object:
    """The one argument that the tool takes; others are a fault unless they are to be ignored."""
    unknown = [] if ignore_unknown else sorted(set(arguments) - {name})
    if unknown:
        raise ToolError(ToolErrorKind.ARGUMENTS, f"Unknown argument {unknown[0]!r}: the tool takes {name} only.")
    if name not in arguments:
        raise ToolError(ToolErrorKind.ARGUMENTS, f"{name} is missing: call the tool again with it.")
    return arguments[name]


def with_retryable_errors(failure: str, handler: ToolHandler) -> ToolHandler:
    """Return the tool with a retryable fault for every part that does not answer, also while the tool is built."""

    def call(call: CallContext, arguments: Mapping[str, object], turn: ToolContext) -> ToolResult:
        try:
            return handler(call, arguments, turn)
        except (Unavailable, LimitExceeded) as problem:
            raise tool_error(call, failure, problem) from problem

    return call


def tool_error(call: CallContext, failure: str, error: DomainError) -> ToolError:
    """The fault that says `failure` failed; retryable when a repeat may succeed.

    Why it failed is for the operator, in the audit line: the text names folders and models of this server.
    """
    call.audit_fields["problem"] = audit_text(error)
    if isinstance(error, (Unavailable, LimitExceeded)):
        text = f"{failure}: a part of the service does not answer; try again."
        return ToolError(ToolErrorKind.RETRYABLE, text, error.retry_after_s)
    return ToolError(
        ToolErrorKind.FAILURE, f"{failure}: the service cannot answer until its operator has looked into it."
    )
