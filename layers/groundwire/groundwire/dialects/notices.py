"""What a search has to say about itself, as every dialect says it: before the passages, and as a field of its own."""

from collections.abc import Mapping
from typing import Final

from groundwire.protocol.content import Text
from groundwire.services.search import Found

NOTICE_SCHEMA: Final = {
    "type": "string",
    "description": "Present when the search was not as good as usual: what was left out, and what to do",
}


def notice_first(found: Found) -> tuple[Text, ...]:
    """A block of its own for the content, where there is something to say."""
    return () if found.notice is None else (Text(found.notice),)


def noticed(found: Found) -> Mapping[str, object]:
    """The member `notice` for structured output, where there is something to say."""
    return {} if found.notice is None else {"notice": found.notice}
