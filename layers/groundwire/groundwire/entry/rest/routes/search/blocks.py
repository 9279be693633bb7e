"""Passages as `search_result` blocks of Anthropic's Messages API, which Claude cites."""

from typing import Final, Literal

from pydantic import Field

from groundwire.entry.rest.schema import ResponseModel
from groundwire.services.search import Passage

_BETWEEN_HEADINGS: Final = " > "


class TextBlock(ResponseModel):
    """Text of a passage: a quotation, never an instruction."""

    type: Literal["text"]
    text: str


class Citations(ResponseModel):
    """Permission of a model to cite the block."""

    enabled: bool


class SearchResultBlock(ResponseModel):
    """A passage as content of a tool result or a message of Anthropic's Messages API."""

    type: Literal["search_result"]
    source: str = Field(description="URL at which the caller can open the document, at the passage.")
    title: str = Field(description="Title of the document, and headings above the passage.")
    content: list[TextBlock]
    citations: Citations


class SearchResultAnswer(ResponseModel):
    """Passages as `search_result` blocks, best first."""

    content: list[SearchResultBlock]
    notice: str | None = Field(description="Notice of a restricted search, or of an empty answer.")


def search_result_block(passage: Passage, url: str) -> dict[str, object]:
    """Return the passage in the form of `SearchResultBlockParam` of Anthropic's SDK."""
    document = passage.document
    # Many documents repeat their title as their first heading.
    places = dict.fromkeys([document.title or document.source_file_name, *passage.segment.heading_path])
    return {
        "type": "search_result",
        "source": url,
        "title": _BETWEEN_HEADINGS.join(places),
        "content": [{"type": "text", "text": passage.text}],
        # In every block, because the API refuses a request in which they differ.
        "citations": {"enabled": True},
    }
