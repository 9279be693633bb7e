"""A toy dialect: an MCP route with one tool, a REST route, and refusals in a form of its own."""

from typing import TYPE_CHECKING, Final

from groundwire.dialects.declaration.dialect import Dialect, DialectTool, lazy_handler
from groundwire.dialects.declaration.routes import ErrorReply, RestRoute
from groundwire.dialects.declaration.services import DialectServices
from groundwire.domain.access.scopes import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundwire.dialects.declaration.dialect import ToolHandler
    from groundwire.dialects.declaration.routes import RestHandler, RestRequest
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.tool_context import ToolContext
    from groundwire_mcp.definitions.tools import Tool, ToolResult
    from groundwire_mcp.transport.http import HttpRequest, HttpResponse


def _count(services: DialectServices) -> "Tool[CallContext]":
    from groundwire_mcp.definitions.tools import Tool

    schema = {"type": "object", "properties": {"words": {"type": "string"}}, "additionalProperties": False}
    return Tool("count", "Count", "Counts passages.", schema, None, True, lazy_handler(lambda: _counter(services)))


def _counter(services: DialectServices) -> "ToolHandler":
    from groundwire_mcp.definitions.content import TextContent
    from groundwire_mcp.definitions.tools import ToolResult

    def count(call: "CallContext", arguments: "Mapping[str, object]", _context: "ToolContext") -> "ToolResult":
        return ToolResult((TextContent(str(_passages(services, call, str(arguments["words"])))),), None)

    return count


def _passages(services: DialectServices, call: "CallContext", phrase: str) -> int:
    from groundwire.domain.keys.grants import ALL_COLLECTIONS
    from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest

    request = SearchRequest.for_caller(
        call.caller, [phrase], collections=ALL_COLLECTIONS, documents=ALL_DOCUMENTS, where=None
    )
    return len(services.reading.joined_search(call.caller, request).passages)


def _retrieve(services: DialectServices) -> "RestHandler":
    def retrieve(call: "CallContext", request: "RestRequest") -> "HttpResponse":
        from groundwire_mcp.transport.http import json_response

        found = _passages(services, call, request.http.body.decode())
        return json_response(
            200, {"shelf": request.path_parameters["shelf"], "query": request.query, "passages": found}
        )

    return retrieve


def _refuse(request: "HttpRequest", reply: ErrorReply) -> "HttpResponse":
    from groundwire_mcp.transport.http import error_response, json_response

    if request.path.endswith("/mcp"):
        message = f"The toy says: {reply.message}"
        return error_response(request, reply.status, reply.code, message, reply.data, reply.headers)
    return json_response(reply.status, {"toy_says": reply.message}, reply.headers)


TOY: Final = Dialect(
    name="toy",
    tools=(DialectTool("count", Scope.SEARCH, _count),),
    mcp_paths=("/toy/mcp", "/toy/{shelf}/mcp"),
    rest_routes=(RestRoute("POST", "/toy/{shelf}/retrieve", frozenset({Scope.SEARCH}), _retrieve),),
    error_form=_refuse,
)
