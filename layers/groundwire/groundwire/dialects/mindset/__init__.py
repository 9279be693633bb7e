"""The Mindset AI RAG server contract: `rag_search` and `verify_document_access` on `POST /mcp`.

Wire format: Mindset AI's page "RAG MCP server". `result` itself carries `status` and `segments` (or the
access fields) beside MCP's `content` and `structuredContent`, so Mindset and any MCP client read one answer;
every fault is a JSON-RPC error, in every era.
"""

from groundwire.dialects.mindset.rag_search import RagSearch
from groundwire.dialects.mindset.schemas import SEARCH_INPUT, SEARCH_OUTPUT, VERIFY_INPUT, VERIFY_OUTPUT
from groundwire.dialects.mindset.verify_document_access import VerifyDocumentAccess
from groundwire.protocol.tools import Tool
from groundwire.services.call import Call
from groundwire.services.links import LinkTo
from groundwire.services.search import SearchCall
from groundwire.services.verify import VerifyCall


def mindset_tools(search: SearchCall, verify: VerifyCall, link_to: LinkTo) -> list[Tool[Call]]:
    """Both tools, in the order in which they are listed."""
    return [
        Tool(
            name="rag_search",
            title="Search the knowledge base",
            description="Searches the knowledge base for relevant information using semantic search. "
            "Returns ranked passages with citations, only from documents that the current user may read.",
            input_schema=SEARCH_INPUT,
            output_schema=SEARCH_OUTPUT,
            read_only=True,
            faults="error",
            call=RagSearch(search, link_to),
        ),
        Tool(
            name="verify_document_access",
            title="Verify access to a cited document",
            description="Will verify user access to a document and optionally provide a refreshed URL "
            "with current credentials.",
            input_schema=VERIFY_INPUT,
            output_schema=VERIFY_OUTPUT,
            read_only=True,
            faults="error",
            call=VerifyDocumentAccess(verify),
        ),
    ]
