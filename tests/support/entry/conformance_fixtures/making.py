"""How the fixtures' tools are made: by name, what they take, and what they do."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from groundwire.services.call_context import CallContext
from groundwire_mcp.definitions.content import Content, TextContent
from groundwire_mcp.definitions.tool_context import InputRequired, ToolContext
from groundwire_mcp.definitions.tools import Tool, ToolResult

Do: TypeAlias = Callable[[Mapping[str, object], ToolContext], ToolResult | InputRequired]


def tool(name: str, description: str, do: Do, schema: Mapping[str, object] | None = None) -> Tool[CallContext]:
    """A tool that does this; without a schema it takes no arguments."""

    def call(_call: CallContext, arguments: Mapping[str, object], turn: ToolContext) -> ToolResult | InputRequired:
        return do(arguments, turn)

    return Tool(
        name=name,
        title=description,
        description=description,
        input_schema=schema or object_of(),
        output_schema=None,
        is_read_only=True,
        call=call,
    )


def object_of(**properties: Mapping[str, object]) -> dict[str, object]:
    """The schema of an object that has all of these properties and no others."""
    required = {"required": list(properties)} if properties else {}
    return {"type": "object", "properties": properties, **required, "additionalProperties": False}


def text_result(*content: Content | str) -> ToolResult:
    """The result that holds this."""
    return ToolResult(tuple(TextContent(block) if isinstance(block, str) else block for block in content), None)
