"""Notices about degraded searches: a text block before the passages, and a member of the structured result."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from groundwire.protocol.definitions.content import TextContent

if TYPE_CHECKING:
    from groundwire.services.search import SearchResult

NOTICE_SCHEMA: Final = {
    "type": "string",
    "description": "Present when the search was not as good as usual: what was left out, and what to do",
}


def notice_content(result: "SearchResult") -> tuple[TextContent, ...]:
    """Return the notice as a content block; empty when there is none."""
    return () if result.notice is None else (TextContent(result.notice),)


def notice_member(result: "SearchResult") -> Mapping[str, object]:
    """Return the notice as the member `notice` of structured output; empty when there is none."""
    return {} if result.notice is None else {"notice": result.notice}
