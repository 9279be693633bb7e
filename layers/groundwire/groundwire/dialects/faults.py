"""What tools do with their arguments, and everything here with whatever keeps it from answering."""

from collections.abc import Mapping

from groundwire.domain.errors import Problem, TooMuch, Unavailable
from groundwire.protocol.tools import FaultKind, ToolFault
from groundwire.services.call import Call


def only(arguments: Mapping[str, object], name: str) -> object:
    """The one argument that the tool takes."""
    if unknown := sorted(set(arguments) - {name}):
        raise ToolFault(FaultKind.ARGUMENTS, f"Unknown argument {unknown[0]!r}: the tool takes {name} only.")
    if name not in arguments:
        raise ToolFault(FaultKind.ARGUMENTS, f"{name} is missing.")
    return arguments[name]


def fault(call: Call, what: str, problem: Problem) -> ToolFault:
    """The fault that says `what` failed; retryable when a repeat may succeed.

    Why it failed is for the operator, in the audit line: the text names folders and models of this server.
    """
    call.facts["problem"] = f"{type(problem).__name__}: {problem}"
    if isinstance(problem, (Unavailable, TooMuch)):
        text = f"{what}: a part of the service does not answer; try again."
        return ToolFault(FaultKind.RETRYABLE, text, problem.retry_after_s)
    return ToolFault(FaultKind.FAILURE, f"{what}: the service cannot answer until its operator has looked into it.")
