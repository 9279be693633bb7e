"""The Mindset AI RAG server contract: `rag_search` and `verify_document_access` on `POST /mcp`.

Wire format: Mindset AI's page "RAG MCP server". `result` itself carries `status` and `segments` (or the
access fields) beside MCP's `content` and `structuredContent`, so Mindset and any MCP client read one answer.
A fault is a JSON-RPC error, as the page has it, for a key that was made for Mindset and for a call without any mark of
MCP; for an MCP client it is a result that its model can act on.
"""

from groundwire.dialects.mindset.contract import is_mindset_key
from groundwire.dialects.mindset.schemas import (
    CONTRACT_SEARCH_INPUT,
    CONTRACT_VERIFY_INPUT,
    SEARCH_INPUT,
    SEARCH_OUTPUT,
    VERIFY_INPUT,
    VERIFY_OUTPUT,
)
from groundwire.dialects.tool_errors import ToolHandler, with_retryable_errors
from groundwire.protocol.definitions.tools import Tool, ToolContract
from groundwire.services.call_context import CallContext


def mindset_tools(rag_search: ToolHandler, verify_document_access: ToolHandler) -> list[Tool[CallContext]]:
    """Return the definitions of both tools, in the order in which they are listed.

    Args:
        rag_search: handler of the tool, such as `rag_search.RagSearch`.
        verify_document_access: handler of the tool, such as `verify_document_access.VerifyDocumentAccess`.
    """
    return [
        Tool(
            name="rag_search",
            title="Search the knowledge base",
            description="Searches the knowledge base for relevant information using semantic search. "
            "Returns ranked passages with citations, only from documents that the current user may read.",
            input_schema=SEARCH_INPUT,
            output_schema=SEARCH_OUTPUT,
            is_read_only=True,
            call=with_retryable_errors("RAG search failed", rag_search),
            contract=ToolContract(is_mindset_key, CONTRACT_SEARCH_INPUT),
        ),
        Tool(
            name="verify_document_access",
            title="Verify access to a cited document",
            description="Will verify user access to a document and optionally provide a refreshed URL "
            "with current credentials.",
            input_schema=VERIFY_INPUT,
            output_schema=VERIFY_OUTPUT,
            is_read_only=True,
            call=with_retryable_errors("Access verification failed", verify_document_access),
            contract=ToolContract(is_mindset_key, CONTRACT_VERIFY_INPUT),
        ),
    ]
