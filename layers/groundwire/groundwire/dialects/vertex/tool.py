"""The MCP tool `retrieve_contexts`."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from groundwire.dialects.vertex.errors import from_tool_error
from groundwire.dialects.vertex.schemas import RETRIEVE_CONTEXTS_INPUT, RETRIEVE_CONTEXTS_OUTPUT
from groundwire_mcp.definitions.content import TextContent
from groundwire_mcp.definitions.tools import Tool, ToolError, ToolResult

if TYPE_CHECKING:
    from groundwire.dialects.declaration.dialect import ToolHandler
    from groundwire.dialects.vertex.context_search import ContextSearch
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.tool_context import ToolContext

# The tool's page has the members of v1.
_VERSION = "v1"


def retrieve_contexts_tool(handler: "ToolHandler") -> "Tool[CallContext]":
    """Return the description of `retrieve_contexts`, carried out by `handler`."""
    return Tool(
        name="retrieve_contexts",
        title="Retrieve contexts",
        description="Retrieves the contexts of a RAG corpus that are most relevant to a text, limited to "
        "those that the current user may read. Give parent, query.text, and the corpus in "
        "vertexRagStore.ragResources.",
        input_schema=RETRIEVE_CONTEXTS_INPUT,
        output_schema=RETRIEVE_CONTEXTS_OUTPUT,
        is_read_only=True,
        call=handler,
        error_result=_error_result,
    )


class RetrieveContexts:
    """Handler of `retrieve_contexts`."""

    def __init__(self, retrieve: "ContextSearch") -> None:
        self._retrieve = retrieve

    def __call__(self, call: "CallContext", arguments: Mapping[str, object], context: "ToolContext") -> ToolResult:
        """Return the contexts; an empty list is a success."""
        context.report_progress(1, 2, "Searching")
        answer = self._retrieve(call, arguments, None, _VERSION, needs_parent=True)
        context.report_progress(2, 2, "Contexts found")
        return _result(answer)


def _error_result(error: ToolError) -> ToolResult:
    # ADK hides the body of an HTTP error, and hands over a result with `isError` whole.
    return _result(from_tool_error(error).body)


def _result(answer: Mapping[str, object]) -> ToolResult:
    """Return one object in two forms: clients read `structuredContent`, or the only text block as JSON."""
    return ToolResult((TextContent(json.dumps(answer, ensure_ascii=False)),), answer)
