"""Reading order of a page: the text layer's, unless the page's columns or its lines contradict it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundwire_readers.readers.pdf.layout.lines import Line, bounding_box, overlap_in_height, overlap_in_width
from groundwire_readers.readers.pdf.page_content import PageBox

_MIN_COLUMN_LINES: Final = 5
_COLUMN_SHARE: Final = 0.2
"""Minimum share of the page's characters on each side of a gutter."""
_CROSSING_SHARE: Final = 0.25
"""Maximum share of the lines that cross a gutter, such as titles."""
_FULL_SHARE: Final = 0.6
"""Minimum share of the lines of a column that fill most of it, as prose does and cells do not."""
_GUTTER_STEPS: Final = 60
_LINES: Final = 3_000
"""Maximum number of a page's lines that are put into another order."""
_ROW_OVERLAP: Final = 0.6
_MARK_CHARACTERS: Final = 9


def ordered_lines(lines: Sequence[Line], width: float) -> list[Line]:
    """Return the lines in reading order; parts of one row, where the page has no columns, as one line."""
    if not lines or len(lines) > _LINES:
        return list(lines)
    gutter = _gutter(lines, width)
    if gutter is not None:
        return _joined_rows(_by_columns(lines, gutter))
    return _with_tables_at_their_height(_by_height(_joined_rows(lines)))


def _gutter(lines: Sequence[Line], width: float) -> float | None:
    """Return the middle of the gap between two columns of prose; None without one."""
    left = min(line.box.left for line in lines)
    right = min(width, max(line.box.right for line in lines))
    total = sum(len(line.text) for line in lines)
    best: tuple[int, float] | None = None
    # Only in the middle half of the page: notes in a margin are no column.
    for step in range(_GUTTER_STEPS // 4, _GUTTER_STEPS * 3 // 4):
        at = left + (right - left) * step / _GUTTER_STEPS
        before = [line for line in lines if line.box.right <= at]
        after = [line for line in lines if line.box.left >= at]
        crossing = len(lines) - len(before) - len(after)
        if min(len(before), len(after)) < _MIN_COLUMN_LINES or crossing > _CROSSING_SHARE * len(lines):
            continue
        if min(sum(len(line.text) for line in side) for side in (before, after)) < _COLUMN_SHARE * total:
            continue
        if _is_prose(before) and _is_prose(after) and (best is None or crossing < best[0]):
            best = crossing, at
    return None if best is None else best[1]


def _is_prose(column: Sequence[Line]) -> bool:
    box = bounding_box([line.box for line in column])
    wide = sum(line.box.right - line.box.left >= 0.7 * (box.right - box.left) for line in column)
    return wide >= _FULL_SHARE * len(column)


def _by_columns(lines: Sequence[Line], gutter: float) -> list[Line]:
    """Return the lines from the top: left column, right column, up to the next line across both."""
    ordered: list[Line] = []
    left: list[Line] = []
    right: list[Line] = []
    for line in sorted(lines, key=lambda line: (line.box.top, line.box.left)):
        if line.box.right <= gutter:
            left.append(line)
        elif line.box.left >= gutter:
            right.append(line)
        else:
            ordered += [*left, *right, line]
            left, right = [], []
    return [*ordered, *left, *right]


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
    return second.box.left >= first.box.right and overlap_in_height(first.box, second.box) >= _ROW_OVERLAP


def _joined(first: Line, second: Line) -> Line:
    is_bold = first.is_bold and second.is_bold
    return replace(
        first,
        text=f"{first.text} {second.text}",
        part_left=second.box.left,
        is_row=first.is_row or second.is_row or not _is_mark(first),
        box=bounding_box([first.box, second.box]),
        is_bold=is_bold,
        bold_start=first.bold_start if not first.is_bold else len(first.text) + 1 + second.bold_start,
        is_monospaced=first.is_monospaced and second.is_monospaced,
        mark_left=first.mark_left if first.mark_left > first.box.left else second.box.left,
    )


def _is_mark(line: Line) -> bool:
    """Return whether the line is the mark or number of a list's item."""
    return len(line.text) <= _MARK_CHARACTERS and not line.text.endswith(":") and " " not in line.text


def _by_height(lines: Sequence[Line]) -> list[Line]:
    """Return the lines in the text layer's order; blocks that it has out of their place are put back.

    A block is a run of lines that goes downwards. Blocks beside each other keep their order.
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
        place = len(ordered)
        while place and boxes[ordered[place - 1]].top >= box.bottom - 1 and _is_above(box, boxes[ordered[place - 1]]):
            place -= 1
        ordered.insert(place, index)
    return [line for index in ordered for line in blocks[index]]


def _with_tables_at_their_height(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, each table where the fewest lines above it follow and the fewest below it precede.

    Many programs draw all tables of a page after its text, and the foot of a page before it.
    """
    ordered = list(lines)
    for table in [line for line in lines if line.table >= 0]:
        place = next(at for at, line in enumerate(ordered) if line is table)
        others = [*ordered[:place], *ordered[place + 1 :]]
        misplaced = [sum(_is_below(table, line) for line in others)]
        for line in others:
            misplaced.append(misplaced[-1] + _is_below(line, table) - _is_below(table, line))
        best = min(range(len(misplaced)), key=lambda at: (misplaced[at], abs(at - place)))
        others.insert(best, table)
        ordered = others
    return ordered


def _is_below(line: Line, other: Line) -> bool:
    return line.box.top >= other.box.bottom - 1 and overlap_in_width(line.box, other.box) > 0


def _is_above(box: PageBox, other: PageBox) -> bool:
    return overlap_in_width(box, other) > 0
