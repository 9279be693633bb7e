"""JSON-RPC 2.0 messages as MCP narrows them: string or integer ids, object params."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from groundwire.protocol.http import HttpRequest, HttpResponse
from groundwire.protocol.json_edge import Json, JsonFault, JsonObject, decode, encode
from groundwire.protocol.outcomes import Outcome, Refusal

RequestId: TypeAlias = str | int


class Request(NamedTuple):
    """A message that wants an answer."""

    id: RequestId
    method: str
    params: JsonObject

    @property
    def meta(self) -> JsonObject:
        """`params._meta`; empty when it is missing or no object."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}


class Notification(NamedTuple):
    """A message that wants none."""

    method: str


class ClientResponse(NamedTuple):
    """An answer to a request of the server's."""


Message: TypeAlias = Request | Notification | ClientResponse


def read(value: Json) -> Message:
    """The message that `value` is.

    Raises:
        Refusal: it is none.
    """
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise _invalid('a message is an object with "jsonrpc": "2.0"')
    if "method" not in value and ("result" in value or "error" in value):
        return ClientResponse()
    method = value.get("method")
    if not isinstance(method, str):
        raise _invalid("`method` must be a string")
    if "id" not in value:
        return Notification(method)
    return _request(value, method)


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


def json_response(status: int, payload: object, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """`payload` as an HTTP response that nobody may store, since it depends on the caller's key."""
    fixed = {"content-type": "application/json", "cache-control": "no-store"}
    return HttpResponse(status, {**fixed, **(headers or {})}, encode(payload))


def error_response(
    request: HttpRequest,
    status: int,
    code: int,
    message: str,
    data: Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """A JSON-RPC error for a request that is refused before or after the protocol, with its id where it has one."""
    try:
        identifier = readable_id(decode(request.body))
    except JsonFault:
        identifier = None
    return json_response(status, error_message(identifier, code, message, data), headers)


def _request(value: JsonObject, method: str) -> Request:
    identifier = readable_id(value)
    if identifier is None:
        raise _invalid("`id` must be a string or an integer")
    params = value.get("params")
    if params is None:
        params = {}
    if not isinstance(params, dict):
        raise _invalid("`params` must be an object")
    return Request(identifier, method, params)


def _invalid(why: str) -> Refusal:
    return Refusal(Outcome.INVALID_REQUEST, f"Invalid request: {why}.")
