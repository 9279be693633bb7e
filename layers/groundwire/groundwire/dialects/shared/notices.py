"""Notices about degraded searches: sentences before the passages, and a member of the structured result."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from groundwire.services.search import SearchResult
    from groundwire_mcp.definitions.content import TextContent

NOTICE_SCHEMA: Final = {
    "type": "string",
    "description": "Present when the search was not as good as usual: what was left out, and what to do",
}


def answer_content(result: "SearchResult", quotations: str, *remarks: str) -> "tuple[TextContent]":
    """Return the notice, the quotations and remarks on them as one text: some clients read the first block alone.

    Where nothing is relevant enough, the notice says so, and the quotations would say the same in other words.
    """
    # Not before: the schemas of tools need the notice's, and no content.
    from groundwire_mcp.definitions.content import TextContent

    quoted = None if result.is_below_floor else quotations
    return (TextContent("\n\n".join(filter(None, (result.notice, quoted, *remarks)))),)


def notice_member(result: "SearchResult") -> Mapping[str, object]:
    """Return the notice as the member `notice` of structured output; empty if it is missing."""
    return {} if result.notice is None else {"notice": result.notice}
