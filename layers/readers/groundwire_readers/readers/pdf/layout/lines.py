"""Lines of text from the words of a page: runs of neighbouring words on one base line."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox, PageWord

_LINE_GAP: Final = 2.0
"""Maximum gap between words of one line, as a share of the font's size; beyond it begins another column or cell."""
_OVERLAP: Final = 0.45
"""Minimum share of the lower of two boxes that overlaps with the other in the height of one line."""
_BOLD_SHARE: Final = 0.85
_MONOSPACED_SHARE: Final = 0.95
_IDEOGRAPHS: Final = re.compile("[\u2e80-\u2fdf\u3001-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]")
"""Signs of Chinese and Japanese, which are written without blanks; Korean has blanks."""

_RAISED: Final = 0.85
"""Maximum size of a raised number, as a share of the text's."""
_SIGN_FONTS: Final = re.compile(r"wingding|webding|dingbat|fontawesome|msam", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """Neighbouring words on one base line.

    Attributes:
        size: of most of its characters, in points. is_bold: all but a few characters are.
        bold_start: number of characters of its text before the first that is not bold.
        first_width: of its first word, in points.
        mark_left: left edge of the second word, at which text after a mark begins.
        is_upright: its letters are not turned.
        is_row: it has parts at some distance, as rows of a form have. part_left: left edge of the last of them.
        is_note: it begins with a raised number, as a footnote does.
        is_recognised: its words are read in a picture.
        ends_word: a word of Korean ends with it; true for other scripts.
        page: from 1. table: place of the table that it stands for, among the page's tables; -1 for text.
    """

    text: str
    box: PageBox
    size: float
    is_bold: bool
    bold_start: int
    is_monospaced: bool
    first_width: float
    mark_left: float
    page: int
    table: int = -1
    ends_word: bool = True
    is_upright: bool = True
    is_row: bool = False
    part_left: float = 0.0
    is_note: bool = False
    is_recognised: bool = False


def lines_of(words: Iterable[PageWord], page: int) -> list[Line]:
    """Return the lines in the order of the text layer; words that are not upright are lines of their own."""
    return [line_of(run, page) for run in _runs(words)]


def line_of(words: Sequence[PageWord], page: int) -> Line:
    """Return the line of these words."""
    characters = sum(len(word.text) for word in words)
    sizes = Counter[float]()
    for word in words:
        sizes[round(word.size, 1)] += len(word.text)
    bold = sum(len(word.text) for word in words if word.is_bold)
    monospaced = sum(len(word.text) for word in words if word.is_monospaced)
    text = joined_words([_shown_text(word) for word in words])
    return Line(
        text,
        bounding_box([word.box for word in words]),
        max(sizes, key=lambda size: (sizes[size], size)),
        bold >= _BOLD_SHARE * characters,
        _bold_start(words),
        monospaced >= _MONOSPACED_SHARE * characters,
        words[0].box.right - words[0].box.left,
        words[1].box.left if len(words) > 1 else words[0].box.left,
        page,
        ends_word=words[-1].is_before_blank,
        is_upright=words[0].angle == 0,
        is_recognised=not words[0].font,
        part_left=words[0].box.left,
        is_note=words[0].text.isdigit() and words[0].size < _RAISED * words[-1].size,
    )


def table_line(box: PageBox, table: int, page: int) -> Line:
    """Return a line without text that holds the place of a table in the reading order."""
    return Line("", box, 0.0, False, 0, False, 0.0, box.left, page, table)


def bounding_box(boxes: Sequence[PageBox]) -> PageBox:
    """Return the smallest box around the boxes."""
    return PageBox(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def joined_words(words: Sequence[str]) -> str:
    """Return the words with blanks, except between signs that are written without."""
    parts: list[str] = []
    for word in words:
        if parts and not (_IDEOGRAPHS.match(word[0]) and _IDEOGRAPHS.match(parts[-1][-1])):
            parts.append(" ")
        parts.append(word)
    return "".join(parts)


def overlap_in_height(first: PageBox, second: PageBox) -> float:
    """Return the common height as a share of the lower box's height."""
    common = min(first.bottom, second.bottom) - max(first.top, second.top)
    return common / max(min(first.bottom - first.top, second.bottom - second.top), 0.1)


def overlap_in_width(first: PageBox, second: PageBox) -> float:
    """Return the common width as a share of the narrower box's width."""
    common = min(first.right, second.right) - max(first.left, second.left)
    return common / max(min(first.right - first.left, second.right - second.left), 0.1)


def _shown_text(word: PageWord) -> str:
    """Return the word's text; a single sign of a font of signs is a bullet."""
    # Fonts of signs often map their glyphs to Unicode's private area.
    is_sign = len(word.text) == 1 and (_SIGN_FONTS.search(word.font) or "\ue000" <= word.text <= "\uf8ff")
    return "•" if is_sign and not word.text.isdigit() else word.text


def _bold_start(words: Sequence[PageWord]) -> int:
    count = 0
    for index, word in enumerate(words):
        if not word.is_bold:
            break
        count += len(word.text) + (1 if index else 0)
    return count


def _runs(words: Iterable[PageWord]) -> Iterator[list[PageWord]]:
    run: list[PageWord] = []
    for word in words:
        if run and not _continues(run, word):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _continues(run: Sequence[PageWord], word: PageWord) -> bool:
    last = run[-1]
    if word.angle != last.angle:
        return False
    if word.angle in (90, 270):
        return overlap_in_width(last.box, word.box) >= _OVERLAP
    if overlap_in_height(last.box, word.box) < _OVERLAP:
        return False
    size = max(last.size, word.size)
    gap = max(word.box.left - last.box.right, last.box.left - word.box.right)
    if gap > _LINE_GAP * size:
        return False
    goes_back = word.box.right <= last.box.left + size / 2
    return not goes_back or _is_right_to_left(word.text) or _is_right_to_left(last.text)


def _is_right_to_left(text: str) -> bool:
    return any("\u0590" <= character <= "\u08ff" or "\ufb1d" <= character <= "\ufefc" for character in text)
