"""Search for the gutters of a page with three or more columns of prose, before its words are grouped into lines."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageWord
from groundwire_readers.readers.pdf.tables.visual_lines import Part, VisualLine, visual_lines

_MIN_GUTTERS: Final = 2
"""Number of gutters from which they are searched here: lines alone show a single one."""
_MAX_GUTTERS: Final = 8
_MIN_COLUMN_LINES: Final = 5
"""Minimum number of lines of a column."""
_MAX_CROSSING_SHARE: Final = 0.25
"""Maximum share of the lines that cross a gutter, as titles do."""
_MIN_WIDTH: Final = 6.0
"""Minimum width of a gutter, in points."""
_MIN_FULL_SHARE, _FULL_WIDTH = 0.5, 0.7
"""Minimum share of a column's lines that fill a share of its width, as prose does and table cells do not."""
_MIN_WORDS: Final = 2.5
"""Minimum mean number of words of a column's lines."""


def gutters_of(words: Iterable[PageWord], width: float) -> tuple[float, ...]:
    """Return the x positions of the gutters from left to right; empty for a page of fewer than three columns."""
    lines = visual_lines(words)
    if len(lines) < _MIN_COLUMN_LINES or width <= 0:
        return ()
    gutters = tuple(_free_positions(lines, int(width)))
    if not _MIN_GUTTERS <= len(gutters) <= _MAX_GUTTERS:
        return ()
    parts = [part for line in lines for part in line.parts]
    edges = (min(part.left for part in parts) - 1, *gutters, max(part.right for part in parts) + 1)
    columns = ([part for part in parts if left <= part.left and part.right <= right] for left, right in pairwise(edges))
    return gutters if all(map(_is_prose, columns)) else ()


def _free_positions(lines: Sequence[VisualLine], width: int) -> Iterator[float]:
    """Yield the middle of each strip that few lines cross."""
    changes = [0] * (width + 2)
    for line in lines:
        for part in line.parts:
            changes[min(max(int(part.left), 0), width)] += 1
            changes[min(max(int(part.right), 0), width) + 1] -= 1
    covering = 0
    strip: list[tuple[int, int]] = []
    is_after_text = False
    for x, change in enumerate(changes):
        covering += change
        if covering <= _MAX_CROSSING_SHARE * len(lines):
            strip.append((covering, x))
            continue
        # Margins are no gutters, so a strip counts between text only.
        if is_after_text and len(strip) >= _MIN_WIDTH:
            fewest = min(strip)[0]
            free = [place for count, place in strip if count == fewest]
            yield (free[0] + free[-1] + 1) / 2
        strip = []
        is_after_text = True


def _is_prose(column: Sequence[Part]) -> bool:
    if len(column) < _MIN_COLUMN_LINES:
        return False
    width = max(part.right for part in column) - min(part.left for part in column)
    full = sum(part.right - part.left >= _FULL_WIDTH * width for part in column)
    words = sum(len(part.words) for part in column)
    return full >= _MIN_FULL_SHARE * len(column) and words >= _MIN_WORDS * len(column)
