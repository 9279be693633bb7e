"""The dialect `titles`: one tool that names the readable documents about a subject."""

from typing import TYPE_CHECKING, Final

from groundwire.dialects.declaration.dialect import Dialect, DialectTool
from groundwire.domain.access.scopes import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundwire.dialects.declaration.dialect import ToolHandler
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext
    from groundwire_mcp import Tool, ToolContext, ToolResult


def _name_documents(services: "DialectServices") -> "Tool[CallContext]":
    # Imports are in the functions that need them: the server reads the declaration at every start.
    from groundwire.dialects.shared.tool_errors import with_retryable_errors
    from groundwire_mcp import Tool

    schema = {"type": "object", "properties": {"subject": {"type": "string"}}, "required": ["subject"]}
    return Tool(
        name="name_documents",
        title="Name documents",
        description="Names the documents about a subject that the current user may read.",
        input_schema=schema,
        output_schema=None,
        is_read_only=True,
        call=with_retryable_errors("Search failed", lambda: _handler(services)),
    )


def _handler(services: "DialectServices") -> "ToolHandler":
    from groundwire.domain.keys.grants import ALL_COLLECTIONS
    from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
    from groundwire_mcp import TextContent, ToolResult

    search = services.reading.joined_search

    def handle(call: "CallContext", arguments: "Mapping[str, object]", _context: "ToolContext") -> "ToolResult":
        request = SearchRequest.for_caller(
            call.caller, [str(arguments["subject"])], collections=ALL_COLLECTIONS, documents=ALL_DOCUMENTS, where=None
        )
        found = search(call.caller, request)
        call.audit_fields.update(found.audit_fields(found.passages))
        names = dict.fromkeys(passage.document.source_file_name for passage in found.passages)
        return ToolResult((TextContent("\n".join(names)),), None)

    return handle


TITLES: Final = Dialect(
    name="titles", tools=(DialectTool("name_documents", Scope.SEARCH, _name_documents),), toolset="titles"
)
