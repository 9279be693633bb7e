"""What a search has to say about itself, as every dialect says it: before the passages, and as a field of its own."""

from collections.abc import Mapping
from typing import Final

from groundwire.protocol.definitions.content import TextContent
from groundwire.services.search import SearchResult

NOTICE_SCHEMA: Final = {
    "type": "string",
    "description": "Present when the search was not as good as usual: what was left out, and what to do",
}


def notice_content(result: SearchResult) -> tuple[TextContent, ...]:
    """A block of its own for the content, where there is something to say."""
    return () if result.notice is None else (TextContent(result.notice),)


def notice_member(result: SearchResult) -> Mapping[str, object]:
    """The member `notice` for structured output, where there is something to say."""
    return {} if result.notice is None else {"notice": result.notice}
