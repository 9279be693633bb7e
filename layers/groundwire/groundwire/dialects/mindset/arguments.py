"""What both tools do with their arguments and with whatever keeps them from answering."""

from collections.abc import Mapping

from groundwire.domain.errors import Problem, TooMuch, Unavailable
from groundwire.protocol.tools import FaultKind, ToolFault


def only(arguments: Mapping[str, object], name: str) -> object:
    """The one argument that the tool takes."""
    if unknown := sorted(set(arguments) - {name}):
        raise ToolFault(FaultKind.ARGUMENTS, f"Unknown argument {unknown[0]!r}: the tool takes {name} only.")
    if name not in arguments:
        raise ToolFault(FaultKind.ARGUMENTS, f"{name} is missing.")
    return arguments[name]


def fault(what: str, problem: Problem) -> ToolFault:
    """The fault that says `what` failed and why; retryable when a repeat may succeed."""
    if isinstance(problem, (Unavailable, TooMuch)):
        return ToolFault(FaultKind.RETRYABLE, f"{what}: {problem}", problem.retry_after_s)
    return ToolFault(FaultKind.FAILURE, f"{what}: {problem}")
