"""Parameters of the forms that MCP's methods share."""

from groundwire.protocol.json_edge import JsonObject
from groundwire.protocol.outcomes import Outcome, Refusal


def text(holder: JsonObject, name: str) -> str:
    """The string of this name; Raises Refusal when it is none."""
    value = holder.get(name)
    if not isinstance(value, str):
        raise invalid(f"`{name}` must be a string")
    return value


def members(holder: JsonObject, name: str) -> JsonObject:
    """The object of this name; Raises Refusal when it is none."""
    value = holder.get(name)
    if not isinstance(value, dict):
        raise invalid(f"`{name}` must be an object")
    return value


def texts(holder: JsonObject, name: str) -> dict[str, str]:
    """The object of strings of this name, which may be left out; Raises Refusal for anything else."""
    given = members(holder, name) if name in holder else {}
    values = {key: value for key, value in given.items() if isinstance(value, str)}
    if len(values) != len(given):
        raise invalid(f"each member of `{name}` must be a string")
    return values


def invalid(why: str) -> Refusal:
    """The params are wrong."""
    return Refusal(Outcome.INVALID_PARAMS, f"Invalid params: {why}.")
