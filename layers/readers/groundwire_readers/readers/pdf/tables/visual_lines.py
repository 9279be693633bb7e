"""Visual lines of a page: all words at one vertical position, split into parts at wide gaps."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from groundwire_readers.contents.currencies import CURRENCY, is_currency
from groundwire_readers.readers.pdf.page_content import PageBox, PageWord
from groundwire_readers.readers.pdf.text_layer.line_ends import is_broken, join_broken

_MIN_PART_GAP: Final = 0.8
"""Minimum gap between two parts of a line, in font sizes; a space is .25 to .6 wide."""
_MAX_CENTRE_DISTANCE: Final = 0.5
"""Maximum vertical distance of the centres of two words of one line, as a ratio to the lower word's height."""
_NUMBER: Final = re.compile(
    rf"(?:(?:{CURRENCY}|[(\[+\-–—−±<>~≤≥*])\s*)*\d[\d.,'’:/ ]*\s*"  # noqa: RUF001 - as printed
    rf"(?:%|{CURRENCY}|[)\]*†‡]|[a-z]\b|°?[CF]\b|\^[\w(),+-]{{1,8}})*",
    re.ASCII,
)
_PLACEHOLDER_OR_MARK: Final = re.compile(rf"(?:{CURRENCY}|\()*\s*[-–—−.]+\s*[%)]*|n/?a|nm|[xX✓✔●•]", re.IGNORECASE)  # noqa: RUF001 - as printed
_NUMBER_WITH_UNIT: Final = re.compile(r"(?!(?:19|20)\d\d\b)\d[\d.,]*\s*[A-Za-zµ°/]{1,12}[²³]?(?:\^\S{1,8})?")
"""A number with its unit, such as "11.3 years"; a year is no number."""
_CLOSING_BRACKET: Final = re.compile(r"[)\]]+(?:\(\d+\))?")
_CLOSING_SIGN: Final = re.compile(r"[)\]%]+(?:\(\d+\))?")
LIST_MARK: Final = re.compile(r"[•‣◦▪■●○–—\-*·o❖➢✓]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]")  # noqa: RUF001 - as printed


@dataclass(frozen=True, slots=True)
class Part:
    """Words of a line between two wide gaps: a candidate for a table cell."""

    words: tuple[PageWord, ...]
    left: float
    right: float
    text: str

    @property
    def is_value(self) -> bool:
        """A number, a check mark, or a sign in place of a number, such as a dash."""
        return is_value(self.text)

    @property
    def is_number(self) -> bool:
        """A number with its signs and unit."""
        return _NUMBER.fullmatch(self.text) is not None


@dataclass(frozen=True, slots=True)
class VisualLine:
    """All upright words at one vertical position, over the whole width that was searched.

    Attributes:
        size: the largest font size of its words, in points.
    """

    parts: tuple[Part, ...]
    top: float
    bottom: float
    size: float

    @property
    def left(self) -> float:
        """Left edge of the first part."""
        return self.parts[0].left

    @property
    def right(self) -> float:
        """Right edge of the last part."""
        return self.parts[-1].right

    @property
    def words(self) -> Iterator[PageWord]:
        """Words from left to right."""
        return (word for part in self.parts for word in part.words)

    @property
    def is_bold(self) -> bool:
        """Return whether every word is bold."""
        return all(word.is_bold for word in self.words)


def visual_lines(words: Iterable[PageWord]) -> list[VisualLine]:
    """Return the lines of upright words from top to bottom."""
    upright = [word for word in words if word.angle == 0]
    upright.sort(key=lambda word: (word.box.top + word.box.bottom, word.box.left))
    lines: list[list[PageWord]] = []
    for word in upright:
        if lines and _is_on_line(word, lines[-1]):
            lines[-1].append(word)
        else:
            lines.append([word])
    return [_line(line) for line in lines]


def rotated_words(words: Sequence[PageWord]) -> list[PageWord]:
    """Return the rotated words in reading order: names of narrow columns are often rotated."""
    upwards = [word for word in words if word.angle == 90]  # noqa: PLR2004 - read from bottom to top
    downwards = [word for word in words if word.angle not in (0, 90)]
    upwards.sort(key=lambda word: (word.box.left, -word.box.top))
    downwards.sort(key=lambda word: (-word.box.left, word.box.top))
    return [*upwards, *downwards]


def part_of(words: Sequence[PageWord]) -> Part:
    """Return the part that consists of these words, which are ordered from left to right."""
    return Part(tuple(words), words[0].box.left, max(word.box.right for word in words), joined(words))


def joined(words: Iterable[PageWord]) -> str:
    """Return the text of the words in logical order, without a space before a closing bracket."""
    text = ""
    bottom = float("inf")
    for line, run in groupby(words, key=lambda word: word.line):
        for word in sorted(run, key=lambda word: word.position) if line else run:
            if word.box.top + word.box.bottom > 2 * bottom and is_broken(text):
                text = join_broken(text, word.text, frozenset[str]())
            else:
                text += word.text if not text or _CLOSING_BRACKET.fullmatch(word.text) else f" {word.text}"
            bottom = word.box.bottom
    return text


def bounds(lines: Sequence[VisualLine]) -> PageBox:
    """Return the bounding box of the lines."""
    return PageBox(
        min(line.left for line in lines),
        min(line.top for line in lines),
        max(line.right for line in lines),
        max(line.bottom for line in lines),
    )


def is_value(text: str) -> bool:
    """Return whether a text is a number with signs and unit, a check mark, or a sign in place of a number."""
    return any(form.fullmatch(text) is not None for form in (_NUMBER, _PLACEHOLDER_OR_MARK, _NUMBER_WITH_UNIT))


def is_opening_sign(text: str) -> bool:
    """Return whether the text belongs to the number after it at any distance; a code may be a cell of its own."""
    return text == "(" or (is_currency(text) and not text[-1:].isalpha())


def _is_on_line(word: PageWord, line: Sequence[PageWord]) -> bool:
    first = line[0]
    middle = (first.box.top + first.box.bottom) / 2
    height = min(word.box.bottom - word.box.top, first.box.bottom - first.box.top)
    return abs((word.box.top + word.box.bottom) / 2 - middle) <= _MAX_CENTRE_DISTANCE * max(height, 1.0)


def _line(words: list[PageWord]) -> VisualLine:
    words.sort(key=lambda word: word.box.left)
    size = max(word.size for word in words)
    runs: list[list[PageWord]] = []
    right = 0.0
    # The currencies of a line that ends with one are behind their numbers.
    following = [None] * len(words) if is_currency(words[-1].text) else [*words[1:], None]
    for word, after in zip(words, following, strict=True):
        is_next = runs and after is not None and _is_sign_of_next(runs[-1][-1], word, after, size)
        if runs and not is_next and _continues(runs[-1], right, word, size, is_first=len(runs) == 1):
            runs[-1].append(word)
            right = max(right, word.box.right)
        else:
            runs.append([word])
            right = word.box.right
    return VisualLine(
        tuple(map(part_of, runs)),
        min(word.box.top for word in words),
        max(word.box.bottom for word in words),
        size,
    )


def _is_sign_of_next(last: PageWord, word: PageWord, following: PageWord, size: float) -> bool:
    """Return whether the word is the currency of the number in the next column, not of the words before it."""
    if not is_currency(word.text) or not is_value(following.text):
        return False
    is_separated = following.box.left - word.box.right > _MIN_PART_GAP * size
    return is_value(last.text) or (is_separated and is_opening_sign(word.text))


def _continues(run: Sequence[PageWord], right: float, word: PageWord, size: float, *, is_first: bool) -> bool:
    """Return whether the word belongs to the part: after no wide gap, or joined to a sign or a list marker."""
    gap, only_word = word.box.left - right, run[0].text if len(run) == 1 else ""
    if gap <= _MIN_PART_GAP * size:
        return True
    if is_opening_sign(only_word) and is_value(word.text):
        return True
    if _CLOSING_SIGN.fullmatch(word.text) and _NUMBER.match(run[-1].text):
        return gap <= 2 * _MIN_PART_GAP * size
    is_marker = is_first and LIST_MARK.fullmatch(only_word) is not None
    return is_marker and not is_value(word.text)
