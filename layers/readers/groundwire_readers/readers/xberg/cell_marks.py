"""Marks of cells that span rows or columns, and of header rows: the parser library drops these facts of Word files.

The marks are noncharacters, which no text has. The editor of a file writes them before the text of a cell.
"""

import re
from collections.abc import Sequence
from typing import Final

from groundwire_readers.readers.html.grid import Cell, CellRow, span_of

_HEADER, _COLUMNS, _ROWS = "\ufdd6", "\ufdd7", "\ufdd8"
"""Cell of a header row; number of columns and of rows that a cell spans, before its digits."""
_DIGITS: Final = "\ufde0\ufde1\ufde2\ufde3\ufde4\ufde5\ufde6\ufde7\ufde8\ufde9"
_WRITTEN: Final = str.maketrans("0123456789", _DIGITS)
_READ: Final = str.maketrans(_DIGITS, "0123456789")
_MARKS: Final = re.compile(f"({_HEADER}?)(?:{_COLUMNS}([{_DIGITS}]+))?(?:{_ROWS}([{_DIGITS}]+))?")


def cell_marks(columns: int, rows: int, *, is_header: bool) -> str:
    """Return the marks of a cell; empty for one cell that is no header."""
    counts = ((_COLUMNS, columns), (_ROWS, rows))
    numbers = "".join(f"{mark}{str(count).translate(_WRITTEN)}" for mark, count in counts if count > 1)
    return f"{_HEADER if is_header else ''}{numbers}"


def marked_cells(rows: Sequence[Sequence[str]]) -> list[CellRow]:
    """Return the rows of a grid, in which the places that a cell covers are empty, with spans and header rows."""
    covered: dict[int, int] = {}
    found: list[CellRow] = []
    for texts in rows:
        cells: list[Cell] = []
        above, covered = covered, {column: count - 1 for column, count in covered.items() if count > 1}
        is_header, free = False, 0
        for column, text in enumerate(texts):
            if column < free or column in above:
                continue
            own = text.lstrip()
            length, header, width, height = _facts_of(own)
            is_header |= header
            free = column + width
            covered |= dict.fromkeys(range(column, free), height - 1) if height > 1 else {}
            cells.append(Cell(own[length:], width, height))
        found.append(CellRow(cells, is_header=is_header))
    return found


def _facts_of(text: str) -> tuple[int, bool, int, int]:
    """Return the length of the marks before a text, whether its row is a header, and the columns and rows it spans."""
    marks = _MARKS.match(text)
    if marks is None:
        return 0, False, 1, 1
    width, height = (span_of(number.translate(_READ)) if number else 1 for number in marks.groups()[1:])
    return marks.end(), bool(marks[1]), width, height
