"""Tables with a grid of rules: the cells are the places between them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox, PageContent, PageWord
from groundwire_readers.readers.pdf.tables.borderless import borderless_table
from groundwire_readers.readers.pdf.tables.columns import Columns
from groundwire_readers.readers.pdf.tables.found_table import FoundTable
from groundwire_readers.readers.pdf.tables.undivided import is_undivided, rows_of_band
from groundwire_readers.readers.pdf.tables.visual_lines import VisualLine, is_value, joined, visual_lines

_RULES: Final = 2_000
"""Maximum number of rules of a page that are looked at; more are a drawing."""
_TOUCH: Final = 3.0
"""Distance within which two rules meet, and within which two places are one, in points."""
_SHORTEST: Final = 6.0
_THICKEST: Final = 3.0
_LINES: Final = 60
"""Maximum number of grid lines in each direction."""
_FILLED: Final = 4
"""Minimum number of cells with text."""
_OPEN_LINES: Final = 3
"""Number of lines with values apart from each other in one cell from which the rules do not divide columns."""
_SPREAD_SHARE: Final = 0.25
"""Minimum share of a cell's lines that have parts in several columns of other rows."""


@dataclass(frozen=True, slots=True)
class _Grid:
    """Places of the grid's lines, from left to right and from top to bottom, and the rules that draw it."""

    across: tuple[float, ...]
    down: tuple[float, ...]
    horizontal: tuple[PageBox, ...]
    vertical: tuple[PageBox, ...]

    @property
    def box(self) -> PageBox:
        """The place of the grid."""
        return PageBox(self.across[0], self.down[0], self.across[-1], self.down[-1])

    def is_open_right(self, row: int, column: int) -> bool:
        """Return whether no rule divides a cell from the one to its right."""
        x, y = self.across[column + 1], (self.down[row] + self.down[row + 1]) / 2
        return not any(abs(_x(rule) - x) <= _TOUCH and rule.top <= y <= rule.bottom for rule in self.vertical)

    def is_open_below(self, row: int, column: int) -> bool:
        """Return whether no rule divides a cell from the one below it."""
        x, y = (self.across[column] + self.across[column + 1]) / 2, self.down[row + 1]
        return not any(abs(_y(rule) - y) <= _TOUCH and rule.left <= x <= rule.right for rule in self.horizontal)


_Cells = Mapping[tuple[int, int], Sequence[PageWord]]
"""Words of each cell that has some, by row and column."""


def ruled_tables(page: PageContent) -> Iterator[FoundTable]:
    """Yield the tables whose cells are divided by rules in both directions."""
    for grid in _grids(page.rules):
        table = _table(grid, [word for word in page.words if grid.box.holds(word.box)])
        if table is not None:
            yield table


def _table(grid: _Grid, words: Sequence[PageWord]) -> FoundTable | None:
    lines = visual_lines(words)
    cells: dict[tuple[int, int], list[PageWord]] = {}
    owners = _owners(grid)
    for word in (*(word for line in lines for word in line.words), *_turned(words)):
        x, y = (word.box.left + word.box.right) / 2, (word.box.top + word.box.bottom) / 2
        cells.setdefault(owners[_place(grid.down, y), _place(grid.across, x)], []).append(word)
    if len(cells) < _FILLED or len({column for _, column in cells}) < 2:  # noqa: PLR2004 - one column is a frame
        return None
    rows = [
        [joined(cells.get((row, column), ())) for column in range(len(grid.across) - 1)]
        for row in range(len(grid.down) - 1)
    ]
    header = 1 if _is_header(rows, cells) else 0
    columns = Columns(grid.across[1:-1])
    if _has_open_columns(cells, columns):
        open_table = borderless_table(lines, grid.horizontal)
        if open_table is not None and not open_table.is_aligned_text:
            return replace(open_table, box=grid.box)
    kept = [row for row in _rows(grid, lines, rows, cells, header) if any(row)]
    if len(kept) < 2:  # noqa: PLR2004 - one row is a frame
        return None
    return FoundTable(grid.box, tuple(map(tuple, kept)), header, "", is_aligned_text=False)


def _turned(words: Sequence[PageWord]) -> list[PageWord]:
    """Return the words that are not upright in their order: names of narrow columns are often set sideways."""
    upwards = [word for word in words if word.angle == 90]  # noqa: PLR2004 - read from bottom to top
    downwards = [word for word in words if word.angle not in (0, 90)]
    upwards.sort(key=lambda word: (word.box.left, -word.box.top))
    downwards.sort(key=lambda word: (-word.box.left, word.box.top))
    return [*upwards, *downwards]


def _owners(grid: _Grid) -> dict[tuple[int, int], tuple[int, int]]:
    """Return, for each cell, the first cell of those that it is merged with."""
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
    """Return whether the first row names columns: it alone is bold, or values are below it and none is in it."""
    first = [word for (row, _), words in cells.items() if row == 0 for word in words]
    others = [word for (row, _), words in cells.items() if row > 0 for word in words]
    if not first or sum(map(bool, rows[0])) < 2:  # noqa: PLR2004 - a title over the whole table
        return False
    if all(word.is_bold for word in first):
        return sum(word.is_bold for word in others) < 0.5 * len(others)
    below = [cell for row in rows[1:] for cell in row[1:] if cell]
    return sum(map(is_value, below)) >= 0.5 * len(below) and not any(map(is_value, rows[0]))


def _has_open_columns(cells: _Cells, columns: Columns) -> bool:
    """Return whether a cell holds columns of numbers that neither its own rules divide nor those of other rows."""
    for words in cells.values():
        crossed = sum(
            any(
                after.is_number and columns.of_part(before) == columns.of_part(after)
                for before, after in pairwise(line.parts)
            )
            for line in visual_lines(words)
        )
        if crossed >= _OPEN_LINES:
            return True
    return False


def _rows(
    grid: _Grid, lines: Sequence[VisualLine], rows: Sequence[list[str]], cells: _Cells, header: int
) -> Iterator[list[str]]:
    """Yield the rows, those of a band that holds several one by one."""
    columns = Columns(grid.across[1:-1])
    for first, last in _bands(grid, cells):
        of_band = {place: words for place, words in cells.items() if first <= place[0] < last}
        inside = [line for line in lines if grid.down[first] <= (line.top + line.bottom) / 2 < grid.down[last]]
        parts = [part for words in of_band.values() for part in _columns_of(words, columns)]
        is_whole = first >= header and len({row for row, _ in of_band}) == 1
        if is_whole and inside and is_undivided(parts, inside, columns):
            yield from rows_of_band(inside, columns)
        else:
            yield from rows[first:last]


def _bands(grid: _Grid, cells: _Cells) -> Iterator[tuple[int, int]]:
    """Yield the first row and the end of each band: rows of the grid between which no cell has text."""
    starts: list[int] = []
    lowest = float("-inf")
    for row in range(len(grid.down) - 1):
        if lowest < grid.down[row]:
            starts.append(row)
        of_row = (_y(word.box) for (place, _), words in cells.items() if place == row for word in words)
        lowest = max([lowest, *of_row])
    return pairwise([*starts, len(grid.down) - 1])


def _columns_of(words: Sequence[PageWord], columns: Columns) -> Iterator[Sequence[PageWord]]:
    """Yield the words of a cell, by column where it has lines of several and only the rules of other rows divide it."""
    lines = visual_lines(words)
    spread = [line for line in lines if len({columns.of_part(part) for part in line.parts}) > 1]
    if len(spread) < max(_OPEN_LINES, _SPREAD_SHARE * len(lines)):
        yield words
        return
    for column in range(columns.count):
        yield [word for word in words if columns.at((word.box.left + word.box.right) / 2) == column]


def _grids(rules: Sequence[PageBox]) -> Iterator[_Grid]:
    if len(rules) > _RULES:
        return
    horizontal = [rule for rule in rules if rule.right - rule.left >= _SHORTEST and rule.bottom - rule.top <= _THICKEST]
    vertical = [rule for rule in rules if rule.bottom - rule.top >= _SHORTEST and rule.right - rule.left <= _THICKEST]
    for group in _connected([*horizontal, *vertical]):
        level = tuple(rule for rule in group if rule.right - rule.left >= rule.bottom - rule.top)
        upright = tuple(rule for rule in group if rule.right - rule.left < rule.bottom - rule.top)
        across, down = _places(map(_x, upright)), _places(map(_y, level))
        is_open = across and _has_open_sides(level, across[0], across[-1])
        if not is_open and 3 <= len(across) <= _LINES and 3 <= len(down) <= _LINES:  # noqa: PLR2004 - 2 columns, 2 rows
            yield _Grid(across, down, level, upright)


def _has_open_sides(level: Sequence[PageBox], left: float, right: float) -> bool:
    """Return whether half of the level rules go past the outer upright ones: columns there have no rule at an end."""
    past = sum(rule.left < left - _SHORTEST or rule.right > right + _SHORTEST for rule in level)
    return past >= 0.5 * len(level)


def _connected(rules: Sequence[PageBox]) -> list[list[PageBox]]:
    """Return the groups of rules that touch each other, directly or by others."""
    ordered = sorted(rules, key=lambda rule: rule.top)
    parents = list(range(len(ordered)))

    def root(index: int) -> int:
        while parents[index] != index:
            # Path halving keeps the trees of this union-find flat.
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    active: list[int] = []
    for index, rule in enumerate(ordered):
        active = [each for each in active if ordered[each].bottom + _TOUCH >= rule.top]
        for each in active:
            other = ordered[each]
            if other.left - _TOUCH <= rule.right and rule.left - _TOUCH <= other.right:
                parents[root(each)] = root(index)
        active.append(index)
    groups: dict[int, list[PageBox]] = {}
    for index, rule in enumerate(ordered):
        groups.setdefault(root(index), []).append(rule)
    return list(groups.values())


def _places(values: Iterable[float]) -> tuple[float, ...]:
    """Return the places of the values, those near each other as one."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > _TOUCH:
            found.append(value)
    return tuple(found)


def _place(places: Sequence[float], value: float) -> int:
    """Return the position of the interval that a value within the places is in."""
    return max(0, min(len(places) - 2, sum(place <= value for place in places) - 1))


def _x(rule: PageBox) -> float:
    return (rule.left + rule.right) / 2


def _y(rule: PageBox) -> float:
    return (rule.top + rule.bottom) / 2
