"""Removal of running headers, footers and page numbers of a PDF, which are part of no sentence."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from groundwire_readers.contents.parsed import Block, BlockKind

_LINE_CHARACTERS: Final = 120
_MIN_PAGES: Final = 3
# A run of blanks or dots counts from its beginning alone: from each of its characters it would cost quadratic time.
_PAGE_NUMBER: Final = re.compile(
    r"^(?:page\s+)?(?:\d{1,4}|[ivxl]{1,7})\b[\s.|-]*|(?:(?<![\s.|-])[\s.|-]++)?\b(?:\d{1,4}|[ivxl]{1,7})$",
    re.IGNORECASE,
)

_END_NUMBER: Final = re.compile(r"(?<!\s)\s++\d{1,4}$")


def without_running_headers(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks without short paragraphs at a page's edge that recur or repeat a heading, page number aside."""
    edges = list(_edges(blocks))
    recurring = Counter(_pattern(blocks[index].text) for index in edges)
    headings = _headings(blocks)
    running = {
        index
        for index in edges
        if recurring[_pattern(blocks[index].text)] >= _MIN_PAGES or _repeats_heading(blocks[index].text, headings)
    }
    return [block for index, block in enumerate(blocks) if index not in running]


def _headings(blocks: Sequence[Block]) -> set[str]:
    return {_letters(block.text) for block in blocks if block.kind is BlockKind.HEADING}


def _edges(blocks: Sequence[Block]) -> Iterator[int]:
    """Yield the positions of the first and the last block of each page, if they may be a running header."""
    for _, page in groupby(range(len(blocks)), key=lambda index: blocks[index].page):
        positions = list(page)
        for index in {positions[0], positions[-1]}:
            if _is_line(blocks[index]):
                yield index


def _is_line(block: Block) -> bool:
    return block.kind is BlockKind.PARAGRAPH and len(block.text) <= _LINE_CHARACTERS


def _repeats_heading(text: str, headings: set[str]) -> bool:
    """Return whether the text is a heading with a page number: the running header of a short section."""
    return _pattern(text) != text and _letters(_END_NUMBER.sub("", text)) in headings


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _pattern(text: str) -> str:
    return _PAGE_NUMBER.sub("", text).strip()
