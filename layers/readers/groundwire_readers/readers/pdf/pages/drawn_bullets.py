"""Bullets of lists that are drawn as small shapes instead of letters, as browsers draw them."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox, PageWord

_BULLET: Final = "•"
_SIDES: Final = (0.12, 0.6)
"""Range of the sides of a bullet, as shares of the font size beside it."""
_HIGHEST, _LOWEST = 0.3, 0.8
"""Range of its middle, as shares of the height of the letters from the top."""
_MAX_GAP: Final = 2.0
"""Maximum gap between bullet and text, in font sizes."""
_FREE: Final = 3.0
"""Width without text at the other side of the bullet, in font sizes: others are dots within a drawing."""
_MAX_BULLETS: Final = 1_000
"""Maximum number of small shapes of a page with lists; more are a drawing."""
_MAX_NEAR: Final = 8
"""Number of words at each side that are searched for one on the line of the shape, and of rows of a word."""
_ROW_HEIGHT: Final = 8.0
"""Height of the rows by which words are found, in points."""


def with_bullets(words: Sequence[PageWord], dots: Sequence[PageBox]) -> Sequence[PageWord]:
    """Return the words, with a bullet before each word that starts a line beside a small shape."""
    if not dots or len(dots) > _MAX_BULLETS:
        return words
    rows = _rows_of(words)
    bullets: dict[int, PageBox] = {}
    for dot in dots:
        left, right = _neighbours(dot, words, rows.get(int((dot.top + dot.bottom) / 2 // _ROW_HEIGHT), []))
        # The line of a right-to-left list ends at its bullet.
        if right is not None and not words[right].line and _is_bullet(dot, words, right, left):
            bullets.setdefault(right, dot)
        elif left is not None and words[left].line and _is_bullet(dot, words, left, right):
            bullets.setdefault(left, dot)
    return [*_inserted(words, bullets)]


_Row = list[tuple[float, int]]
"""Left edges and indexes of the words at one height."""


def _rows_of(words: Sequence[PageWord]) -> dict[int, _Row]:
    rows: defaultdict[int, _Row] = defaultdict(list)
    for index, word in enumerate(words):
        if word.angle == 0:
            first, last = int(word.box.top // _ROW_HEIGHT), int(word.box.bottom // _ROW_HEIGHT)
            for row in range(first, min(last, first + _MAX_NEAR) + 1):
                rows[row].append((word.box.left, index))
    for row in rows.values():
        row.sort()
    return rows


def _neighbours(dot: PageBox, words: Sequence[PageWord], row: _Row) -> tuple[int | None, int | None]:
    """Return the indexes of the words to the left and to the right of the dot on its line."""
    place = bisect_left(row, dot.left, key=lambda item: item[0])
    middle = (dot.top + dot.bottom) / 2
    sides = (row[max(place - _MAX_NEAR, 0) : place][::-1], row[place : place + _MAX_NEAR])
    left, right = (
        next((index for _, index in side if words[index].box.top <= middle <= words[index].box.bottom), None)
        for side in sides
    )
    return left, right


def _is_bullet(dot: PageBox, words: Sequence[PageWord], index: int, other: int | None) -> bool:
    """Return whether the shape is as small as a bullet, in the middle of the line and alone at its end."""
    word = words[index]
    sides = (dot.right - dot.left, dot.bottom - dot.top)
    height = word.box.bottom - word.box.top
    return (
        _SIDES[0] * word.size <= min(sides) <= max(sides) <= min(_SIDES[1] * word.size, 2 * min(sides))
        and _HIGHEST * height <= (dot.top + dot.bottom) / 2 - word.box.top <= _LOWEST * height
        and _gap(dot, word.box) <= _MAX_GAP * word.size
        and (other is None or _gap(dot, words[other].box) > _FREE * word.size)
    )


def _gap(first: PageBox, second: PageBox) -> float:
    return max(first.left - second.right, second.left - first.right)


def _inserted(words: Sequence[PageWord], bullets: dict[int, PageBox]) -> Iterator[PageWord]:
    for index, word in enumerate(words):
        if (dot := bullets.get(index)) is not None:
            box = PageBox(dot.left, word.box.top, dot.right, word.box.bottom)
            yield replace(word, text=_BULLET, box=box, is_bold=False)
        yield word
