"""A parser that needs no worker: every paragraph of a text file is a page, so each becomes a segment of its own."""

import hashlib
from typing import Final, Self

from groundwire.domain.errors import DocumentRefused
from groundwire_readers.contents.parsed import Block, BlockKind, ParsedDocument, ParsedImage

UNREADABLE: Final = b"\x00unreadable"
PICTURE: Final = "picture: "
"""Beginning of a paragraph that represents an image with this caption."""
PNG: Final = b"\x89PNG\r\n\x1a\n"


class PlainText:
    """Implements `ports.Parsers` and `ports.Parser`."""

    version: Final = "plain-text-1"
    ocr_version: Final = ""

    def for_tenant(self, _tenant: str) -> Self:
        """Return itself: it keeps nothing."""
        return self

    def parse(
        self, content: bytes, file_type: str, *, with_images: bool = False, with_thumbnails: bool = False
    ) -> ParsedDocument:
        """The paragraphs, one to a page, and those that begin with `PICTURE` as images; refuses `UNREADABLE`."""
        if content == UNREADABLE:
            raise DocumentRefused("the file is damaged")
        parts = [text for text in content.decode().split("\n\n") if text.strip()]
        paragraphs = [text for text in parts if not text.startswith(PICTURE)]
        captions = [text.removeprefix(PICTURE) for text in parts if text.startswith(PICTURE)]
        blocks = tuple(
            Block(BlockKind.PARAGRAPH, text, page=page, group=page) for page, text in enumerate(paragraphs, start=1)
        )
        images = tuple(picture(caption, position) for position, caption in enumerate(captions) if with_images)
        return ParsedDocument("text/plain", None, blocks, len(blocks), 0, images=images)


def picture(text: str, position: int) -> ParsedImage:
    """An image with the text before " #" as its caption; its content differs with the whole text."""
    caption, _, _ = text.partition(" #")
    content = PNG + text.encode()
    digest = hashlib.sha256(content).hexdigest()
    return ParsedImage(content, "image/png", 64, 64, position, position + 1, False, caption, "", "", "", digest)
