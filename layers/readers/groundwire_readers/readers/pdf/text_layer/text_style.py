"""Reading of the style of a page's text objects: font, size, rotation, colour and rendering mode."""

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.pdf import pdfium
from groundwire_readers.readers.pdf.transform import Transform
from groundwire_readers.readers.visibility import Colour
from groundwire_readers.text.runs import Mark

INVISIBLE_MODES: Final = (3, 7)
"""Text rendering modes that neither fill nor stroke (ISO 32000-1, table 106)."""
STROKED_MODES: Final = (1, 2, 5, 6)
"""Text rendering modes that stroke the outlines of glyphs."""
MAX_INVISIBLE_OPACITY: Final = 12
"""Maximum opacity of 255 at which text is invisible."""
_MIN_BOLD_WEIGHT: Final = 600
"""Font weight from which a font is bold: 600 is semi-bold in CSS and OpenType."""
_FILLED_AND_STROKED: Final = 2
"""Text rendering mode by which programs simulate bold letters."""
_SUBSET_TAG_LENGTH: Final = 6
"""Length of the tag before "+" in the name of a subset font (ISO 32000-1, 9.6.4)."""
# Bits of the flags in a font's descriptor (ISO 32000-1, table 123).
_FIXED_PITCH: Final = 1
_FORCE_BOLD: Final = 1 << 18
_BOLD_NAMES: Final = ("bold", "black", "heavy", "demi", "cmbx", "sfbx", "medi")
_MONOSPACED_NAMES: Final = ("courier", "mono", "consol", "typewriter", "cmtt", "sftt", "menlo", "nimbusmon", "code")
_NAME_BUFFER: Final = ctypes.create_string_buffer(256)
_SMALL_RATIO: Final = 0.85
"""Maximum font size of a raised or lowered character, as a ratio to its word's: browsers set 5 / 6."""
_MIN_RISE: Final = 0.2
_MIN_FALL: Final = 0.05
"""Distance of the lower edges of a raised, and of a lowered, small character from that of its word, in font sizes.

The lower edge of a small character on the line is a little above that of its word.
"""
_MIN_MARK_RISE: Final = 0.1
_MIN_LETTERS: Final = 3
"""Rise in font sizes, and number of lower-case letters before it, of the mark of a note."""


@dataclass(frozen=True, slots=True)
class TextStyle:
    """Style of the characters of one text object.

    Attributes:
        handle: PDFium's handle of the text object.
        size: font size as displayed, in points.
        angle: rotation as displayed, counterclockwise, in degrees: 0, 90, 180 or 270.
        mode: text rendering mode (ISO 32000-1, 9.3.6).
        colour: fill colour.
        opacity: opacity of the fill, from 0 to 255.
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
class _Font:
    name: str
    is_bold: bool
    is_monospaced: bool


class StyleReader:
    """Reader of the styles of a text layer, which reads each text object and each font once."""

    def __init__(self, text: int, to_display: Transform) -> None:
        """Take PDFium's handle of the text layer, and the transformation to displayed positions."""
        self._library = pdfium.load_library()
        self._text = text
        self._to_display = to_display
        self._fonts: dict[int | None, _Font] = {}
        self._matrix = pdfium.Matrix()
        self._matrix_ref = ctypes.byref(self._matrix)
        self._channels = tuple(ctypes.c_uint() for _ in range(4))
        self._channel_refs = tuple(map(ctypes.byref, self._channels))
        self.styles: dict[int, TextStyle] = {}

    def read(self, handle: int, index: int) -> TextStyle:
        """Return the style of the text object of the character at `index`, and keep it in `styles`."""
        library, text = self._library, self._text
        library.FPDFText_GetMatrix(text, index, self._matrix_ref)
        matrix, shown = self._matrix, self._to_display
        x_right, y_right = shown.a * matrix.a + shown.c * matrix.b, shown.b * matrix.a + shown.d * matrix.b
        x_up, y_up = shown.a * matrix.c + shown.c * matrix.d, shown.b * matrix.c + shown.d * matrix.d
        size = abs(float(library.FPDFText_GetFontSize(text, index))) * (math.hypot(x_up, y_up) or 1.0)
        angle = 0
        if y_right or x_right < 0:
            angle = round(math.degrees(math.atan2(-y_right, x_right)) / 90) * 90 % 360
        has_colour = library.FPDFText_GetFillColor(text, index, *self._channel_refs)
        red, green, blue, alpha = (channel.value for channel in self._channels) if has_colour else (0, 0, 0, 255)
        mode = int(library.FPDFTextObj_GetTextRenderMode(handle))
        font_handle = library.FPDFTextObj_GetFont(handle)
        font = self._fonts.get(font_handle) or self._read_font(font_handle, index)
        is_bold = font.is_bold or mode == _FILLED_AND_STROKED
        colour = (red, green, blue)
        style = TextStyle(handle, size, font.name, is_bold, font.is_monospaced, angle, mode, colour, alpha)
        self.styles[handle] = style
        return style

    def _read_font(self, handle: int | None, index: int) -> _Font:
        flags = ctypes.c_int()
        size = int(
            self._library.FPDFText_GetFontInfo(self._text, index, _NAME_BUFFER, len(_NAME_BUFFER), ctypes.byref(flags))
        )
        name = _NAME_BUFFER.raw[: size - 1].decode("utf-8", errors="replace") if 0 < size <= len(_NAME_BUFFER) else ""
        prefix, _, rest = name.partition("+")
        name = rest if rest and len(prefix) == _SUBSET_TAG_LENGTH else name
        is_bold = bool(flags.value & _FORCE_BOLD) or _has_name_part(name, _BOLD_NAMES)
        is_bold = is_bold or int(self._library.FPDFText_GetFontWeight(self._text, index)) >= _MIN_BOLD_WEIGHT
        is_monospaced = bool(flags.value & _FIXED_PITCH) or _has_name_part(name, _MONOSPACED_NAMES)
        font = self._fonts[handle] = _Font(name, is_bold, is_monospaced)
        return font


def _has_name_part(font: str, parts: tuple[str, ...]) -> bool:
    name = font.casefold()
    return any(part in name for part in parts)


def position_in(word: TextStyle, style: TextStyle, rise: float) -> str:
    """Return the mark of a small character above or below the line of its word; empty for others.

    Args:
        word: style of the word's first character.
        style: style of the character.
        rise: distance of its lower edge above that of the word, in points.
    """
    if style.angle or style.size > _SMALL_RATIO * word.size:
        return ""
    share = rise / max(word.size, 1.0)
    return Mark.RAISED if share >= _MIN_RISE else Mark.LOWERED if share <= -_MIN_FALL else ""


def is_note_mark(word: TextStyle, style: TextStyle, rise: float, characters: Sequence[str]) -> bool:
    """Return whether a character is the mark of a note after a word, or the start of a note after its mark.

    After digits and units, a raised character is an exponent; see `position_in` for the arguments.
    """
    if word.size <= _SMALL_RATIO * style.size:
        return rise <= -_MIN_RISE * style.size and characters[-1].isalnum()
    if style.size > _SMALL_RATIO * word.size or rise < _MIN_MARK_RISE * word.size:
        return False
    last = characters[-_MIN_LETTERS:]
    return len(last) == _MIN_LETTERS and all(each.isalpha() and each.islower() for each in last)
