"""Typed access to method parameters."""

from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode
from groundwire_mcp.jsonrpc.json_codec import JsonObject


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
