"""Splitting of plain text into blocks: paragraphs, list items, and tables drawn with characters."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, zip_longest
from typing import Final

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.contents.tables import table_blocks
from groundwire_readers.readers.text.aligned_tables import aligned_tables
from groundwire_readers.text.normalisation import normalise

_BLANK_LINES: Final = re.compile(r"\n(?:[^\S\n]*\n)+|\f")
_SEPARATOR_LINE: Final = re.compile(r"\s*([=\-~^*_#+])\1{2,}\s*")
_ITEM: Final = re.compile(r"\s*(?:[-*•]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s+\S")
_TABLE_LINE: Final = re.compile(r"\s*[|+].*[|+]\s*")
_TABLE_RULE: Final = re.compile(r"[\s|+\-=]+")
_MAX_TITLE_CHARACTERS: Final = 100
_SENTENCE_ENDS: Final = (".", ",", ";", ":", "!", "?", "-")


@dataclass(slots=True)
class Paragraph:
    """Lines of one paragraph; `underline` is the underline character of a title, `cells` those of an aligned table."""

    lines: list[str]
    underline: str = ""
    cells: Sequence[Sequence[str]] = ()

    @property
    def text(self) -> str:
        """All lines as one."""
        return normalise(" ".join(self.lines))

    @property
    def is_item(self) -> bool:
        """True when the paragraph begins like an item of a list."""
        return _ITEM.match(self.lines[0]) is not None

    @property
    def is_title_line(self) -> bool:
        """True when the paragraph is one line, short, and no sentence."""
        line = self.lines[0].strip()
        is_short = len(self.lines) == 1 and len(line) <= _MAX_TITLE_CHARACTERS
        return is_short and any(map(str.isalpha, line)) and not line.endswith(_SENTENCE_ENDS)


def split_paragraphs(text: str) -> Iterator[Paragraph]:
    """Yield the paragraphs, list items and titles; separator lines are dropped."""
    for part in _BLANK_LINES.split(text.replace("\r\n", "\n").replace("\r", "\n")):
        lines = [line.rstrip() for line in part.split("\n") if line.strip()]
        read = 0
        for table in aligned_tables(lines):
            yield from _paragraphs(lines[read : table.start])
            yield Paragraph(lines[table.start : table.end], cells=table.rows)
            read = table.end
        yield from _paragraphs(lines[read:])


def blocks_of_paragraph(paragraph: Paragraph) -> Iterator[Block]:
    """Yield the paragraph as a block of its kind."""
    if paragraph.cells:
        yield from table_blocks(paragraph.cells, None)
    elif all(_TABLE_LINE.fullmatch(line) for line in paragraph.lines) and len(paragraph.lines) > 1:
        yield from table_blocks(_drawn_rows(paragraph.lines), None)
    elif text := paragraph.text:
        yield Block(BlockKind.LIST_ITEM if paragraph.is_item else BlockKind.PARAGRAPH, text)


def blocks_of_text(text: str) -> list[Block]:
    """Return the blocks of a text without headings, such as a mail."""
    return [block for paragraph in split_paragraphs(text) for block in blocks_of_paragraph(paragraph)]


def _paragraphs(lines: Sequence[str]) -> Iterator[Paragraph]:
    """Yield the paragraphs of adjacent lines; underlined titles and list items are separate paragraphs."""
    open_lines: list[str] = []
    for line, following in pairwise([*lines, ""]):
        rule = _SEPARATOR_LINE.fullmatch(line)
        title = Paragraph([line], _underline(line, following))
        if open_lines and (rule or title.underline or _ITEM.match(line)):
            yield Paragraph(open_lines)
            open_lines = []
        if title.underline:
            yield title
        elif rule is None:
            open_lines.append(line)
    if open_lines:
        yield Paragraph(open_lines)


def _underline(line: str, following: str) -> str:
    rule = _SEPARATOR_LINE.fullmatch(following)
    if rule is None or _SEPARATOR_LINE.fullmatch(line) or not Paragraph([line]).is_title_line:
        return ""
    # A short rule is a separator; an underline is about as long as the title.
    return rule[1] if len(following.strip()) * 2 >= len(line.strip()) else ""


def _drawn_rows(lines: Sequence[str]) -> list[list[str]]:
    """Return the rows; where rules separate all rows, the lines of each cell are joined."""
    rows = [None if _TABLE_RULE.fullmatch(line) else line.strip().strip("|").split("|") for line in lines]
    runs = [[row for row in run if row] for is_row, run in groupby(rows, key=bool) if is_row]
    if len(runs) <= 2:  # noqa: PLR2004 - a rule separates only the header from the rest
        return [row for run in runs for row in run]
    return [[" ".join(parts) for parts in zip_longest(*run, fillvalue="")] for run in runs]
