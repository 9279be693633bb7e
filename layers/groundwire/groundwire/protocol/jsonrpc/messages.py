"""JSON-RPC 2.0 messages as MCP narrows them: string or integer ids, object params."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from groundwire.protocol.jsonrpc.errors import ProtocolError, ResultCode
from groundwire.protocol.jsonrpc.json_codec import Json, JsonObject

RequestId: TypeAlias = str | int


class JsonRpcRequest(NamedTuple):
    """A message that wants an answer."""

    id: RequestId
    method: str
    params: JsonObject

    @property
    def meta(self) -> JsonObject:
        """`params._meta`; empty when it is missing or no object."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}


class JsonRpcNotification(NamedTuple):
    """A message that wants none."""

    method: str


class ClientResponse(NamedTuple):
    """An answer to a request of the server's."""


Message: TypeAlias = JsonRpcRequest | JsonRpcNotification | ClientResponse


def parse_message(value: Json) -> Message:
    """The message that `value` is.

    Raises:
        Refusal: it is none.
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
    """The id to answer `value` with, however broken the rest of it is."""
    identifier = value.get("id") if isinstance(value, dict) else None
    if isinstance(identifier, bool) or not isinstance(identifier, str | int):
        return None
    return identifier


def result_message(identifier: RequestId, result: Mapping[str, object]) -> dict[str, object]:
    """A success."""
    return {"jsonrpc": "2.0", "id": identifier, "result": result}


def error_message(
    identifier: RequestId | None, code: int, message: str, data: Mapping[str, object] | None = None
) -> dict[str, object]:
    """A failure; without a readable id it carries `null`, as JSON-RPC 2.0 §5 asks."""
    error: dict[str, object] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return {"jsonrpc": "2.0", "id": identifier, "error": error}


def _parse_request(value: JsonObject, method: str) -> JsonRpcRequest:
    identifier = readable_id(value)
    if identifier is None:
        raise _invalid_request("`id` must be a string or an integer")
    params = value.get("params")
    if params is None:
        params = {}
    if not isinstance(params, dict):
        raise _invalid_request("`params` must be an object")
    return JsonRpcRequest(identifier, method, params)


def _invalid_request(why: str) -> ProtocolError:
    return ProtocolError(ResultCode.INVALID_REQUEST, f"Invalid request: {why}.")


def check_notification(message: JsonRpcNotification) -> None:
    """Raises Refusal when the message cannot be meant as one without an answer."""
    if not message.method.startswith("notifications/"):
        # Most likely a request whose author forgot the id: silence would leave them waiting for an answer.
        raise ProtocolError(ResultCode.INVALID_REQUEST, "Invalid request: a request must have an `id`.")
