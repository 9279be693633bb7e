"""JSON-RPC 2.0 messages as MCP restricts them: string or integer ids, object params."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode
from groundwire_mcp.jsonrpc.json_codec import Json, JsonObject
from groundwire_mcp.versions import ERROR_ID_OPTIONAL_SINCE, PROTOCOL_VERSION_KEY

RequestId: TypeAlias = str | int


class JsonRpcRequest(NamedTuple):
    """A message that expects a response."""

    id: RequestId
    method: str
    params: JsonObject

    @property
    def meta(self) -> JsonObject:
        """The member `params._meta`; empty when it is missing or not an object."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}


class JsonRpcNotification(NamedTuple):
    """A message that expects no response."""

    method: str


class ClientResponse(NamedTuple):
    """A client's response to a request of the server."""


Message: TypeAlias = JsonRpcRequest | JsonRpcNotification | ClientResponse


def parse_message(value: Json) -> Message:
    """Return the message that `value` encodes.

    Raises:
        ProtocolError: `value` is not a valid message.
    """
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise _invalid_request('a message is an object with "jsonrpc": "2.0"')
    if "method" not in value and ("result" in value or "error" in value):
        return ClientResponse()
    method = value.get("method")
    if not isinstance(method, str):
        raise _invalid_request("`method` must be a string")
    if "id" not in value:
        return JsonRpcNotification(method)
    return _parse_request(value, method)


def readable_id(value: Json) -> RequestId | None:
    """Return the id for a response to `value`, which need not be a valid message; None without a valid id."""
    identifier = value.get("id") if isinstance(value, dict) else None
    # `bool` is a subclass of `int` in Python, and JSON-RPC has no boolean ids.
    if isinstance(identifier, bool) or not isinstance(identifier, str | int):
        return None
    return identifier


def result_message(identifier: RequestId, result: Mapping[str, object]) -> dict[str, object]:
    """Return a JSON-RPC response with a result."""
    return {"jsonrpc": "2.0", "id": identifier, "result": result}


def error_message(
    identifier: RequestId | None,
    code: int,
    message: str,
    data: Mapping[str, object] | None = None,
    version: str | None = None,
) -> dict[str, object]:
    """Return a JSON-RPC response with an error.

    Without a readable id, `id` is left out where the schema of `version` allows it: `null` is no id there. Otherwise,
    and for a client that names no version, it is `null` (JSON-RPC 2.0 §5).
    """
    error: dict[str, object] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    has_no_id = identifier is None and version is not None and version >= ERROR_ID_OPTIONAL_SINCE
    return {"jsonrpc": "2.0", **({} if has_no_id else {"id": identifier}), "error": error}


def named_version(value: Json) -> str | None:
    """Return the revision that a message names, in its `_meta` or to begin with; it need not be a valid message."""
    params = value.get("params") if isinstance(value, dict) else None
    if not isinstance(params, dict):
        return None
    meta = params.get("_meta")
    named = meta.get(PROTOCOL_VERSION_KEY) if isinstance(meta, dict) else params.get("protocolVersion")
    return named if isinstance(named, str) else None


def _parse_request(value: JsonObject, method: str) -> JsonRpcRequest:
    identifier = readable_id(value)
    # MCP (basic): unlike in JSON-RPC 2.0, an id must not be null.
    if identifier is None:
        raise _invalid_request("`id` must be a string or an integer")
    params = value.get("params")
    if params is None:
        params = {}
    if not isinstance(params, dict):
        raise _invalid_request("`params` must be an object")
    return JsonRpcRequest(identifier, method, params)


def _invalid_request(reason: str) -> ProtocolError:
    return ProtocolError(ResultCode.INVALID_REQUEST, f"Invalid request: {reason}.")


def check_notification(message: JsonRpcNotification) -> None:
    """Check that the message is a notification of MCP.

    Raises:
        ProtocolError: its method is not under `notifications/`.
    """
    if not message.method.startswith("notifications/"):
        # This is most likely a request without an id: without an error, its sender would wait for a response.
        raise ProtocolError(ResultCode.INVALID_REQUEST, "Invalid request: a request must have an `id`.")


def required_string(params: JsonObject, name: str) -> str:
    """Return the string of this name.

    Raises:
        ProtocolError: the parameter is missing or not a string.
    """
    value = params.get(name)
    if not isinstance(value, str):
        raise invalid_params(f"`{name}` must be a string")
    return value


def required_object(params: JsonObject, name: str) -> JsonObject:
    """Return the object of this name.

    Raises:
        ProtocolError: the parameter is missing or not an object.
    """
    value = params.get(name)
    if not isinstance(value, dict):
        raise invalid_params(f"`{name}` must be an object")
    return value


def string_map(params: JsonObject, name: str) -> dict[str, str]:
    """Return the object of strings of this name; empty when the parameter is missing.

    Raises:
        ProtocolError: the parameter is not an object of strings.
    """
    members = required_object(params, name) if name in params else {}
    values = {key: value for key, value in members.items() if isinstance(value, str)}
    if len(values) != len(members):
        raise invalid_params(f"each member of `{name}` must be a string")
    return values


def invalid_params(reason: str) -> ProtocolError:
    """Return the error for invalid parameters."""
    return ProtocolError(ResultCode.INVALID_PARAMS, f"Invalid params: {reason}.")
