"""Layout of HTML and XML tables on a grid: column and row spans, each text once, and header rows."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise
from typing import Final

from groundwire_readers.contents.currencies import CURRENCY_SIGNS
from groundwire_readers.contents.header_rows import header_rows_of, is_value
from groundwire_readers.contents.letterheads import are_letterhead
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.contents.raw_values import number_of, with_raw_value
from groundwire_readers.contents.tables import Label, table_blocks
from groundwire_readers.text.normalisation import normalise

_MAX_FILLERS: Final = 20_000
_MAX_FILLERS_PER_CELL: Final = 20
"""Maximum number of empty cells that spans may add, in all and per cell: hostile tables declare more."""
# HTML, 4.9.11: browsers take at most 1,000 columns.
_MAX_SPAN: Final = 1_000
_NUMBER_END: Final = re.compile(r"[%)\]]{1,3}")
_NUMBER_START: Final = re.compile(rf"[{CURRENCY_SIGNS}(]{{1,3}}")
_NUMBER_STARTS: Final = tuple("0123456789(-.\u2013\u2014")
_MAX_LETTERHEAD_ROWS: Final = 2
_SECTION_PLACES: Final = {"thead": -1, "tfoot": 1}
_MIN_NAMED_COLUMNS: Final = 3
"""Number of columns from which a first row of words counts as a header; with fewer, it may be name and value."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Table cell with its spans.

    Attributes:
        is_header: the markup declares a header cell.
        value: number that the cell holds, where the markup declares it.
    """

    text: str
    columns: int = 1
    rows: int = 1
    is_header: bool = False
    value: Decimal | None = None


@dataclass(frozen=True, slots=True)
class CellRow:
    """Row of a table; `is_header` is whether the row is in the table's head."""

    cells: Sequence[Cell]
    is_header: bool = False


def span_of(text: str | None) -> int:
    """Return the span that an attribute declares; 1 without a valid one."""
    number = (text or "").strip()
    return min(max(int(number), 1), _MAX_SPAN) if number.isascii() and number.isdecimal() and len(number) < 9 else 1  # noqa: PLR2004


def grid_blocks(rows: Sequence[CellRow], caption: Sequence[str] = (), *, names_first: bool = False) -> Iterator[Block]:
    """Yield the table as one block with header rows and caption; nothing for an empty table.

    Args:
        rows: its rows.
        caption: lines above it.
        names_first: without declared header cells, the first row names the columns unless it is data.
    """
    if letterhead := _letterhead_lines(rows):
        yield from (Block(BlockKind.PARAGRAPH, line) for line in [*map(normalise, caption), *letterhead] if line)
        return
    titles = _title_rows(rows)
    lines = [
        line for line in map(normalise, [*caption, *(cell.text for row in rows[:titles] for cell in row.cells)]) if line
    ]
    rows = rows[titles:]
    filled = [
        (number, row, cells)
        for number, (row, cells) in enumerate(zip(rows, _cells_with_columns(rows), strict=True))
        if any(normalise(cell.text) for cell in row.cells)
    ]
    declared = _header_rows([row for _, row, _ in filled])
    placed = [cells for _, _, cells in filled]
    labels = list(_labels([number for number, _, _ in filled], placed))
    header_rows = _complete_header([row for _, row, _ in filled], placed, labels, declared, names_first=names_first)
    groups = list(_groups(placed, header_rows))
    tables = list(table_blocks(_grid_texts(placed, header_rows), None, [*labels, *groups], header_rows))
    if not any(table.rows for table in tables):
        yield from (Block(BlockKind.PARAGRAPH, line) for line in lines)
    for table in tables:
        yield replace(table, caption="\n".join(lines)) if table.rows else table


def _letterhead_lines(rows: Sequence[CellRow]) -> list[str]:
    """Return the lines of the cells of few rows if they are blocks of a letterhead, which are read one by one."""
    cells = [cell for row in rows for cell in row.cells]
    if len(rows) > _MAX_LETTERHEAD_ROWS or any(row.is_header for row in rows) or any(cell.is_header for cell in cells):
        return []
    blocks = [[line for part in cell.text.split("\n") if (line := normalise(part))] for cell in cells]
    return [line for block in blocks for line in block] if are_letterhead([block for block in blocks if block]) else []


def _title_rows(rows: Sequence[CellRow]) -> int:
    """Return the number of first rows that are one cell over all columns, above the names of the columns."""
    width = max((sum(cell.columns for cell in row.cells) for row in rows), default=0)
    is_over_all = [width > 1 and len(row.cells) == 1 and row.cells[0].columns >= width for row in rows]
    count = next((place for place, is_title in enumerate(is_over_all) if not is_title), 0)
    # Among the rows below, such cells are groups, so that the first one is a group, unless header cells follow it.
    are_groups = any(is_over_all[count:]) and not _is_header(rows[count])
    is_group = are_groups or count == len(rows) - 1 or any(map(_is_header, rows[:count]))
    return 0 if is_group else count


def _labels(numbers: Sequence[int], placed: Sequence[Sequence[tuple[int, Cell]]]) -> Iterator[Label]:
    """Yield the cells that span several rows; `numbers` are those of the rows, some of which may be left out."""
    for place, (number, cells) in enumerate(zip(numbers, placed, strict=True)):
        for column, cell in cells:
            if cell.rows > 1:
                yield place, column, bisect_left(numbers, number + cell.rows)


def _groups(placed: Sequence[Sequence[tuple[int, Cell]]], header_rows: int) -> Iterator[Label]:
    """Yield the cells over all columns, which are about the rows below, up to the next one."""
    width = max((column + cell.columns for cells in placed for column, cell in cells), default=0)
    starts = [
        place
        for place, cells in enumerate(placed)
        if place >= header_rows and len(cells) == 1 and width > 1 and cells[0][1].columns >= width
    ]
    yield from ((start, 0, end) for start, end in pairwise([*starts, len(placed)]) if end > start + 1)


def _complete_header(
    rows: Sequence[CellRow],
    placed: Sequence[Sequence[tuple[int, Cell]]],
    labels: Sequence[Label],
    declared: int,
    *,
    names_first: bool,
) -> int:
    """Return the number of header rows, with those that continue the declared or the first ones."""
    has_header_cells = any(cell.is_header for row in rows for cell in row.cells)
    if not declared and (has_header_cells or not names_first):
        return 0
    texts = [_row_texts(cells) for cells in placed]
    # HTML declares all header cells; a first row that only looks like a header may go on below.
    is_complete = any(map(_is_header, rows[:declared]))
    return header_rows_of(texts, [(start, end) for start, _, end in labels], declared if is_complete else 0)


def _header_rows(rows: Sequence[CellRow]) -> int:
    """Return the number of header rows, by the markup; if it marks no header cell, by their text."""
    count = 0
    while count < len(rows) and _is_header(rows[count]):
        count += 1
    if count:
        return min(count, len(rows) - 1)  # a table of headers alone has rows as well
    has_header_cells = any(cell.is_header for row in rows for cell in row.cells)
    return 0 if has_header_cells or not rows else int(_names_columns(rows[0]))


def _is_header(row: CellRow) -> bool:
    cells = [cell for cell in row.cells if cell.text.strip()]
    return row.is_header or all(cell.is_header for cell in cells)


def _names_columns(row: CellRow) -> bool:
    texts = [cell.text.strip() for cell in row.cells]
    return len(texts) >= _MIN_NAMED_COLUMNS and all(texts[1:]) and not any(is_value(cell.text) for cell in row.cells)


def _grid_texts(placed: Sequence[Sequence[tuple[int, Cell]]], header_rows: int) -> list[list[str]]:
    """Return the texts by row and column; the further positions of a spanning cell are empty."""
    body = [_joined_symbols(_row_texts(cells)) for cells in placed[header_rows:]]
    filled = {column for texts in body for column, text in enumerate(texts) if text}
    header = [_row_texts(_moved_above_values(cells, filled)) for cells in placed[:header_rows]]
    return [*header, *body]


def _cells_with_columns(rows: Sequence[CellRow]) -> list[list[tuple[int, Cell]]]:
    """Return the cells of each row with their columns; columns taken by row spans from above are skipped."""
    fillers = max(_MAX_FILLERS, _MAX_FILLERS_PER_CELL * sum(len(row.cells) for row in rows))
    placed: list[list[tuple[int, Cell]]] = []
    remaining_rows: dict[int, int] = {}  # rows that a cell above still takes, by column
    for row in rows:
        occupied, remaining_rows = (
            remaining_rows,
            {column: count - 1 for column, count in remaining_rows.items() if count > 1},
        )
        cells: list[tuple[int, Cell]] = []
        column = 0
        for cell in row.cells:
            while column in occupied:
                column += 1
            fillers_added = cell.columns * cell.rows - 1
            limited = cell if fillers_added <= fillers else replace(cell, columns=1, rows=1)
            fillers -= limited.columns * limited.rows - 1
            if limited.rows > 1:
                remaining_rows |= dict.fromkeys(range(column, column + limited.columns), limited.rows - 1)
            cells.append((column, limited))
            column += limited.columns
        placed.append(cells)
    return placed


def _moved_above_values(cells: Sequence[tuple[int, Cell]], filled: Collection[int]) -> list[tuple[int, Cell]]:
    """Return header cells, each moved to the first of its spanned columns that has a value below."""
    return [
        (next((spanned for spanned in range(column, column + cell.columns) if spanned in filled), column), cell)
        for column, cell in cells
    ]


def _row_texts(cells: Sequence[tuple[int, Cell]]) -> list[str]:
    texts: list[str] = []
    for column, cell in cells:
        texts += [""] * (column - len(texts))
        texts.append(cell.text.strip())
    return texts


def _joined_symbols(texts: list[str]) -> list[str]:
    """Return a row with separate currency, bracket and percent cells joined to the number beside them."""
    for column, text in enumerate(texts):
        before, after = texts[column - 1 : column], texts[column + 1 : column + 2]
        if text and before and before[0][-1:].isdigit() and _NUMBER_END.fullmatch(text):
            texts[column - 1], texts[column] = before[0] + text, ""
        elif text and after and after[0][:1] in _NUMBER_STARTS and _NUMBER_START.fullmatch(text):
            texts[column], texts[column + 1] = "", text + after[0]
    return texts


@dataclass(slots=True)
class OpenTable:
    """A table that is being read: its rows so far, and the open cell.

    Attributes:
        text_before: text of the block in which the table starts, before it.
        rows: cells of each row, with the section that has it: its name, empty without one, and its number.
        caption: lines of its caption.
    """

    text_before: list[str]
    rows: list[tuple[list[Cell], tuple[str, int]]] = field(default_factory=list[tuple[list[Cell], tuple[str, int]]])
    caption: list[str] = field(default_factory=list[str])
    _section: tuple[str, int] = ("", 0)
    _cell: Cell | None = None

    @property
    def is_cell_open(self) -> bool:
        """Return whether text belongs to a cell."""
        return self._cell is not None

    def start_section(self, name: str) -> None:
        """Start a head, a body or a foot of the table; without a name, the rows behind it."""
        self._section = name, self._section[1] + 1

    def start_row(self) -> None:
        """Start a row."""
        self.rows.append(([], self._section))

    def start_cell(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        """Start a cell, with a new row if no row is open."""
        if not self.rows:
            self.start_row()
        columns, rows = span_of(attributes.get("colspan")), span_of(attributes.get("rowspan"))
        if (attributes.get("rowspan") or "").strip() == "0":  # all that follow in the section
            rows = _MAX_SPAN
        is_header = tag == "th" or attributes.get("role") == "columnheader"
        # LibreOffice writes the number of a cell beside its text.
        value = number_of(attributes.get("sdval") or "")
        self._cell = Cell("", columns, rows, is_header=is_header, value=value)

    def end_cell(self, text: str) -> None:
        """End the open cell with its text."""
        if self._cell is not None:
            cell, self._cell = self._cell, None
            self.rows[-1][0].append(replace(cell, text=with_raw_value(text, cell.value) if cell.value else text))

    def blocks(self) -> Iterator[Block]:
        """Yield the table's block; browsers show the head first and the foot last, wherever the page has them."""
        rows = sorted(_within_sections(self.rows), key=lambda row: _SECTION_PLACES.get(row[1][0], 0))
        return grid_blocks([CellRow(cells, is_header=name == "thead") for cells, (name, _) in rows], self.caption)


def _within_sections(
    rows: Sequence[tuple[list[Cell], tuple[str, int]]],
) -> Iterator[tuple[list[Cell], tuple[str, int]]]:
    """Yield the rows; their cells span no rows of another section."""
    left = Counter(section for _, section in rows)
    for cells, section in rows:
        yield [replace(cell, rows=left[section]) if cell.rows > left[section] else cell for cell in cells], section
        left[section] -= 1
