"""Numbers of the lines of a page, as pleadings, bills and transcripts have them beside their text: they are no text."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageContent, PageWord
from groundwire_readers.readers.pdf.tables.visual_lines import visual_lines

_MAX_DIGITS: Final = 4
_MIN_NUMBERS: Final = 4
_MIN_LINES: Final = 8
"""Number of lines that the numbers must count."""
_MIN_RULED_LINES: Final = 20
"""Number of numbers from 1, at one distance, from which they are those of ruled paper, whatever is written on it."""
_ALIGNMENT: Final = 4.0
"""Distance, in points, within which numbers are in one column."""
_MIN_GAP: Final = 0.6
"""Gap between a number and its line, in font sizes."""
_PITCH_TOLERANCE: Final = 0.1
_MIN_CONTINUED_SHARE: Final = 0.25
"""Share of lines that start within a sentence, in lower case, from which lines are prose and no entries of a list."""
_MIN_LONG_SHARE: Final = 0.5
_LONG_LINE, _LONG_WORDS = 0.6, 5
"""Share of lines that are long; length of such a line as a share of the longest, and its number of words."""

_Line = tuple[PageWord, ...]
_Numbered = Sequence[tuple[int, PageWord]]
"""Numbers in one column, each with the index of its line."""


def without_line_numbers(page: PageContent) -> PageContent:
    """Return the page without the numbers of its lines, to the left or to the right of them."""
    if sum(map(_is_number, page.words)) < _MIN_NUMBERS:
        return page
    lines = [tuple(line.words) for line in visual_lines(page.words)]
    for side in (0, -1):
        for column in _columns(lines, side):
            if _counts_lines(column) and _are_beside_prose(lines, column, side):
                numbers = {id(word) for _, word in column}
                return replace(page, words=tuple(word for word in page.words if id(word) not in numbers))
    return page


def _is_number(word: PageWord) -> bool:
    return word.text.isdecimal() and len(word.text) <= _MAX_DIGITS and word.angle == 0


def _columns(lines: Sequence[_Line], side: int) -> list[_Numbered]:
    """Return the outermost numbers of lines that are aligned, at their right or at their left edge, the most first."""
    numbered = (index for index, line in enumerate(lines) if _is_number(line[side]) and _is_separate(line, side))
    outer = [(index, lines[index][side]) for index in numbered]
    columns = [_aligned(outer, [word.box.right for _, word in outer])]
    columns.append(_aligned(outer, [word.box.left for _, word in outer]))
    return sorted((column for column in columns if len(column) >= _MIN_NUMBERS), key=len, reverse=True)


def _aligned(outer: _Numbered, edges: Sequence[float]) -> _Numbered:
    """Return the numbers whose edges are at the most common place."""
    places = Counter(round(edge / _ALIGNMENT) for edge in edges)
    place = max(places, key=lambda each: places[each], default=0) * _ALIGNMENT
    return [numbered for numbered, edge in zip(outer, edges, strict=True) if abs(edge - place) <= _ALIGNMENT]


def _is_separate(line: _Line, side: int) -> bool:
    if len(line) == 1:
        return True
    left, right = line[:2] if side == 0 else line[-2:]
    return right.box.left - left.box.right >= _MIN_GAP * max(left.size, right.size)


def _counts_lines(column: _Numbered) -> bool:
    """Return whether the numbers advance by one for each line, or are those of ruled paper."""
    values = [int(word.text) for _, word in column]
    steps = {after - before for before, after in pairwise(values)}
    if len(steps) != 1 or min(steps) < 1:
        return False
    lines = {after - before for (before, _), (after, _) in pairwise(column)}
    if lines == steps and values[-1] - values[0] >= _MIN_LINES - 1:
        return True
    tops = [word.box.bottom for _, word in column]
    pitches = [after - before for before, after in pairwise(tops)]
    is_even = max(pitches) - min(pitches) <= _PITCH_TOLERANCE * max(pitches)
    return is_even and values[0] == 1 and steps == {1} and len(values) >= _MIN_RULED_LINES


def _are_beside_prose(lines: Sequence[_Line], column: _Numbered, side: int) -> bool:
    """Return whether the numbers are outside of the text beside them, and the text is prose."""
    numbers = {id(word) for _, word in column}
    between = lines[column[0][0] : column[-1][0] + 1]
    texts = [text for line in between if (text := [word for word in line if id(word) not in numbers])]
    if len(texts) < _MIN_NUMBERS:
        return False
    if side == 0:
        is_outside = max(word.box.right for _, word in column) <= min(text[0].box.left for text in texts)
    else:
        is_outside = min(word.box.left for _, word in column) >= max(text[-1].box.right for text in texts)
    widths = [text[-1].box.right - text[0].box.left for text in texts]
    long_lines = sum(
        width >= _LONG_LINE * max(widths) and len(text) >= _LONG_WORDS
        for width, text in zip(widths, texts, strict=True)
    )
    continued = sum(text[0].text[:1].islower() for text in texts)
    is_prose = continued >= _MIN_CONTINUED_SHARE * len(texts) and long_lines >= _MIN_LONG_SHARE * len(texts)
    return is_outside and is_prose
