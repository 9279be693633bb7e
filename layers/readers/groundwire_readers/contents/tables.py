"""Table blocks from rows of cells."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.text.normalisation import normalise

_GRID_PLACES: Final = 1_000_000
_PLACES_PER_CELL: Final = 50
"""Places of a table's grid, in all and per cell, above which its rows are paragraphs: one row has far more cells."""


def table_text(rows: Sequence[Sequence[str]]) -> str:
    """Return the table's text, a line per row."""
    return "\n".join(" | ".join(row) for row in rows)


def table_blocks(rows: Sequence[Sequence[str]], page: int | None) -> Iterator[Block]:
    """Yield the table without its empty rows and columns, if any is left; a table of one cell is a paragraph."""
    clean = [[normalise(cell) for cell in row] for row in rows]
    clean = [row for row in clean if any(row)]
    if len(clean) * max(map(len, clean), default=0) > max(_GRID_PLACES, _PLACES_PER_CELL * sum(map(len, clean))):
        yield from (Block(BlockKind.PARAGRAPH, " | ".join(filter(None, row)), page=page) for row in clean)
        return
    columns = [column for column in zip_longest(*clean, fillvalue="") if any(column)]
    cells = tuple(zip(*columns, strict=True))
    if not cells:
        return
    text = table_text(cells)
    if len(cells) == 1 and len(cells[0]) == 1:
        yield Block(BlockKind.PARAGRAPH, text, page=page)
    else:
        yield Block(BlockKind.TABLE, text, page=page, rows=cells)
