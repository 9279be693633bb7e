"""Foundry Local's Agentic Retrieval: six tools on `POST /edgeai/mcp`, and its knowledge sources.

Wire format: Microsoft's pages "MCP server overview" and "MCP server API reference" of Agentic Retrieval in Foundry
Local. Each result is one object keyed by the names of the collections asked for, given as `structuredContent` and, the
same, as JSON in exactly one text block; pictures that a call requests follow it. Every error of a call is a JSON-RPC
error.
"""

from functools import partial
from typing import TYPE_CHECKING, Final

from groundwire.dialects.declaration.dialect import Dialect, DialectTool
from groundwire.dialects.declaration.routes import ErrorReply, RestRoute
from groundwire.dialects.declaration.services import DialectServices
from groundwire.domain.access.scopes import Scope

if TYPE_CHECKING:
    from groundwire.dialects.declaration.dialect import ToolHandler
    from groundwire.dialects.declaration.replay import Replay
    from groundwire.dialects.declaration.routes import RestHandler
    from groundwire.dialects.foundry.kinds import SearchKind
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.tools import Tool
    from groundwire_mcp.transport.http import HttpRequest, HttpResponse

_SOURCES: Final = "/edgeai/knowledgesources"
_UNAUTHORIZED: Final = 401
_MISSING_TOKEN_CODE: Final = -32603
"""JSON-RPC code of a missing or wrong key, which the reference counts among internal errors."""


def _search_tool(name: str, services: DialectServices) -> "Tool[CallContext]":
    from groundwire.dialects.foundry.kinds import KINDS
    from groundwire.dialects.shared.tool_errors import with_retryable_errors
    from groundwire_mcp.definitions.tools import Tool, ToolContract

    kind = KINDS[name]
    return Tool(
        name=name,
        title=kind.title,
        description=kind.description,
        input_schema=kind.input_schema,
        output_schema=kind.output_schema,
        is_read_only=True,
        call=with_retryable_errors("Search failed", partial(_search_handler, kind, services)),
        contract=ToolContract(_applies, kind.input_schema),
    )


def _search_handler(kind: "SearchKind", services: DialectServices) -> "ToolHandler":
    from groundwire.dialects.foundry.requested_collections import RequestedCollections
    from groundwire.dialects.foundry.search import CollectionsSearch

    reading = services.reading
    requested = RequestedCollections(reading.readable_collections, lambda: reading.readable_fields)
    return CollectionsSearch(
        kind,
        requested,
        lambda: reading.joined_per_collection_search,
        lambda: reading.image_search,
        lambda: reading.image_reader,
    )


def _collections_tool(services: DialectServices) -> "Tool[CallContext]":
    def build() -> "ToolHandler":
        from groundwire.dialects.foundry.available_collections import AvailableCollections

        return AvailableCollections(services.reading.readable_collections.all)

    from groundwire.dialects.foundry.schemas import COLLECTIONS_INPUT, COLLECTIONS_OUTPUT
    from groundwire.dialects.shared.tool_errors import with_retryable_errors
    from groundwire_mcp.definitions.tools import Tool, ToolContract

    return Tool(
        name="get_available_collections",
        title="List the collections",
        description="Lists the collections in which the current user may read something, with their "
        "descriptions. Call it first if you do not know which collections to search.",
        input_schema=COLLECTIONS_INPUT,
        output_schema=COLLECTIONS_OUTPUT,
        is_read_only=True,
        call=with_retryable_errors("Listing collections failed", build),
        contract=ToolContract(_applies, COLLECTIONS_INPUT),
    )


def _applies(_call: "CallContext") -> bool:
    """Return True: every error of these tools is a JSON-RPC error, whoever calls."""
    return True


def _refuse(request: "HttpRequest", reply: ErrorReply) -> "HttpResponse":
    """Return the reply as a JSON-RPC error, with the reference's code where the key is missing or wrong."""
    if request.path.startswith(_SOURCES):
        from groundwire.dialects.foundry.sources.rest import refused_response

        return refused_response(reply)
    from groundwire_mcp.transport.http import error_response

    code = _MISSING_TOKEN_CODE if reply.status == _UNAUTHORIZED else reply.code
    return error_response(request, reply.status, code, reply.message, reply.data, reply.headers)


def _declared(name: str) -> DialectTool:
    return DialectTool(name, Scope.SEARCH, partial(_search_tool, name))


def _sources(services: DialectServices) -> "RestHandler":
    from groundwire.dialects.foundry.sources.rest import KnowledgeSourceRoutes

    return KnowledgeSourceRoutes(services)


def _sources_route(path: str, *forms: str) -> RestRoute:
    return RestRoute("ANY", path, frozenset({Scope.ADMIN}), _sources, forms=forms)


def _replay() -> "Replay":
    from groundwire.dialects.foundry.replay import REPLAY

    return REPLAY


FOUNDRY: Final = Dialect(
    name="foundry",
    tools=(
        _declared("search_hybrid"),
        _declared("search_vector"),
        _declared("search_text"),
        _declared("search_image"),
        _declared("search_multimodal"),
        DialectTool("get_available_collections", Scope.SEARCH, _collections_tool),
    ),
    mcp_paths=("/edgeai/mcp",),
    rest_routes=(
        _sources_route(_SOURCES, f"GET {_SOURCES}", f"POST {_SOURCES}"),
        _sources_route(
            f"{_SOURCES}/{{proxy+}}",
            *(f"{method} {_SOURCES}/{{ks_id}}" for method in ("GET", "PATCH", "DELETE")),
            f"POST {_SOURCES}/batch-delete",
        ),
    ),
    error_form=_refuse,
    # A cluster checks an `unauthenticated` source by an `initialize` without a key.
    allows_open_discovery=True,
    limits_are_results=True,
    has_source_tools=True,
    is_on_by_default=True,
    replay=_replay,
)
