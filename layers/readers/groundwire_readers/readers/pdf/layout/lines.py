"""Grouping of a page's words into lines: adjacent words on one baseline."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox, PageWord
from groundwire_readers.readers.pdf.text_layer.right_to_left import most_are_right_to_left

_MAX_WORD_GAP: Final = 2.0
"""Maximum gap between words of one line, in font sizes; a wider gap separates columns or cells."""
_MAX_SPACE: Final = 0.65
"""Maximum width of a space, in font sizes: that of fixed fonts is 0.6."""
_MIN_HEIGHT_OVERLAP: Final = 0.45
"""Minimum vertical overlap of two words of one line, as a share of the lower box's height."""
_BOLD_SHARE: Final = 0.85
"""Share of bold characters from which a line is bold; single symbols often are not."""
_MONOSPACED_SHARE: Final = 0.95
"""Share of monospaced characters from which a line is monospaced."""
_IDEOGRAPHS: Final = re.compile("[\u2e80-\u2fdf\u3001-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]")
"""Characters of Chinese and Japanese, which are written without spaces; Korean has spaces."""
_SUPERSCRIPT_RATIO: Final = 0.85
"""Maximum font size of a superscript number, as a ratio to the text's."""
_SYMBOL_FONTS: Final = re.compile(r"wingding|webding|dingbat|fontawesome|msam", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """Neighbouring words on one baseline.

    Attributes:
        size: font size of most of its characters, in points.
        is_bold: whether nearly all characters are bold.
        bold_start: number of characters before the first that is not bold.
        first_width: width of its first word, in points.
        mark_left: left edge of its second word, where the text after a list marker starts.
        page: number of its page, from 1.
        table: index of the table that it represents, among the page's tables; -1 for text.
        ends_word: whether a space follows its last word; known for Korean, true for other scripts.
        is_upright: whether its letters are not rotated.
        is_row: whether it has parts with gaps between them, as rows of a form have.
        part_left: left edge of the last of these parts.
        is_note: whether it starts with a superscript number, as a footnote does.
        is_recognised: whether its words come from text recognition (OCR).
        is_right_to_left: whether most of its letters are.
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
    is_right_to_left: bool = False


def lines_of(words: Iterable[PageWord], page: int, gutters: Sequence[float] = ()) -> list[Line]:
    """Return the lines in the order of the text layer; rotated words are separate lines, and so are columns."""
    return [line_of(run, page) for run in _runs(words, gutters)]


def line_of(words: Sequence[PageWord], page: int) -> Line:
    """Return the line that consists of these words."""
    characters = sum(len(word.text) for word in words)
    sizes = Counter[float]()
    for word in words:
        sizes[round(word.size, 1)] += len(word.text)
    bold = sum(len(word.text) for word in words if word.is_bold)
    monospaced = sum(len(word.text) for word in words if word.is_monospaced)
    text = joined_words([_display_text(word) for word in words])
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
        ends_word=words[-1].is_before_space,
        is_upright=words[0].angle == 0,
        is_recognised=not words[0].font,
        part_left=words[0].box.left,
        is_right_to_left=words[0].line > 0 and most_are_right_to_left(text),
        is_note=words[0].text.isdigit() and words[0].size < _SUPERSCRIPT_RATIO * words[-1].size,
    )


def table_line(box: PageBox, table: int, page: int) -> Line:
    """Return an empty line that represents a table in the reading order."""
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
    """Return the words joined by spaces, except between Chinese or Japanese characters."""
    parts: list[str] = []
    for word in words:
        if parts and not (_IDEOGRAPHS.match(word[0]) and _IDEOGRAPHS.match(parts[-1][-1])):
            parts.append(" ")
        parts.append(word)
    return "".join(parts)


def overlap_in_height(first: PageBox, second: PageBox) -> float:
    """Return the vertical overlap as a share of the lower box's height; negative for a gap."""
    overlap = min(first.bottom, second.bottom) - max(first.top, second.top)
    return overlap / max(min(first.bottom - first.top, second.bottom - second.top), 0.1)


def overlap_in_width(first: PageBox, second: PageBox) -> float:
    """Return the horizontal overlap as a share of the narrower box's width; negative for a gap."""
    overlap = min(first.right, second.right) - max(first.left, second.left)
    return overlap / max(min(first.right - first.left, second.right - second.left), 0.1)


def _display_text(word: PageWord) -> str:
    """Return the word's text; a single glyph of a symbol font is a bullet."""
    # Symbol fonts often map their glyphs to Unicode's private use area.
    is_symbol = len(word.text) == 1 and (_SYMBOL_FONTS.search(word.font) or "\ue000" <= word.text <= "\uf8ff")
    return "•" if is_symbol and not word.text.isdigit() else word.text


def _bold_start(words: Sequence[PageWord]) -> int:
    """Return the number of characters before the first word that is not bold."""
    count = 0
    for index, word in enumerate(words):
        if not word.is_bold:
            break
        count += len(word.text) + (1 if index else 0)
    return count


def _runs(words: Iterable[PageWord], gutters: Sequence[float]) -> Iterator[list[PageWord]]:
    run: list[PageWord] = []
    for word in words:
        if run and (_is_beyond_gutter(run[-1], word, gutters) or not _continues(run, word)):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _is_beyond_gutter(last: PageWord, word: PageWord, gutters: Sequence[float]) -> bool:
    """Return whether a gutter is between the words, and they are further apart than words of one line."""
    place = bisect_left(gutters, last.box.right)
    is_space = 0 <= word.box.left - last.box.right <= _MAX_SPACE * max(last.size, word.size)
    return place < len(gutters) and word.box.left >= gutters[place] and not is_space


def _continues(run: Sequence[PageWord], word: PageWord) -> bool:
    """Return whether the word is on the line of the words before it, without a wide gap or a step back."""
    last = run[-1]
    if word.line or last.line:
        return word.line == last.line
    if word.angle != last.angle:
        return False
    if word.angle in (90, 270):
        return overlap_in_width(last.box, word.box) >= _MIN_HEIGHT_OVERLAP
    if overlap_in_height(last.box, word.box) < _MIN_HEIGHT_OVERLAP:
        return False
    size = max(last.size, word.size)
    gap = max(word.box.left - last.box.right, last.box.left - word.box.right)
    if gap > _MAX_WORD_GAP * size:
        return False
    return word.box.right > last.box.left + size / 2
