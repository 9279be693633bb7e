"""Right edges of the columns in which lines are."""

from collections.abc import Iterator, Sequence
from typing import Final

from groundwire.adapters.parse.readers.pdf.layout.lines import Line, overlap_in_width

_NEIGHBOURS: Final = 30
"""Number of lines before and after a line that may be of its column."""
_STEP: Final = 4.0
"""Maximum distance of neighbouring lines, in font sizes."""
_SIZE_SHARE: Final = 0.15


def right_edges(lines: Sequence[Line]) -> list[float]:
    """Return, for each line, the right edge of its column: that of the widest of the lines above and below it."""
    edges: list[float] = []
    for index, line in enumerate(lines):
        around = (*_neighbours(lines, index, -1), *_neighbours(lines, index, 1))
        edges.append(max([line.box.right, *(other.box.right for other in around)]))
    return edges


def _neighbours(lines: Sequence[Line], index: int, step: int) -> Iterator[Line]:
    """Yield the lines of the column in one direction, the nearest first."""
    line = last = lines[index]
    for position in range(index + step, index + step * _NEIGHBOURS, step):
        if not 0 <= position < len(lines):
            return
        other = lines[position]
        distance = (other.box.bottom - last.box.bottom) * step
        if (
            other.page != line.page
            or other.table >= 0
            or abs(other.size - line.size) > _SIZE_SHARE * line.size
            or not 0 < distance <= _STEP * max(line.size, 1.0)
            or overlap_in_width(other.box, last.box) <= 0
        ):
            return
        yield other
        last = other
