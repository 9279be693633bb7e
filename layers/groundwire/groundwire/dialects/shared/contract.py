"""The Mindset AI RAG server contract, which several dialects answer: `rag_search` and `verify_document_access`.

Wire format: Mindset AI's page "RAG MCP server". `result` itself carries `status` and `segments` (or the
access fields) beside MCP's `content` and `structuredContent`, so Mindset and any MCP client read one answer.
For keys made for Mindset, and for calls without a mark of MCP, an error is a JSON-RPC error, as on that page. Other MCP
clients get an error result that their model can act on.
"""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.tool_context import ToolContext
    from groundwire_mcp.definitions.tools import ToolContract

MINDSET_TOOLSET: Final = "mindset"


def is_mindset_key(call: "CallContext") -> bool:
    """Tell whether the key of the call was made for Mindset AI."""
    return call.caller.options.toolset == MINDSET_TOOLSET


def is_contract_call(call: "CallContext", context: "ToolContext") -> bool:
    """Tell whether Mindset AI's page applies to the call: its key was made for it, or it has no mark of MCP."""
    return is_mindset_key(call) or not context.has_mcp_marker


def search_contract() -> "ToolContract[CallContext]":
    """Return the contract of the page for `rag_search`, for the search of any dialect that answers it."""
    from groundwire.dialects.shared.schemas import CONTRACT_SEARCH_INPUT, SEARCH_OUTPUT
    from groundwire_mcp.definitions.tools import ToolContract

    return ToolContract(is_mindset_key, CONTRACT_SEARCH_INPUT, SEARCH_OUTPUT)
