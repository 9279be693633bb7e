"""Rows of tables that continue on the next page: both parts are one row, on the page where it starts."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundwire_readers.readers.pdf.layout.page_layout import PageLayout
from groundwire_readers.readers.pdf.tables.found_table import FoundTable
from groundwire_readers.readers.pdf.text_layer.line_ends import is_broken, join_broken

_NO_WORDS: Final = frozenset[str]()


def with_whole_rows(pages: Sequence[PageLayout]) -> list[PageLayout]:
    """Return the pages; a row without a line below it has the cells of the first row of the next page's table."""
    whole = list(pages)
    # From the end, so that a row over three pages is joined twice.
    for index in range(len(whole) - 2, -1, -1):
        page, following = whole[index], whole[index + 1]
        if not page.lines or not following.lines:
            continue
        number, after = page.lines[-1].table, following.lines[0].table
        if number < 0 or after < 0 or not _continues(page.tables[number], following.tables[after]):
            continue
        table, rest = _joined(page.tables[number], following.tables[after])
        whole[index] = replace(page, tables=_with(page.tables, number, table))
        lines = following.lines if len(rest.rows) > _header_rows(table, rest) else following.lines[1:]
        whole[index + 1] = replace(following, lines=lines, tables=_with(following.tables, after, rest))
    return whole


def _continues(table: FoundTable, following: FoundTable) -> bool:
    same_width = len(table.rows[0]) == len(following.rows[0])
    return table.is_open_below and same_width and len(following.rows) > _header_rows(table, following)


def _header_rows(table: FoundTable, following: FoundTable) -> int:
    """Return the number of rows with names of columns, which may repeat those of the first part."""
    is_repeated = following.rows[:1] == table.rows[:1]
    return max(following.header_rows, int(is_repeated))


def _joined(table: FoundTable, following: FoundTable) -> tuple[FoundTable, FoundTable]:
    """Return the first table with its last row whole, and the second without its part of that row."""
    first = _header_rows(table, following)
    row = tuple(map(_text_of, table.rows[-1], following.rows[first]))
    rest = (*following.rows[:first], *following.rows[first + 1 :])
    is_open = following.is_open_below and len(rest) == first
    return (
        replace(table, rows=(*table.rows[:-1], row), is_open_below=is_open),
        replace(following, rows=rest),
    )


def _text_of(cell: str, following: str) -> str:
    if cell and following and is_broken(cell):
        return join_broken(cell, following, _NO_WORDS)
    return f"{cell} {following}".strip()


def _with(tables: Sequence[FoundTable], number: int, table: FoundTable) -> tuple[FoundTable, ...]:
    return (*tables[:number], table, *tables[number + 1 :])
