"""Table of a page while it is read: rows of cells with their spans, header and caption."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from groundwire.adapters.parse.readers.html.grid import Cell, CellRow, grid_blocks, span_of
from groundwire.domain.documents.parsed import Block


@dataclass(slots=True)
class OpenTable:
    """Rows that are read so far, and the cell that is open.

    Attributes:
        text_before: text of the block or cell in which the table starts.
        in_head: whether the rows that start now are in the part that names columns.
        caption: lines of its caption.
    """

    text_before: list[str]
    rows: list[tuple[list[Cell], bool]] = field(default_factory=list[tuple[list[Cell], bool]])
    in_head: bool = False
    caption: list[str] = field(default_factory=list[str])
    _cell: Cell | None = None

    @property
    def is_cell_open(self) -> bool:
        """Return whether text belongs to a cell."""
        return self._cell is not None

    def start_row(self) -> None:
        """Start a row."""
        self.rows.append(([], self.in_head))

    def start_cell(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        """Start a cell, in a row of its own where none is open."""
        if not self.rows:
            self.start_row()
        columns, rows = span_of(attributes.get("colspan")), span_of(attributes.get("rowspan"))
        self._cell = Cell("", columns, rows, is_header=tag == "th" or attributes.get("role") == "columnheader")

    def end_cell(self, text: str) -> None:
        """End the open cell with its text."""
        if self._cell is not None:
            cell, self._cell = self._cell, None
            self.rows[-1][0].append(Cell(text, cell.columns, cell.rows, is_header=cell.is_header))

    def blocks(self) -> Iterator[Block]:
        """Yield the table's block."""
        return grid_blocks([CellRow(cells, is_header=is_header) for cells, is_header in self.rows], self.caption)
