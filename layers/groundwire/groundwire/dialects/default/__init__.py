"""The tools of every MCP client that no other dialect is made for.

Errors are results that a model can act on. There is one search: a model that sees two of them asks both.
"""

from typing import Final

from groundwire.dialects.dialect import Dialect
from groundwire.dialects.library import library_of
from groundwire.dialects.mindset import RAG_SEARCH, VERIFY_DOCUMENT_ACCESS
from groundwire.domain.access.toolsets import DEFAULT_TOOLSET

DEFAULT: Final = Dialect(
    name="default",
    # Not listed: no model needs it, and Mindset AI calls it with keys of this toolset too.
    tools=(RAG_SEARCH, VERIFY_DOCUMENT_ACCESS._replace(is_listed=False)),
    toolset=DEFAULT_TOOLSET,
    library=library_of(search_tool="rag_search"),
    is_on_by_default=True,
)
