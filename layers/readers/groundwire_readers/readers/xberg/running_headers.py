"""Removal of running headers, running footers and page numbers from the parser library's blocks of a PDF."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from groundwire_readers.contents.parsed import Block, BlockKind

_MAX_LINE_CHARACTERS: Final = 120
"""Maximum length of a running header."""
_MIN_OCCURRENCES: Final = 3
"""Number of occurrences from which a line is a running header."""
# A run of spaces or dots is matched only from its start: from each of its characters, it takes quadratic time.
_PAGE_NUMBER: Final = re.compile(
    r"^(?:page\s+)?(?:\d{1,4}|[ivxl]{1,7})\b[\s.|-]*|(?:(?<![\s.|-])[\s.|-]++)?\b(?:\d{1,4}|[ivxl]{1,7})$",
    re.IGNORECASE,
)

_NUMBER_AT_END: Final = re.compile(r"(?<!\s)\s++\d{1,4}$")


def without_running_headers(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks without short paragraphs at page edges that recur or repeat a heading (page number ignored)."""
    edges = list(_edge_blocks(blocks))
    recurring = Counter(_without_page_number(blocks[index].text) for index in edges)
    headings = _headings(blocks)
    running = {
        index
        for index in edges
        if recurring[_without_page_number(blocks[index].text)] >= _MIN_OCCURRENCES
        or _repeats_heading(blocks[index].text, headings)
    }
    return [block for index, block in enumerate(blocks) if index not in running]


def _headings(blocks: Sequence[Block]) -> set[str]:
    return {_letters(block.text) for block in blocks if block.kind is BlockKind.HEADING}


def _edge_blocks(blocks: Sequence[Block]) -> Iterator[int]:
    """Yield the indexes of the first and the last block of each page, if they may be running headers."""
    for _, page in groupby(range(len(blocks)), key=lambda index: blocks[index].page):
        positions = list(page)
        for index in {positions[0], positions[-1]}:
            if _is_short_paragraph(blocks[index]):
                yield index


def _is_short_paragraph(block: Block) -> bool:
    return block.kind is BlockKind.PARAGRAPH and len(block.text) <= _MAX_LINE_CHARACTERS


def _repeats_heading(text: str, headings: set[str]) -> bool:
    """Return whether the text is a heading with a page number: the running header of a short section."""
    return _without_page_number(text) != text and _letters(_NUMBER_AT_END.sub("", text)) in headings


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _without_page_number(text: str) -> str:
    return _PAGE_NUMBER.sub("", text).strip()
