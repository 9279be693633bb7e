"""Words of a page's text layer, each with the way in which it is drawn."""

import ctypes
import sys
import unicodedata
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox, PageWord
from groundwire_readers.readers.pdf.pages import pdfium
from groundwire_readers.readers.pdf.pages.glyph_codes import (
    BULLET_CODE,
    UNKNOWN,
    GlyphCodes,
    character_of,
    text_shift,
    word_of,
)
from groundwire_readers.readers.pdf.pages.page_map import Map
from groundwire_readers.readers.pdf.pages.text_style import StyleReader, TextStyle

_CHARACTERS: Final = 1_000_000
"""Maximum number of a page's characters that are read."""
_SOFT_HYPHEN: Final = 0xAD
_LINE_END_HYPHEN: Final = 0x02
_HYPHENS: Final = (_LINE_END_HYPHEN, _SOFT_HYPHEN, 0xFFFE)
"""Signs by which PDFium marks a hyphen at the end of a line."""
_BLANKS: Final = frozenset((9, 10, 11, 12, 13, 32, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF))
_EN_QUAD, _ZERO_WIDTH_SPACE = 0x2000, 0x200B
_LEFT_TO_RIGHT, _RIGHT_TO_LEFT = 1, 2
_FIRST_RIGHT_TO_LEFT: Final = 0x590
"""First code point of the scripts that are written from right to left."""
_FIRST_MARK: Final = 0x300
"""First code point of the marks that are drawn on letters."""
_FIRST_IDEOGRAPH: Final = 0x2E80
_TOUCH: Final = 0.1
"""Maximum gap between letters of one word of a script whose letters touch, as a share of the font's size."""
_WORD_GAP: Final = 0.3
"""Gap between characters that parts words although no blank is written, as a share of the font's size."""
_SPACE: Final = 0.15
"""Gap between letters that parts words if the letters before it have none, as a share of the font's size."""
_TIGHT: Final = 0.03
"""Maximum gap between letters that have none, as a share of the font's size: unlike those of spaced letters."""
_BACK_STEP: Final = 0.6
"""Step backwards that parts words: the next character belongs to another word."""
_LINE_STEP: Final = 0.6
_MARK_SIZE: Final = 0.8
"""Maximum size of a note's mark, as a share of the word's."""
_MARK_RISE: Final = 0.1
_MARKED_LETTERS: Final = 3
_BAR_HEIGHT: Final = 0.2
"""Maximum height of a minus or a dash, as a share of the font's size."""
_BAR_SHAPE: Final = 2.5
"""Minimum width of a minus or a dash, in its heights."""
_BAR_RISE: Final = (0.1, 0.5)
"""Places of its middle above the base line, as shares of the font's size: lower is an underscore."""


@dataclass(frozen=True, slots=True)
class DrawnWord:
    """A word and its style.

    Attributes:
        lost: number of its characters that are no text, but codes of glyphs.
    """

    word: PageWord
    style: TextStyle
    lost: int = 0


def read_words(page: int, to_shown: Map) -> list[DrawnWord]:
    """Return the words of the page's text layer in its order, hidden ones included; places as shown."""
    library = pdfium.load_library()
    text = library.FPDFText_LoadPage(page)
    if text is None:
        return []
    try:
        codes = GlyphCodes()
        words = _WordReader(text, to_shown, codes).read()
        shift = text_shift(codes.unmapped)
        return words if shift is None else _WordReader(text, to_shown, GlyphCodes(shift)).read()
    finally:
        library.FPDFText_ClosePage(text)


class _WordReader:
    """Reader of a text layer: one pass over its characters."""

    def __init__(self, text: int, to_shown: Map, codes: GlyphCodes) -> None:
        self._library = pdfium.load_library()
        self._has_no_map = self._library.FPDFText_HasUnicodeMapError
        self._text = text
        self._codes = codes
        self._to_shown = to_shown
        self._styles = StyleReader(text, to_shown)
        self._found: list[DrawnWord] = []
        self._characters: list[str] = []
        self._start = 0
        self._style: TextStyle | None = None
        self._left = self._top = self._right = self._bottom = 0.0
        self._widest_gap = 0.0
        self._last_box = (0.0, 0.0, 0.0, 0.0)
        self._glyph_start = 0
        self._mark = ""
        self._counted = 0

    def read(self) -> list[DrawnWord]:
        """Return the words."""
        count = min(int(self._library.FPDFText_CountChars(self._text)), _CHARACTERS)
        unicode_of, object_of = self._library.FPDFText_GetUnicode, self._library.FPDFText_GetTextObject
        text, styles = self._text, self._styles.styles
        for index in range(count):
            code = min(unicode_of(text, index), sys.maxunicode)
            code = self._text_code(index, code)
            if code in _BLANKS or _EN_QUAD <= code <= _ZERO_WIDTH_SPACE:
                self._end_word(index)
                continue
            if code >= _FIRST_MARK and unicodedata.combining(chr(code)):
                self._add_mark(chr(code))
                continue
            handle = object_of(text, index)
            if handle is None:
                continue
            style = styles.get(handle) or self._styles.read(handle, index)
            box = self._box(index, style)
            if box is not None:
                self._add(index, code, style, box)
        self._end_word()
        return self._found

    def _text_code(self, index: int, code: int) -> int:
        """Return the code point of the character, for which PDFium gives the code."""
        if code == 0 or self._has_no_map(self._text, index) == 1:
            return self._codes.unmapped_code(code)
        if code in _HYPHENS and (code != _LINE_END_HYPHEN or self._library.FPDFText_IsHyphen(self._text, index) == 1):
            return _SOFT_HYPHEN
        return code if code in _BLANKS else self._codes.mapped_code(code)

    def _add(self, index: int, code: int, style: TextStyle, box: tuple[float, float, float, float]) -> None:
        left, top, right, bottom = box
        if self._mark and not self._characters:
            self._reopen_word(style, left, top, right, bottom)
        if self._characters and box == self._last_box and self._is_right_to_left(code):
            # Of a ligature that is drawn as one sign PDFium gives the letters from left to right.
            self._characters.insert(self._glyph_start, character_of(code))
            return
        if self._characters and self._turns(code):
            self._end_word()
        if self._characters and self._is_separate(code, style, box):
            self._end_word()
        if not self._characters:
            self._start, self._style = index, style
            self._left, self._top, self._right, self._bottom = box
            self._widest_gap = 0.0
        else:
            self._widest_gap = max(self._widest_gap, left - self._right, self._left - right)
            self._left, self._top = min(self._left, left), min(self._top, top)
            self._right, self._bottom = max(self._right, right), max(self._bottom, bottom)
        if code in (UNKNOWN, BULLET_CODE) and self._is_bar(index, style):
            code = ord("-")
        self._glyph_start = len(self._characters)
        self._characters.append(character_of(code))
        self._last_box = box
        if self._mark:
            self._characters.append(self._mark)
            self._mark = ""

    def _add_mark(self, mark: str) -> None:
        """Add a mark to its letter; one that is written before its letter waits for it."""
        if self._characters:
            self._characters.append(mark)
        else:
            self._mark = mark

    def _reopen_word(self, style: TextStyle, left: float, top: float, right: float, bottom: float) -> None:
        """Go on with the last word, if the letter touches it: some programs write a blank before a mark."""
        last = self._found[-1] if self._found else None
        if last is None or last.style.angle != style.angle:
            return
        box = last.word.box
        gap = max(left - box.right, box.left - right)
        if gap <= _TOUCH * style.size and top < box.bottom and bottom > box.top:
            self._found.pop()
            self._counted -= last.lost
            self._characters, self._start, self._style = list(last.word.text), last.word.position, last.style
            self._left, self._top, self._right, self._bottom = box.left, box.top, box.right, box.bottom

    def _is_separate(self, code: int, style: TextStyle, box: tuple[float, float, float, float]) -> bool:
        """Return whether the character is at some distance from the word before it."""
        left, top, right, bottom = box
        current = self._style
        if current is None or style.angle != current.angle or style.mode != current.mode:
            return True
        size = max(current.size, style.size, 1.0)
        if style.angle in (90, 270):
            return not (left < self._right and right > self._left and self._gap_y(top, bottom) <= _WORD_GAP * size)
        if self._is_note_mark(current, style, bottom):
            return True
        middle = (top + bottom) / 2
        if not self._top - _LINE_STEP * size / 2 <= middle <= self._bottom + _LINE_STEP * size / 2:
            return True
        gap = max(left - self._right, self._left - right)
        is_tight = len(self._characters) > 1 and self._widest_gap <= _TIGHT * size
        if is_tight and code < _FIRST_IDEOGRAPH and (self._characters[-1] + chr(code)).isalpha():
            gap += (_WORD_GAP - _SPACE) * size
        return gap > _WORD_GAP * size or (style.angle == 0 and right < self._left - _BACK_STEP * size)

    def _is_note_mark(self, word: TextStyle, mark: TextStyle, bottom: float) -> bool:
        """Return whether a small raised character follows a word: an exponent follows a digit or a unit."""
        if mark.size > _MARK_SIZE * word.size or self._bottom - bottom < _MARK_RISE * word.size:
            return False
        last = self._characters[-_MARKED_LETTERS:]
        return len(last) == _MARKED_LETTERS and all(each.isalpha() and each.islower() for each in last)

    def _is_bar(self, index: int, style: TextStyle) -> bool:
        """Return whether a glyph of unknown meaning has the shape of a minus or a dash."""
        x, y = _CORNER_REFS[:2]
        if not self._library.FPDFText_GetCharBox(self._text, index, *_CORNER_REFS):
            return False
        left, right, bottom, top = (corner.value for corner in _CORNERS)
        box = self._to_shown.box(left, bottom, right, top)
        if not self._library.FPDFText_GetCharOrigin(self._text, index, x, y):
            return False
        _, base = self._to_shown.apply(_CORNERS[0].value, _CORNERS[1].value)
        height, rise = box.bottom - box.top, base - (box.top + box.bottom) / 2
        lowest, highest = (share * style.size for share in _BAR_RISE)
        return (
            0 < height <= _BAR_HEIGHT * style.size
            and box.right - box.left >= _BAR_SHAPE * height
            and lowest <= rise <= highest
        )

    def _is_right_to_left(self, code: int) -> bool:
        return (
            code >= _FIRST_RIGHT_TO_LEFT and _direction(self._characters[-1]) == _direction(chr(code)) == _RIGHT_TO_LEFT
        )

    def _turns(self, code: int) -> bool:
        """Return whether the character is written in the other direction than the letter before it."""
        if code < _FIRST_RIGHT_TO_LEFT and ord(self._characters[-1]) < _FIRST_RIGHT_TO_LEFT:
            return False
        directions = {_direction(self._characters[-1]), _direction(chr(code))}
        return directions == {_LEFT_TO_RIGHT, _RIGHT_TO_LEFT}

    def _gap_y(self, top: float, bottom: float) -> float:
        return max(top - self._bottom, self._top - bottom)

    def _end_word(self, blank: int = -1) -> None:
        """Add the word; `blank` is the place of the blank after it."""
        if not self._characters or self._style is None:
            return
        style = self._style
        is_korean = "\uac00" <= self._characters[-1] <= "\ud7a3"
        is_before_blank = not is_korean or (blank >= 0 and not self._library.FPDFText_IsGenerated(self._text, blank))
        text = word_of(self._characters)
        box = PageBox(self._left, self._top, self._right, self._bottom)
        word = PageWord(
            text,
            box,
            self._start,
            style.size,
            style.is_bold,
            style.font,
            style.is_monospaced,
            style.angle,
            is_before_blank,
        )
        self._found.append(DrawnWord(word, style, self._codes.lost - self._counted))
        self._counted = self._codes.lost
        self._characters = []

    def _box(self, index: int, style: TextStyle) -> tuple[float, float, float, float] | None:
        """Return the character's box; None where it has none."""
        if style.angle == 0 and self._to_shown.b == 0:
            rectangle = _RECTANGLE
            if self._library.FPDFText_GetLooseCharBox(self._text, index, _RECTANGLE_REF):
                a, _, _, d, e, f = self._to_shown
                left, right = a * rectangle.left + e, a * rectangle.right + e
                top, bottom = d * rectangle.top + f, d * rectangle.bottom + f
                if right > left and top < bottom:
                    return left, top, right, bottom
        if not self._library.FPDFText_GetCharBox(self._text, index, *_CORNER_REFS):
            return None
        left, right, bottom, top = (corner.value for corner in _CORNERS)
        box = self._to_shown.box(left, bottom, right, top)
        return box.left, box.top, box.right, box.bottom


_RECTANGLE: Final = pdfium.Rectangle()
_RECTANGLE_REF: Final = ctypes.byref(_RECTANGLE)
_CORNERS: Final = tuple(ctypes.c_double() for _ in range(4))
_CORNER_REFS: Final = tuple(map(ctypes.byref, _CORNERS))


def _direction(character: str) -> int:
    """Return the direction in which a letter is written; 0 for other characters."""
    name = unicodedata.bidirectional(character)
    return _RIGHT_TO_LEFT if name in ("R", "AL") else _LEFT_TO_RIGHT if name == "L" else 0
