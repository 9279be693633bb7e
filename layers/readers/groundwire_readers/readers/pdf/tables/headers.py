"""Header of a table without a grid: the lines at its top that name columns."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox
from groundwire_readers.readers.pdf.tables.columns import Columns
from groundwire_readers.readers.pdf.tables.visual_lines import Part, VisualLine

_HEADER_LINES: Final = 8
_BODY_LINES: Final = 2
"""Minimum number of lines below names that differ from data by their form alone."""
# Years, quarters and percentages name columns although they are numbers.
_YEAR: Final = re.compile(r"(?:19|20)\d\d(?:\s*\(\d+\))?|(?:FY|Q[1-4])\s*'?\d{2,4}|(?:\d+\s*)?%")
_DATE: Final = re.compile(
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s+\d{1,2},?(?:\s*(?:19|20)\d\d)?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Header:
    """Rows of a table that name its columns.

    Attributes:
        rows: a row for names over several columns, if there are any, and one for the names of columns.
        lines: number of the region's lines that it takes.
    """

    rows: list[list[str]]
    lines: int


def header_of(lines: Sequence[VisualLine], columns: Columns, rules: Sequence[PageBox]) -> Header:
    """Return the header: lines at the top without a value below a column's name.

    The rules are in the order of their middles' heights.
    """
    count = _header_lines(lines, columns, rules)
    if not count:
        return Header([], 0)
    spans: list[list[str]] = []
    names = [""] * columns.count
    centres = _centres(lines, columns)
    for line in lines[:count]:
        row = [""] * columns.count
        for part, group in zip(line.parts, _groups(line, columns, centres), strict=True):
            if len(group) > 1:
                row[group[0]] = part.text
            else:
                names[group[0]] = f"{names[group[0]]} {part.text}".strip()
        if any(row):
            spans.append(row)
    return Header([*spans, *([names] if any(names) else [])], count)


def middle_of(rule: PageBox) -> float:
    """Return the height of a rule's middle."""
    return (rule.top + rule.bottom) / 2


def _centres(lines: Sequence[VisualLine], columns: Columns) -> list[float | None]:
    """Return the middle of each column's parts; None for a column without any of its own."""
    lefts: list[list[float]] = [[] for _ in range(columns.count)]
    rights: list[list[float]] = [[] for _ in range(columns.count)]
    for line in lines:
        for part in line.parts:
            first, last = columns.of_part(part)
            if first == last:
                lefts[first].append(part.left)
                rights[first].append(part.right)
    return [(min(left) + max(right)) / 2 if left else None for left, right in zip(lefts, rights, strict=True)]


def _groups(line: VisualLine, columns: Columns, centres: Sequence[float | None]) -> list[list[int]]:
    """Return the columns that each part of a header's line names.

    A part names several where it covers them, or where it stands in the middle of those that are nearer to it than to
    the other parts of the line.
    """
    bounds = [
        float("-inf"),
        *((left.right + right.left) / 2 for left, right in pairwise(line.parts)),
        float("inf"),
    ]
    groups: list[list[int]] = []
    for part, (low, high) in zip(line.parts, pairwise(bounds), strict=True):
        first, last = columns.of_part(part)
        near = [
            column for column, centre in enumerate(centres) if column and centre is not None and low < centre < high
        ]
        if len(near) > 1 and _is_centred(part, [centres[column] or 0.0 for column in near], line.size):
            groups.append(near)
        else:
            groups.append([*range(first, last + 1)])
    return groups


def _is_centred(part: Part, centres: Sequence[float], size: float) -> bool:
    middle, width = (min(centres) + max(centres)) / 2, max(centres) - min(centres)
    return abs((part.left + part.right) / 2 - middle) <= max(size, 0.12 * width)


def _header_lines(lines: Sequence[VisualLine], columns: Columns, rules: Sequence[PageBox]) -> int:
    """Return the number of lines at the top that name columns; 0 where the first line is data."""
    count = 0
    for line in lines[:_HEADER_LINES]:
        if _is_data(line, columns):
            break
        count += 1
    if not count:
        return 0
    body = lines[count:]
    has_values = any(part.is_value for line in body for part in line.parts if columns.of_part(part)[0])
    labelled = [line for line in lines[:count] if len(line.parts) > 1 and columns.of_part(line.parts[0])[0] == 0]
    has_keys = any(line.parts[0].text.endswith(":") for line in lines[:count] if len(line.parts) > 1)
    if has_values and all(map(_goes_on, labelled[1:])) and not has_keys:
        return _without_labels(lines, count, columns)
    # Between rows of words nothing but the form tells a header from data.
    return _header_by_form(lines, rules)


def _goes_on(line: VisualLine) -> bool:
    """Return whether the line goes on with the names above it: parts begin with small letters, and none with others."""
    firsts = [part.text[:1] for part in line.parts]
    return any(map(str.islower, firsts)) and not any(map(str.isupper, firsts))


def _is_data(line: VisualLine, columns: Columns) -> bool:
    values = [part for part in line.parts if columns.of_part(part)[0] and part.is_value]
    named = [part for part in values if _YEAR.fullmatch(part.text) or _DATE.fullmatch(part.text)]
    return len(values) > len(named)


def _without_labels(lines: Sequence[VisualLine], count: int, columns: Columns) -> int:
    """Return the count without labels of the first part of the body, such as "Current assets:"."""
    while count and len(lines[count - 1].parts) == 1 and columns.of_part(lines[count - 1].parts[0])[0] == 0:
        part = lines[count - 1].parts[0]
        if columns.of_part(part)[1] > 0 and part.left > lines[count].left:
            break
        count -= 1
    return count


def _header_by_form(lines: Sequence[VisualLine], rules: Sequence[PageBox]) -> int:
    """Return the lines above the first rule across the table, or that are bold while the next is not."""
    width = max(line.right for line in lines) - min(line.left for line in lines)
    for position in range(1, min(_HEADER_LINES, len(lines) - _BODY_LINES + 1)):
        above, below = lines[position - 1], lines[position]
        first = bisect_left(rules, above.bottom - 0.2 * above.size, key=middle_of)
        last = bisect_right(rules, below.top + 0.2 * below.size, key=middle_of)
        is_ruled = any(rules[index].right - rules[index].left >= 0.6 * width for index in range(first, last))
        if is_ruled or (above.is_bold and not below.is_bold):
            return position
        if not above.is_bold and not is_ruled and position > 2:  # noqa: PLR2004 - a header of three lines is rare
            break
    return 0
