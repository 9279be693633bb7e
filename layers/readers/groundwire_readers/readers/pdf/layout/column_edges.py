"""Right edges of the columns in which lines are."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from groundwire_readers.readers.pdf.layout.lines import Line, overlap_in_width

_NEIGHBOURS: Final = 30
"""Number of lines before and after a line that may be of its column."""
_STEP: Final = 4.0
"""Maximum distance of neighbouring lines, in font sizes."""
_PLACE: Final = 3.0
"""Size of the steps, in points, by which places are compared."""
_SIZE_SHARE: Final = 0.15


def right_edges(lines: Sequence[Line]) -> list[float]:
    """Return, for each line, the right edge of its column.

    It is that of the widest of the lines above and below it, and at least the usual one of the document's lines of
    this size that begin at the same place.
    """
    usual = _usual_edges(lines)
    edges: list[float] = []
    for index, line in enumerate(lines):
        around = (*_neighbours(lines, index, -1), *_neighbours(lines, index, 1))
        least = usual.get(_place(line), 0.0)
        edges.append(max([line.box.right, least, *(other.box.right for other in around)]))
    return edges


def _usual_edges(lines: Sequence[Line]) -> dict[tuple[int, int], float]:
    rights: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    for line in lines:
        if line.table < 0 and not line.is_row:
            rights[_place(line)].append(line.box.right)
    # The upper quartile: last lines of paragraphs are short, and single lines reach into the margin.
    return {place: sorted(found)[len(found) * 3 // 4] for place, found in rights.items()}


def _place(line: Line) -> tuple[int, int]:
    return round(line.box.left / _PLACE), round(line.size)


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
