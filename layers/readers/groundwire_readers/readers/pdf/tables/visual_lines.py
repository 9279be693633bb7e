"""Visual lines of a page: all words at one height, in parts that wide gaps divide."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox, PageWord

_PART_GAP: Final = 0.8
"""Gap between two parts of a line, of the font size; blanks are .25 to .6 wide."""
_SAME_LINE: Final = 0.5
"""Distance of the middles of two words of one line, of the height of the lower one."""
_NUMBER: Final = re.compile(
    r"(?:[$€£¥(\[+\-–—−±<>~≤≥*]\s*)*\d[\d.,'’:/ ]*\s*(?:%|[)\]*†‡]|[a-z]\b|°?[CF]\b)*",  # noqa: RUF001 - as printed
    re.ASCII,
)
_DASH: Final = re.compile(r"[$€£(]*\s*[-–—−.]+\s*[%)]*|n/?a|nm|[xX✓✔●•]", re.IGNORECASE)  # noqa: RUF001 - as printed
OPENING_SIGNS: Final = frozenset("$€£¥(")
"""Words that belong to the number after them."""
_MEASURE: Final = re.compile(r"(?!(?:19|20)\d\d\b)\d[\d.,]*\s*[A-Za-zµ°/]{1,12}")
"""A number with its unit, such as "11.3 years"."""
_CURRENCIES: Final = frozenset("$€£¥")
_CLOSING: Final = re.compile(r"[)\]%]+(?:\(\d+\))?")
LIST_MARK: Final = re.compile(r"[•‣◦▪■●○–—\-*·o❖➢✓]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]")  # noqa: RUF001 - as printed


@dataclass(frozen=True, slots=True)
class Part:
    """Words of a line between two wide gaps."""

    words: tuple[PageWord, ...]
    left: float
    right: float
    text: str

    @property
    def is_value(self) -> bool:
        """A number, a mark, or a sign in the place of a number."""
        return is_value(self.text)

    @property
    def is_number(self) -> bool:
        """A number with its signs and unit."""
        return _NUMBER.fullmatch(self.text) is not None


@dataclass(frozen=True, slots=True)
class VisualLine:
    """All upright words at one height.

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


def part_of(words: Sequence[PageWord]) -> Part:
    """Return the part of these words, which are in order from left to right."""
    return Part(tuple(words), words[0].box.left, max(word.box.right for word in words), joined(words))


def joined(words: Iterable[PageWord]) -> str:
    """Return the text of the words; a closing sign belongs to the word before it."""
    text = ""
    for word in words:
        text += word.text if not text or _CLOSING.fullmatch(word.text) else f" {word.text}"
    return text


def bounds(lines: Sequence[VisualLine]) -> PageBox:
    """Return the box around the lines."""
    return PageBox(
        min(line.left for line in lines),
        min(line.top for line in lines),
        max(line.right for line in lines),
        max(line.bottom for line in lines),
    )


def is_value(text: str) -> bool:
    """Return whether a text is a number with its signs and unit, a mark, or a sign in the place of a number."""
    return any(form.fullmatch(text) is not None for form in (_NUMBER, _DASH, _MEASURE))


def _is_on_line(word: PageWord, line: Sequence[PageWord]) -> bool:
    first = line[0]
    middle = (first.box.top + first.box.bottom) / 2
    height = min(word.box.bottom - word.box.top, first.box.bottom - first.box.top)
    return abs((word.box.top + word.box.bottom) / 2 - middle) <= _SAME_LINE * max(height, 1.0)


def _line(words: list[PageWord]) -> VisualLine:
    words.sort(key=lambda word: word.box.left)
    size = max(word.size for word in words)
    runs: list[list[PageWord]] = []
    right = 0.0
    for word in words:
        if runs and _continues(runs[-1], right, word, size, is_first=len(runs) == 1):
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


def _continues(run: Sequence[PageWord], right: float, word: PageWord, size: float, *, is_first: bool) -> bool:
    """Return whether the word belongs to the part: no wide gap, or a sign and its number, or a mark and its item."""
    gap, before = word.box.left - right, run[0].text if len(run) == 1 else ""
    if word.text in _CURRENCIES and is_value(run[-1].text):
        # The sign of the number in the next column.
        return False
    if gap <= _PART_GAP * size:
        return True
    if before in OPENING_SIGNS and is_value(word.text):
        return True
    if _CLOSING.fullmatch(word.text) and _NUMBER.match(run[-1].text):
        return gap <= 2 * _PART_GAP * size
    is_mark = is_first and LIST_MARK.fullmatch(before) is not None
    return is_mark and not is_value(word.text)
