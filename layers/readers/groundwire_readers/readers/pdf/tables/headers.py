"""Detection of the header of a borderless table: the lines at its top that name columns."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox
from groundwire_readers.readers.pdf.tables.columns import Columns
from groundwire_readers.readers.pdf.tables.visual_lines import Part, VisualLine

_MAX_HEADER_LINES: Final = 8
"""Maximum number of lines of a header."""
_MIN_BODY_LINES: Final = 2
"""Minimum number of lines below a header that differs from data by form (rule, bold) alone."""
# Years, quarters and percentages name columns although they are numbers.
_YEAR_OR_SHARE: Final = re.compile(r"(?:19|20)\d\d(?:\s*\(\d+\)|\^\S{1,8})?|(?:FY|Q[1-4])\s*'?\d{2,4}|(?:\d+\s*)?%")
_DATE: Final = re.compile(
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s+\d{1,2},?(?:\s*(?:19|20)\d\d)?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Header:
    """Rows of a table that name its columns.

    Attributes:
        rows: rows of names over several columns, then one row with the name of each column.
        lines: number of lines at the top of the region that it uses.
    """

    rows: list[list[str]]
    lines: int


def header_of(lines: Sequence[VisualLine], columns: Columns, rules: Sequence[PageBox]) -> Header:
    """Return the header: the lines at the top of the region that name columns.

    `rules` must be sorted by `middle_of`.
    """
    count = _count_header_lines(lines, columns, rules)
    return Header(named_rows(lines[:count], lines, columns), count)


def named_rows(header: Sequence[VisualLine], lines: Sequence[VisualLine], columns: Columns) -> list[list[str]]:
    """Return the rows that the lines of a header make; `lines` are all of the table."""
    spanning_rows: list[list[str]] = []
    names = [""] * columns.count
    centres = _centres(lines, columns)
    for line in header:
        row = [""] * columns.count
        for part, named in zip(line.parts, _named_columns(line, columns, centres), strict=True):
            if len(named) > 1:
                row[named[0]] = part.text
            else:
                names[named[0]] = f"{names[named[0]]} {part.text}".strip()
        if any(row):
            spanning_rows.append(row)
    return [*spanning_rows, *([names] if any(names) else [])]


def middle_of(rule: PageBox) -> float:
    """Return the vertical position of a box's centre."""
    return (rule.top + rule.bottom) / 2


def _centres(lines: Sequence[VisualLine], columns: Columns) -> list[float | None]:
    """Return the x position of the centre of each column; None for a column without a part within it."""
    left_edges: list[list[float]] = [[] for _ in range(columns.count)]
    right_edges: list[list[float]] = [[] for _ in range(columns.count)]
    for line in lines:
        for part in line.parts:
            first, last = columns.of_part(part)
            if first == last:
                left_edges[first].append(part.left)
                right_edges[first].append(part.right)
    return [(min(left) + max(right)) / 2 if left else None for left, right in zip(left_edges, right_edges, strict=True)]


def _named_columns(line: VisualLine, columns: Columns, centres: Sequence[float | None]) -> list[list[int]]:
    """Return the columns that each part of a header line names.

    A part names several columns if it covers them, or if it is centred above the columns that are nearer to it than
    to the other parts of the line.
    """
    midpoints = [
        float("-inf"),
        *((left.right + right.left) / 2 for left, right in pairwise(line.parts)),
        float("inf"),
    ]
    groups: list[list[int]] = []
    for part, (low, high) in zip(line.parts, pairwise(midpoints), strict=True):
        first, last = columns.of_part(part)
        nearest = [
            column for column, centre in enumerate(centres) if column and centre is not None and low < centre < high
        ]
        if len(nearest) > 1 and _is_centred(part, [centres[column] or 0.0 for column in nearest], line.size):
            groups.append(nearest)
        else:
            groups.append([*range(first, last + 1)])
    return groups


def _is_centred(part: Part, centres: Sequence[float], size: float) -> bool:
    middle, width = (min(centres) + max(centres)) / 2, max(centres) - min(centres)
    return abs((part.left + part.right) / 2 - middle) <= max(size, 0.12 * width)


def _count_header_lines(lines: Sequence[VisualLine], columns: Columns, rules: Sequence[PageBox]) -> int:
    """Return the number of header lines; 0 if the first line is data."""
    count = 0
    for line in lines[:_MAX_HEADER_LINES]:
        if _is_data(line, columns):
            break
        count += 1
    if not count:
        return 0
    body = lines[count:]
    has_values = any(part.is_value for line in body for part in line.parts if columns.of_part(part)[0])
    labelled = [line for line in lines[:count] if len(line.parts) > 1 and columns.of_part(line.parts[0])[0] == 0]
    has_keys = any(line.parts[0].text.endswith(":") for line in lines[:count] if len(line.parts) > 1)
    if has_values and all(map(_continues_names, labelled[1:])) and not has_keys:
        return _without_section_labels(lines, count, columns)
    # In a table of words, only the form distinguishes a header from data.
    return _header_by_form(lines, rules)


def _continues_names(line: VisualLine) -> bool:
    """Return whether the line continues the names above it: some parts start in lower case, none in upper case."""
    firsts = [part.text[:1] for part in line.parts]
    return any(map(str.islower, firsts)) and not any(map(str.isupper, firsts))


def _is_data(line: VisualLine, columns: Columns) -> bool:
    """Return whether the line has a value after the first column that is neither a year nor a date."""
    values = [part for part in line.parts if columns.of_part(part)[0] and part.is_value]
    years_and_dates = [part for part in values if _YEAR_OR_SHARE.fullmatch(part.text) or _DATE.fullmatch(part.text)]
    return len(values) > len(years_and_dates)


def _without_section_labels(lines: Sequence[VisualLine], count: int, columns: Columns) -> int:
    """Return the count without section labels of the body at its end, such as "Current assets:"."""
    while count and len(lines[count - 1].parts) == 1 and columns.of_part(lines[count - 1].parts[0])[0] == 0:
        part = lines[count - 1].parts[0]
        if columns.of_part(part)[1] > 0 and part.left > lines[count].left:
            break
        count -= 1
    return count


def _header_by_form(lines: Sequence[VisualLine], rules: Sequence[PageBox]) -> int:
    """Return the number of lines above the first rule across the table, or of bold lines before one that is not."""
    width = max(line.right for line in lines) - min(line.left for line in lines)
    for position in range(1, min(_MAX_HEADER_LINES, len(lines) - _MIN_BODY_LINES + 1)):
        above, below = lines[position - 1], lines[position]
        first_rule = bisect_left(rules, above.bottom - 0.2 * above.size, key=middle_of)
        end_rule = bisect_right(rules, below.top + 0.2 * below.size, key=middle_of)
        is_ruled = any(rules[index].right - rules[index].left >= 0.6 * width for index in range(first_rule, end_rule))
        if is_ruled or (above.is_bold and not below.is_bold):
            return position
        if not above.is_bold and not is_ruled and position > 2:  # noqa: PLR2004 - a header of three lines is rare
            break
    return 0
