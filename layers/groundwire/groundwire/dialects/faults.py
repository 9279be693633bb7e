"""What tools do with their arguments, and everything here with whatever keeps it from answering."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from groundwire.domain.errors import Problem, TooMuch, Unavailable
from groundwire.domain.problem_names import named
from groundwire.protocol.tools import FaultKind, ToolFault, ToolResult
from groundwire.protocol.turn import Turn
from groundwire.services.call import Call

ToolCall: TypeAlias = Callable[[Call, Mapping[str, object], Turn], ToolResult]


def only(arguments: Mapping[str, object], name: str, *, ignore_others: bool = False) -> object:
    """The one argument that the tool takes; others are a fault unless they are to be ignored."""
    unknown = [] if ignore_others else sorted(set(arguments) - {name})
    if unknown:
        raise ToolFault(FaultKind.ARGUMENTS, f"Unknown argument {unknown[0]!r}: the tool takes {name} only.")
    if name not in arguments:
        raise ToolFault(FaultKind.ARGUMENTS, f"{name} is missing: call the tool again with it.")
    return arguments[name]


def guarded(what: str, tool: ToolCall) -> ToolCall:
    """Return the tool with a retryable fault for every part that does not answer, also while the tool is built."""

    def call(call: Call, arguments: Mapping[str, object], turn: Turn) -> ToolResult:
        try:
            return tool(call, arguments, turn)
        except (Unavailable, TooMuch) as problem:
            raise fault(call, what, problem) from problem

    return call


def fault(call: Call, what: str, problem: Problem) -> ToolFault:
    """The fault that says `what` failed; retryable when a repeat may succeed.

    Why it failed is for the operator, in the audit line: the text names folders and models of this server.
    """
    call.facts["problem"] = named(problem)
    if isinstance(problem, (Unavailable, TooMuch)):
        text = f"{what}: a part of the service does not answer; try again."
        return ToolFault(FaultKind.RETRYABLE, text, problem.retry_after_s)
    return ToolFault(FaultKind.FAILURE, f"{what}: the service cannot answer until its operator has looked into it.")
