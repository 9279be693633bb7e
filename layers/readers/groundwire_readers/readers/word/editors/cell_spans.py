"""Editor that marks cells which span rows or columns, and header rows."""

from groundwire_readers.readers.html.grid import span_of
from groundwire_readers.readers.word.part_editing import Edit, OpenElement, run_xml
from groundwire_readers.readers.xberg.cell_marks import cell_marks


class _OpenCell:
    """Place and spans of a cell whose rows below have not been read."""

    def __init__(self, *, is_header: bool) -> None:
        self.place = 0
        self.is_header = is_header
        self.columns = 1
        self.rows = 1
        self.is_merged = self.is_continued = False

    def edit(self) -> Edit:
        """Return the insertion of its marks."""
        marks = cell_marks(self.columns, self.rows, is_header=self.is_header)
        return Edit(self.place, self.place, b"<w:p>" + run_xml(marks) + b"</w:p>" if marks else b"")


class CellSpans:
    """Editor of one part; cells of a table within a cell are text of that cell, and get no mark."""

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self._tables = 0
        self._is_header = False
        self._column = 0
        self._cell: _OpenCell | None = None
        self._cells: list[_OpenCell] = []
        self._merged: dict[int, _OpenCell] = {}

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""
        if element.tag == "w:tbl":
            self._tables += 1
        elif self._tables == 1:
            self._start_in_table(element)

    def _start_in_table(self, element: OpenElement) -> None:
        cell = self._cell
        match element.tag:
            case "w:tr":
                self._is_header, self._column = False, 0
            case "w:tblHeader":
                self._is_header = element.is_on
            case "w:gridBefore":
                self._column = span_of(element.value)
            case "w:tc":
                self._cell = _OpenCell(is_header=self._is_header)
            case "w:vMerge" if cell is not None:
                cell.is_merged, cell.is_continued = True, element.value != "restart"
            case "w:gridSpan" if cell is not None:
                cell.columns = span_of(element.value)
            case _:
                pass

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within an element."""

    def end(self, element: OpenElement, end: int) -> None:
        """Handle the end of an element."""
        cell = self._cell
        if self._tables == 1 and cell is not None and element.tag == "w:tcPr":
            cell.place = end
        elif self._tables == 1 and cell is not None and element.tag == "w:tc":
            cell.place = cell.place or element.content
            self._end_cell(cell)
            self._cell = None
        elif element.tag == "w:tbl":
            self._tables -= 1
            if not self._tables:
                # Only the rows below a cell tell how many it spans.
                self.edits += (edit for each in self._cells if (edit := each.edit()).replacement)
                self._cells, self._merged = [], {}

    def _end_cell(self, cell: _OpenCell) -> None:
        above = self._merged.get(self._column)
        if cell.is_continued and above is not None:
            above.rows += 1
        else:
            self._cells.append(cell)
            self._merged.pop(self._column, None)
            if cell.is_merged:
                self._merged[self._column] = cell
        self._column += cell.columns
