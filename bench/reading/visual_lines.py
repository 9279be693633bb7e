"""Visual lines of a page and those among them that are rows of a table, by the positions of words alone."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bench.reading.page_words import PageWord
from bench.reading.words import is_contents_line, words

_CELL_GAP: Final = 1.0
"""Blank between two cells, in heights of the line: blanks between words are a quarter to a half of it."""
_SAME_LINE: Final = 0.5
_RUN_GAP: Final = 4.0
"""Heights between two rows of one table: between them there is room for a label of several lines."""
_ALIGNED: Final = 0.5
"""Heights between the edges of two cells of a column."""
_MIN_CELLS: Final = 3
_PROSE_WORDS: Final = 5
"""Words of a cell that reads as prose."""
_PROSE_LINES: Final = 8
"""Lines of prose in each of two columns."""
_CROSSING: Final = 0.15
"""Share of the lines of a page that go across both columns, such as headings."""
_MIN_RUN: Final = 2
_NUMBER: Final = re.compile(r"[-–—+<>~≈(\[$€£¥]*\s*(?:\d[\d.,:/]*\s*[%x)\]*†‡]*|[-–—]+\s*[%)]*)", re.ASCII)
_SIGN: Final = re.compile(r"[$€£¥%()\s]+")
_LETTER: Final = re.compile(r"[^\W\d_]")
_PAGE_NUMBER: Final = re.compile(r"\d+", re.ASCII)


@dataclass(frozen=True, slots=True)
class VisualLine:
    """Words of a page on one height, from left to right, in cells that wide blanks part."""

    page: int
    top: float
    height: float
    cells: Sequence[Sequence[PageWord]]

    @property
    def words(self) -> list[PageWord]:
        return [word for cell in self.cells for word in cell]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def texts(self) -> list[str]:
        """The text of each cell, without cells that are a sign of currency or per cent alone.

        Halves of words are left out: a reader that joins them puts them on one line.
        """
        whole = [[word for word in cell if not word.is_broken and not word.is_rest] for cell in self.cells]
        found = [" ".join(word.text for word in cell) for cell in whole]
        return [text for text in found if text and not _SIGN.fullmatch(text)]


@dataclass(frozen=True, slots=True)
class TableLine:
    """One visual line of a table, or one row of a table in a reference text.

    Attributes:
        place: its place in the document; a lower number is further up.
        numbers: its cells that are numbers alone, of those after the label.
    """

    place: int
    words: tuple[str, ...]
    numbers: int


def visual_lines(page: int, found: Sequence[PageWord]) -> list[VisualLine]:
    """Return the lines of a page from top to bottom; words that are turned on the page are left out.

    Of two columns of prose the left one comes first.
    """
    upright = [word for word in found if word.is_upright]
    lines = _lines(page, upright)
    gutter = _gutter(lines)
    if gutter is None:
        return lines
    left = _lines(page, [word for word in upright if word.left < gutter])
    return [*left, *_lines(page, [word for word in upright if word.left >= gutter])]


def _gutter(lines: Sequence[VisualLine]) -> float | None:
    """Return the place between two columns of prose: nearly no line crosses it, and both sides have lines of prose."""
    words = [word for line in lines for word in line.words]
    if not words:
        return None
    left, right = min(word.left for word in words), max(word.right for word in words)
    places = [left + (right - left) * percent / 100 for percent in range(30, 71)]
    crossing = {place: sum(word.left < place < word.right for word in words) for place in places}
    place = min(places, key=lambda place: (crossing[place], abs(place - (left + right) / 2)))
    prose = [cell for line in lines for cell in line.cells if sum(map(_is_letters, cell)) >= _PROSE_WORDS]
    sides = Counter(cell[0].left >= place for cell in prose if not cell[0].left < place < cell[-1].right)
    is_parted = crossing[place] <= _CROSSING * len(lines) and min(sides[False], sides[True]) >= _PROSE_LINES
    return place if is_parted else None


def _is_letters(word: PageWord) -> bool:
    return _LETTER.search(word.text) is not None


def _lines(page: int, found: Sequence[PageWord]) -> list[VisualLine]:
    groups: list[list[PageWord]] = []
    for word in sorted(found, key=_middle):
        first = groups[-1][0] if groups else None
        if first is not None and _middle(word) - _middle(first) < _SAME_LINE * min(word.height, first.height):
            groups[-1].append(word)
        else:
            groups.append([word])
    return [_line(page, group) for group in groups]


def _middle(word: PageWord) -> float:
    return (word.top + word.bottom) / 2


def _line(page: int, group: Sequence[PageWord]) -> VisualLine:
    ordered = sorted(group, key=lambda word: word.left)
    height = sorted(word.height for word in ordered)[len(ordered) // 2]
    cells = [[ordered[0]]]
    for last, word in pairwise(ordered):
        if word.left - last.right > _CELL_GAP * height:
            cells.append([])
        cells[-1].append(word)
    return VisualLine(page, min(word.top for word in ordered), height, cells)


def table_lines(pages: Sequence[Sequence[VisualLine]]) -> list[TableLine]:
    """Return the lines that are rows of tables: two or more near each other, each of cells that wide blanks part.

    A line has three cells, or a label and a number. Tables of contents are left out.
    """
    found: list[TableLine] = []
    place = 0
    for lines in pages:
        for run in _runs(lines):
            if not _is_contents(run, len(pages)):
                found += [row(place + at, line.texts) for at, line in enumerate(run)]
            place += len(run)
    return [line for line in found if len(line.words) > 1]


def row(place: int, cells: Sequence[str]) -> TableLine:
    """Return the cells as a line that a reader has to keep together."""
    return TableLine(place, tuple(word for cell in cells for word in words(cell)), _numbers(cells))


def _numbers(cells: Sequence[str]) -> int:
    has_label = bool(cells) and _LETTER.search(cells[0]) is not None
    return sum(_NUMBER.fullmatch(text) is not None for text in cells[1:]) if has_label else 0


def _is_row(line: VisualLine) -> bool:
    texts = line.texts
    if is_contents_line(line.text):
        return False
    if len(texts) >= _MIN_CELLS:
        return sum(len(text.split()) >= _PROSE_WORDS for text in texts) < 2  # else columns of prose
    return len(texts) > 1 and _NUMBER.fullmatch(texts[-1]) is not None and _LETTER.search(texts[0]) is not None


def _runs(lines: Sequence[VisualLine]) -> Iterator[list[VisualLine]]:
    run: list[VisualLine] = []
    for line in filter(_is_row, lines):
        if run and not _is_next(run[-1], line):
            if len(run) >= _MIN_RUN:
                yield run
            run = []
        run.append(line)
    if len(run) >= _MIN_RUN:
        yield run


def _is_next(last: VisualLine, line: VisualLine) -> bool:
    """Return true for lines near each other with a column in common: cells on one edge or around one middle."""
    height = max(line.height, last.height)
    if not 0 <= line.top - last.top <= _RUN_GAP * height:
        return False
    edges = [_edges(cell) for cell in last.cells[1:]]
    return any(
        abs(mine - theirs) <= _ALIGNED * height
        for cell in line.cells[1:]
        for other in edges
        for mine, theirs in zip(_edges(cell), other, strict=True)
    )


def _edges(cell: Sequence[PageWord]) -> tuple[float, float, float]:
    left, right = cell[0].left, cell[-1].right
    return left, right, (left + right) / 2


def _is_contents(run: Sequence[VisualLine], pages: int) -> bool:
    """Return true for lines that end with rising numbers of pages, and have no other numbers."""
    lasts = [line.texts[-1] for line in run]
    others = [text for line in run for text in line.texts[1:-1]]
    if not all(map(_PAGE_NUMBER.fullmatch, lasts)) or any(map(_NUMBER.fullmatch, others)):
        return False
    numbers = [int(text) for text in lasts]
    return numbers == sorted(numbers) and numbers[0] < numbers[-1] <= pages
