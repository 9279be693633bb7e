"""Tools of a tenant as its callers see them: the default one until the first registration, then those registered."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from groundwire.dialects.opensearch.engine import Engine
from groundwire.dialects.opensearch.tools.presets import Presets, read_presets
from groundwire.dialects.opensearch.tools.registrations import Registration, Registrations
from groundwire.dialects.opensearch.tools.types import TOOL_TYPES, ToolType
from groundwire.domain.text.json_values import is_mapping, is_text_list
from groundwire_mcp.definitions.content import TextContent
from groundwire_mcp.definitions.tools import Tool, ToolResult

if TYPE_CHECKING:
    from groundwire.dialects.declaration.dialect import ToolHandler
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.tool_context import ToolContext

INPUT_SCHEMA: Final = "input_schema"


class ListedTool(NamedTuple):
    """A tool, and the name of its type, by which scopes and audit lines name it."""

    type: str
    tool: "Tool[CallContext]"


class RegisteredTools:
    """Tools by tenant.

    Args:
        services: use cases.
        default_tools: tools of the declaration, each with the name of its type.
    """

    def __init__(self, services: "DialectServices", default_tools: "Sequence[Tool[CallContext]]") -> None:
        self._services = services
        self._registrations = Registrations(services)
        self._defaults = [ListedTool(tool.name, tool) for tool in default_tools if tool.is_listed]

    def list_tools(self, call: "CallContext") -> Sequence[ListedTool]:
        """Return the tools of the caller's tenant, in the order in which they are listed."""
        registered = self._registrations.find(call)
        if registered is None:
            return self._defaults
        # A type that a later release registered is unknown to this one.
        return [self._listed(each) for each in registered if each.type in TOOL_TYPES]

    @cached_property
    def _engine(self) -> Engine:
        return Engine(self._services)

    def _listed(self, registered: Registration) -> ListedTool:
        tool_type = TOOL_TYPES[registered.type]

        def handle(call: "CallContext", arguments: Mapping[str, object], _context: "ToolContext") -> ToolResult:
            presets = read_presets(tool_type.name, registered.parameters or {})
            return _result(tool_type.run(self._engine, call, arguments, presets))

        tool = _tool(tool_type, handle)._replace(name=registered.name)
        if registered.description is not None:
            tool = tool._replace(description=registered.description)
        schema = (registered.attributes or {}).get(INPUT_SCHEMA)
        if is_mapping(schema):
            tool = tool._replace(input_schema=_readable_schema(schema))
        return ListedTool(tool_type.name, tool)


def declared_tool(tool_type: ToolType, services: "DialectServices") -> "Tool[CallContext]":
    """Return a tool of a type without presets."""
    engine = _once(lambda: Engine(services))

    def handle(call: "CallContext", arguments: Mapping[str, object], _context: "ToolContext") -> ToolResult:
        return _result(tool_type.run(engine(), call, arguments, Presets()))

    return _tool(tool_type, handle)


def _tool(tool_type: ToolType, handle: "ToolHandler") -> "Tool[CallContext]":
    return Tool(
        name=tool_type.name,
        title=tool_type.name,
        description=tool_type.description,
        input_schema=tool_type.input_schema,
        output_schema=None,
        is_read_only=True,
        call=handle,
    )


def _result(text: str) -> ToolResult:
    return ToolResult((TextContent(text),), None)


def _once(build: Callable[[], Engine]) -> Callable[[], Engine]:
    built: list[Engine] = []

    def get() -> Engine:
        if not built:
            built.append(build())
        return built[0]

    return get


def _readable_schema(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema that clients can read: one that is no object's makes them refuse the whole list of tools."""
    readable = {**schema, "type": "object"}
    if not isinstance(readable.get("properties", {}), dict):
        del readable["properties"]
    if not is_text_list(readable.get("required", [])):
        del readable["required"]
    return readable
