"""Boxes of the characters of a text layer, in displayed positions."""

import ctypes
from typing import Final

from groundwire_readers.readers.pdf import pdfium
from groundwire_readers.readers.pdf.text_layer.text_style import TextStyle
from groundwire_readers.readers.pdf.transform import Transform

_DASH_HEIGHT: Final = 0.2
"""Maximum height of a minus or dash, in font sizes."""
_DASH_RATIO: Final = 2.5
"""Minimum ratio of width to height of a minus or dash."""
_DASH_RISE: Final = (0.1, 0.5)
"""Range of its centre above the baseline, in font sizes: an underscore is lower."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in points from the displayed page's top left corner."""


class CharacterBoxes:
    """Boxes of the characters of one page."""

    def __init__(self, text: int, to_display: Transform) -> None:
        """Take PDFium's handle of the text layer, and the transformation to displayed positions."""
        self._library = pdfium.load_library()
        self._text = text
        self._to_display = to_display

    def of(self, index: int, style: TextStyle) -> Box | None:
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

    def has_dash_shape(self, index: int, style: TextStyle) -> bool:
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


_RECTANGLE: Final = pdfium.Rectangle()
_RECTANGLE_REF: Final = ctypes.byref(_RECTANGLE)
_CORNERS: Final = tuple(ctypes.c_double() for _ in range(4))
_CORNER_REFS: Final = tuple(map(ctypes.byref, _CORNERS))
