"""Style of a page's text objects: size, font, colour and mode of drawing."""

import ctypes
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from groundwire.adapters.parse.readers.pdf.pages import pdfium
from groundwire.adapters.parse.readers.pdf.pages.page_objects import Colour, Map

_BOLD_WEIGHT: Final = 600
_FILLED_AND_STROKED: Final = 2
"""Rendering mode by which programs make letters bold."""
_SUBSET_PREFIX: Final = 6
"""Length of the prefix of the name of a font's subset."""
_FIXED_PITCH: Final = 1
_FORCE_BOLD: Final = 1 << 18
_BOLD_NAMES: Final = ("bold", "black", "heavy", "demi", "cmbx", "sfbx", "medi")
_MONOSPACED_NAMES: Final = ("courier", "mono", "consol", "typewriter", "cmtt", "sftt", "menlo", "nimbusmon", "code")
_NAME: Final = ctypes.create_string_buffer(256)


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


class StyleReader:
    """Reader of the styles of a text layer; each text object is looked at once."""

    def __init__(self, text: int, to_shown: Map) -> None:
        """Take PDFium's handle of the text layer, and the map to places as shown."""
        self._library = pdfium.load_library()
        self._text = text
        self._to_shown = to_shown
        self._styles: dict[int, TextStyle] = {}

    def read(self, handle: int, index: int) -> TextStyle:
        """Return the style of the text object, which has the character at the index."""
        known = self._styles.get(handle)
        if known is not None:
            return known
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


@lru_cache(maxsize=1024)
def _is_named(font: str, parts: tuple[str, ...]) -> bool:
    name = font.casefold()
    return any(part in name for part in parts)
