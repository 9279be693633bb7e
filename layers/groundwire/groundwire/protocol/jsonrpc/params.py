"""Parameters of the forms that MCP's methods share."""

from groundwire.protocol.jsonrpc.errors import ProtocolError, ResultCode
from groundwire.protocol.jsonrpc.json_codec import JsonObject


def required_string(params: JsonObject, name: str) -> str:
    """The string of this name; Raises Refusal when it is none."""
    value = params.get(name)
    if not isinstance(value, str):
        raise invalid_params(f"`{name}` must be a string")
    return value


def required_object(params: JsonObject, name: str) -> JsonObject:
    """The object of this name; Raises Refusal when it is none."""
    value = params.get(name)
    if not isinstance(value, dict):
        raise invalid_params(f"`{name}` must be an object")
    return value


def string_map(params: JsonObject, name: str) -> dict[str, str]:
    """The object of strings of this name, which may be left out; Raises Refusal for anything else."""
    given = required_object(params, name) if name in params else {}
    values = {key: value for key, value in given.items() if isinstance(value, str)}
    if len(values) != len(given):
        raise invalid_params(f"each member of `{name}` must be a string")
    return values


def invalid_params(reason: str) -> ProtocolError:
    """The params are wrong."""
    return ProtocolError(ResultCode.INVALID_PARAMS, f"Invalid params: {reason}.")
