"""Words of a page's text layer, each with the way in which it is drawn."""

import ctypes
import math
import sys
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from groundwire.adapters.parse.readers.pdf.page_content import Box, Word
from groundwire.adapters.parse.readers.pdf.pages import pdfium
from groundwire.adapters.parse.readers.pdf.pages.page_objects import Colour, Map

_CHARACTERS: Final = 1_000_000
"""Maximum number of a page's characters that are read."""
_BOLD_WEIGHT: Final = 600
_FILLED_AND_STROKED: Final = 2
"""Rendering mode by which programs make letters bold."""
_SUBSET_PREFIX: Final = 6
"""Length of the prefix of the name of a font's subset."""
_FIXED_PITCH: Final = 1
_FORCE_BOLD: Final = 1 << 18
_BOLD_NAMES: Final = ("bold", "black", "heavy", "demi", "cmbx", "sfbx", "medi")
_MONOSPACED_NAMES: Final = ("courier", "mono", "consol", "typewriter", "cmtt", "sftt", "menlo", "nimbusmon", "code")
_HYPHENS: Final = (0x02, 0xAD, 0xFFFE)
"""Signs by which PDFium marks a hyphen at the end of a line."""
_UNMAPPED: Final = 0x02
"""Sign that PDFium gives for a glyph without a mapping, too."""
_BLANKS: Final = frozenset(
    (0, 9, 10, 11, 12, 13, 32, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF)
)
_EN_QUAD, _ZERO_WIDTH_SPACE = 0x2000, 0x200B
_LEFT_TO_RIGHT, _RIGHT_TO_LEFT = 1, 2
_FIRST_RIGHT_TO_LEFT: Final = 0x590
"""First code point of the scripts that are written from right to left."""
_WORD_GAP: Final = 0.3
"""Gap between characters that parts words although no blank is written, as a share of the font's size."""
_BACK_STEP: Final = 0.6
"""Step backwards that parts words: the next character belongs to another word."""
_LINE_STEP: Final = 0.6


@dataclass(frozen=True, slots=True)
class TextStyle:
    """The way in which the characters of a text object are drawn.

    Attributes:
        handle: of the text object. size: in points. angle: counterclockwise as shown: 0, 90, 180 or 270.
        mode: text rendering mode (PDF 32000-1, 9.3.6). colour, opacity: of the filling.
    """

    handle: int
    size: float
    font: str
    is_bold: bool
    is_monospaced: bool
    angle: int
    mode: int
    colour: Colour
    opacity: int


@dataclass(frozen=True, slots=True)
class DrawnWord:
    """A word and its style."""

    word: Word
    style: TextStyle


def read_words(page: int, to_shown: Map) -> list[DrawnWord]:
    """Return the words of the page's text layer in its order, hidden ones included; places as shown."""
    library = pdfium.load_library()
    text = library.FPDFText_LoadPage(page)
    if text is None:
        return []
    try:
        return _WordReader(text, to_shown).read()
    finally:
        library.FPDFText_ClosePage(text)


class _WordReader:
    """Reader of a text layer: one pass over its characters."""

    def __init__(self, text: int, to_shown: Map) -> None:
        self._library = pdfium.load_library()
        self._text = text
        self._to_shown = to_shown
        self._styles: dict[int, TextStyle] = {}
        self._found: list[DrawnWord] = []
        self._characters: list[str] = []
        self._start = 0
        self._style: TextStyle | None = None
        self._left = self._top = self._right = self._bottom = 0.0
        self._last_box = (0.0, 0.0, 0.0, 0.0)
        self._glyph_start = 0

    def read(self) -> list[DrawnWord]:
        """Return the words."""
        count = min(int(self._library.FPDFText_CountChars(self._text)), _CHARACTERS)
        unicode_of, object_of = self._library.FPDFText_GetUnicode, self._library.FPDFText_GetTextObject
        text, styles = self._text, self._styles
        for index in range(count):
            code = unicode_of(text, index)
            if code in _BLANKS or _EN_QUAD <= code <= _ZERO_WIDTH_SPACE:
                self._end_word(index)
                continue
            handle = object_of(text, index)
            if handle is None:
                continue
            style = styles.get(handle) or self._read_style(handle, index)
            box = self._box(index, style)
            if box is not None:
                self._add(index, code, style, box)
        self._end_word()
        return self._found

    def _add(self, index: int, code: int, style: TextStyle, box: tuple[float, float, float, float]) -> None:
        left, top, right, bottom = box
        if self._characters and box == self._last_box and self._is_right_to_left(code):
            # Of a ligature that is drawn as one sign PDFium gives the letters from left to right.
            self._characters.insert(self._glyph_start, _character(code))
            return
        if self._characters and self._turns(code):
            self._end_word()
        if self._characters and self._is_separate(style, left, top, right, bottom):
            self._end_word()
        if not self._characters:
            self._start, self._style = index, style
            self._left, self._top, self._right, self._bottom = box
        else:
            self._left, self._top = min(self._left, left), min(self._top, top)
            self._right, self._bottom = max(self._right, right), max(self._bottom, bottom)
        if code == _UNMAPPED and not self._characters:
            # A hyphen begins no word: it is a sign of a font without a mapping.
            code = ord("•")
        self._glyph_start = len(self._characters)
        self._characters.append(_character(code))
        self._last_box = box

    def _is_separate(self, style: TextStyle, left: float, top: float, right: float, bottom: float) -> bool:
        """Return whether the character is at some distance from the word before it."""
        current = self._style
        if current is None or style.angle != current.angle or style.mode != current.mode:
            return True
        size = max(current.size, style.size, 1.0)
        if style.angle in (90, 270):
            return not (left < self._right and right > self._left and self._gap_y(top, bottom) <= _WORD_GAP * size)
        middle = (top + bottom) / 2
        if not self._top - _LINE_STEP * size / 2 <= middle <= self._bottom + _LINE_STEP * size / 2:
            return True
        gap = max(left - self._right, self._left - right)
        return gap > _WORD_GAP * size or (style.angle == 0 and right < self._left - _BACK_STEP * size)

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
        text = _joined("".join(self._characters))
        box = Box(self._left, self._top, self._right, self._bottom)
        word = Word(
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
        self._found.append(DrawnWord(word, style))
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

    def _read_style(self, handle: int, index: int) -> TextStyle:
        library, text = self._library, self._text
        matrix = pdfium.Matrix()
        library.FPDFText_GetMatrix(text, index, ctypes.byref(matrix))
        shown = self._to_shown.after(Map(matrix.a, matrix.b, matrix.c, matrix.d, 0, 0))
        size = abs(float(library.FPDFText_GetFontSize(text, index))) * (math.hypot(shown.c, shown.d) or 1.0)
        angle = round(math.degrees(math.atan2(-shown.b, shown.a)) / 90) * 90 % 360 if (shown.a or shown.b) else 0
        font, flags = self._font(index)
        red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
        has_colour = library.FPDFText_GetFillColor(text, index, *map(ctypes.byref, (red, green, blue, alpha)))
        mode = int(library.FPDFTextObj_GetTextRenderMode(handle))
        is_bold = bool(flags & _FORCE_BOLD) or _is_named(font, _BOLD_NAMES)
        is_bold = (
            is_bold or int(library.FPDFText_GetFontWeight(text, index)) >= _BOLD_WEIGHT or mode == _FILLED_AND_STROKED
        )
        style = TextStyle(
            handle,
            size,
            font,
            is_bold,
            bool(flags & _FIXED_PITCH) or _is_named(font, _MONOSPACED_NAMES),
            angle,
            mode,
            (red.value, green.value, blue.value) if has_colour else (0, 0, 0),
            alpha.value if has_colour else 255,
        )
        self._styles[handle] = style
        return style

    def _font(self, index: int) -> tuple[str, int]:
        flags = ctypes.c_int()
        size = int(self._library.FPDFText_GetFontInfo(self._text, index, _NAME, len(_NAME), ctypes.byref(flags)))
        if not 0 < size <= len(_NAME):
            return "", 0
        name = _NAME.raw[: size - 1].decode("utf-8", errors="replace")
        prefix, _, rest = name.partition("+")
        return (rest if rest and len(prefix) == _SUBSET_PREFIX else name), flags.value


_RECTANGLE: Final = pdfium.Rectangle()
_RECTANGLE_REF: Final = ctypes.byref(_RECTANGLE)
_CORNERS: Final = tuple(ctypes.c_double() for _ in range(4))
_CORNER_REFS: Final = tuple(map(ctypes.byref, _CORNERS))
_NAME: Final = ctypes.create_string_buffer(256)


@lru_cache(maxsize=1024)
def _is_named(font: str, parts: tuple[str, ...]) -> bool:
    name = font.casefold()
    return any(part in name for part in parts)


def _character(code: int) -> str:
    if code in _HYPHENS:
        return "\u00ad"
    return chr(code) if 0 < code <= sys.maxunicode else "\ufffd"


def _direction(character: str) -> int:
    """Return the direction in which a letter is written; 0 for other characters."""
    name = unicodedata.bidirectional(character)
    return _RIGHT_TO_LEFT if name in ("R", "AL") else _LEFT_TO_RIGHT if name == "L" else 0


def _joined(text: str) -> str:
    """Return the text with pairs of surrogates as one character."""
    if not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    return text.encode("utf-16-le", errors="surrogatepass").decode("utf-16-le", errors="replace")
