"""What becomes of a `ToolFault`: a JSON-RPC error, or a result that a model can act on."""

from typing import Final

from groundwire.protocol.outcomes import Outcome, Refusal
from groundwire.protocol.tools import FaultKind, ToolFault

_UNKNOWN_RETRY_S: Final = 5
"""For a part that cannot say when a repeat is worth trying: long enough for it to come back, short for a person."""

RETRY_KEY: Final = "groundwire/retry"
"""The member of a result's `_meta` with the content of `data` in a JSON-RPC error; MCP defines no member for it."""

OUTCOMES: Final = {
    FaultKind.ARGUMENTS: Outcome.TOOL_ARGUMENTS,
    FaultKind.FAILURE: Outcome.TOOL_FAILURE,
    FaultKind.RETRYABLE: Outcome.TOOL_RETRYABLE,
}


def error(fault: ToolFault, tool: str | None = None) -> Refusal:
    """The fault as an error; `tool` is the tool that raised it, if it was one."""
    data = _retry_data(fault) if fault.kind is FaultKind.RETRYABLE else None
    return Refusal(OUTCOMES[fault.kind], str(fault), data=data, tool=tool)


def error_result(fault: ToolFault) -> dict[str, object]:
    """The fault as an `isError` result: the text is for the model, `_meta` for the program around it."""
    if fault.kind is not FaultKind.RETRYABLE:
        return {"content": [{"type": "text", "text": str(fault)}], "isError": True}
    text = f"{fault} Call the tool again after {_retry_after_s(fault)} s."
    return {
        "content": [{"type": "text", "text": text}],
        "isError": True,
        "_meta": {RETRY_KEY: _retry_data(fault)},
    }


def _retry_data(fault: ToolFault) -> dict[str, object]:
    return {"retryable": True, "retry_after_s": _retry_after_s(fault)}


def _retry_after_s(fault: ToolFault) -> int:
    return _UNKNOWN_RETRY_S if fault.retry_after_s is None else fault.retry_after_s
