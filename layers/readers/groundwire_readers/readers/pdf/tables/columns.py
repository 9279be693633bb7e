"""Columns of a table without grid lines: the intervals between vertical gaps that its lines share."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundwire_readers.contents.currencies import is_currency
from groundwire_readers.readers.pdf.tables.visual_lines import Part, VisualLine, is_opening_sign, part_of

_MAX_CROSSING_SHARE: Final = 0.08
"""Share of lines that may cross a gap, as long labels and headers over several columns do."""
_MIN_FULL_SHARE: Final = 0.6
"""Minimum number of parts of a line that defines columns, as a share of the fullest line's."""
_MIN_GAP_WIDTH: Final = 0.25
"""Minimum width of a gap between columns, in font sizes."""
_ALIGNMENT_TOLERANCE: Final = 0.5
"""Tolerance of aligned positions, in font sizes."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Division of a table into columns, by the x positions of the boundaries between them."""

    boundaries: tuple[float, ...]

    @property
    def count(self) -> int:
        """The number of columns."""
        return len(self.boundaries) + 1

    def at(self, x: float) -> int:
        """Return the index of the column at the position."""
        return bisect_right(self.boundaries, x)

    def of_part(self, part: Part) -> tuple[int, int]:
        """Return the first and the last column of a part, by the centres of its outer words.

        An opening sign such as "$" counts as a piece of the number after it, at any distance.
        """
        first = next((word for word in part.words if not is_opening_sign(word.text)), part.words[0]).box
        last = part.words[-1].box
        return self.at((first.left + first.right) / 2), self.at((last.left + last.right) / 2)


def find_columns(lines: Sequence[VisualLine], size: float) -> Columns:
    """Return the columns of the lines, divided at the gaps that few of the fullest lines cross.

    The gaps come from a sweep over the left and right edges of all parts.
    """
    largest_count = max(len(line.parts) for line in lines)
    tabular = [line for line in lines if len(line.parts) > 1 and len(line.parts) >= _MIN_FULL_SHARE * largest_count]
    max_crossing = int(_MAX_CROSSING_SHARE * len(tabular))
    changes: list[tuple[float, int, bool]] = []
    for line in tabular:
        for part in line.parts:
            changes += [(part.left, 1, is_opening_sign(part.words[0].text)), (part.right, -1, False)]
    # At one position, ends sort before starts: parts that touch have a gap of width 0 between them.
    changes.sort()
    boundaries: list[float] = []
    depth, gap_start = 0, None
    has_column_before = False
    for x, change, is_sign in changes:
        depth_before, depth = depth, depth + change
        if depth_before > max_crossing >= depth:
            gap_start = x
            has_column_before = True
        elif depth_before <= max_crossing < depth and has_column_before and gap_start is not None:
            # A sign may be close to the number of the column before.
            if is_sign or x - gap_start >= _MIN_GAP_WIDTH * size:
                boundaries.append((gap_start + x) / 2)
            gap_start = None
    return Columns(tuple(boundaries))


def with_joined_currencies(lines: Sequence[VisualLine], columns: Columns) -> tuple[Sequence[VisualLine], Columns]:
    """Return lines and columns; a column of currencies is part of the column of numbers at its right.

    So is one that has nothing but a name on the first line, which is above both.
    """
    are_joined: dict[int, list[bool]] = {}
    for line in lines:
        places = [columns.of_part(part) for part in line.parts]
        for part, (first, last) in zip(line.parts, places, strict=True):
            is_name = line is lines[0] and first == last and (first + 1, first + 1) not in places
            are_joined.setdefault(first, []).append(is_name or is_currency(part.text))
    found = {column for column in range(1, columns.count - 1) if all(are_joined.get(column, [False]))}
    if not found:
        return lines, columns
    joined = Columns(tuple(each for column, each in enumerate(columns.boundaries) if column not in found))
    return [_with_joined_parts(line, joined) for line in lines], joined


def _with_joined_parts(line: VisualLine, columns: Columns) -> VisualLine:
    parts: list[Part] = []
    for part in line.parts:
        last = parts[-1] if parts else None
        if last is not None and is_currency(last.text) and columns.of_part(last)[0] == columns.of_part(part)[0]:
            parts[-1] = part_of([*last.words, *part.words])
        else:
            parts.append(part)
    return replace(line, parts=tuple(parts))


def is_aligned(lines: Sequence[VisualLine], columns: Columns, size: float) -> bool:
    """Return whether half of the parts after the first column align: at left edges, right edges or centres."""
    tolerance = _ALIGNMENT_TOLERANCE * size
    aligned_count = count = 0
    by_column: list[list[Part]] = [[] for _ in range(columns.count)]
    for line in lines:
        for part in line.parts if len(line.parts) > 1 else ():
            by_column[columns.of_part(part)[0]].append(part)
    for parts in by_column[1:]:
        count += len(parts)
        aligned_count += max(
            _largest_cluster([part.left for part in parts], tolerance),
            _largest_cluster([part.right for part in parts], tolerance),
            _largest_cluster([(part.left + part.right) / 2 for part in parts], tolerance),
        )
    return count > 0 and aligned_count >= 0.5 * count


def _largest_cluster(places: Sequence[float], tolerance: float) -> int:
    ordered = sorted(places)
    best = start = 0
    for end, place in enumerate(ordered):
        while place - ordered[start] > 2 * tolerance:
            start += 1
        best = max(best, end - start + 1)
    return best
