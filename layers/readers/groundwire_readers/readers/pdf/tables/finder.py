"""Search for the tables of a page: those with a grid of rules, then those in each column of running text."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageContent, PageWord
from groundwire_readers.readers.pdf.tables.borderless import borderless_table
from groundwire_readers.readers.pdf.tables.found_table import FoundTable
from groundwire_readers.readers.pdf.tables.headers import middle_of
from groundwire_readers.readers.pdf.tables.non_tables import is_contents
from groundwire_readers.readers.pdf.tables.regions import table_regions
from groundwire_readers.readers.pdf.tables.ruled import ruled_tables
from groundwire_readers.readers.pdf.tables.visual_lines import VisualLine, visual_lines

_MAX_TABLES: Final = 200
"""Maximum number of tables of a page; more are an accident of scattered words, or a hostile page."""
_MIN_SHARE: Final = 0.25
"""Minimum width of a column, of the page's."""
_CROSSED: Final = 0.06
"""Share of the lines that may cross the strip between two columns, such as headings of the page."""
_TEXT_WORDS: Final = 4
_TEXT_SHARE: Final = 0.55
_MIN_LINES: Final = 12


def find_tables(page: PageContent) -> Sequence[FoundTable]:
    """Return the tables of the page from top to bottom."""
    rules = sorted(page.rules, key=middle_of)
    by_height = sorted(page.words, key=lambda word: middle_of(word.box))
    found = [table for each in ruled_tables(page) if (table := _whole(each, by_height)) is not None]
    others = [word for word in page.words if not any(table.box.holds(word.box) for table in found)]
    for words in _text_columns(others, page.width):
        lines = visual_lines(words)
        regions = [region for region in table_regions(lines) if not _is_end_of_contents(lines, *region)]
        tables = (borderless_table(lines[start:end], rules) for start, end in regions)
        found += (table for each in tables if each and (table := _whole(each, by_height)) is not None)
    if len(found) > _MAX_TABLES:
        return ()
    return tuple(sorted(found, key=lambda table: (table.box.top, table.box.left)))


def _is_end_of_contents(lines: Sequence[VisualLine], start: int, end: int) -> bool:
    """Return whether the lines go on with the entries of a table of contents above them."""
    return start > 0 and is_contents(lines[start - 1 : end])


def _whole(table: FoundTable, by_height: Sequence[PageWord]) -> FoundTable | None:
    """Return the table if it has each word in its place once, since such words leave the text of the page; else None.

    Words that are not upright, such as a stamp across the table, are in its caption.
    """
    first = bisect_left(by_height, table.box.top, key=lambda word: middle_of(word.box))
    last = bisect_right(by_height, table.box.bottom, key=lambda word: middle_of(word.box))
    words = [by_height[at] for at in range(first, last) if table.box.holds(by_height[at].box)]
    stated = Counter("".join("".join(text.split()) for text in (table.caption, *chain.from_iterable(table.rows))))
    if stated == _letters(words):
        return table
    if stated == _letters([word for word in words if word.angle == 0]):
        turned = " ".join(word.text for word in words if word.angle)
        return replace(table, caption="\n".join(filter(None, (table.caption, turned))))
    return None


def _letters(words: Sequence[PageWord]) -> Counter[str]:
    return Counter("".join("".join(word.text.split()) for word in words))


def _text_columns(words: Sequence[PageWord], width: float) -> list[Sequence[PageWord]]:
    """Return the words of each column of running text; all words together where the page has one column."""
    lines = visual_lines(words)
    if len(lines) < _MIN_LINES or width <= 0:
        return [words]
    middle = _strip(lines, width)
    if middle is None:
        return [words]
    sides = [word for word in words if word.box.right <= middle], [word for word in words if word.box.left >= middle]
    if len(sides[0]) + len(sides[1]) < (1 - _CROSSED) * len(words) or not all(map(_is_text, sides)):
        return [words]
    return [*sides]


def _strip(lines: Sequence[VisualLine], width: float) -> float | None:
    """Return the middle of the empty strip nearest to the page's middle; None without one."""
    low, high = int(_MIN_SHARE * width), int((1 - _MIN_SHARE) * width)
    changes = [0] * (int(width) + 2)
    for line in lines:
        for part in line.parts:
            left, right = (min(max(int(x), 0), int(width)) for x in (part.left, part.right))
            changes[left] += 1
            changes[right + 1] -= 1
    covered, free = 0, list[int]()
    for x, change in enumerate(changes):
        covered += change
        if low <= x <= high and covered <= _CROSSED * len(lines):
            free.append(x)
    return min(free, key=lambda x: abs(x - width / 2), default=None)


def _is_text(words: Sequence[PageWord]) -> bool:
    lines = visual_lines(words)
    if len(lines) < _MIN_LINES / 2:
        return False
    parts = [part for line in lines for part in line.parts]
    long = sum(len(part.words) for part in parts if len(part.words) >= _TEXT_WORDS)
    return long >= _TEXT_SHARE * sum(len(part.words) for part in parts)
