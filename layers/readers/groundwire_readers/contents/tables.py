"""Table blocks from rows of cells."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from groundwire_readers.contents.header_rows import header_rows_of
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.contents.raw_values import raw_values
from groundwire_readers.text.normalisation import normalise

_GRID_PLACES: Final = 1_000_000
_PLACES_PER_CELL: Final = 50
"""Places of a table's grid, in all and per cell, above which its rows are paragraphs: one row has far more cells."""


def table_text(rows: Sequence[Sequence[str]]) -> str:
    """Return the table's text, a line per row."""
    return "\n".join(" | ".join(row) for row in rows)


Label = tuple[int, int, int]
"""A cell that spans several rows: its row, its column, and the row after its last one."""


def table_blocks(
    rows: Sequence[Sequence[str]], page: int | None, labels: Sequence[Label] = (), header_rows: int | None = None
) -> Iterator[Block]:
    """Yield the table without its empty rows and columns, if any is left; a table of one cell is a paragraph.

    Args:
        rows: texts of the cells.
        page: page of the table.
        labels: cells that span several rows.
        header_rows: number of its header rows that are not empty; None where their texts decide.
    """
    cleaned = [[normalise(cell) for cell in row] for row in rows]
    kept_rows = [place for place, row in enumerate(cleaned) if any(row)]
    clean = [cleaned[place] for place in kept_rows]
    if len(clean) * max(map(len, clean), default=0) > max(_GRID_PLACES, _PLACES_PER_CELL * sum(map(len, clean))):
        yield from (Block(BlockKind.PARAGRAPH, " | ".join(filter(None, row)), page=page) for row in clean)
        return
    values = tuple(raw_values([rows[place] for place in kept_rows]))
    columns = {place: column for place, column in enumerate(zip_longest(*clean, fillvalue="")) if any(column)}
    cells = tuple(zip(*columns.values(), strict=True))
    if not cells:
        return
    text = table_text(cells)
    if len(cells) == 1 and len(cells[0]) == 1:
        yield Block(BlockKind.PARAGRAPH, text, page=page, raw_values=values)
    else:
        moved = tuple(_moved(labels, kept_rows, list(columns)))
        spans = [(start, end) for start, _, end in moved if sum(map(bool, cells[start])) > 1]
        names = header_rows_of(cells, spans) if header_rows is None else min(header_rows, len(cells))
        yield Block(BlockKind.TABLE, text, page=page, rows=cells, header_rows=names, labels=moved, raw_values=values)


def _moved(labels: Sequence[Label], rows: Sequence[int], columns: Sequence[int]) -> Iterator[Label]:
    """Yield the labels with their places among the rows and columns that are kept."""
    for row, column, end in labels:
        start, first = bisect_left(rows, row), bisect_left(columns, column)
        last = bisect_left(rows, end)
        is_kept = rows[start : start + 1] == [row] and columns[first : first + 1] == [column]
        if is_kept and last > start + 1:
            yield start, first, last
