"""Code points of the characters of a text layer; those of spaces are known here."""

import sys
from typing import Final

from groundwire_readers.readers.pdf import pdfium
from groundwire_readers.readers.pdf.text_layer.glyph_codes import GlyphCodes

_LINE_END_HYPHEN: Final = 0x02
_HYPHENS: Final = (_LINE_END_HYPHEN, 0xFFFE)
"""Codes by which PDFium reports a hyphen at the end of a line."""
_SPACES: Final = frozenset((9, 10, 11, 12, 13, 32, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF))
_EN_QUAD, _ZERO_WIDTH_SPACE = 0x2000, 0x200B


class TextCodes:
    """Reader of the code points of one text layer; `lost` has the indexes of glyphs without a known character."""

    def __init__(self, text: int, codes: GlyphCodes) -> None:
        """Take PDFium's handle of the text layer, and the codes of glyphs without a Unicode map."""
        self._library = pdfium.load_library()
        self._has_no_map = self._library.FPDFText_HasUnicodeMapError
        self._text = text
        self._codes = codes
        self.lost: set[int] = set()

    def of(self, index: int) -> int:
        """Return the code point of a character; those that are lost are kept in `lost`."""
        lost = self._codes.lost
        code = self._known_code(index, min(self._library.FPDFText_GetUnicode(self._text, index), sys.maxunicode))
        if self._codes.lost > lost:
            self.lost.add(index)
        return code

    def _known_code(self, index: int, code: int) -> int:
        if code == 0 or self._has_no_map(self._text, index) == 1:
            return self._codes.unmapped_code(code)
        if code in _HYPHENS and (code != _LINE_END_HYPHEN or self._library.FPDFText_IsHyphen(self._text, index) == 1):
            # It is visible, and may be the end of a code: the lines of a paragraph decide about it.
            return ord("-")
        return code if code in _SPACES else self._codes.mapped_code(code)


def is_space(code: int) -> bool:
    """Return whether the code point is a space or a line break."""
    return code in _SPACES or _EN_QUAD <= code <= _ZERO_WIDTH_SPACE
