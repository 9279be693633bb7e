"""Reading of the words of a page's text layer, each with the style in which it is drawn."""

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
from groundwire_readers.readers.pdf.pages.text_style import StyleReader, TextStyle, is_note_mark, position_in
from groundwire_readers.readers.pdf.pages.transform import Transform

_MAX_CHARACTERS: Final = 1_000_000
"""Maximum number of characters that are read of a page."""
_SOFT_HYPHEN: Final = 0xAD
_LINE_END_HYPHEN: Final = 0x02
_HYPHENS: Final = (_LINE_END_HYPHEN, _SOFT_HYPHEN, 0xFFFE)
"""Codes by which PDFium reports a hyphen at the end of a line."""
_SPACES: Final = frozenset((9, 10, 11, 12, 13, 32, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF))
_EN_QUAD, _ZERO_WIDTH_SPACE = 0x2000, 0x200B
_LEFT_TO_RIGHT, _RIGHT_TO_LEFT = 1, 2
_FIRST_RIGHT_TO_LEFT: Final = 0x590
"""First code point of the right-to-left scripts (Hebrew)."""
_FIRST_COMBINING_MARK: Final = 0x300
"""First code point of the combining diacritical marks."""
_FIRST_IDEOGRAPH: Final = 0x2E80
_TOUCHING_GAP: Final = 0.1
"""Maximum gap at which a letter touches the word before it, in font sizes."""
_WORD_GAP: Final = 0.3
"""Gap that separates words although the text layer has no space there, in font sizes."""
_TIGHT_WORD_GAP: Final = 0.15
"""Gap that separates words whose letters are set without gaps, in font sizes."""
_MAX_TIGHT_GAP: Final = 0.03
"""Maximum gap between letters that counts as none, in font sizes: letter-spaced text has wider ones."""
_BACK_STEP: Final = 0.6
"""Step backwards that separates words, in font sizes."""
_LINE_STEP: Final = 0.6
"""Vertical step that separates words, in font sizes."""
_DASH_HEIGHT: Final = 0.2
"""Maximum height of a minus or dash, in font sizes."""
_DASH_RATIO: Final = 2.5
"""Minimum ratio of width to height of a minus or dash."""
_DASH_RISE: Final = (0.1, 0.5)
"""Range of its centre above the baseline, in font sizes: an underscore is lower."""


@dataclass(frozen=True, slots=True)
class DrawnWord:
    """A word with its style; `lost` is the number of its glyph codes without a known character."""

    word: PageWord
    style: TextStyle
    lost: int = 0


def read_words(page: int, to_display: Transform) -> list[DrawnWord]:
    """Return all words of the text layer, hidden ones included, in its order and in displayed positions."""
    library = pdfium.load_library()
    text = library.FPDFText_LoadPage(page)
    if text is None:
        return []
    try:
        codes = GlyphCodes()
        words = _WordReader(text, to_display, codes).read()
        shift = text_shift(codes.unmapped)
        return words if shift is None else _WordReader(text, to_display, GlyphCodes(shift)).read()
    finally:
        library.FPDFText_ClosePage(text)


class _WordReader:
    """Reader of a text layer, which groups its characters into words in one pass."""

    def __init__(self, text: int, to_display: Transform, codes: GlyphCodes) -> None:
        self._library = pdfium.load_library()
        self._has_no_map = self._library.FPDFText_HasUnicodeMapError
        self._text = text
        self._codes = codes
        self._to_display = to_display
        self._styles = StyleReader(text, to_display)
        self._words: list[DrawnWord] = []
        self._characters: list[str] = []
        self._positions: dict[int, str] = {}
        self._base = 0.0
        self._start = 0
        self._style: TextStyle | None = None
        self._left = self._top = self._right = self._bottom = 0.0
        self._widest_gap = 0.0
        self._last_box = (0.0, 0.0, 0.0, 0.0)
        self._glyph_start = 0
        self._mark = ""
        self._lost_before = 0

    def read(self) -> list[DrawnWord]:
        """Return the words."""
        count = min(int(self._library.FPDFText_CountChars(self._text)), _MAX_CHARACTERS)
        unicode_of, object_of = self._library.FPDFText_GetUnicode, self._library.FPDFText_GetTextObject
        text, styles = self._text, self._styles.styles
        for index in range(count):
            code = min(unicode_of(text, index), sys.maxunicode)
            code = self._text_code(index, code)
            if code in _SPACES or _EN_QUAD <= code <= _ZERO_WIDTH_SPACE:
                self._end_word(index)
                continue
            if code >= _FIRST_COMBINING_MARK and unicodedata.combining(chr(code)):
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
        return self._words

    def _text_code(self, index: int, code: int) -> int:
        """Return the code point of the character that PDFium reports with this code."""
        if code == 0 or self._has_no_map(self._text, index) == 1:
            return self._codes.unmapped_code(code)
        if code in _HYPHENS and (code != _LINE_END_HYPHEN or self._library.FPDFText_IsHyphen(self._text, index) == 1):
            return _SOFT_HYPHEN
        return code if code in _SPACES else self._codes.mapped_code(code)

    def _add(self, index: int, code: int, style: TextStyle, box: tuple[float, float, float, float]) -> None:
        left, top, right, bottom = box
        if self._mark and not self._characters:
            self._reopen_word(style, left, top, right, bottom)
        if self._characters and box == self._last_box and self._is_right_to_left(code):
            # PDFium reports the letters of a right-to-left ligature glyph from left to right.
            self._characters.insert(self._glyph_start, character_of(code))
            return
        if self._characters and self._changes_direction(code):
            self._end_word()
        if self._characters and self._is_separate(code, style, box):
            self._end_word()
        if not self._characters:
            self._start, self._style, self._base = index, style, bottom
            self._left, self._top, self._right, self._bottom = box
            self._widest_gap = 0.0
        else:
            self._widest_gap = max(self._widest_gap, left - self._right, self._left - right)
            self._left, self._top = min(self._left, left), min(self._top, top)
            self._right, self._bottom = max(self._right, right), max(self._bottom, bottom)
        if code in (UNKNOWN, BULLET_CODE) and self._has_dash_shape(index, style):
            code = ord("-")
        self._append(character_of(code), style, bottom)
        self._last_box = box

    def _append(self, character: str, style: TextStyle, bottom: float) -> None:
        self._glyph_start = len(self._characters)
        if self._style is not None and (mark := position_in(self._style, style, self._base - bottom)):
            self._positions[self._glyph_start] = mark
        self._characters.append(character)
        if self._mark:
            self._characters.append(self._mark)
            self._mark = ""

    def _add_mark(self, mark: str) -> None:
        """Append a combining mark to its letter; a mark before its letter is kept until the letter comes."""
        if self._characters:
            self._characters.append(mark)
        else:
            self._mark = mark

    def _reopen_word(self, style: TextStyle, left: float, top: float, right: float, bottom: float) -> None:
        """Continue the last word if the letter touches it: some programs write a space before a combining mark."""
        last = self._words[-1] if self._words else None
        if last is None or last.style.angle != style.angle:
            return
        box = last.word.box
        gap = max(left - box.right, box.left - right)
        if gap <= _TOUCHING_GAP * style.size and top < box.bottom and bottom > box.top:
            self._words.pop()
            self._lost_before -= last.lost
            self._characters, self._start, self._style = list(last.word.text), last.word.position, last.style
            self._left, self._top, self._right, self._bottom = box.left, box.top, box.right, box.bottom

    def _is_separate(self, code: int, style: TextStyle, box: tuple[float, float, float, float]) -> bool:
        """Return whether style, line or gap separate the character from the current word."""
        left, top, right, bottom = box
        current = self._style
        if current is None or style.angle != current.angle or style.mode != current.mode:
            return True
        size = max(current.size, style.size, 1.0)
        if style.angle in (90, 270):
            return not (left < self._right and right > self._left and self._gap_y(top, bottom) <= _WORD_GAP * size)
        if is_note_mark(current, style, self._base - bottom, self._characters):
            return True
        middle = (top + bottom) / 2
        if not self._top - _LINE_STEP * size / 2 <= middle <= self._bottom + _LINE_STEP * size / 2:
            return True
        gap = max(left - self._right, self._left - right)
        is_tight = len(self._characters) > 1 and self._widest_gap <= _MAX_TIGHT_GAP * size
        if is_tight and code < _FIRST_IDEOGRAPH and (self._characters[-1] + chr(code)).isalpha():
            gap += (_WORD_GAP - _TIGHT_WORD_GAP) * size
        return gap > _WORD_GAP * size or (style.angle == 0 and right < self._left - _BACK_STEP * size)

    def _has_dash_shape(self, index: int, style: TextStyle) -> bool:
        """Return whether a glyph without a known character has the shape of a minus or dash."""
        x, y = _CORNER_REFS[:2]
        if not self._library.FPDFText_GetCharBox(self._text, index, *_CORNER_REFS):
            return False
        left, right, bottom, top = (corner.value for corner in _CORNERS)
        box = self._to_display.box(left, bottom, right, top)
        if not self._library.FPDFText_GetCharOrigin(self._text, index, x, y):
            return False
        _, base = self._to_display.apply(_CORNERS[0].value, _CORNERS[1].value)
        height, rise = box.bottom - box.top, base - (box.top + box.bottom) / 2
        lowest, highest = (share * style.size for share in _DASH_RISE)
        return (
            0 < height <= _DASH_HEIGHT * style.size
            and box.right - box.left >= _DASH_RATIO * height
            and lowest <= rise <= highest
        )

    def _is_right_to_left(self, code: int) -> bool:
        return (
            code >= _FIRST_RIGHT_TO_LEFT and _direction(self._characters[-1]) == _direction(chr(code)) == _RIGHT_TO_LEFT
        )

    def _changes_direction(self, code: int) -> bool:
        """Return whether the writing direction changes between the last letter and this character."""
        if code < _FIRST_RIGHT_TO_LEFT and ord(self._characters[-1]) < _FIRST_RIGHT_TO_LEFT:
            return False
        directions = {_direction(self._characters[-1]), _direction(chr(code))}
        return directions == {_LEFT_TO_RIGHT, _RIGHT_TO_LEFT}

    def _gap_y(self, top: float, bottom: float) -> float:
        return max(top - self._bottom, self._top - bottom)

    def _end_word(self, space: int = -1) -> None:
        """End the current word; `space` is the index of the space after it, -1 at the end."""
        if not self._characters or self._style is None:
            return
        style = self._style
        is_korean = "\uac00" <= self._characters[-1] <= "\ud7a3"
        is_before_space = not is_korean or (space >= 0 and not self._library.FPDFText_IsGenerated(self._text, space))
        text = word_of(self._characters, self._positions)
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
            is_before_space,
        )
        self._words.append(DrawnWord(word, style, self._codes.lost - self._lost_before))
        self._lost_before = self._codes.lost
        self._characters, self._positions = [], {}

    def _box(self, index: int, style: TextStyle) -> tuple[float, float, float, float] | None:
        """Return the bounding box of the character; None if PDFium reports none."""
        if style.angle == 0 and self._to_display.b == 0:
            rectangle = _RECTANGLE
            if self._library.FPDFText_GetLooseCharBox(self._text, index, _RECTANGLE_REF):
                a, _, _, d, e, f = self._to_display
                left, right = a * rectangle.left + e, a * rectangle.right + e
                top, bottom = d * rectangle.top + f, d * rectangle.bottom + f
                if right > left and top < bottom:
                    return left, top, right, bottom
        if not self._library.FPDFText_GetCharBox(self._text, index, *_CORNER_REFS):
            return None
        left, right, bottom, top = (corner.value for corner in _CORNERS)
        box = self._to_display.box(left, bottom, right, top)
        return box.left, box.top, box.right, box.bottom


_RECTANGLE: Final = pdfium.Rectangle()
_RECTANGLE_REF: Final = ctypes.byref(_RECTANGLE)
_CORNERS: Final = tuple(ctypes.c_double() for _ in range(4))
_CORNER_REFS: Final = tuple(map(ctypes.byref, _CORNERS))


def _direction(character: str) -> int:
    """Return the writing direction of a letter; 0 for other characters."""
    name = unicodedata.bidirectional(character)
    return _RIGHT_TO_LEFT if name in ("R", "AL") else _LEFT_TO_RIGHT if name == "L" else 0
