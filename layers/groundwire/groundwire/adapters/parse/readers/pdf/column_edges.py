"""Right edges of the columns in which lines are."""

from collections.abc import Sequence

from groundwire.adapters.parse.readers.pdf.lines import Line

_NEIGHBOURS = 40
"""Number of lines before and after a line that may be of its column."""


def right_edges(lines: Sequence[Line]) -> list[float]:
    """Return, for each line, the right edge of its column: that of the widest of its neighbours that begins near it."""
    return [_right_edge(lines, index) for index in range(len(lines))]


def _right_edge(lines: Sequence[Line], index: int) -> float:
    line = lines[index]
    right = line.box.right
    for other in lines[max(0, index - _NEIGHBOURS) : index + _NEIGHBOURS]:
        if (
            other.page == line.page
            and other.table < 0
            and other.box.left < line.box.right
            and line.box.left < other.box.right
            and abs(other.box.left - line.box.left) <= 6 * max(line.size, 1.0)
            and abs(other.size - line.size) <= line.size / 4
        ):
            right = max(right, other.box.right)
    return right
