"""Conversion of a `ToolError` to a JSON-RPC error, or to a result that a model can act on."""

from typing import Final

from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind
from groundwire_mcp.jsonrpc.errors import ProtocolError

_DEFAULT_RETRY_SECONDS: Final = 5
"""Retry delay when the failed service names none: time for a recovery, short enough for a waiting person."""

RETRY_KEY: Final = "groundwire/retry"
"""Member of a result's `_meta` that repeats `data` of the JSON-RPC error; MCP defines no member for it."""


def to_protocol_error(error: ToolError, tool: str | None = None) -> ProtocolError:
    """Return the error as its JSON-RPC error, with retry data; `tool` is the tool that raised it, if one did."""
    data = _retry_data(error) if error.kind is ToolErrorKind.RETRYABLE else None
    return ProtocolError(error.result_code, str(error), data=data, tool=tool)


def tool_error_result(error: ToolError) -> dict[str, object]:
    """Return the error as an `isError` result: the text is for the model, `_meta` for the client."""
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
