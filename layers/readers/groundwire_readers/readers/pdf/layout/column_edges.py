"""Estimation of the right edge of the text column of each line."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from groundwire_readers.readers.pdf.layout.lines import Line, overlap_in_width

_MAX_NEIGHBOURS: Final = 30
"""Number of lines before and after a line that are searched for lines of its column."""
_MAX_LINE_DISTANCE: Final = 4.0
"""Maximum baseline distance of neighbouring lines of a column, in font sizes."""
_EDGE_CLASS_WIDTH: Final = 3.0
"""Width of the classes into which left edges are rounded, in points."""
_MAX_SIZE_DIFFERENCE: Final = 0.15
"""Maximum relative difference of the font sizes of a column's lines."""


def right_edges(lines: Sequence[Line]) -> list[float]:
    """Return, for each line, the right edge of its column.

    It is the rightmost end of the neighbouring lines, and at least the usual end of all lines of the document with the
    same left edge and font size.
    """
    usual = _usual_edges(lines)
    edges: list[float] = []
    for index, line in enumerate(lines):
        neighbours = (*_neighbours(lines, index, -1), *_neighbours(lines, index, 1))
        usual_edge = usual.get(_edge_class(line), 0.0)
        edges.append(max([line.box.right, usual_edge, *(other.box.right for other in neighbours)]))
    return edges


def _usual_edges(lines: Sequence[Line]) -> dict[tuple[int, int], float]:
    ends: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    for line in lines:
        if line.table < 0 and not line.is_row:
            ends[_edge_class(line)].append(line.box.right)
    # The upper quartile, not the maximum: last lines of paragraphs are short, and a few lines reach into the margin.
    return {edge_class: sorted(of_class)[len(of_class) * 3 // 4] for edge_class, of_class in ends.items()}


def _edge_class(line: Line) -> tuple[int, int]:
    return round(line.box.left / _EDGE_CLASS_WIDTH), round(line.size)


def _neighbours(lines: Sequence[Line], index: int, step: int) -> Iterator[Line]:
    """Yield the lines of the same column above (`step` -1) or below (1), the nearest first."""
    line = last = lines[index]
    for position in range(index + step, index + step * _MAX_NEIGHBOURS, step):
        if not 0 <= position < len(lines):
            return
        other = lines[position]
        distance = (other.box.bottom - last.box.bottom) * step
        if (
            other.page != line.page
            or other.table >= 0
            or abs(other.size - line.size) > _MAX_SIZE_DIFFERENCE * line.size
            or not 0 < distance <= _MAX_LINE_DISTANCE * max(line.size, 1.0)
            or overlap_in_width(other.box, last.box) <= 0
        ):
            return
        yield other
        last = other
