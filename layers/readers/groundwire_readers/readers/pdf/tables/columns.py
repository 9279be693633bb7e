"""Columns of a table: the places between the empty strips that its lines share."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.pdf.tables.visual_lines import OPENING_SIGNS, Part, VisualLine

_CROSSED: Final = 0.08
"""Share of the lines that may cross a strip, such as long labels and headers over several columns."""
_FULL: Final = 0.6
"""Share of the parts of the fullest line from which a line shows columns; names over several columns have fewer."""
_STRIP: Final = 0.25
"""Minimum width of a strip, in font sizes."""
_ALIGNED: Final = 0.5
"""Tolerance of aligned edges, in font sizes."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Column division of a table: the left edges of all but the first, and the strips before these edges."""

    edges: tuple[float, ...]

    @property
    def count(self) -> int:
        """The number of columns."""
        return len(self.edges) + 1

    def at(self, x: float) -> int:
        """Return the column of a place."""
        return bisect_right(self.edges, x)

    def of_part(self, part: Part) -> tuple[int, int]:
        """Return the first and last column that the part covers, by the middles of its outer words.

        A sign at the part's start, such as "$", belongs to the number after it, however far that is.
        """
        first = next((word for word in part.words if word.text not in OPENING_SIGNS), part.words[0]).box
        last = part.words[-1].box
        return self.at((first.left + first.right) / 2), self.at((last.left + last.right) / 2)


def find_columns(lines: Sequence[VisualLine], size: float) -> Columns:
    """Return the columns of lines, by the strips that few of the fullest lines cross."""
    most = max(len(line.parts) for line in lines)
    tabular = [line for line in lines if len(line.parts) > 1 and len(line.parts) >= _FULL * most]
    allowed = int(_CROSSED * len(tabular))
    changes: list[tuple[float, int]] = []
    for line in tabular:
        for part in line.parts:
            changes += [(part.left, 1), (part.right, -1)]
    # At one place, ends sort before starts: parts that touch have a strip of no width between them.
    changes.sort()
    edges: list[float] = []
    covered, opened = 0, None
    seen = False
    for x, change in changes:
        before, covered = covered, covered + change
        if before > allowed >= covered:
            opened = x
            seen = True
        elif before <= allowed < covered and seen and opened is not None:
            if x - opened >= _STRIP * size:
                edges.append((opened + x) / 2)
            opened = None
    return Columns(tuple(edges))


def is_aligned(lines: Sequence[VisualLine], columns: Columns, size: float) -> bool:
    """Return whether the parts of each column but the first share a left edge, a right edge or a middle."""
    tolerance = _ALIGNED * size
    good = total = 0
    by_column: list[list[Part]] = [[] for _ in range(columns.count)]
    for line in lines:
        for part in line.parts if len(line.parts) > 1 else ():
            by_column[columns.of_part(part)[0]].append(part)
    for parts in by_column[1:]:
        total += len(parts)
        good += max(
            _largest_cluster([part.left for part in parts], tolerance),
            _largest_cluster([part.right for part in parts], tolerance),
            _largest_cluster([(part.left + part.right) / 2 for part in parts], tolerance),
        )
    return total > 0 and good >= 0.5 * total


def _largest_cluster(places: Sequence[float], tolerance: float) -> int:
    ordered = sorted(places)
    best = start = 0
    for end, place in enumerate(ordered):
        while place - ordered[start] > 2 * tolerance:
            start += 1
        best = max(best, end - start + 1)
    return best
