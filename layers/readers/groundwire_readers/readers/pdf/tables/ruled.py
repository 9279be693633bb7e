"""Reading of tables with drawn grid lines (rules): the cells are the rectangles between them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox, PageContent, PageWord
from groundwire_readers.readers.pdf.tables.bands import connected
from groundwire_readers.readers.pdf.tables.borderless import borderless_table
from groundwire_readers.readers.pdf.tables.columns import Columns
from groundwire_readers.readers.pdf.tables.found_table import FoundTable
from groundwire_readers.readers.pdf.tables.undivided import is_undivided, rows_of_band
from groundwire_readers.readers.pdf.tables.visual_lines import VisualLine, is_value, joined, rotated_words, visual_lines

_MAX_RULES: Final = 2_000
"""Maximum number of rules of a page that is searched: more are a drawing."""
_TOUCH_DISTANCE: Final = 3.0
"""Distance within which two rules touch, and within which two positions are one, in points."""
_MIN_RULE_LENGTH: Final = 6.0
"""Minimum length of a rule, in points."""
_MAX_RULE_THICKNESS: Final = 3.0
"""Maximum thickness of a rule, in points."""
_MAX_GRID_LINES: Final = 60
"""Maximum number of grid lines in each direction."""
_MIN_FILLED_CELLS: Final = 4
"""Minimum number of cells with text."""
_MIN_OPEN_LINES: Final = 3
"""Number of lines of one cell with several separate values from which the rules do not divide the columns."""
_MIN_SPREAD_SHARE: Final = 0.25
"""Minimum share of a cell's lines with parts in several columns of other rows for it to be split."""
_LEADER: Final = re.compile(r"[.·…_]{4,}$")
_MIN_LEADER_SHARE: Final = 0.5
"""Minimum share of rows with a leader at their left, from which the text there has their labels."""
_MAX_LABEL_GAP: Final = 3.0
"""Maximum gap between the words of such a label, and between it and the row, in font sizes."""


@dataclass(frozen=True, slots=True)
class _Grid:
    """A grid of rules.

    Attributes:
        across: x positions of its vertical lines, ascending.
        down: y positions of its horizontal lines, from top to bottom.
        horizontal, vertical: the rules that draw these lines, which may be interrupted at merged cells.
        has_open_end: whether its last row has no line below it, as before a page break.
    """

    across: tuple[float, ...]
    down: tuple[float, ...]
    horizontal: tuple[PageBox, ...]
    vertical: tuple[PageBox, ...]
    has_open_end: bool = False

    @property
    def box(self) -> PageBox:
        """The bounding box of the grid."""
        return PageBox(self.across[0], self.down[0], self.across[-1], self.down[-1])

    def is_open_right(self, row: int, column: int) -> bool:
        """Return whether no rule separates a cell from the one to its right."""
        x, y = self.across[column + 1], (self.down[row] + self.down[row + 1]) / 2
        return not any(
            abs(_centre_x(rule) - x) <= _TOUCH_DISTANCE and rule.top <= y <= rule.bottom for rule in self.vertical
        )

    def is_open_below(self, row: int, column: int) -> bool:
        """Return whether no rule separates a cell from the one below it."""
        x, y = (self.across[column] + self.across[column + 1]) / 2, self.down[row + 1]
        return not any(
            abs(_centre_y(rule) - y) <= _TOUCH_DISTANCE and rule.left <= x <= rule.right for rule in self.horizontal
        )


_Cells = Mapping[tuple[int, int], Sequence[PageWord]]
"""Words of each cell that is not empty, by row and column."""


def ruled_tables(page: PageContent) -> Iterator[FoundTable]:
    """Yield the tables whose cells are separated by rules in both directions."""
    for drawn in _grids(page.rules):
        grid = _with_labels(drawn, page.words)
        if len(grid.across) < 3:  # noqa: PLR2004 - one column of boxes
            continue
        table = _table(grid, [word for word in page.words if grid.box.contains_centre_of(word.box)])
        if table is not None:
            yield table


def _with_labels(grid: _Grid, words: Sequence[PageWord]) -> _Grid:
    """Return the grid with a first column for the labels of its rows, whose leaders end at it, as those of forms do."""
    edge = grid.across[0]
    rows: list[list[PageWord]] = [[] for _ in grid.down[1:]]
    for word in words:
        middle = _centre_y(word.box)
        if word.angle == 0 and grid.down[0] <= middle <= grid.down[-1] and word.box.right <= edge + _TOUCH_DISTANCE:
            rows[_interval_of(grid.down, middle)].append(word)
    labels = [[*_beside(row, edge)] for row in rows]
    with_leader = sum(_LEADER.search(joined(label).replace(" ", "")) is not None for label in labels)
    if with_leader < max(2, _MIN_LEADER_SHARE * len(rows)):
        return grid
    left = min(word.box.left for label in labels for word in label) - 1
    across = tuple(PageBox(left, y, edge, y) for y in grid.down)
    return replace(grid, across=(left, *grid.across), horizontal=(*grid.horizontal, *across))


def _beside(words: Sequence[PageWord], edge: float) -> Iterator[PageWord]:
    """Yield the words that lead up to the edge without a wide gap, from left to right."""
    ordered = sorted(words, key=lambda word: word.box.left)
    first = len(ordered)
    while first and edge - ordered[first - 1].box.right <= _MAX_LABEL_GAP * ordered[first - 1].size:
        first -= 1
        edge = ordered[first].box.left
    yield from ordered[first:]


def _table(grid: _Grid, words: Sequence[PageWord]) -> FoundTable | None:
    lines = visual_lines(words)
    cells: dict[tuple[int, int], list[PageWord]] = {}
    merged = _merged_into(grid)
    for word in (*(word for line in lines for word in line.words), *rotated_words(words)):
        x, y = (word.box.left + word.box.right) / 2, (word.box.top + word.box.bottom) / 2
        cells.setdefault(merged[_interval_of(grid.down, y), _interval_of(grid.across, x)], []).append(word)
    if len(cells) < _MIN_FILLED_CELLS or len({column for _, column in cells}) < 2:  # noqa: PLR2004 - one column is a frame
        return None
    rows = [
        [joined(cells.get((row, column), ())) for column in range(len(grid.across) - 1)]
        for row in range(len(grid.down) - 1)
    ]
    header_rows = 1 if _is_header(rows, cells) else 0
    columns = Columns(grid.across[1:-1])
    if _has_open_columns(cells, columns):
        open_table = borderless_table(lines, grid.horizontal)
        if open_table is not None and not open_table.is_aligned_text:
            return replace(open_table, box=grid.box)
    filled_rows = [row for row in _rows(grid, lines, rows, cells, header_rows) if any(row)]
    if len(filled_rows) < 2:  # noqa: PLR2004 - one row is a frame
        return None
    whole, is_open = tuple(map(tuple, filled_rows)), grid.has_open_end
    return FoundTable(grid.box, whole, header_rows, "", is_aligned_text=False, is_open_below=is_open)


def _merged_into(grid: _Grid) -> dict[tuple[int, int], tuple[int, int]]:
    """Return, for each cell, the top left cell of the merged cell that it belongs to."""
    owners: dict[tuple[int, int], tuple[int, int]] = {}
    for row in range(len(grid.down) - 1):
        for column in range(len(grid.across) - 1):
            if column and grid.is_open_right(row, column - 1):
                owners[row, column] = owners[row, column - 1]
            elif row and grid.is_open_below(row - 1, column):
                owners[row, column] = owners[row - 1, column]
            else:
                owners[row, column] = (row, column)
    return owners


def _is_header(rows: Sequence[Sequence[str]], cells: _Cells) -> bool:
    """Return whether the first row is a header: only it is bold, or it has no value and most cells below have one."""
    header_words = [word for (row, _), words in cells.items() if row == 0 for word in words]
    other_words = [word for (row, _), words in cells.items() if row > 0 for word in words]
    if not header_words or sum(map(bool, rows[0])) < 2:  # noqa: PLR2004 - a title over the whole table
        return False
    if all(word.is_bold for word in header_words):
        return sum(word.is_bold for word in other_words) < 0.5 * len(other_words)
    below = [cell for row in rows[1:] for cell in row[1:] if cell]
    return sum(map(is_value, below)) >= 0.5 * len(below) and not any(map(is_value, rows[0]))


def _has_open_columns(cells: _Cells, columns: Columns) -> bool:
    """Return whether a cell contains columns of numbers that no rule of any row separates."""
    for words in cells.values():
        crossed = sum(
            any(
                after.is_number and columns.of_part(before) == columns.of_part(after)
                for before, after in pairwise(line.parts)
            )
            for line in visual_lines(words)
        )
        if crossed >= _MIN_OPEN_LINES:
            return True
    return False


def _rows(
    grid: _Grid, lines: Sequence[VisualLine], rows: Sequence[list[str]], cells: _Cells, header_rows: int
) -> Iterator[list[str]]:
    """Yield the rows of the table; a band without inner rules is split into its rows."""
    columns = Columns(grid.across[1:-1])
    for first, last in _bands(grid, cells):
        band_cells = {place: words for place, words in cells.items() if first <= place[0] < last}
        band_lines = [line for line in lines if grid.down[first] <= (line.top + line.bottom) / 2 < grid.down[last]]
        parts = [part for words in band_cells.values() for part in _columns_of(words, columns)]
        is_whole = first >= header_rows and len({row for row, _ in band_cells}) == 1
        if is_whole and band_lines and is_undivided(parts, band_lines, columns):
            yield from rows_of_band(band_lines, columns)
        else:
            yield from rows[first:last]


def _bands(grid: _Grid, cells: _Cells) -> Iterator[tuple[int, int]]:
    """Yield start and end row of each band: adjacent grid rows that share merged cells."""
    starts: list[int] = []
    lowest = float("-inf")
    for row in range(len(grid.down) - 1):
        if lowest < grid.down[row]:
            starts.append(row)
        of_row = (_centre_y(word.box) for (place, _), words in cells.items() if place == row for word in words)
        lowest = max([lowest, *of_row])
    return pairwise([*starts, len(grid.down) - 1])


def _columns_of(words: Sequence[PageWord], columns: Columns) -> Iterator[Sequence[PageWord]]:
    """Yield the words of a cell, split by column if its lines have parts in several columns of other rows."""
    lines = visual_lines(words)
    multi_column_lines = [line for line in lines if len({columns.of_part(part) for part in line.parts}) > 1]
    if len(multi_column_lines) < max(_MIN_OPEN_LINES, _MIN_SPREAD_SHARE * len(lines)):
        yield words
        return
    for column in range(columns.count):
        yield [word for word in words if columns.at((word.box.left + word.box.right) / 2) == column]


def _grids(rules: Sequence[PageBox]) -> Iterator[_Grid]:
    if len(rules) > _MAX_RULES:
        return
    horizontal = [
        rule
        for rule in rules
        if rule.right - rule.left >= _MIN_RULE_LENGTH and rule.bottom - rule.top <= _MAX_RULE_THICKNESS
    ]
    vertical = [
        rule
        for rule in rules
        if rule.bottom - rule.top >= _MIN_RULE_LENGTH and rule.right - rule.left <= _MAX_RULE_THICKNESS
    ]
    for group in connected([*horizontal, *vertical], _TOUCH_DISTANCE):
        horizontal_rules = tuple(rule for rule in group if rule.right - rule.left >= rule.bottom - rule.top)
        vertical_rules = tuple(rule for rule in group if rule.right - rule.left < rule.bottom - rule.top)
        across, down = (
            _distinct_positions(map(_centre_x, vertical_rules)),
            _distinct_positions(map(_centre_y, horizontal_rules)),
        )
        if len(across) < 2 or len(down) < 2 or _has_open_outer_columns(horizontal_rules, across[0], across[-1]):  # noqa: PLR2004 - a column with labels, a row
            continue
        grid = _with_open_rows(_Grid(across, down, horizontal_rules, vertical_rules))
        if len(across) <= _MAX_GRID_LINES and 3 <= len(grid.down) <= _MAX_GRID_LINES:  # noqa: PLR2004 - 2 rows
            yield grid


def _with_open_rows(grid: _Grid) -> _Grid:
    """Return the grid with the rows that its outer vertical lines draw above or below all horizontal ones."""
    sides = [
        [rule for rule in grid.vertical if abs(_centre_x(rule) - x) <= 1] for x in (grid.across[0], grid.across[-1])
    ]
    top = max(min((rule.top for rule in side), default=grid.down[0]) for side in sides)
    bottom = min(max((rule.bottom for rule in side), default=grid.down[-1]) for side in sides)
    edges = [y for y in (top, bottom) if not grid.down[0] - _MIN_RULE_LENGTH <= y <= grid.down[-1] + _MIN_RULE_LENGTH]
    drawn = (PageBox(grid.across[0], y, grid.across[-1], y) for y in edges)
    return replace(
        grid,
        down=tuple(sorted((*grid.down, *edges))),
        horizontal=(*grid.horizontal, *drawn),
        has_open_end=bottom in edges,
    )


def _has_open_outer_columns(horizontal: Sequence[PageBox], left: float, right: float) -> bool:
    """Return whether half of the horizontal rules extend beyond the outer vertical ones, so outer columns are open."""
    extending = sum(rule.left < left - _MIN_RULE_LENGTH or rule.right > right + _MIN_RULE_LENGTH for rule in horizontal)
    return extending >= 0.5 * len(horizontal)


def _distinct_positions(values: Iterable[float]) -> tuple[float, ...]:
    """Return the distinct positions in ascending order; positions within `_TOUCH_DISTANCE` count as one."""
    positions: list[float] = []
    for value in sorted(values):
        if not positions or value - positions[-1] > _TOUCH_DISTANCE:
            positions.append(value)
    return tuple(positions)


def _interval_of(positions: Sequence[float], value: float) -> int:
    """Return the index of the interval between positions that contains the value."""
    return max(0, min(len(positions) - 2, sum(position <= value for position in positions) - 1))


def _centre_x(rule: PageBox) -> float:
    return (rule.left + rule.right) / 2


def _centre_y(rule: PageBox) -> float:
    return (rule.top + rule.bottom) / 2
