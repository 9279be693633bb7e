"""A parser that needs no worker: every paragraph of a text file is a page, so each becomes a segment of its own."""

from typing import Final

from groundwire.domain.documents.parsed import Block, BlockKind, ParsedDocument
from groundwire.domain.errors import DocumentRefused

UNREADABLE: Final = b"\x00unreadable"


class PlainText:
    """Implements `ports.Parser`."""

    version: Final = "plain-text-1"
    ocr_version: Final = ""

    def parse(self, content: bytes, file_type: str) -> ParsedDocument:
        """The paragraphs, one to a page; Raises DocumentRefused for `UNREADABLE`."""
        if content == UNREADABLE:
            raise DocumentRefused("the file is damaged")
        paragraphs = [text for text in content.decode().split("\n\n") if text.strip()]
        blocks = tuple(
            Block(BlockKind.PARAGRAPH, text, page=page, group=page) for page, text in enumerate(paragraphs, start=1)
        )
        return ParsedDocument("text/plain", None, blocks, len(blocks), 0)

    def close(self) -> None:
        """Nothing is held."""
