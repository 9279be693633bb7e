"""Layout of a page: its lines in reading order, and its tables at their places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundwire.adapters.parse.readers.pdf.layout.lines import Line, lines_of, table_line
from groundwire.adapters.parse.readers.pdf.layout.reading_order import ordered_lines
from groundwire.adapters.parse.readers.pdf.page_content import HiddenReason, PageBox, PageContent, PageWord
from groundwire.adapters.parse.readers.pdf.tables.finder import find_tables
from groundwire.adapters.parse.readers.pdf.tables.found_table import FoundTable


@dataclass(frozen=True, slots=True)
class PageLayout:
    """A page without its words, which take much memory.

    Attributes:
        lines: in reading order. hidden: number of words left out, by reason.
    """

    number: int
    width: float
    height: float
    lines: tuple[Line, ...]
    tables: Sequence[FoundTable]
    hidden: Mapping[HiddenReason, int]
    is_unverified: bool


def layout_of(page: PageContent) -> PageLayout:
    """Return the page's layout; words of tables are in no line."""
    tables: Sequence[FoundTable] = () if page.is_unverified else find_tables(page)
    lines: list[Line] = []
    run: list[PageWord] = []
    placed: set[int] = set()
    for word in page.words:
        table = _table_of(word, tables)
        if table is None:
            run.append(word)
            continue
        lines += lines_of(run, page.number)
        run = []
        if table not in placed:
            placed.add(table)
            lines.append(table_line(tables[table].box, table, page.number))
    lines += lines_of(run, page.number)
    ordered = ordered_lines(lines, page.width)
    return PageLayout(page.number, page.width, page.height, tuple(ordered), tables, page.hidden, page.is_unverified)


def _table_of(word: PageWord, tables: Sequence[FoundTable]) -> int | None:
    return next((index for index, table in enumerate(tables) if _contains(table.box, word.box)), None)


def _contains(box: PageBox, inner: PageBox) -> bool:
    x, y = (inner.left + inner.right) / 2, (inner.top + inner.bottom) / 2
    return box.left <= x <= box.right and box.top <= y <= box.bottom
