"""Division of a section into fragments."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from groundwire.domain.passages.chunking.fragments import FRAGMENT_MAX_CHARACTERS, Fragment, join_up_to
from groundwire.domain.passages.chunking.tables import split_table
from groundwire.domain.text.sentences import sentences
from groundwire_readers.contents.parsed import Block, BlockKind

_INTRODUCTION_MAX: Final = 200
_PRINTED_BULLET: Final = re.compile(r"[•◦▪▫‣●➢➤❖◆►▶·∙\u2043\u2013\u2014*-]\s+(?=\S)")
"""A bullet as a page prints it; boxes to tick are content."""


def split_section(blocks: Sequence[Block]) -> list[Fragment]:
    """Split a section into fragments, in order."""
    found: list[Fragment] = []
    previous_kind: BlockKind | None = None
    for number, block in enumerate(blocks):
        following = blocks[number + 1] if number + 1 < len(blocks) else None
        separator = "\n" if block.kind is previous_kind is BlockKind.LIST_ITEM else "\n\n"
        fragments = split_table(block, number) if block.rows else _split_prose(block, separator, following)
        has_names = block.header_rows > 0
        found += (replace(each, has_column_names=has_names, is_unverified=block.is_unverified) for each in fragments)
        previous_kind = block.kind
    return found


def _split_prose(block: Block, separator: str, following: Block | None) -> Iterator[Fragment]:
    text = _item_text(block.text) if block.kind is BlockKind.LIST_ITEM else block.text
    parts = _lines(text) if block.kind is BlockKind.CODE else _sentences(text)
    is_heading = block.kind is BlockKind.HEADING
    is_last_item = block.kind is BlockKind.LIST_ITEM and (
        following is None or following.kind is not BlockKind.LIST_ITEM
    )
    leads_on = is_heading or (following is not None and _introduces(block, following))
    # The mark of an item replaces the printed one, so places in the block's text are this far before.
    start = len(block.text) - len(text)
    for part in join_up_to(parts, FRAGMENT_MAX_CHARACTERS):
        pages = block.pages_between(start, start + len(part.rstrip()))
        start += len(part)
        yield Fragment(part, pages, separator, is_heading=is_heading, leads_on=leads_on, is_last_item=is_last_item)
        # Sentences keep the space that follows them.
        separator = "\n" if block.kind is BlockKind.CODE else ""


def _introduces(block: Block, following: Block) -> bool:
    """Return whether a short block is the beginning of what follows: its line, or a label without a full stop."""
    if block.kind is not BlockKind.PARAGRAPH or len(block.text) > _INTRODUCTION_MAX:
        return False
    return block.text.endswith(":") or (following.kind is BlockKind.TABLE and not block.text.endswith((".", "!", "?")))


def _item_text(text: str) -> str:
    """Return an item with the one mark of all lists, or with its own number."""
    return text if _is_numbered(text) else f"- {_PRINTED_BULLET.sub('', text)}"


def _is_numbered(text: str) -> bool:
    first = text.split(maxsplit=1)[0] if text else ""
    return first[:1] in "(0123456789" and first[-1:] in ".)"


def _sentences(text: str) -> list[str]:
    # As one fragment a short block is never cut between two chunks.
    return [text] if len(text) <= FRAGMENT_MAX_CHARACTERS else sentences(text)


def _lines(text: str) -> list[str]:
    return [text] if len(text) <= FRAGMENT_MAX_CHARACTERS else text.splitlines(keepends=True)
