"""Blocks of a sheet: its name and its tables."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.contents.sheet_tables import Row, RowSpans, sheet_table_blocks
from groundwire_readers.text.normalisation import normalise


def sheet_blocks(name: str, number: int, rows: Mapping[int, Row], labels: RowSpans) -> Iterator[Block]:
    """Yield the name of the sheet as heading, then its tables, all on the page of its number.

    Args:
        name: of the sheet.
        number: of the sheet.
        rows: texts of its cells, by row and column.
        labels: cells that span several rows or columns.
    """
    tables = list(sheet_table_blocks(rows, number, labels))
    if tables:
        yield Block(BlockKind.HEADING, normalise(name), level=1, page=number, group=number)
        yield from (replace(block, group=number) for block in tables)
