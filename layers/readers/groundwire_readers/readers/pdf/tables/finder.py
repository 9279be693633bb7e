"""Search for the tables of a page: first tables with drawn grid lines, then borderless ones in each text column."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageContent, PageWord
from groundwire_readers.readers.pdf.tables.banded import banded_tables
from groundwire_readers.readers.pdf.tables.borderless import borderless_tables
from groundwire_readers.readers.pdf.tables.found_table import FoundTable
from groundwire_readers.readers.pdf.tables.headers import middle_of
from groundwire_readers.readers.pdf.tables.non_tables import is_contents
from groundwire_readers.readers.pdf.tables.regions import table_regions, without_chart
from groundwire_readers.readers.pdf.tables.ruled import ruled_tables
from groundwire_readers.readers.pdf.tables.visual_lines import VisualLine, visual_lines
from groundwire_readers.readers.pdf.text_layer.right_to_left import most_are_right_to_left

_MAX_TABLES: Final = 200
"""Maximum number of tables of a page: more are scattered words, or a hostile page."""
_MIN_COLUMN_SHARE: Final = 0.25
"""Minimum width of a text column, as a share of the page's."""
_MAX_CROSSING_SHARE: Final = 0.06
"""Maximum share of lines that cross the gutter between two text columns, as headings of the page do."""
_MIN_TEXT_WORDS: Final = 4
"""Number of words from which a part of a line is running text."""
_MIN_TEXT_SHARE: Final = 0.55
"""Minimum share of a text column's words that are running text."""
_MIN_LINES: Final = 12
"""Minimum number of lines of a page that is searched for text columns."""


def find_tables(page: PageContent) -> Sequence[FoundTable]:
    """Return the tables of the page from top to bottom."""
    rules = sorted(page.rules, key=middle_of)
    by_height = sorted(page.words, key=lambda word: middle_of(word.box))
    results = [
        table for candidate in ruled_tables(page) if (table := _complete_table(candidate, by_height)) is not None
    ]
    banded = banded_tables(page, [table.box for table in results])
    results += (table for candidate in banded if (table := _complete_table(candidate, by_height)) is not None)
    words_outside = [
        word for word in page.words if not any(table.box.contains_centre_of(word.box) for table in results)
    ]
    for words in _text_columns(words_outside, page.width):
        lines = visual_lines(words)
        regions = [region for region in table_regions(lines) if not _is_end_of_contents(lines, *region)]
        tables = (
            table for start, end in regions for table in borderless_tables(without_chart(lines[start:end]), rules)
        )
        results += (table for candidate in tables if (table := _complete_table(candidate, by_height)) is not None)
    if len(results) > _MAX_TABLES:
        return ()
    return tuple(map(_in_reading_order, sorted(results, key=lambda table: (table.box.top, table.box.left))))


def _in_reading_order(table: FoundTable) -> FoundTable:
    """Return the table with its first column first, which is the rightmost of a right-to-left table."""
    if not most_are_right_to_left("".join(chain.from_iterable(table.rows))):
        return table
    return replace(table, rows=tuple(row[::-1] for row in table.rows))


def _is_end_of_contents(lines: Sequence[VisualLine], start: int, end: int) -> bool:
    """Return whether the lines continue a table of contents that starts with the line above them."""
    return start > 0 and is_contents(lines[start - 1 : end])


def _complete_table(table: FoundTable, by_height: Sequence[PageWord]) -> FoundTable | None:
    """Return the table if it contains each word in its box exactly once; else None.

    The words of a table are removed from the page's text, so a lossy table would lose them. Rotated words, such as a
    stamp across the table, are added to its caption.
    """
    first = bisect_left(by_height, table.box.top, key=lambda word: middle_of(word.box))
    last = bisect_right(by_height, table.box.bottom, key=lambda word: middle_of(word.box))
    words = [by_height[index] for index in range(first, last) if table.box.contains_centre_of(by_height[index].box)]
    table_letters = Counter(
        "".join("".join(text.split()) for text in (table.caption, *chain.from_iterable(table.rows)))
    )
    if table_letters == _letters(words):
        return table
    if table_letters == _letters([word for word in words if word.angle == 0]):
        rotated = " ".join(word.text for word in words if word.angle)
        return replace(table, caption="\n".join(filter(None, (table.caption, rotated))))
    return None


def _letters(words: Sequence[PageWord]) -> Counter[str]:
    return Counter("".join("".join(word.text.split()) for word in words))


def _text_columns(words: Sequence[PageWord], width: float) -> list[Sequence[PageWord]]:
    """Return the words of each of two text columns; all words as one column if the page has no gutter."""
    lines = visual_lines(words)
    if len(lines) < _MIN_LINES or width <= 0:
        return [words]
    gutter = _gutter(lines, width)
    if gutter is None:
        return [words]
    sides = [word for word in words if word.box.right <= gutter], [word for word in words if word.box.left >= gutter]
    if len(sides[0]) + len(sides[1]) < (1 - _MAX_CROSSING_SHARE) * len(words) or not all(map(_is_running_text, sides)):
        return [words]
    return [*sides]


def _gutter(lines: Sequence[VisualLine], width: float) -> float | None:
    """Return the x position of the gutter nearest to the page's middle; None if the page has no gutter."""
    low, high = int(_MIN_COLUMN_SHARE * width), int((1 - _MIN_COLUMN_SHARE) * width)
    changes = [0] * (int(width) + 2)
    for line in lines:
        for part in line.parts:
            left, right = (min(max(int(x), 0), int(width)) for x in (part.left, part.right))
            changes[left] += 1
            changes[right + 1] -= 1
    line_count, free_positions = 0, list[int]()
    for x, change in enumerate(changes):
        line_count += change
        if low <= x <= high and line_count <= _MAX_CROSSING_SHARE * len(lines):
            free_positions.append(x)
    return min(free_positions, key=lambda x: abs(x - width / 2), default=None)


def _is_running_text(words: Sequence[PageWord]) -> bool:
    lines = visual_lines(words)
    if len(lines) < _MIN_LINES / 2:
        return False
    parts = [part for line in lines for part in line.parts]
    running_words = sum(len(part.words) for part in parts if len(part.words) >= _MIN_TEXT_WORDS)
    return running_words >= _MIN_TEXT_SHARE * sum(len(part.words) for part in parts)
