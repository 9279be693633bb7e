"""Blocks of a sheet: its name and its tables."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.contents.tables import table_blocks
from groundwire_readers.text.normalisation import normalise


def sheet_blocks(name: str, number: int, rows: Mapping[int, Mapping[int, str]]) -> Iterator[Block]:
    """Yield the name of the sheet as heading, then its tables, all on the page of its number.

    Args:
        name: of the sheet.
        number: of the sheet.
        rows: texts of its cells, by row and column.
    """
    tables = list(table_blocks(_grid(rows), number))
    if tables:
        yield Block(BlockKind.HEADING, normalise(name), level=1, page=number, group=number)
        yield from (replace(block, group=number) for block in tables)


def _grid(rows: Mapping[int, Mapping[int, str]]) -> list[list[str]]:
    """Return the rows without columns in which no cell has a text."""
    used = {column: place for place, column in enumerate(sorted({column for row in rows.values() for column in row}))}
    grid: list[list[str]] = []
    for _, cells in sorted(rows.items()):
        places = {used[column]: text for column, text in cells.items()}
        grid.append([places.get(place, "") for place in range(max(places) + 1)])
    return grid
