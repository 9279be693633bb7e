"""Tools of Mindset AI's contract, as every dialect that has them lists them."""

from typing import TYPE_CHECKING, Final

from groundwire.dialects.declaration.dialect import DialectTool
from groundwire.dialects.declaration.services import DialectServices
from groundwire.dialects.shared.contract import is_mindset_key, search_contract
from groundwire.domain.access.scopes import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.dialects.declaration.dialect import ToolHandler
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.tools import Tool


def rag_search_tool(build: "Callable[[], ToolHandler]") -> "Tool[CallContext]":
    """Return the description of `rag_search`; `build` makes its handler, such as `rag_search.RagSearch`."""
    from groundwire.dialects.shared.schemas import SEARCH_INPUT, SEARCH_OUTPUT
    from groundwire.dialects.shared.tool_errors import with_retryable_errors
    from groundwire_mcp.definitions.tools import Tool

    return Tool(
        name="rag_search",
        title="Search the knowledge base",
        description="Searches the knowledge base for relevant information using semantic search. "
        "Returns ranked passages with citations, only from documents that the current user may read.",
        input_schema=SEARCH_INPUT,
        output_schema=SEARCH_OUTPUT,
        is_read_only=True,
        call=with_retryable_errors("RAG search failed", build),
        contract=search_contract(),
    )


def verify_document_access_tool(build: "Callable[[], ToolHandler]") -> "Tool[CallContext]":
    """Return the description of `verify_document_access`, whose handler `build` makes."""
    from groundwire.dialects.shared.schemas import CONTRACT_VERIFY_INPUT, VERIFY_INPUT, VERIFY_OUTPUT
    from groundwire.dialects.shared.tool_errors import with_retryable_errors
    from groundwire_mcp.definitions.tools import Tool, ToolContract

    return Tool(
        name="verify_document_access",
        title="Verify access to a cited document",
        description="Will verify user access to a document and optionally provide a refreshed URL "
        "with current credentials.",
        input_schema=VERIFY_INPUT,
        output_schema=VERIFY_OUTPUT,
        is_read_only=True,
        call=with_retryable_errors("Access verification failed", build),
        contract=ToolContract(is_mindset_key, CONTRACT_VERIFY_INPUT),
    )


def _rag_search(services: DialectServices) -> "Tool[CallContext]":
    def build() -> "ToolHandler":
        from groundwire.dialects.shared.rag_search import RagSearch

        return RagSearch(services.reading.phrase_search, services.reading.source_links.cite)

    return rag_search_tool(build)


def _verify_document_access(services: DialectServices) -> "Tool[CallContext]":
    def build() -> "ToolHandler":
        from groundwire.dialects.shared.verify_document_access import VerifyDocumentAccess

        return VerifyDocumentAccess(services.reading.citation_verifier)

    return verify_document_access_tool(build)


RAG_SEARCH: Final = DialectTool("rag_search", Scope.SEARCH, _rag_search)
VERIFY_DOCUMENT_ACCESS: Final = DialectTool("verify_document_access", Scope.VERIFY, _verify_document_access)
