"""Splitting of a grid band that contains several rows without a rule between them, by the lines of its cells."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageWord
from groundwire_readers.readers.pdf.tables.borderless import Row, body_rows, cells_of
from groundwire_readers.readers.pdf.tables.columns import Columns
from groundwire_readers.readers.pdf.tables.visual_lines import VisualLine, is_value, visual_lines

_MIN_LINES: Final = 3
"""Minimum number of lines of a cell for each line to be a row."""
_MIN_EQUAL_SHARE: Final = 0.6
"""Minimum share of a band's cells that have as many lines as the tallest cell."""
_MIN_VALUE_SHARE: Final = 0.8
"""Minimum share of values in a value column, and of values with a label beside them."""
_MIN_EXTRA_DISTANCE: Final = 0.3
"""Additional line distance that separates rows, in font sizes."""
_MIN_INDENTATION: Final = 0.4
"""Minimum indentation, in font sizes."""


def is_undivided(cells: Sequence[Sequence[PageWord]], lines: Sequence[VisualLine], columns: Columns) -> bool:
    """Return whether a band contains several rows.

    Signs are cells with equally many lines, value columns with labels beside them, and labels with space between them.

    Args:
        cells: the words of each cell of the band.
        lines: all lines of the band.
        columns: the columns of the grid.
    """
    by_cell = [visual_lines(words) for words in cells if words]
    largest_count = max(map(len, by_cell), default=0)
    tallest = [column for column in by_cell if len(column) == largest_count]
    if largest_count >= _MIN_LINES and len(tallest) >= max(2, _MIN_EQUAL_SHARE * len(by_cell)):
        return True
    labelled_values = [column for column in by_cell if _is_column_of_values(column) and _has_labels(column, by_cell)]
    if any(len(column) >= _MIN_LINES for column in labelled_values):
        return True
    # Two values in one cell are often a number and its deviation, in brackets and without a label.
    pairs = [column for column in labelled_values if not _text(column[-1]).startswith("(")]
    return (len(pairs) >= 2 and len(tallest) == len(by_cell)) or _has_spaced_labels(lines, columns)  # noqa: PLR2004


def _has_spaced_labels(lines: Sequence[VisualLine], columns: Columns) -> bool:
    """Return whether the lines form groups with space between them, each starting with a label."""
    starts = [0, *_group_starts(lines)]
    firsts = [cells_of(lines[start], columns) for start in starts]
    return 1 < len(starts) < len(lines) and all(row[0] for row in firsts) and sum(any(row[1:]) for row in firsts) > 1


def _is_column_of_values(column: Sequence[VisualLine]) -> bool:
    return len(column) > 1 and sum(is_value(_text(line)) for line in column) >= _MIN_VALUE_SHARE * len(column)


def _has_labels(column: Sequence[VisualLine], columns: Sequence[Sequence[VisualLine]]) -> bool:
    """Return whether most lines of a value column have text beside them in another column."""
    texts = [line for other in columns if other is not column and not _is_column_of_values(other) for line in other]
    labelled = sum(any(line.top < (text.top + text.bottom) / 2 < line.bottom for text in texts) for line in column)
    return labelled >= _MIN_VALUE_SHARE * len(column)


def _text(line: VisualLine) -> str:
    return " ".join(part.text for part in line.parts)


def rows_of_band(lines: Sequence[VisualLine], columns: Columns) -> list[Row]:
    """Return the rows of the band; a line without a value belongs to the nearest row."""
    cells = [cells_of(line, columns) for line in lines]
    has_value = _lines_with_values(cells)
    if not any(has_value) and not _has_spaced_labels(lines, columns):
        return body_rows(lines, columns, max(line.size for line in lines))
    starts: list[int] = []
    for first, last in pairwise([0, *_group_starts(lines), len(lines)]):
        # A separate group with neither label nor value continues the text of the row above it.
        if not starts or cells[first][0] or any(has_value[first:last]):
            starts += [
                first + start for start in _row_starts(lines[first:last], cells[first:last], has_value[first:last])
            ]
    return [
        [" ".join(filter(None, texts)) for texts in zip(*cells[first:last], strict=True)]
        for first, last in pairwise([*starts, len(lines)])
    ]


def _lines_with_values(cells: Sequence[Row]) -> list[bool]:
    """Return, for each line, whether it has a value in a value column."""
    filled = Counter(column for row in cells for column, text in enumerate(row) if text)
    values = Counter(column for row in cells for column, text in enumerate(row) if is_value(text))
    value_columns = [column for column, count in values.items() if count >= _MIN_VALUE_SHARE * filled[column]]
    return [any(is_value(row[column]) for column in value_columns) for row in cells]


def _group_starts(lines: Sequence[VisualLine]) -> list[int]:
    """Return the indexes of lines whose distance to the line above is larger than within a row."""
    distances = [below.bottom - above.bottom for above, below in pairwise(lines)]
    smallest = min(distances, default=0.0)
    return [
        position
        for position, distance in enumerate(distances, 1)
        if distance > smallest + _MIN_EXTRA_DISTANCE * lines[position].size
    ]


def _row_starts(lines: Sequence[VisualLine], cells: Sequence[Row], has_value: Sequence[bool]) -> list[int]:
    """Return the indexes of a group's lines at which rows start."""
    if sum(has_value) <= 1:
        return [0]
    first = has_value.index(True)
    # The group ends with a value and starts without one: values are beside the last line of their label.
    if first and has_value[-1] and not _is_section_label(lines, cells, first - 1):
        return [0, *(position + 1 for position, line_has_value in enumerate(has_value[:-1]) if line_has_value)]
    return sorted(
        {0}
        | {
            position
            for position, line_has_value in enumerate(has_value)
            if line_has_value or _is_section_label(lines, cells, position)
        }
    )


def _is_section_label(lines: Sequence[VisualLine], cells: Sequence[Row], position: int) -> bool:
    """Return whether a line without values is a section label of the rows below it."""
    row, line = cells[position], lines[position]
    if position + 1 == len(lines) or not row[0] or any(row[1:]):
        return False
    below = lines[position + 1]
    return (
        row[0].endswith(":")
        or (line.is_bold and not below.is_bold)
        or (bool(cells[position + 1][0]) and below.left > line.left + _MIN_INDENTATION * line.size)
    )
