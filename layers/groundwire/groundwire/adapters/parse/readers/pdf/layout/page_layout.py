"""Layout of a page: its lines in reading order, and its tables at their places."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from groundwire.adapters.parse.readers.pdf.layout.lines import Line, lines_of, table_line
from groundwire.adapters.parse.readers.pdf.layout.reading_order import ordered_lines
from groundwire.adapters.parse.readers.pdf.page_content import Box, HiddenReason, PageContent, Word


class FoundTable(Protocol):
    """A table of a page, as the finder of tables returns it."""

    @property
    def box(self) -> Box:
        """Its place."""
        ...

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Its cells."""
        ...

    @property
    def header_rows(self) -> int:
        """The number of its rows that are its header."""
        ...

    @property
    def caption(self) -> str:
        """The lines that belong to each piece of it."""
        ...

    @property
    def is_aligned_text(self) -> bool:
        """Its rows are lines of text, since its cells are not certain."""
        ...


FindTables = Callable[[PageContent], Sequence[FoundTable]]


def find_no_tables(_page: PageContent) -> Sequence[FoundTable]:
    """Return no tables."""
    return ()


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


def layout_of(page: PageContent, find_tables: FindTables) -> PageLayout:
    """Return the page's layout; words of tables are in no line."""
    tables: Sequence[FoundTable] = () if page.is_unverified else find_tables(page)
    lines: list[Line] = []
    run: list[Word] = []
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


def _table_of(word: Word, tables: Sequence[FoundTable]) -> int | None:
    return next((index for index, table in enumerate(tables) if _contains(table.box, word.box)), None)


def _contains(box: Box, inner: Box) -> bool:
    x, y = (inner.left + inner.right) / 2, (inner.top + inner.bottom) / 2
    return box.left <= x <= box.right and box.top <= y <= box.bottom
