"""The tools of every MCP client that no other dialect is made for.

Errors are results that a model can act on. There is one search: a model that sees two of them asks both.
"""

from typing import TYPE_CHECKING, Final

from groundwire.dialects.declaration.dialect import Dialect, DialectTool
from groundwire.dialects.declaration.services import DialectServices
from groundwire.dialects.library import library_of
from groundwire.dialects.shared.contract import search_contract
from groundwire.dialects.shared.contract_tools import VERIFY_DOCUMENT_ACCESS
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.toolsets import DEFAULT_TOOLSET

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.dialects.declaration.dialect import ToolHandler
    from groundwire.dialects.declaration.replay import Replay
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.tools import Tool


_SEARCH_DESCRIPTION: Final = (
    "Searches the knowledge base for relevant information using semantic search. Returns ranked "
    "passages, limited to documents that the current user may read. Cite them by number and file."
)
_APP_URI: Final = "ui://groundwire/passages"
"""The app that shows the answer of `rag_search` in hosts that draw apps."""


def _rag_search(services: DialectServices) -> "Tool[CallContext]":
    def build() -> "ToolHandler":
        from groundwire.dialects.default.rag_search import DefaultRagSearch

        reading = services.reading
        return DefaultRagSearch(
            reading.phrase_search, reading.source_links.cite, reading.opening_note, reading.unreadable_names
        )

    def describe(call: "CallContext") -> str:
        from groundwire.dialects.default.tool_text import SearchDescription

        return SearchDescription(_SEARCH_DESCRIPTION, lambda: services.reading.readable_collections.described)(call)

    from groundwire.dialects.default.schemas import SEARCH_INPUT, SEARCH_OUTPUT
    from groundwire.dialects.shared.tool_errors import with_retryable_errors
    from groundwire_mcp.definitions.tools import Tool

    return Tool(
        name="rag_search",
        title="Search the knowledge base",
        description=_SEARCH_DESCRIPTION,
        input_schema=SEARCH_INPUT,
        output_schema=SEARCH_OUTPUT,
        is_read_only=True,
        call=with_retryable_errors("RAG search failed", build),
        contract=search_contract(),
        describe=describe,
        app_uri=_APP_URI,
    )


def _fetch(services: DialectServices) -> "Tool[CallContext]":
    def build() -> "ToolHandler":
        from groundwire.dialects.default.fetch import FetchPassage

        reading = services.reading
        return FetchPassage(reading.document_reader, reading.source_links.cite, lambda: reading.image_reader)

    from groundwire.dialects.default.schemas import FETCH_INPUT, FETCH_OUTPUT
    from groundwire.dialects.shared.tool_errors import with_retryable_errors
    from groundwire_mcp.definitions.tools import Tool

    return Tool(
        name="fetch",
        title="Read on",
        description="Reads a passage that rag_search returned, with the surrounding text, or a document page by page.",
        input_schema=FETCH_INPUT,
        output_schema=FETCH_OUTPUT,
        is_read_only=True,
        call=with_retryable_errors("Fetch failed", build),
    )


def list_collections_tool(build: "Callable[[], ToolHandler]") -> "Tool[CallContext]":
    """Return the description of `list_collections`, whose handler `build` makes."""
    from groundwire.dialects.default.schemas import LIST_COLLECTIONS_INPUT, LIST_COLLECTIONS_OUTPUT
    from groundwire.dialects.shared.tool_errors import with_retryable_errors
    from groundwire_mcp.definitions.tools import Tool

    return Tool(
        name="list_collections",
        title="List the collections of the knowledge base",
        description="Lists the collections of the knowledge base in which the current user may read "
        "something, each with its owner's description.",
        input_schema=LIST_COLLECTIONS_INPUT,
        output_schema=LIST_COLLECTIONS_OUTPUT,
        is_read_only=True,
        call=with_retryable_errors("Listing collections failed", build),
    )


def _list_collections(services: DialectServices) -> "Tool[CallContext]":
    def build() -> "ToolHandler":
        from groundwire.dialects.default.list_collections import ListCollections

        return ListCollections(services.reading.readable_collections.all)

    return list_collections_tool(build)


def _replay() -> "Replay":
    from groundwire.dialects.default.replay import REPLAY

    return REPLAY


DEFAULT: Final = Dialect(
    name="default",
    tools=(
        DialectTool("rag_search", Scope.SEARCH, _rag_search),
        DialectTool("fetch", Scope.SEARCH, _fetch),
        DialectTool("list_collections", Scope.SEARCH, _list_collections),
        # Not listed: no model needs it, and Mindset AI calls it with keys of this toolset too.
        VERIFY_DOCUMENT_ACCESS._replace(is_listed=False),
    ),
    toolset=DEFAULT_TOOLSET,
    library=library_of(search_tool="rag_search", app_uri=_APP_URI, has_skills=True),
    limits_are_results=True,
    is_on_by_default=True,
    replay=_replay,
)
