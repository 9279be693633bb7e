"""Tables that are being read, the innermost last."""

from dataclasses import dataclass, field

from groundwire_readers.readers.html.grid import span_of
from groundwire_readers.readers.word.flow.items import Item, Table, TableCell, TableRow
from groundwire_readers.readers.word.part_walk import OpenElement


@dataclass(slots=True)
class _OpenTable:
    """A table with the row and the cell that are open; None between them."""

    table: Table = field(default_factory=Table)
    row: TableRow | None = None
    cell: TableCell | None = None


class OpenTables:
    """Stack of the open tables of one part.

    Attributes:
        open_cells: number of cells around the reading position.
    """

    def __init__(self) -> None:
        self.open_cells = 0
        self._tables: list[_OpenTable] = []

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""
        if element.tag == "w:tbl":
            self._tables.append(_OpenTable())
        elif element.tag == "w:tc":
            self.open_cells += 1
            if self._tables:
                self._tables[-1].cell = TableCell()
        elif self._tables:
            self._read_property(element, self._tables[-1])

    def _read_property(self, element: OpenElement, table: _OpenTable) -> None:
        row, cell = table.row, table.cell
        match element.tag:
            case "w:tr":
                table.row = TableRow()
            case "w:tblCaption":
                table.table.caption = element.value
            case "w:tblHeader" if row is not None:
                row.is_header = element.is_on
            case "w:gridBefore" if row is not None:
                # The row starts behind columns that have no cell in it.
                row.cells.append(TableCell(columns=span_of(element.value)))
            case "w:vMerge" if cell is not None:
                cell.is_merged, cell.is_continued = True, element.value != "restart"
            case "w:gridSpan" if cell is not None:
                cell.columns = span_of(element.value)
            case _:
                pass

    def end_cell(self, items: list[Item]) -> bool:
        """Add the open cell with its items to its row; false if it is in no row, or within another cell."""
        self.open_cells -= 1
        table = self._tables[-1] if self._tables else _OpenTable()
        cell, table.cell = table.cell, None
        if cell is None or table.row is None or self.open_cells:
            return False
        cell.items = items
        table.row.cells.append(cell)
        return True

    def end(self, element: OpenElement) -> Table | None:
        """Handle the end of an element; return the table that it ends."""
        if element.tag == "w:tbl":
            return self._tables.pop().table
        if element.tag == "w:tr" and self._tables:
            table = self._tables[-1]
            if table.row is not None and not element.is_left_out:
                table.table.rows.append(table.row)
            table.row = None
        return None
