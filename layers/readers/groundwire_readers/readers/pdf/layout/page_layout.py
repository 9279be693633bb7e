"""Layout of a page: its lines in reading order, with its tables among them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.pdf.layout.gutters import gutters_of
from groundwire_readers.readers.pdf.layout.lines import Line, lines_of, table_line
from groundwire_readers.readers.pdf.layout.reading_order import ordered_lines
from groundwire_readers.readers.pdf.page_content import HiddenReason, PageContent, PageWord
from groundwire_readers.readers.pdf.tables.finder import find_tables
from groundwire_readers.readers.pdf.tables.found_table import FoundTable

_MIN_RECOGNISED_ROWS: Final = 3
"""Minimum number of rows of a table on a recognised (OCR) page."""


@dataclass(frozen=True, slots=True)
class PageLayout:
    """A page as lines and tables; its words are dropped, since they take much memory.

    Attributes:
        lines: the lines in reading order; each table is represented by one line.
        hidden: number of hidden words by reason.
        is_unverified, is_unmapped, has_drawing: see `PageContent`.
    """

    number: int
    width: float
    height: float
    lines: tuple[Line, ...]
    tables: Sequence[FoundTable]
    hidden: Mapping[HiddenReason, int]
    is_unverified: bool
    is_unmapped: bool
    has_drawing: bool


def layout_of(page: PageContent) -> PageLayout:
    """Return the layout of the page; the words of tables are in no line."""
    tables = _tables(page)
    gutters = gutters_of((word for word in page.words if _table_of(word, tables) is None), page.width)
    lines: list[Line] = []
    run: list[PageWord] = []
    placed: set[int] = set()
    for word in page.words:
        table = _table_of(word, tables)
        if table is None:
            run.append(word)
            continue
        lines += lines_of(run, page.number, gutters)
        run = []
        if table not in placed:
            placed.add(table)
            lines.append(table_line(tables[table].box, table, page.number))
    lines += lines_of(run, page.number, gutters)
    ordered = ordered_lines(lines, page.width, gutters)
    return PageLayout(
        page.number,
        page.width,
        page.height,
        tuple(ordered),
        tables,
        page.hidden,
        page.is_unverified,
        page.is_unmapped,
        page.has_drawing,
    )


def _tables(page: PageContent) -> Sequence[FoundTable]:
    """Return the page's tables; on a recognised page, where gaps are uncertain, only those of several rows."""
    if page.is_unverified:
        return ()
    found = find_tables(page)
    is_recognised = all(not word.font for word in page.words)
    return [table for table in found if not is_recognised or len(table.rows) >= _MIN_RECOGNISED_ROWS]


def _table_of(word: PageWord, tables: Sequence[FoundTable]) -> int | None:
    return next((index for index, table in enumerate(tables) if table.box.contains_centre_of(word.box)), None)
