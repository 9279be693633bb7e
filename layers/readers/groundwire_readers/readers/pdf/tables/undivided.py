"""Rows of a band of a grid that no rule divides: the lines of its columns show where they begin."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageWord
from groundwire_readers.readers.pdf.tables.borderless import Row, body_rows, cells_of
from groundwire_readers.readers.pdf.tables.columns import Columns
from groundwire_readers.readers.pdf.tables.visual_lines import VisualLine, is_value, visual_lines

_LINES: Final = 3
"""Number of lines of a cell from which each may be a row."""
_EQUAL_SHARE: Final = 0.6
"""Minimum share of a band's cells that have as many lines as the tallest."""
_VALUE_SHARE: Final = 0.8
"""Minimum share of values in a column of values, and of those that have a label beside them."""
_WIDER: Final = 0.3
"""Difference of the distances of lines, in font sizes, that divides rows."""
_INDENT: Final = 0.4
"""Difference of two left edges, in font sizes, that is an indentation."""


def is_undivided(cells: Sequence[Sequence[PageWord]], lines: Sequence[VisualLine], columns: Columns) -> bool:
    """Return whether a band holds several rows: columns of lines, or of values with labels, or labels with room around.

    Args:
        cells: words of each of its cells.
        lines: all its lines.
        columns: of the grid.
    """
    by_cell = [visual_lines(words) for words in cells if words]
    most = max(map(len, by_cell), default=0)
    equal = [column for column in by_cell if len(column) == most]
    if most >= _LINES and len(equal) >= max(2, _EQUAL_SHARE * len(by_cell)):
        return True
    labelled = [column for column in by_cell if _is_column_of_values(column) and _has_labels(column, by_cell)]
    if any(len(column) >= _LINES for column in labelled):
        return True
    # Two values below each other are often a number and its deviation, in brackets and without a label.
    pairs = [column for column in labelled if not _text(column[-1]).startswith("(")]
    return (len(pairs) >= 2 and len(equal) == len(by_cell)) or _has_spaced_labels(lines, columns)  # noqa: PLR2004


def _has_spaced_labels(lines: Sequence[VisualLine], columns: Columns) -> bool:
    """Return whether the lines are in groups with room between them that begin with a label, some on several lines."""
    starts = [0, *_ends_of_groups(lines)]
    firsts = [cells_of(lines[start], columns) for start in starts]
    return 1 < len(starts) < len(lines) and all(row[0] for row in firsts) and sum(any(row[1:]) for row in firsts) > 1


def _is_column_of_values(column: Sequence[VisualLine]) -> bool:
    return len(column) > 1 and sum(is_value(_text(line)) for line in column) >= _VALUE_SHARE * len(column)


def _has_labels(column: Sequence[VisualLine], columns: Sequence[Sequence[VisualLine]]) -> bool:
    """Return whether the lines of a column have text that is no value at their heights."""
    texts = [line for other in columns if other is not column and not _is_column_of_values(other) for line in other]
    labelled = sum(any(line.top < (text.top + text.bottom) / 2 < line.bottom for text in texts) for line in column)
    return labelled >= _VALUE_SHARE * len(column)


def _text(line: VisualLine) -> str:
    return " ".join(part.text for part in line.parts)


def rows_of_band(lines: Sequence[VisualLine], columns: Columns) -> list[Row]:
    """Return the rows of the band's lines; a line without a value belongs to the row that it is near to."""
    cells = [cells_of(line, columns) for line in lines]
    anchors = _anchors(cells)
    if not any(anchors) and not _has_spaced_labels(lines, columns):
        return body_rows(lines, columns, max(line.size for line in lines))
    starts: list[int] = []
    for first, last in pairwise([0, *_ends_of_groups(lines), len(lines)]):
        # Lines apart from the row above them that have neither a label nor a value are the rest of its text.
        if not starts or cells[first][0] or any(anchors[first:last]):
            starts += [first + start for start in _starts(lines[first:last], cells[first:last], anchors[first:last])]
    return [
        [" ".join(filter(None, texts)) for texts in zip(*cells[first:last], strict=True)]
        for first, last in pairwise([*starts, len(lines)])
    ]


def _anchors(cells: Sequence[Row]) -> list[bool]:
    """Return, for each line, whether it has a value in a column of values."""
    filled = Counter(column for row in cells for column, text in enumerate(row) if text)
    values = Counter(column for row in cells for column, text in enumerate(row) if is_value(text))
    of_values = [column for column, count in values.items() if count >= _VALUE_SHARE * filled[column]]
    return [any(is_value(row[column]) for column in of_values) for row in cells]


def _ends_of_groups(lines: Sequence[VisualLine]) -> list[int]:
    """Return the positions of lines that are further from the line above than lines of one row are."""
    distances = [below.bottom - above.bottom for above, below in pairwise(lines)]
    least = min(distances, default=0.0)
    return [
        position for position, distance in enumerate(distances, 1) if distance > least + _WIDER * lines[position].size
    ]


def _starts(lines: Sequence[VisualLine], cells: Sequence[Row], anchors: Sequence[bool]) -> list[int]:
    """Return the positions of a group's lines at which rows begin."""
    if sum(anchors) <= 1:
        return [0]
    first = anchors.index(True)
    # Values at the height of their label's last line, where the group ends with one and begins with none.
    if first and anchors[-1] and not _is_section(lines, cells, first - 1):
        return [0, *(position + 1 for position, is_anchor in enumerate(anchors[:-1]) if is_anchor)]
    return sorted(
        {0}
        | {position for position, is_anchor in enumerate(anchors) if is_anchor or _is_section(lines, cells, position)}
    )


def _is_section(lines: Sequence[VisualLine], cells: Sequence[Row], position: int) -> bool:
    """Return whether a line without values is the label of the rows below it."""
    row, line = cells[position], lines[position]
    if position + 1 == len(lines) or not row[0] or any(row[1:]):
        return False
    below = lines[position + 1]
    return (
        row[0].endswith(":")
        or (line.is_bold and not below.is_bold)
        or (bool(cells[position + 1][0]) and below.left > line.left + _INDENT * line.size)
    )
