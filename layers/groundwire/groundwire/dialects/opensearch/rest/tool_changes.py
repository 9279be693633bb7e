"""Changes of a tenant's registered tools: all of a request, or nothing of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from groundwire.dialects.opensearch.errors import illegal_argument
from groundwire.dialects.opensearch.rest.json_bodies import (
    expect_array,
    expect_object,
    expect_text,
    plugin_failure,
    validation_error,
)
from groundwire.dialects.opensearch.tools.presets import read_presets
from groundwire.dialects.opensearch.tools.registered import INPUT_SCHEMA
from groundwire.dialects.opensearch.tools.registrations import Registration, Registrations
from groundwire.dialects.opensearch.tools.types import TOOL_TYPES
from groundwire.domain.limits import MAX_REGISTERED_NAME_CHARACTERS

if TYPE_CHECKING:
    from groundwire.services.call_context import CallContext

_NO_TOOLS: Final = "tools list can not be null"
_MOST_ECHOED_CHARACTERS: Final = 500


class GivenTool(NamedTuple):
    """A tool of a request; members that it does not have are None."""

    type: str | None
    name: str | None
    description: str | None
    parameters: Mapping[str, Any] | None
    attributes: Mapping[str, Any] | None


class ToolChanges:
    """Administration of the tools of the caller's tenant.

    Args:
        registrations: stored tools.
    """

    def __init__(self, registrations: Registrations) -> None:
        self._registrations = registrations

    def register(self, call: "CallContext", body: object) -> None:
        """Register the tools of a body.

        Raises:
            OpenSearchError: the body is wrong, or there is a tool of one of the names.
        """
        given = _read_tools(body)
        if any(tool.type is None for tool in given):
            raise illegal_argument("type field required")
        if any(tool.type not in TOOL_TYPES for tool in given):
            raise validation_error("Unrecognized tool in request")
        _check_unique([_name(tool) for tool in given])
        _check_stored_form(given)
        for tool in given:
            read_presets(str(tool.type), tool.parameters or {})

        def add(stored: list[Registration], now_ms: int) -> list[Registration]:
            if {tool.name for tool in stored} & {_name(tool) for tool in given}:
                raise illegal_argument("Unable to register tool: a tool with the same name already exists.")
            return [*stored, *(_registration(tool, now_ms) for tool in given)]

        self._registrations.change(call, add)

    def update(self, call: "CallContext", body: object) -> None:
        """Merge the tools of a body into those registered; a changed tool becomes the last one.

        Raises:
            OpenSearchError: the body is wrong, or there is no tool of one of the names.
        """
        given = _read_tools(body)
        if any(tool.name is None for tool in given):
            raise illegal_argument("name field required")
        _check_unique([_name(tool) for tool in given])
        _check_stored_form(given)

        def merge(stored: list[Registration], now_ms: int) -> list[Registration]:
            by_name = {tool.name: tool for tool in stored}
            known = [tool for tool in given if tool.name in by_name]
            if not known:
                raise plugin_failure("Failed to update tools as none of them is found in index")
            if len(known) < len(given):
                raise plugin_failure("Failed to find one or more requested tools in system index")
            changed = [_merged(by_name.pop(_name(tool)), tool, now_ms) for tool in given]
            return [*by_name.values(), *changed]

        self._registrations.change(call, merge)

    def remove(self, call: "CallContext", body: object) -> None:
        """Remove the tools of these names.

        Raises:
            OpenSearchError: the body is wrong, or there is no tool of one of the names.
        """
        given = [expect_text(each) for each in expect_array(body)]
        if not given:
            raise validation_error(_NO_TOOLS)

        def without(stored: list[Registration], _now_ms: int) -> list[Registration]:
            names = {tool.name for tool in stored}
            # A name with a comma in it can be removed by its whole text alone.
            wanted = [name for text in given for name in ([text] if text in names else _split(text))]
            counts = Counter(wanted)
            unknown = [name for name, count in counts.items() if name not in names or count > 1]
            if not names & counts.keys():
                raise plugin_failure("Unable to remove tools as no tool in the request found in system index")
            if unknown:
                shown = ", ".join(unknown)[:_MOST_ECHOED_CHARACTERS]
                raise plugin_failure(f"Unable to remove tools as these tools: [{shown}] are not found in system index")
            return [tool for tool in stored if tool.name not in counts]

        self._registrations.change(call, without)


def _read_tools(body: object) -> list[GivenTool]:
    members = expect_object(body)
    given = [_read_tool(expect_object(each)) for each in expect_array(members.get("tools", []))]
    if not given:
        raise validation_error(_NO_TOOLS)
    return given


def _read_tool(members: Mapping[str, Any]) -> GivenTool:
    def text(name: str) -> str | None:
        return expect_text(members[name]) if name in members else None

    def members_of(name: str) -> Mapping[str, Any] | None:
        return expect_object(members[name]) if name in members else None

    return GivenTool(
        text("type"), text("name"), text("description"), members_of("parameters"), members_of("attributes")
    )


def _name(tool: GivenTool) -> str:
    # The documentation calls the name optional, with the type as default; a node refuses its absence.
    return str(tool.type if tool.name is None else tool.name)


def _check_unique(names: Sequence[str]) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            shown = name[:_MOST_ECHOED_CHARACTERS]
            raise validation_error(f"duplicate tool name: {shown} found in the request")


def _check_stored_form(given: Sequence[GivenTool]) -> None:
    """Check what the plugin's index refuses.

    Raises:
        OpenSearchError: a name is empty or too long, or a schema is no object.
    """
    if any(len(_name(tool)) > MAX_REGISTERED_NAME_CHARACTERS for tool in given):
        raise illegal_argument(f"The name of a tool can have at most {MAX_REGISTERED_NAME_CHARACTERS} characters.")
    refused = [tool for tool in given if not _name(tool) or not _is_schema((tool.attributes or {}).get(INPUT_SCHEMA))]
    if refused:
        raise plugin_failure(f"Failed to persist {len(refused)} mcp tool(s) into system index")


def _is_schema(value: object) -> bool:
    return value is None or isinstance(value, dict)


def _registration(tool: GivenTool, now_ms: int) -> Registration:
    return Registration(str(tool.type), _name(tool), tool.description, tool.parameters, tool.attributes, now_ms)


def _merged(stored: Registration, tool: GivenTool, now_ms: int) -> Registration:
    """Return the tool with the given members; presets that are not named stay.

    Raises:
        OpenSearchError: the presets cannot be read.
    """
    merged = stored._replace(
        description=stored.description if tool.description is None else tool.description,
        parameters=_merged_members(stored.parameters, tool.parameters),
        attributes=_merged_members(stored.attributes, tool.attributes),
        updated_ms=now_ms,
    )
    read_presets(merged.type, merged.parameters or {})
    return merged


def _merged_members(stored: Mapping[str, Any] | None, given: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    return stored if given is None else {**(stored or {}), **given}


def _split(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]
