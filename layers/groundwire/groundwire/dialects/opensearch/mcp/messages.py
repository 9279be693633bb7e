"""JSON-RPC messages as this system's server reads and writes them: every error has HTTP status 200."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire_mcp.jsonrpc.errors import ResultCode
from groundwire_mcp.jsonrpc.json_codec import Json, JsonError, JsonObject, decode
from groundwire_mcp.jsonrpc.messages import RequestId, readable_id

if TYPE_CHECKING:
    from groundwire_mcp.definitions.tools import ToolError

PARSE_ERROR: Final = -32700
INTERNAL_ERROR: Final = -32603
INVALID_PARAMS: Final = -32602
_MOST_ECHOED_CHARACTERS: Final = 200


class McpCallError(Exception):
    """Error of a message.

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
        McpCallError: the body is no message, or one that a server does not get.
    """
    if not body.strip():
        raise parse_error("empty body")
    try:
        value = decode(body)
    except JsonError as error:
        raise parse_error(str(error)) from None
    if not isinstance(value, dict):
        raise parse_error("Cannot deserialize a message: it is no object")
    # A node accepts messages without `jsonrpc`, so that the method alone decides.
    if isinstance(value.get("method"), str):
        return _read_request(value)
    if "method" not in value and ("result" in value or "error" in value):
        raise McpCallError(
            INTERNAL_ERROR,
            "Internal server error: Unknown message type",
            ResultCode.INVALID_REQUEST,
            has_id=False,
        )
    echo = body.decode(errors="replace")[:_MOST_ECHOED_CHARACTERS]
    raise parse_error(f"Cannot deserialize JSONRPCMessage: {echo}")


def parse_error(reason: str) -> McpCallError:
    """Return the error of a body that is no message."""
    return McpCallError(PARSE_ERROR, f"Parse error: {reason}", ResultCode.PARSE_ERROR, has_id=False)


def internal_error(reason: str, result_code: ResultCode = ResultCode.INVALID_PARAMS) -> McpCallError:
    """Return the error of a request that this system's server fails at."""
    return McpCallError(INTERNAL_ERROR, f"Internal server error: {reason}", result_code)


def unknown_method_error(method: str) -> McpCallError:
    """Return the error of a method that the server does not have, advertised or not."""
    shown = method[:_MOST_ECHOED_CHARACTERS]
    # A node's code is -32603, not -32601, also for `logging/setLevel`, which it advertises.
    return internal_error(f"Missing handler for request type: {shown}", ResultCode.UNKNOWN_METHOD)


def unknown_tool_error(name: object) -> McpCallError:
    """Return the error of a tool that the caller's tenant does not have; None is no name."""
    shown = "null" if name is None else str(name)[:_MOST_ECHOED_CHARACTERS]
    data = f"Tool not found: {shown}"
    # The fixed text is a node's own; only the data has the name.
    return McpCallError(INVALID_PARAMS, "Unknown tool: invalid_tool_name", ResultCode.UNKNOWN_TOOL, data)


def failed_tool_error(error: "ToolError", tool: str) -> McpCallError:
    """Return the error of a tool: the bare reason."""
    retry_after_s = error.retry_after_s
    data = None if retry_after_s is None else {"retryable": True, "retry_after_s": retry_after_s}
    # A node reports a tool's failure as an error of JSON-RPC, never by `isError`.
    return McpCallError(INTERNAL_ERROR, str(error), error.result_code, data, tool=tool)


def request_params(request: McpRequest) -> JsonObject:
    """Return the params of a request whose method needs them.

    Raises:
        McpCallError: they are missing, or no object.
    """
    if not isinstance(request.params, dict):
        raise internal_error(f"the params of {request.method} are no object")
    return request.params


def call_error_message(error: McpCallError, identifier: RequestId | None) -> Mapping[str, object]:
    """Return the JSON-RPC response with an error."""
    members: dict[str, object] = {"code": error.code, "message": str(error)}
    if error.data is not None:
        members["data"] = error.data
    return {"jsonrpc": "2.0", "id": identifier if error.has_id else None, "error": members}


def _read_request(value: JsonObject) -> McpRequest | None:
    if "id" not in value:
        return None
    identifier = readable_id(value)
    if value["id"] is None:
        raise parse_error("MCP requests MUST include an ID - null IDs are not allowed")
    if identifier is None:
        raise parse_error("MCP requests MUST have an ID that is either a string or integer")
    return McpRequest(identifier, str(value["method"]), value.get("params"))
