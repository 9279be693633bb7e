"""Text with parts in columns that is no table: prose, lists, tables of contents, addresses."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from groundwire_readers.readers.pdf.tables.columns import Columns
from groundwire_readers.readers.pdf.tables.visual_lines import LIST_MARK, Part, VisualLine, joined

_PROSE_WORDS: Final = 4
_PROSE_FILL: Final = 0.72
_PROSE_SHARE: Final = 0.5
_ITEM: Final = re.compile(
    r"(?:(?:Item|Section|Article|Chapter|Part|Appendix|Annex|Note|Rule|§)\s*)?(?:\(?[A-Za-z0-9]{1,3}(?:\.\d{1,3}){0,5}[.):]?|[•◦▪■●○–—*·o-])",  # noqa: RUF001 - as printed
    re.IGNORECASE,
)
"""Number of a heading, or number or mark of a list's item."""
_LONG_CELL: Final = 5
"""Mean number of words of the cells of a column that reads as text."""
_RUNNING_LINES: Final = 8
_RUNNING_SHARE: Final = 0.75
"""Filled lines of one column, in number and share, that are running text beside margin notes."""
_LIST_SHARE: Final = 0.6
_FLOWING: Final = 2
_FLOWING_SHARE: Final = 0.5
"""Lines that go on with a sentence, in number and share of a column's, beside which other text begins."""
_BLANK: Final = 0.5
"""Maximum width of a blank, in font sizes."""
_ENDS: Final = (".", ":", ";", "!", "?")
_STREET: Final = re.compile(r"\d{1,5}[a-z]?,? [^\W\d]\D*|[^\W\d]\D* \d{1,4}[a-z]?")
_TOWN: Final = re.compile(r"\b(?:\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})\b")
"""Lines of an address: a street with a number, and a town with its postal code."""
_SURE_LINES: Final = 3
"""Number of lines without a value from which their columns are no accident."""
_EVEN: Final = 1.0
_LEADER: Final = re.compile(r"\.\s?\.\s?\.\s?\.")
_LEADER_SHARE: Final = 0.5
_PAGES_SHARE: Final = 0.8
# A number behind a comma or the sign of a currency is an amount.
_PAGE_AT_END: Final = re.compile(r"(?<![\d,$€£¥(])(\d{1,4})$")


def is_no_table(lines: Sequence[VisualLine], columns: Columns) -> bool:
    """Return whether the lines are text in columns, a list, a table of contents or blanks that meet by accident."""
    return (
        _is_prose(lines, columns)
        or is_contents(lines)
        or _is_list(lines)
        or _is_beside_prose(lines, columns)
        or _are_blocks(lines, columns)
        or _is_accident(lines, columns)
    )


def _is_prose(lines: Sequence[VisualLine], columns: Columns) -> bool:
    """Return whether the lines of two or more columns are filled as those of running text are."""
    spans: dict[int, list[Part]] = {}
    for line in lines:
        for part in line.parts:
            first, last = columns.of_part(part)
            if first == last:
                spans.setdefault(first, []).append(part)
    filled = worded = running = 0
    for parts in spans.values():
        left, right = min(part.left for part in parts), max(part.right for part in parts)
        long = [
            part
            for part in parts
            if len(part.words) >= _PROSE_WORDS and part.right - part.left >= _PROSE_FILL * (right - left)
        ]
        filled += len(parts) > 1 and len(long) >= _PROSE_SHARE * len(parts)
        worded += sum(len(part.words) for part in parts) >= _LONG_CELL * len(parts) > _LONG_CELL
        running += len(parts) >= _RUNNING_LINES and len(long) >= _RUNNING_SHARE * len(parts)
    values = sum(part.is_value for line in lines for part in line.parts)
    is_worded = values < 0.2 * sum(len(line.parts) for line in lines)
    return is_worded and (filled >= 2 or worded >= 2 or running >= 1)  # noqa: PLR2004 - columns of text


def is_contents(lines: Sequence[VisualLine]) -> bool:
    """Return whether the lines are entries of a table of contents: titles, and page numbers that only rise."""
    leaders = [text for text in (joined(line.words) for line in lines) if _LEADER.search(text)]
    if len(leaders) >= _LEADER_SHARE * len(lines):
        pages = [int(end[1]) for end in map(_PAGE_AT_END.search, leaders) if end is not None]
        return len(pages) >= _PAGES_SHARE * len(leaders) and pages == sorted(pages)
    with_end = [line for line in lines if len(line.parts) > 1 or _LEADER.search(joined(line.words))]
    ends = [line.parts[-1].text.rpartition(". ")[2] for line in with_end]
    pages = [int(text) for text in ends if text.isdecimal() and len(text) <= 4]  # noqa: PLR2004 - a page number
    if len(ends) < 3 or len(pages) < _PAGES_SHARE * len(ends):  # noqa: PLR2004 - two lines show no order
        return False
    # Below 2,000, since years at the ends of lines can rise as well.
    return pages == sorted(pages) and max(len(line.parts) for line in lines) <= 3 and pages[-1] < 2_000  # noqa: PLR2004


def _is_list(lines: Sequence[VisualLine]) -> bool:
    """Return whether the lines are numbered headings or items: a number or a mark, and words."""
    tabular = [line for line in lines if len(line.parts) > 1]
    numbered = [line for line in tabular if len(line.parts) == 2 and _ITEM.fullmatch(line.parts[0].text)]  # noqa: PLR2004
    worded = [line for line in numbered if not line.parts[1].is_value]
    marked = [line for line in tabular if all(_is_marked(part) for part in line.parts)]
    return max(len(worded), len(marked)) >= _LIST_SHARE * len(tabular)


def _is_marked(part: Part) -> bool:
    """Return whether a part is a list's item: its mark or number, and words."""
    return len(part.words) > 1 and LIST_MARK.fullmatch(part.words[0].text) is not None and not part.is_number


def _is_beside_prose(lines: Sequence[VisualLine], columns: Columns) -> bool:
    """Return whether a column is one sentence over its lines, beside which other columns have text of their own."""
    for column in range(columns.count):
        parts = [_in_column(line, column, columns) for line in lines]
        right = max((part.right for part in parts if part), default=0.0)
        own, flowing = 0, 0
        for line, (before, part) in zip(lines[1:], pairwise(parts), strict=True):
            others = [each for each in line.parts if each is not part]
            if before is None or part is None or not others:
                continue
            own += 1
            flowing += _flows(before, part, right) and not any(map(_starts_low, others))
        if flowing >= _FLOWING and flowing >= _FLOWING_SHARE * own:
            return True
    return False


def _in_column(line: VisualLine, column: int, columns: Columns) -> Part | None:
    return next((part for part in line.parts if columns.of_part(part) == (column, column)), None)


def _flows(before: Part, part: Part, right: float) -> bool:
    """Return whether a part goes on with the sentence of the part above it, which has no room for its first word."""
    first = part.words[0]
    is_full = right - before.right < first.box.right - first.box.left + _BLANK * first.size
    return is_full and len(before.words) >= _PROSE_WORDS and not before.text.endswith(_ENDS) and _starts_low(part)


def _starts_low(part: Part) -> bool:
    return part.text[:1].islower()


def _are_blocks(lines: Sequence[VisualLine], columns: Columns) -> bool:
    """Return whether blocks of text are beside each other: with a heading each that ends in ":", or addresses."""
    if any(part.is_number for line in lines for part in line.parts):
        return False
    first, *others = lines
    has_headings = len(first.parts) == columns.count and all(part.text.endswith(":") for part in first.parts)
    if has_headings and not any(part.text.endswith(":") for line in others for part in line.parts):
        return True
    texts = [[part.text for line in lines if (part := _in_column(line, at, columns))] for at in range(columns.count)]
    return sum(any(map(_STREET.fullmatch, each)) and any(map(_TOWN.search, each)) for each in texts) > 1


def _is_accident(lines: Sequence[VisualLine], columns: Columns) -> bool:
    """Return whether the columns of few lines without a value may be blanks of text that meet."""
    has_values = any(part.is_value for line in lines for part in line.parts)
    return not has_values and len(lines) < _SURE_LINES and not _is_even(lines, columns)


def _is_even(lines: Sequence[VisualLine], columns: Columns) -> bool:
    """Return whether the lines have a part in each column that begin at the same places, as no justified text has."""
    if any(len(line.parts) != columns.count for line in lines):
        return False
    by_column = zip(*(line.parts for line in lines), strict=True)
    places = ([part.left for part in parts] for parts in by_column)
    return all(max(lefts) - min(lefts) <= _EVEN for lefts in places)
