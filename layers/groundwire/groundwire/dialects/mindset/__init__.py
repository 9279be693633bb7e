"""The Mindset AI RAG server contract: `rag_search` and `verify_document_access` on `POST /mcp`.

Wire format: Mindset AI's page "RAG MCP server". `result` itself carries `status` and `segments` (or the
access fields) beside MCP's `content` and `structuredContent`, so Mindset and any MCP client read one answer.
For keys made for Mindset, and for calls without a mark of MCP, an error is a JSON-RPC error, as on that page. Other MCP
clients get an error result that their model can act on.
"""

from typing import TYPE_CHECKING, Final

from groundwire.dialects.declaration.dialect import Dialect, DialectTool, lazy_handler
from groundwire.dialects.declaration.services import DialectServices
from groundwire.dialects.library import library_of
from groundwire.domain.access.scopes import Scope

if TYPE_CHECKING:
    from groundwire.dialects.answers.tool_errors import ToolHandler
    from groundwire.dialects.declaration.replay import Replay
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.tool_context import ToolContext
    from groundwire_mcp.definitions.tools import Tool, ToolContract

MINDSET_TOOLSET: Final = "mindset"


def is_mindset_key(call: "CallContext") -> bool:
    """Tell whether the key of the call was made for Mindset AI."""
    return call.caller.options.toolset == MINDSET_TOOLSET


def is_contract_call(call: "CallContext", context: "ToolContext") -> bool:
    """Tell whether Mindset AI's page applies to the call: its key was made for it, or it has no mark of MCP."""
    return is_mindset_key(call) or not context.has_mcp_marker


def search_contract() -> "ToolContract[CallContext]":
    """Return the contract of the page for `rag_search`, for the search of any dialect that answers it."""
    from groundwire.dialects.mindset.schemas import CONTRACT_SEARCH_INPUT, SEARCH_OUTPUT
    from groundwire_mcp.definitions.tools import ToolContract

    return ToolContract(is_mindset_key, CONTRACT_SEARCH_INPUT, SEARCH_OUTPUT)


def rag_search_tool(handler: "ToolHandler") -> "Tool[CallContext]":
    """Return the description of `rag_search`, carried out by `handler`, such as `rag_search.RagSearch`."""
    from groundwire.dialects.answers.tool_errors import with_retryable_errors
    from groundwire.dialects.mindset.schemas import SEARCH_INPUT, SEARCH_OUTPUT
    from groundwire_mcp.definitions.tools import Tool

    return Tool(
        name="rag_search",
        title="Search the knowledge base",
        description="Searches the knowledge base for relevant information using semantic search. "
        "Returns ranked passages with citations, only from documents that the current user may read.",
        input_schema=SEARCH_INPUT,
        output_schema=SEARCH_OUTPUT,
        is_read_only=True,
        call=with_retryable_errors("RAG search failed", handler),
        contract=search_contract(),
    )


def verify_document_access_tool(handler: "ToolHandler") -> "Tool[CallContext]":
    """Return the description of `verify_document_access`, carried out by `handler`."""
    from groundwire.dialects.answers.tool_errors import with_retryable_errors
    from groundwire.dialects.mindset.schemas import CONTRACT_VERIFY_INPUT, VERIFY_INPUT, VERIFY_OUTPUT
    from groundwire_mcp.definitions.tools import Tool, ToolContract

    return Tool(
        name="verify_document_access",
        title="Verify access to a cited document",
        description="Will verify user access to a document and optionally provide a refreshed URL "
        "with current credentials.",
        input_schema=VERIFY_INPUT,
        output_schema=VERIFY_OUTPUT,
        is_read_only=True,
        call=with_retryable_errors("Access verification failed", handler),
        contract=ToolContract(is_mindset_key, CONTRACT_VERIFY_INPUT),
    )


def _rag_search(services: DialectServices) -> "Tool[CallContext]":
    def build() -> "ToolHandler":
        from groundwire.dialects.mindset.rag_search import RagSearch, phrase_search

        return RagSearch(phrase_search(services), services.source_links().url_for)

    return rag_search_tool(lazy_handler(build))


def _verify_document_access(services: DialectServices) -> "Tool[CallContext]":
    def build() -> "ToolHandler":
        from groundwire.dialects.mindset.verify_document_access import VerifyDocumentAccess

        return VerifyDocumentAccess(services.citation_verifier())

    return verify_document_access_tool(lazy_handler(build))


RAG_SEARCH: Final = DialectTool("rag_search", Scope.SEARCH, _rag_search)
VERIFY_DOCUMENT_ACCESS: Final = DialectTool("verify_document_access", Scope.VERIFY, _verify_document_access)


def _replay() -> "Replay":
    from groundwire.dialects.mindset.replay import REPLAY

    return REPLAY


MINDSET: Final = Dialect(
    name="mindset",
    tools=(RAG_SEARCH, VERIFY_DOCUMENT_ACCESS),
    toolset=MINDSET_TOOLSET,
    library=library_of(search_tool="rag_search"),
    is_on_by_default=True,
    replay=_replay,
)
