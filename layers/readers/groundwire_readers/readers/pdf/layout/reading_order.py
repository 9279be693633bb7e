"""Reading order of a page: that of the text layer, corrected by columns, vertical positions and tables."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundwire_readers.readers.pdf.layout.lines import Line, bounding_box, overlap_in_height, overlap_in_width
from groundwire_readers.readers.pdf.page_content import PageBox

_MIN_COLUMN_LINES: Final = 5
"""Minimum number of lines of a column."""
_MIN_COLUMN_SHARE: Final = 0.2
"""Minimum share of the page's characters on each side of a gutter."""
_MAX_CROSSING_SHARE: Final = 0.25
"""Maximum share of lines that cross a gutter, as titles do."""
_MIN_FULL_SHARE: Final = 0.6
"""Minimum share of lines that fill most of the column's width, as prose does and table cells do not."""
_GUTTER_STEPS: Final = 60
"""Number of positions across the page; a gutter is tried at each in the middle half."""
_MAX_LINES: Final = 3_000
"""Maximum number of lines of a page that is reordered."""
_ROW_OVERLAP: Final = 0.6
"""Minimum vertical overlap of two lines of one row."""
_MAX_MARKER_CHARACTERS: Final = 9
"""Maximum length of a list marker."""


def ordered_lines(lines: Sequence[Line], width: float, gutters: Sequence[float] = ()) -> list[Line]:
    """Return the lines in reading order; lines beside each other, as in a form, are joined into one row.

    Args:
        lines: in the order of the text layer.
        width: width of the page, in points.
        gutters: x positions of known gutters between columns, from left to right.
    """
    if not lines or len(lines) > _MAX_LINES:
        return list(lines)
    if not gutters and (gutter := _gutter(lines, width)) is not None:
        gutters = (gutter,)
    if gutters:
        return _joined_rows(_by_columns(lines, gutters))
    return _with_tables_moved(_by_position(_joined_rows(lines)))


def _gutter(lines: Sequence[Line], width: float) -> float | None:
    """Return the x position of the gutter between two columns of prose; None if the page has one column."""
    left = min(line.box.left for line in lines)
    right = min(width, max(line.box.right for line in lines))
    total = sum(len(line.text) for line in lines)
    best: tuple[int, float] | None = None
    # Only the middle half of the page is searched: margin notes are no column.
    for step in range(_GUTTER_STEPS // 4, _GUTTER_STEPS * 3 // 4):
        x = left + (right - left) * step / _GUTTER_STEPS
        left_of = [line for line in lines if line.box.right <= x]
        right_of = [line for line in lines if line.box.left >= x]
        crossing = len(lines) - len(left_of) - len(right_of)
        if min(len(left_of), len(right_of)) < _MIN_COLUMN_LINES or crossing > _MAX_CROSSING_SHARE * len(lines):
            continue
        if min(sum(len(line.text) for line in side) for side in (left_of, right_of)) < _MIN_COLUMN_SHARE * total:
            continue
        if _is_prose(left_of) and _is_prose(right_of) and (best is None or crossing < best[0]):
            best = crossing, x
    return None if best is None else best[1]


def _is_prose(column: Sequence[Line]) -> bool:
    box = bounding_box([line.box for line in column])
    wide = sum(line.box.right - line.box.left >= 0.7 * (box.right - box.left) for line in column)
    return wide >= _MIN_FULL_SHARE * len(column)


def _by_columns(lines: Sequence[Line], gutters: Sequence[float]) -> list[Line]:
    """Return the lines column by column, from the right on a right-to-left page.

    A line over several columns ends what is above it in these columns.
    """
    columns: list[list[Line]] = [[] for _ in range(len(gutters) + 1)]
    ordered: list[Line] = []
    step = -1 if 2 * sum(line.is_right_to_left for line in lines) > len(lines) else 1
    for line in sorted(lines, key=lambda line: (line.box.top, line.box.left)):
        first = bisect_right(gutters, line.box.left)
        last = max(bisect_left(gutters, line.box.right), first)
        spanned = columns[first : last + 1][::step]
        if first == last:
            spanned[0].append(line)
            continue
        above = [each for column in spanned for each in column]
        for column in spanned:
            column.clear()
        if last - first == len(gutters):
            ordered += [*above, line]
        else:
            spanned[0].extend((*above, line))
    return [*ordered, *(line for column in columns[::step] for line in column)]


def _joined_rows(lines: Sequence[Line]) -> list[Line]:
    ordered: list[Line] = []
    for line in lines:
        if ordered and _is_one_row(ordered[-1], line):
            ordered[-1] = _joined(ordered[-1], line)
        else:
            ordered.append(line)
    return ordered


def _is_one_row(first: Line, second: Line) -> bool:
    if first.table >= 0 or second.table >= 0:
        return False
    is_beside = second.box.left >= first.box.right
    if first.is_right_to_left or second.is_right_to_left:
        is_beside = second.box.right <= first.box.left
    return is_beside and overlap_in_height(first.box, second.box) >= _ROW_OVERLAP


def _joined(first: Line, second: Line) -> Line:
    is_bold = first.is_bold and second.is_bold
    return replace(
        first,
        text=f"{first.text} {second.text}",
        # A note in the margin has smaller letters than the text beside it.
        size=max(first, second, key=lambda line: len(line.text)).size,
        part_left=second.box.left,
        is_row=first.is_row or second.is_row or not _is_marker(first),
        box=bounding_box([first.box, second.box]),
        is_bold=is_bold,
        bold_start=first.bold_start if not first.is_bold else len(first.text) + 1 + second.bold_start,
        is_monospaced=first.is_monospaced and second.is_monospaced,
        mark_left=first.mark_left if first.mark_left > first.box.left else second.box.left,
    )


def _is_marker(line: Line) -> bool:
    """Return whether the line is the marker or number of a list item."""
    return len(line.text) <= _MAX_MARKER_CHARACTERS and not line.text.endswith(":") and " " not in line.text


def _by_position(lines: Sequence[Line]) -> list[Line]:
    """Return the lines in the order of the text layer, with blocks moved before the blocks that they are above.

    A block is a run of lines with descending positions. Blocks beside each other keep their order.
    """
    blocks: list[list[Line]] = []
    for line in lines:
        if blocks and line.box.top >= blocks[-1][-1].box.top - line.size / 2:
            blocks[-1].append(line)
        else:
            blocks.append([line])
    if len(blocks) == 1:
        return list(lines)
    boxes = [bounding_box([line.box for line in block]) for block in blocks]
    ordered: list[int] = []
    for index, box in enumerate(boxes):
        position = len(ordered)
        while (
            position
            and boxes[ordered[position - 1]].top >= box.bottom - 1
            and _overlaps_in_width(box, boxes[ordered[position - 1]])
        ):
            position -= 1
        ordered.insert(position, index)
    return [line for index in ordered for line in blocks[index]]


def _with_tables_moved(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, with each table moved to where the fewest lines are on the wrong side of it.

    Many programs draw all tables of a page after its text, and the page's foot before it.
    """
    ordered = list(lines)
    for table in [line for line in lines if line.table >= 0]:
        index = next(position for position, line in enumerate(ordered) if line is table)
        others = [*ordered[:index], *ordered[index + 1 :]]
        misplaced = [sum(_is_below(table, line) for line in others)]
        for line in others:
            misplaced.append(misplaced[-1] + _is_below(line, table) - _is_below(table, line))
        best = min(range(len(misplaced)), key=lambda position: (misplaced[position], abs(position - index)))
        others.insert(best, table)
        ordered = others
    return ordered


def _is_below(line: Line, other: Line) -> bool:
    return line.box.top >= other.box.bottom - 1 and overlap_in_width(line.box, other.box) > 0


def _overlaps_in_width(box: PageBox, other: PageBox) -> bool:
    return overlap_in_width(box, other) > 0
