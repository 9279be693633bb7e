"""What becomes of a `ToolFault`: a JSON-RPC error, or a result that a model can act on."""

from typing import Final

from groundwire.protocol.definitions.tools import ToolError, ToolErrorKind
from groundwire.protocol.jsonrpc.errors import ProtocolError, ResultCode

_DEFAULT_RETRY_SECONDS: Final = 5
"""For a part that cannot say when a repeat is worth trying: long enough for it to come back, short for a person."""

RETRY_KEY: Final = "groundwire/retry"
"""The member of a result's `_meta` with the content of `data` in a JSON-RPC error; MCP defines no member for it."""

RESULT_CODES: Final = {
    ToolErrorKind.ARGUMENTS: ResultCode.TOOL_ARGUMENTS,
    ToolErrorKind.FAILURE: ResultCode.TOOL_FAILURE,
    ToolErrorKind.RETRYABLE: ResultCode.TOOL_RETRYABLE,
}


def to_protocol_error(error: ToolError, tool: str | None = None) -> ProtocolError:
    """The fault as an error; `tool` is the tool that raised it, if it was one."""
    data = _retry_data(error) if error.kind is ToolErrorKind.RETRYABLE else None
    return ProtocolError(RESULT_CODES[error.kind], str(error), data=data, tool=tool)


def tool_error_result(error: ToolError) -> dict[str, object]:
    """The fault as an `isError` result: the text is for the model, `_meta` for the program around it."""
    if error.kind is not ToolErrorKind.RETRYABLE:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    text = f"{error} Call the tool again after {_retry_after_s(error)} s."
    return {
        "content": [{"type": "text", "text": text}],
        "isError": True,
        "_meta": {RETRY_KEY: _retry_data(error)},
    }


def _retry_data(error: ToolError) -> dict[str, object]:
    return {"retryable": True, "retry_after_s": _retry_after_s(error)}


def _retry_after_s(error: ToolError) -> int:
    return _DEFAULT_RETRY_SECONDS if error.retry_after_s is None else error.retry_after_s
