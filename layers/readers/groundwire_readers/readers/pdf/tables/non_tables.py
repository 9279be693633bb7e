"""Rejection of aligned text that is no table: prose, lists, tables of contents, addresses."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from groundwire_readers.readers.pdf.tables.columns import Columns
from groundwire_readers.readers.pdf.tables.visual_lines import LIST_MARK, Part, VisualLine, joined

_MIN_PROSE_WORDS: Final = 4
"""Minimum number of words of a line of prose."""
_MIN_PROSE_WIDTH: Final = 0.72
"""Minimum width of a line of prose, as a share of its column's."""
_MIN_PROSE_SHARE: Final = 0.5
"""Minimum share of such lines in a column of prose."""
_ITEM_NUMBER: Final = re.compile(
    r"(?:(?:Item|Section|Article|Chapter|Part|Appendix|Annex|Note|Rule|§)\s*)?(?:\(?[A-Za-z0-9]{1,3}(?:\.\d{1,3}){0,5}[.):]?|[•◦▪■●○–—*·o-])",  # noqa: RUF001 - as printed
    re.IGNORECASE,
)
"""Number of a heading, or number or bullet of a list item."""
_MIN_CELL_WORDS: Final = 5
"""Minimum mean number of words per cell of a column of text."""
_MIN_RUNNING_LINES: Final = 8
_MIN_RUNNING_SHARE: Final = 0.75
"""Minimum number and share of lines of prose in a single column, which has margin notes beside it."""
_MIN_LIST_SHARE: Final = 0.6
"""Minimum share of lines that are list items."""
_MIN_FLOWING_LINES: Final = 2
_MIN_FLOWING_SHARE: Final = 0.5
"""Minimum number and share of a column's lines that continue a sentence, with unrelated text beside them."""
_MAX_SPACE_WIDTH: Final = 0.5
"""Maximum width of a space, in font sizes."""
_CLAUSE_END_MARKS: Final = (".", ":", ";", "!", "?")
_STREET: Final = re.compile(r"\d{1,5}[a-z]?,? [^\W\d]\D*|[^\W\d]\D* \d{1,4}[a-z]?")
_TOWN: Final = re.compile(r"\b(?:\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})\b")
"""Lines of a postal address: street with number, and town with postal code."""
_MIN_CERTAIN_LINES: Final = 3
"""Number of lines without a value from which common gaps are no coincidence."""
_MAX_EDGE_DIFFERENCE: Final = 1.0
"""Maximum difference of left edges in a column of so few lines, in points."""
_LEADER: Final = re.compile(r"\.\s?\.\s?\.\s?\.")
_MIN_LEADER_SHARE: Final = 0.5
"""Minimum share of lines with dot leaders in a table of contents."""
_MIN_PAGES_SHARE: Final = 0.8
"""Minimum share of its lines that end with a page number."""
# A number after a comma or a currency sign is an amount.
_PAGE_AT_END: Final = re.compile(r"(?<![\d,$€£¥(])(\d{1,4})$")


def is_no_table(lines: Sequence[VisualLine], columns: Columns) -> bool:
    """Return whether the lines are prose in columns, a list, a table of contents, addresses, or aligned by chance."""
    return (
        _is_prose(lines, columns)
        or is_contents(lines)
        or _is_list(lines)
        or _is_beside_prose(lines, columns)
        or _are_side_by_side(lines, columns)
        or _is_aligned_by_chance(lines, columns)
    )


def _is_prose(lines: Sequence[VisualLine], columns: Columns) -> bool:
    """Return whether columns consist of running text, by the width and word count of their lines."""
    parts_by_column: dict[int, list[Part]] = {}
    for line in lines:
        for part in line.parts:
            first, last = columns.of_part(part)
            if first == last:
                parts_by_column.setdefault(first, []).append(part)
    filled_columns = wordy_columns = running_columns = 0
    for parts in parts_by_column.values():
        left, right = min(part.left for part in parts), max(part.right for part in parts)
        prose_lines = [
            part
            for part in parts
            if len(part.words) >= _MIN_PROSE_WORDS and part.right - part.left >= _MIN_PROSE_WIDTH * (right - left)
        ]
        filled_columns += len(parts) > 1 and len(prose_lines) >= _MIN_PROSE_SHARE * len(parts)
        wordy_columns += sum(len(part.words) for part in parts) >= _MIN_CELL_WORDS * len(parts) > _MIN_CELL_WORDS
        running_columns += len(parts) >= _MIN_RUNNING_LINES and len(prose_lines) >= _MIN_RUNNING_SHARE * len(parts)
    values = sum(part.is_value for line in lines for part in line.parts)
    has_few_values = values < 0.2 * sum(len(line.parts) for line in lines)
    return has_few_values and (filled_columns >= 2 or wordy_columns >= 2 or running_columns >= 1)  # noqa: PLR2004 - columns of text


def is_contents(lines: Sequence[VisualLine]) -> bool:
    """Return whether the lines are entries of a table of contents: titles with ascending page numbers."""
    leaders = [text for text in (joined(line.words) for line in lines) if _LEADER.search(text)]
    if len(leaders) >= _MIN_LEADER_SHARE * len(lines):
        pages = [int(end[1]) for end in map(_PAGE_AT_END.search, leaders) if end is not None]
        return len(pages) >= _MIN_PAGES_SHARE * len(leaders) and pages == sorted(pages)
    entries = [line for line in lines if len(line.parts) > 1 or _LEADER.search(joined(line.words))]
    line_ends = [line.parts[-1].text.rpartition(". ")[2] for line in entries]
    pages = [int(text) for text in line_ends if text.isdecimal() and len(text) <= 4]  # noqa: PLR2004 - a page number
    if len(line_ends) < 3 or len(pages) < _MIN_PAGES_SHARE * len(line_ends):  # noqa: PLR2004 - two lines show no order
        return False
    # Below 2,000, since years at line ends can ascend as well.
    return pages == sorted(pages) and max(len(line.parts) for line in lines) <= 3 and pages[-1] < 2_000  # noqa: PLR2004


def _is_list(lines: Sequence[VisualLine]) -> bool:
    """Return whether most lines are numbered headings or list items."""
    tabular = [line for line in lines if len(line.parts) > 1]
    numbered = [line for line in tabular if len(line.parts) == 2 and _ITEM_NUMBER.fullmatch(line.parts[0].text)]  # noqa: PLR2004
    worded = [line for line in numbered if not line.parts[1].is_value]
    marked = [line for line in tabular if all(_is_list_item(part) for part in line.parts)]
    return max(len(worded), len(marked)) >= _MIN_LIST_SHARE * len(tabular)


def _is_list_item(part: Part) -> bool:
    """Return whether a part is a list item: a marker and words."""
    return len(part.words) > 1 and LIST_MARK.fullmatch(part.words[0].text) is not None and not part.is_number


def _is_beside_prose(lines: Sequence[VisualLine], columns: Columns) -> bool:
    """Return whether a column is wrapped prose, while the text beside each line starts anew."""
    for column in range(columns.count):
        parts = [_in_column(line, column, columns) for line in lines]
        right = max((part.right for part in parts if part), default=0.0)
        comparable, flowing = 0, 0
        for line, (before, part) in zip(lines[1:], pairwise(parts), strict=True):
            parts_beside = [each for each in line.parts if each is not part]
            if before is None or part is None or not parts_beside:
                continue
            comparable += 1
            flowing += _continues_sentence(before, part, right) and not any(map(_starts_in_lower_case, parts_beside))
        if flowing >= _MIN_FLOWING_LINES and flowing >= _MIN_FLOWING_SHARE * comparable:
            return True
    return False


def _in_column(line: VisualLine, column: int, columns: Columns) -> Part | None:
    return next((part for part in line.parts if columns.of_part(part) == (column, column)), None)


def _continues_sentence(before: Part, part: Part, right: float) -> bool:
    """Return whether a part continues the sentence above it, wrapped because its first word did not fit."""
    first = part.words[0]
    is_full = right - before.right < first.box.right - first.box.left + _MAX_SPACE_WIDTH * first.size
    return (
        is_full
        and len(before.words) >= _MIN_PROSE_WORDS
        and not before.text.endswith(_CLAUSE_END_MARKS)
        and _starts_in_lower_case(part)
    )


def _starts_in_lower_case(part: Part) -> bool:
    return part.text[:1].islower()


def _are_side_by_side(lines: Sequence[VisualLine], columns: Columns) -> bool:
    """Return whether blocks of text are side by side: each with a heading that ends in ":", or addresses."""
    if any(part.is_number for line in lines for part in line.parts):
        return False
    first, *others = lines
    has_headings = len(first.parts) == columns.count and all(part.text.endswith(":") for part in first.parts)
    if has_headings and not any(part.text.endswith(":") for line in others for part in line.parts):
        return True
    texts = [[part.text for line in lines if (part := _in_column(line, at, columns))] for at in range(columns.count)]
    return sum(any(map(_STREET.fullmatch, each)) and any(map(_TOWN.search, each)) for each in texts) > 1


def _is_aligned_by_chance(lines: Sequence[VisualLine], columns: Columns) -> bool:
    """Return whether the gaps of a few lines without values may be spaces that align by chance."""
    has_values = any(part.is_value for line in lines for part in line.parts)
    return not has_values and len(lines) < _MIN_CERTAIN_LINES and not _has_equal_edges(lines, columns)


def _has_equal_edges(lines: Sequence[VisualLine], columns: Columns) -> bool:
    """Return whether the lines have a part in each column, with equal left edges; justified text has not."""
    if any(len(line.parts) != columns.count for line in lines):
        return False
    by_column = zip(*(line.parts for line in lines), strict=True)
    places = ([part.left for part in parts] for parts in by_column)
    return all(max(lefts) - min(lefts) <= _MAX_EDGE_DIFFERENCE for lefts in places)
