"""Tables of a sheet: empty rows and columns divide them, and lines above the names of the columns are their caption."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from groundwire_readers.contents.parsed import Block
from groundwire_readers.contents.tables import Label, table_blocks
from groundwire_readers.text.normalisation import normalise

Row = Mapping[int, str]
"""Texts of the cells of a row that have one, by column."""
Span = tuple[int, int, int]
"""Cell that spans several rows or columns: its column, the row and the column after its last ones."""
RowSpans = Mapping[int, Sequence[Span]]
"""Cells that span, by row."""
_CAPTION_ROWS: Final = 6
"""Number of lines above a table from which they are a table of their own."""
_ROWS_LOOKED_AT: Final = 200
"""Rows below a header that show the kind of their columns."""
_WIDE_GAP: Final = 2
"""Empty rows after which a row of words begins a table, though no column below it has numbers."""
_MAX_LETTERS_OF_VALUE: Final = 4
_NEEDED_PERCENT: Final = 60
_MOST_SIDES: Final = 8
"""Tables side by side, above which empty columns are the form of one table."""
_GRID_PLACES: Final = 1_000_000
_PLACES_PER_CELL: Final = 50
"""Places of a grid, in all and per cell, above which its rows are lines: its cells are far apart."""
_DIGIT: Final = re.compile(r"\d")
_YEAR: Final = re.compile(r"(?:19|20)\d\d", re.ASCII)


class _Row(dict[int, str]):
    """A row of the sheet with its number."""

    def __init__(self, number: int, cells: Iterable[tuple[int, str]]) -> None:
        super().__init__(cells)
        self.number = number


@dataclass(slots=True)
class _Table:
    """A table of a sheet: the lines above it, and its rows."""

    caption: list[str] = field(default_factory=list[str])
    rows: list[_Row] = field(default_factory=list[_Row])


@dataclass(frozen=True, slots=True)
class _Part:
    """Rows without an empty one between them; `gap` is the number of empty rows above."""

    rows: Sequence[_Row]
    gap: int

    @property
    def is_lines(self) -> bool:
        """Form of the part: true for a few lines of one cell each."""
        return len(self.rows) <= _CAPTION_ROWS and all(len(row) == 1 for row in self.rows)


def sheet_table_blocks(rows: Mapping[int, Row], page: int | None, labels: RowSpans | None = None) -> Iterator[Block]:
    """Yield the tables of a sheet, and the lines between them that belong to none.

    Args:
        rows: texts of the cells, by row and column; only cells with a text.
        page: number of the sheet.
        labels: cells that span several rows or columns; None where the format has none.
    """
    parts = list(_parts(rows))
    # Rows of one cell have no columns that a header could name.
    if max((len(row) for part in parts for row in part.rows), default=0) < 2:  # noqa: PLR2004
        yield from _side_blocks([row for part in parts for row in part.rows], {}, page)
        return
    for table in _tables(parts):
        if not table.rows:
            yield from (block for line in table.caption for block in table_blocks([[line]], page))
        for side in _sides(table.rows):
            for block in _side_blocks(side, labels or {}, page):
                caption = "\n".join(filter(None, map(normalise, table.caption)))
                yield replace(block, caption=caption) if block.rows else block


def _parts(rows: Mapping[int, Row]) -> Iterator[_Part]:
    numbers = sorted(number for number, row in rows.items() if row)
    start, gap = 0, 0
    for place, (before, after) in enumerate(pairwise([*numbers, None]), 1):
        if before is not None and (after is None or after > before + 1):
            yield _Part([_Row(number, sorted(rows[number].items())) for number in numbers[start:place]], gap)
            start, gap = place, 0 if after is None else after - before - 1


def _tables(parts: Sequence[_Part]) -> Iterator[_Table]:
    """Yield the tables: a part begins one if its first row names columns, and otherwise goes on with the one before."""
    table = _Table()
    lines: list[_Row] = []
    for part in parts:
        if part.is_lines:
            lines += part.rows
            continue
        above = _lines_above(part.rows)
        if not table.rows or _names_columns(part.rows[above:], is_far=part.gap >= _WIDE_GAP):
            if table.rows or table.caption:
                yield table
            yield from _loose_lines(lines)
            table = _Table(_texts([*lines[-_CAPTION_ROWS:], *part.rows[:above]]), list(part.rows[above:]))
        else:
            table.rows += [*lines, *part.rows]
        lines = []
    if table.rows:
        yield table
    if lines:
        yield _Table(_texts(lines))


def _loose_lines(lines: list[_Row]) -> Iterator[_Table]:
    if len(lines) > _CAPTION_ROWS:
        yield _Table(_texts(lines[:-_CAPTION_ROWS]))


def _texts(rows: Sequence[Row]) -> list[str]:
    return [text for row in rows for text in row.values()]


def _lines_above(rows: Sequence[Row]) -> int:
    """Return the number of lines of one cell above the first row of several cells; 0 if there are too many."""
    count = next((place for place, row in enumerate(rows) if len(row) > 1), 0)
    # More lines than a caption has are text of their own.
    return count if count <= _CAPTION_ROWS else 0


def _names_columns(rows: Sequence[Row], *, is_far: bool) -> bool:
    """Return whether the first row is words that name the columns below it; `is_far`: empty rows separate it."""
    header, body = rows[0], rows[1 : 1 + _ROWS_LOOKED_AT]
    names = list(header.values())
    if len(names) < 2 or not body or len(set(names)) < len(names):  # noqa: PLR2004
        return False
    columns = sorted({column for row in body for column in row} - header.keys())
    # Years name columns although they are numbers, and the column of the row names often has no name.
    if any(_is_value(name) and not _YEAR.fullmatch(name) for name in names) or len(columns) > 1:
        return False
    return is_far or any(_percent(_is_value(row[column]) for row in body if column in row) for column in header)


def _is_value(text: str) -> bool:
    """Return whether a text is a number, a date or a code, not words."""
    return _DIGIT.search(text) is not None and sum(map(str.isalpha, text[:100])) <= _MAX_LETTERS_OF_VALUE


def _percent(facts: Iterator[bool]) -> bool:
    """Return whether most of the facts hold."""
    found = list(facts)
    return 100 * sum(found) >= _NEEDED_PERCENT * len(found) > 0


def _sides(rows: Sequence[_Row]) -> list[list[_Row]]:
    """Return the tables side by side, each with columns of its own; one if no empty column separates them."""
    # Over all rows, since an empty cell of one row divides nothing.
    used = sorted({column for row in rows for column in row})
    starts = [after for before, after in pairwise(used) if after > before + 1]
    # Many empty columns are the spacing of one form, not borders of tables.
    kept = [start for start in starts if _begins_side(rows, start, used)] if len(starts) < _MOST_SIDES else []
    bounds = [*(used[:1]), *kept, used[-1] + 1] if used else []
    sides = [[_between(row, first, end) for row in rows] for first, end in pairwise(bounds)]
    return [[row for row in side if row] for side in sides]


def _begins_side(rows: Sequence[_Row], start: int, used: Sequence[int]) -> bool:
    """Return whether a column after an empty one begins a table: with names and words of its own, as the first has."""
    first = used[0]
    sides = _between(rows[0], first, start), _between(rows[0], start, used[-1] + 1)
    names = [name for side in sides for name in side.values()]
    if any(len(side) < 2 for side in sides) or any(map(_is_value, names)):  # noqa: PLR2004
        return False
    body = rows[1 : 1 + _ROWS_LOOKED_AT]
    return all(_identifies([row[column] for row in body if column in row]) for column in (first, start))


def _identifies(texts: Sequence[str]) -> bool:
    """Return whether the texts of a column name rows: words that rarely recur."""
    return _percent(not _is_value(text) for text in texts) and 100 * len(set(texts)) >= _NEEDED_PERCENT * len(texts)


def _between(row: _Row, first: int, end: int) -> _Row:
    return _Row(row.number, ((column, text) for column, text in row.items() if first <= column < end))


def _side_blocks(rows: Sequence[_Row], labels: RowSpans, page: int | None) -> Iterator[Block]:
    """Yield the table without columns in which no cell has a text; as lines if most places would be empty."""
    used = {column: place for place, column in enumerate(sorted({column for row in rows for column in row}))}
    if len(rows) * len(used) > max(_GRID_PLACES, _PLACES_PER_CELL * sum(map(len, rows))):
        yield from table_blocks([[" | ".join(row.values())] for row in rows], page)
        return
    grid: list[list[str]] = []
    spanning: list[Label] = []
    groups: list[int] = []
    numbers = [row.number for row in rows]
    for place, row in enumerate(rows):
        texts = {used[column]: text for column, text in row.items()}
        grid.append([texts.get(column, "") for column in range(max(texts, default=-1) + 1)])
        for column, end, end_column in labels.get(row.number, ()):
            if column in row and len(row) == 1 and end_column > max(used) and column <= min(used):
                groups.append(place)
            elif column in row and end > row.number + 1:
                spanning.append((place, used[column], bisect_left(numbers, end)))
    # A cell over all columns is about the rows below, up to the next one.
    spanning += ((start, 0, end) for start, end in pairwise([*groups, len(rows)]) if end > start + 1)
    yield from table_blocks(grid, page, spanning)
