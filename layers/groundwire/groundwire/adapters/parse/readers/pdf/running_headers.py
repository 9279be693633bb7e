"""Running heads, feet and page numbers of a PDF: printed on every page, part of no sentence."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from groundwire.domain.documents.parsed import Block, BlockKind

_SHORT: Final = 120
_MIN_PAGES: Final = 3
_PAGE_NUMBER: Final = re.compile(
    r"^(?:page\s+)?(?:\d{1,4}|[ivxl]{1,7})\b[\s.|-]*|[\s.|-]*\b(?:\d{1,4}|[ivxl]{1,7})$", re.IGNORECASE
)

_END_NUMBER: Final = re.compile(r"\s+\d{1,4}$")


def without_running_headers(blocks: Sequence[Block]) -> list[Block]:
    """The blocks without short paragraphs at a page's edge that, page number aside, recur or echo a heading."""
    edges = list(_edges(blocks))
    recurring = Counter(_pattern(blocks[at].text) for at in edges)
    headings = _headings(blocks)
    furniture = {
        at
        for at in edges
        if recurring[_pattern(blocks[at].text)] >= _MIN_PAGES or _repeats_heading(blocks[at].text, headings)
    }
    return [block for at, block in enumerate(blocks) if at not in furniture]


def without_table_of_contents(blocks: Sequence[Block]) -> list[Block]:
    """The blocks without the table of contents: lines and tables that echo headings with a page number."""
    headings = _headings(blocks)
    return [block for block in blocks if not _is_table_of_contents(block, headings)]


def _headings(blocks: Sequence[Block]) -> set[str]:
    return {_letters(block.text) for block in blocks if block.kind is BlockKind.HEADING}


def _edges(blocks: Sequence[Block]) -> Iterator[int]:
    """Positions of the first and the last block of each page that could be furniture."""
    for _, page in groupby(range(len(blocks)), key=lambda at: blocks[at].page):
        positions = list(page)
        for at in {positions[0], positions[-1]}:
            if _is_line(blocks[at]):
                yield at


def _is_table_of_contents(block: Block, headings: set[str]) -> bool:
    """Whether it is a line of a table of contents, or such a table."""
    if block.kind is not BlockKind.TABLE:
        return _is_line(block) and _repeats_heading(block.text, headings)
    echoes = sum(_repeats_heading(" ".join(row).strip(), headings) for row in block.rows)
    return len(block.rows) > 1 and echoes * 2 > len(block.rows)


def _is_line(block: Block) -> bool:
    return block.kind is BlockKind.PARAGRAPH and len(block.text) <= _SHORT


def _repeats_heading(text: str, headings: set[str]) -> bool:
    """Whether it is a heading with a page number: the running head of a short section."""
    return _pattern(text) != text and _letters(_END_NUMBER.sub("", text)) in headings


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _pattern(text: str) -> str:
    return _PAGE_NUMBER.sub("", text).strip()
