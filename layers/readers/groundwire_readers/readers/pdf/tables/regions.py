"""Detection of regions of a page that may be borderless tables: adjacent lines with gaps between columns."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageWord
from groundwire_readers.readers.pdf.tables.visual_lines import LIST_MARK, Part, VisualLine

_MAX_LINE_GAP: Final = 2.2
"""Maximum gap between two lines of a table, in font sizes, unless its usual gap is wide as well."""
_MAX_WRAPPED_GAP: Final = 0.35
"""Maximum gap between two lines of one cell, in font sizes."""
_MAX_LABEL_LINES: Final = 4
"""Maximum number of adjacent lines without columns within a table: a wrapped label, or section labels."""
_MAX_LABEL_WORDS: Final = 16
"""Maximum number of words of a label."""
_HEADING_SIZE_RATIO: Final = 1.25
"""Ratio of font sizes above which a line is a heading, not a line of the table."""
_MIN_LABEL_SHARE: Final = 0.3
"""Minimum width of the label column, as a share of the table's width."""
_MAX_NAME_LINES: Final = 3
"""Maximum number of single-part lines above a table that name its value columns."""
_MIN_JUSTIFIED_WORDS: Final = 4
"""Minimum number of words of a line that is recognised as justified text."""
_MAX_GAP_DIFFERENCE: Final = 0.15
"""Maximum difference of the word gaps of one justified line, in font sizes."""
_MAX_SENTENCE_GAP: Final = 1.5
"""Maximum gap after a sentence in a justified line, in font sizes."""
_SENTENCE_END: Final = re.compile(r"[^\W\d]{2,}[.?!]$")
_HEADING_NUMBER: Final = re.compile(
    r"(?:(?:Item|Section|Article|Chapter|Part|Note|Appendix|Annex)\s+)?[0-9A-Z]{1,4}(?:\.\d+)*[.:]?", re.IGNORECASE
)
_MIN_REGION_LINES: Final = 2
"""Minimum number of lines with columns in a region."""
_MIN_AXIS_STEPS: Final = 3
"""Minimum number of steps between the numbers of a chart's axis."""
_AXIS_TOLERANCE: Final = 0.1
"""Maximum difference of two steps, as a share of one."""
_MIN_AXIS_OFFSET: Final = 0.2
"""Minimum distance of an axis number's middle from that of a row, in font sizes."""
_MAX_AXIS_LINES: Final = 2
"""Maximum number of lines of a chart beside its axis: the names below it, and a title."""
_THOUSANDS: Final = re.compile(r"[,.'](?=\d{3}(?!\d))")
_AXIS_NUMBER: Final = re.compile(r"-?\d{1,12}(?:[.,]\d{1,9})?")
_MONOSPACED_SHARE: Final = 0.8
"""Share of monospaced words from which a region is program code."""


def table_regions(lines: Sequence[VisualLine]) -> Iterator[tuple[int, int]]:
    """Yield start and end (exclusive) of each region, as indexes of lines, in order and without overlap."""
    start = previous_end = 0
    while start < len(lines):
        if not _has_columns(lines[start]) or _is_heading(lines, start):
            start += 1
            continue
        end = _end_of_region(lines, start)
        if sum(_has_columns(line) for line in lines[start:end]) >= _MIN_REGION_LINES and not _is_code(lines[start:end]):
            yield _start_with_column_names(lines, start, end, previous_end), end
            previous_end = end
        start = max(end, start + 1)


def _start_with_column_names(lines: Sequence[VisualLine], start: int, end: int, previous_end: int) -> int:
    """Return the region's start, moved up to include lines above it that name its value columns.

    `previous_end` is the end of the previous region, which the result does not cross.
    """
    tabular = [line for line in lines[start:end] if _has_columns(line)]
    left, right = min(line.left for line in tabular), max(line.right for line in tabular)
    value_parts = [
        part for line in tabular for part in line.parts if part.left > left + _MIN_LABEL_SHARE * (right - left)
    ]
    highest = max(previous_end, start - _MAX_NAME_LINES)
    for index in range(start - 1, highest - 1, -1):
        if not value_parts or not _is_column_name(lines[index], lines[index + 1], (left, right), value_parts):
            return index + 1
    return highest


def _is_column_name(
    line: VisualLine, below: VisualLine, table_edges: tuple[float, float], value_parts: Sequence[Part]
) -> bool:
    """Return whether the line is a name centred above the value columns, not a title centred above the table.

    `table_edges` has the left and the right edge of the table.
    """
    if len(line.parts) != 1 or below.top - line.bottom > line.size or line.size > _HEADING_SIZE_RATIO * below.size:
        return False
    values_left = min(part.left for part in value_parts)
    line_centre, values_centre = (
        (line.left + line.right) / 2,
        (values_left + max(part.right for part in value_parts)) / 2,
    )
    is_beside_labels = (
        line.left > table_edges[0] + _MIN_LABEL_SHARE * (table_edges[1] - table_edges[0])
        and line.right <= table_edges[1] + line.size
    )
    return is_beside_labels and abs(line_centre - values_centre) < abs(
        line_centre - (table_edges[0] + table_edges[1]) / 2
    )


def _is_heading(lines: Sequence[VisualLine], index: int) -> bool:
    """Return whether a line is a section heading with a gap after its number: no line with columns follows it."""
    parts = lines[index].parts
    if len(parts) != 2 or not _HEADING_NUMBER.fullmatch(parts[0].text) or parts[1].is_value:  # noqa: PLR2004
        return False
    return index + 1 == len(lines) or not _has_columns(lines[index + 1])


def _has_columns(line: VisualLine) -> bool:
    """Return whether the line has several parts, and its gaps are not those of justified text."""
    return len(line.parts) > 1 and not _is_justified(line)


def _is_justified(line: VisualLine) -> bool:
    """Return whether the line is justified prose: equal gaps between words of different widths.

    The gap after a list marker, and the wider one after a sentence, are not compared.
    """
    words = [*line.words]
    pairs = [*pairwise(words)]
    if LIST_MARK.fullmatch(words[0].text):
        pairs = pairs[1:]
    gaps = [right.box.left - left.box.right for left, right in pairs if not _ends_sentence(left, right, line.size)]
    widths = [word.box.right - word.box.left for word in words]
    if len(gaps) < _MIN_JUSTIFIED_WORDS - 1:
        return False
    return max(gaps) - min(gaps) <= _MAX_GAP_DIFFERENCE * line.size and max(widths) - min(widths) >= line.size


def _ends_sentence(left: PageWord, right: PageWord, size: float) -> bool:
    is_near = right.box.left - left.box.right <= _MAX_SENTENCE_GAP * size
    return is_near and _SENTENCE_END.search(left.text) is not None and right.text[:1].isupper()


def _end_of_region(lines: Sequence[VisualLine], start: int) -> int:
    """Return the end of the region: the index after its last line with columns."""
    size = lines[start].size
    left, right = lines[start].left, lines[start].right
    has_data = False
    gaps: list[float] = []
    end, label_count = start + 1, 0
    for index in range(start + 1, len(lines)):
        line, line_above = lines[index], lines[index - 1]
        gap = line.top - line_above.bottom
        # Only of the last gaps: the median of all would take quadratic time on a long page.
        usual_gap = median(gaps[-9:]) if gaps else 0.0
        next_tabular = next((each for each in lines[index + 1 : index + _MAX_LABEL_LINES] if _has_columns(each)), None)
        size_limit = (
            max(size, next_tabular.size)
            if next_tabular is not None and not _has_columns(line)
            else _HEADING_SIZE_RATIO * size
        )
        if gap > max(_MAX_LINE_GAP * size, 2 * usual_gap) or line.size > _HEADING_SIZE_RATIO * size_limit:
            break
        gaps.append(max(gap, 0.0))
        if _has_columns(line):
            is_row = not line.parts[0].is_value and any(part.is_value for part in line.parts[1:])
            if label_count and has_data and not is_row and line.left > left + _MIN_LABEL_SHARE * (right - left):
                # Column names again: the labels before them introduce another table.
                break
            end, label_count, size = index + 1, 0, max(size, line.size)
            left, right = min(left, line.left), max(right, line.right)
            has_data = has_data or any(part.is_value for part in line.parts[1:])
            continue
        label_count += 1
        if label_count > _MAX_LABEL_LINES or next_tabular is None or not _is_label(line, next_tabular, left, right):
            break
    below = end
    while below < len(lines) and _continues_cell(lines[end - 1], lines[below - 1], lines[below]):
        below += 1
    # A paragraph that goes on is no rest of a cell.
    return end if below < len(lines) and _is_close(lines[below - 1], lines[below]) else below


def _is_close(above: VisualLine, line: VisualLine) -> bool:
    return line.top - above.bottom <= _MAX_WRAPPED_GAP * line.size


def _continues_cell(row: VisualLine, above: VisualLine, line: VisualLine) -> bool:
    """Return whether the line below a table is the rest of a cell of its last row, by distance, place and case."""
    if not _is_close(above, line) or len(line.parts) != 1 or not line.parts[0].text[:1].islower():
        return False
    at = next((index for index, part in enumerate(row.parts) if abs(part.left - line.left) <= 1), None)
    return at is not None and (at + 1 == len(row.parts) or line.right < row.parts[at + 1].left)


def _is_label(line: VisualLine, next_tabular: VisualLine, left: float, right: float) -> bool:
    """Return whether a line without columns may be a row or section label: short, and not as wide as the table."""
    width = max(right, next_tabular.right) - min(left, next_tabular.left)
    is_before_last = line.right < next_tabular.parts[-1].left
    return len(line.parts[0].words) <= _MAX_LABEL_WORDS and (is_before_last or line.right - line.left < 0.8 * width)


def _is_code(lines: Sequence[VisualLine]) -> bool:
    """Return whether most words of the lines are monospaced."""
    words = [word for line in lines for word in line.words]
    return sum(word.is_monospaced for word in words) >= _MONOSPACED_SHARE * len(words)


def without_chart(lines: Sequence[VisualLine]) -> Sequence[VisualLine]:
    """Return the lines without the chart at their right or left, which starts with the numbers of an axis."""
    parts = sorted((part for line in lines for part in line.parts), key=lambda part: part.left)
    right = parts[0].right
    strips: list[tuple[float, float]] = []
    for before, part in pairwise(parts):
        right = max(right, before.right)
        if part.left > right:
            strips.append((right, part.left))
    for end, start in strips:
        rows = _within(lines, float("-inf"), end)
        if _starts_with_axis(_within(lines, start, float("inf")), rows):
            return rows
    # A chart at the left ends where more is beside the axis than the line of the other one.
    first = strips[0] if strips else (0.0, 0.0)
    others = [start for end, start in strips[1:] if len(_within(lines, first[1], end)) <= _MAX_AXIS_LINES]
    if others:
        rows = _within(lines, others[-1], float("inf"))
        if _starts_with_axis(_within(lines, float("-inf"), first[0]), rows):
            return rows
    return lines


def _within(lines: Sequence[VisualLine], left: float, right: float) -> Sequence[VisualLine]:
    """Return the lines that have parts between two places, with these parts alone."""
    kept = (tuple(each for each in line.parts if left <= each.left and each.right <= right) for line in lines)
    return [replace(line, parts=parts) for line, parts in zip(lines, kept, strict=True) if parts]


def _starts_with_axis(chart: Sequence[VisualLine], rows: Sequence[VisualLine]) -> bool:
    """Return whether the first parts of a chart's lines are numbers in equal steps, most of them beside no row."""
    numbers: list[float] = []
    beside = 0
    middles = sorted(word.box.top + word.box.bottom for line in rows for word in line.words)
    for line in chart:
        part = line.parts[0]
        if not part.is_number:
            continue
        middle, offset = part.words[0].box.top + part.words[0].box.bottom, _MIN_AXIS_OFFSET * line.size
        place = bisect_left(middles, middle - offset)
        beside += place < len(middles) and middles[place] < middle + offset
        number = _AXIS_NUMBER.search(_THOUSANDS.sub("", part.text))
        numbers.append(float(number[0].replace(",", ".")) if number else 0.0)
    steps = [after - before for before, after in pairwise(numbers)]
    return (
        len(steps) >= _MIN_AXIS_STEPS
        and beside <= len(numbers) / 2
        and max(steps) - min(steps) <= _AXIS_TOLERANCE * abs(steps[0])
        and steps[0] != 0
    )
