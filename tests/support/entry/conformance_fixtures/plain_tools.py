"""Tools that answer at once, and always the same."""

from collections.abc import Mapping
from typing import Final

from groundwire.services.call_context import CallContext
from groundwire_mcp.definitions.content import Content, EmbeddedResource, ResourceContents
from groundwire_mcp.definitions.tool_context import ToolContext
from groundwire_mcp.definitions.tools import Tool, ToolError, ToolErrorKind, ToolResult
from tests.support.entry.conformance_fixtures.making import Do, object_of, text_result, tool
from tests.support.entry.conformance_fixtures.media import PNG, WAV

_EMBEDDED: Final = EmbeddedResource(
    ResourceContents("test://embedded-resource", "This is an embedded resource content.", "text/plain")
)
_MIXED: Final = EmbeddedResource(
    ResourceContents("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")
)
_SCHEMA_2020_12: Final[Mapping[str, object]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def _always(*content: Content | str) -> Do:
    return lambda _arguments, _turn: text_result(*content)


def _fail(_arguments: Mapping[str, object], _turn: ToolContext) -> ToolResult:
    raise ToolError(ToolErrorKind.FAILURE, "This tool intentionally returns an error for testing")


PLAIN_TOOLS: Final[tuple[Tool[CallContext], ...]] = (
    tool("test_simple_text", "Text", _always("This is a simple text response for testing.")),
    tool("test_image_content", "A picture", _always(PNG)),
    tool("test_audio_content", "A sound", _always(WAV)),
    tool("test_embedded_resource", "A resource", _always(_EMBEDDED)),
    tool("test_multiple_content_types", "Of each kind", _always("Multiple content types test:", PNG, _MIXED)),
    tool("test_error_handling", "Never an answer", _fail),
    tool(
        "test_x_mcp_header",
        "An argument that a header repeats",
        lambda arguments, _turn: text_result(f"Region: {arguments['region']}"),
        object_of(region={"type": "string", "x-mcp-header": "Region"}),
    ),
    tool("json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features", _always("Valid."), _SCHEMA_2020_12),
)
