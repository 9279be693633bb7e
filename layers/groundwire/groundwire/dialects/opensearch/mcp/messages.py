"""JSON-RPC messages as this system's server reads and writes them: every fault has HTTP status 200."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.protocol.jsonrpc.errors import ResultCode
from groundwire.protocol.jsonrpc.json_codec import Json, JsonError, JsonObject, decode
from groundwire.protocol.jsonrpc.messages import RequestId, readable_id

if TYPE_CHECKING:
    from groundwire.protocol.definitions.tools import ToolError

PARSE_ERROR: Final = -32700
INTERNAL_ERROR: Final = -32603
INVALID_PARAMS: Final = -32602
_MOST_ECHOED_CHARACTERS: Final = 200


class McpFault(Exception):
    """Fault of a message.

    Attributes:
        code: JSON-RPC code.
        data: of the error; None: it has none.
        has_id: whether the error names the id of the message.
        result_code: for the audit record.
        tool: type of the called tool.
    """

    def __init__(
        self,
        code: int,
        message: str,
        result_code: ResultCode,
        data: object = None,
        *,
        has_id: bool = True,
        tool: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.result_code = result_code
        self.data = data
        self.has_id = has_id
        self.tool = tool


class McpRequest(NamedTuple):
    """Request of a client.

    Attributes:
        params: as sent; None: the message has none.
    """

    id: RequestId
    method: str
    params: Json


def read_message(body: bytes) -> McpRequest | None:
    """Return the request of a body; None: a notification, as any message with a method and without an id.

    Raises:
        McpFault: the body is no message, or one that a server does not get.
    """
    if not body.strip():
        raise parse_fault("empty body")
    try:
        value = decode(body)
    except JsonError as error:
        raise parse_fault(str(error)) from None
    if not isinstance(value, dict):
        raise parse_fault("Cannot deserialize a message: it is no object")
    if isinstance(value.get("method"), str):
        return _read_request(value)
    if "method" not in value and ("result" in value or "error" in value):
        raise McpFault(
            INTERNAL_ERROR,
            "Internal server error: Unknown message type",
            ResultCode.INVALID_REQUEST,
            has_id=False,
        )
    echo = body.decode(errors="replace")[:_MOST_ECHOED_CHARACTERS]
    raise parse_fault(f"Cannot deserialize JSONRPCMessage: {echo}")


def parse_fault(reason: str) -> McpFault:
    """Return the fault of a body that is no message."""
    return McpFault(PARSE_ERROR, f"Parse error: {reason}", ResultCode.PARSE_ERROR, has_id=False)


def internal_fault(reason: str, result_code: ResultCode = ResultCode.INVALID_PARAMS) -> McpFault:
    """Return the fault of a request that this system's server fails at."""
    return McpFault(INTERNAL_ERROR, f"Internal server error: {reason}", result_code)


def unknown_method_fault(method: str) -> McpFault:
    """Return the fault of a method that the server does not have, advertised or not."""
    shown = method[:_MOST_ECHOED_CHARACTERS]
    return internal_fault(f"Missing handler for request type: {shown}", ResultCode.UNKNOWN_METHOD)


def unknown_tool_fault(name: object) -> McpFault:
    """Return the fault of a tool that the caller's tenant does not have; None is no name."""
    shown = "null" if name is None else str(name)[:_MOST_ECHOED_CHARACTERS]
    data = f"Tool not found: {shown}"
    return McpFault(INVALID_PARAMS, "Unknown tool: invalid_tool_name", ResultCode.UNKNOWN_TOOL, data)


def tool_fault(error: "ToolError", tool: str) -> McpFault:
    """Return the fault of a tool: the bare reason."""
    retry_after_s = error.retry_after_s
    data = None if retry_after_s is None else {"retryable": True, "retry_after_s": retry_after_s}
    return McpFault(INTERNAL_ERROR, str(error), error.result_code, data, tool=tool)


def request_params(request: McpRequest) -> JsonObject:
    """Return the params of a request whose method needs them.

    Raises:
        McpFault: they are missing, or no object.
    """
    if not isinstance(request.params, dict):
        raise internal_fault(f"the params of {request.method} are no object")
    return request.params


def fault_message(fault: McpFault, identifier: RequestId | None) -> Mapping[str, object]:
    """Return the JSON-RPC response for a fault."""
    error: dict[str, object] = {"code": fault.code, "message": str(fault)}
    if fault.data is not None:
        error["data"] = fault.data
    return {"jsonrpc": "2.0", "id": identifier if fault.has_id else None, "error": error}


def _read_request(value: JsonObject) -> McpRequest | None:
    if "id" not in value:
        return None
    identifier = readable_id(value)
    if value["id"] is None:
        raise parse_fault("MCP requests MUST include an ID - null IDs are not allowed")
    if identifier is None:
        raise parse_fault("MCP requests MUST have an ID that is either a string or integer")
    return McpRequest(identifier, str(value["method"]), value.get("params"))
