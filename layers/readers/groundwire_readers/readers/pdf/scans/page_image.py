"""Rendering of a PDF page to a PNG image, by PDFium: in greyscale for recognition, in colour for people."""

import ctypes
import struct
import zlib
from typing import Final, NamedTuple

from groundwire_readers.readers.pdf import pdfium

_POINTS_PER_INCH: Final = 72.0
_DOTS_PER_INCH: Final = 200.0
"""Resolution from which Tesseract reads small print well; it enlarges the image itself."""
_MAX_SIDE: Final = 4_000
"""Maximum width and height of the image, in pixels."""
_MAX_SCALE: Final = 3.0
"""Pixels per point, 216 per inch, beyond which a picture for people shows no more."""
# FPDF_ANNOT, FPDF_GRAYSCALE and FPDF_REVERSE_BYTE_ORDER of PDFium's fpdfview.h.
_WITH_ANNOTATIONS: Final = 0x01
_PRINTED_GRAY: Final = 0x08
_RED_FIRST: Final = 0x10
_WHITE: Final = 0xFFFFFFFF
_PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_COMPRESSION: Final = 1
"""Fastest level of zlib: the image is read once and dropped."""


class _Colours(NamedTuple):
    """Kind of pixels: PDFium's format of a bitmap, bytes per pixel, PNG's colour type and the flags of rendering."""

    bitmap_format: int
    channels: int
    color_type: int
    flags: int


# FPDFBitmap_Gray and FPDFBitmap_BGR, which the flag turns into RGB.
_GRAY: Final = _Colours(1, 1, 0, _WITH_ANNOTATIONS | _PRINTED_GRAY)
_RGB: Final = _Colours(2, 3, 2, _WITH_ANNOTATIONS | _RED_FIRST)


def draw_page(page: int, quarter_turns: int) -> bytes:
    """Return a PNG image of the page; empty if it cannot be rendered.

    Args:
        page: PDFium's handle of the page.
        quarter_turns: clockwise rotation in steps of 90 degrees; 0 for the page as displayed.
    """
    return _draw(page, _DOTS_PER_INCH / _POINTS_PER_INCH, _MAX_SIDE, quarter_turns, _GRAY)


def draw_page_in_colour(page: int, longest_side: int) -> bytes:
    """Return a PNG image of the page as displayed; empty if it cannot be rendered.

    Args:
        page: PDFium's handle of the page.
        longest_side: maximum width and height of the image, in pixels.
    """
    return _draw(page, _MAX_SCALE, longest_side, 0, _RGB)


def _draw(page: int, max_scale: float, max_side: int, quarter_turns: int, colours: _Colours) -> bytes:
    """Return the image with at most so many pixels per point, and pixels on its longer side."""
    library = pdfium.load_library()
    width, height = float(library.FPDF_GetPageWidthF(page)), float(library.FPDF_GetPageHeightF(page))
    if quarter_turns % 2:
        width, height = height, width
    if not (width > 0 and height > 0):
        return b""
    scale = min(max_scale, max_side / max(width, height))
    columns, rows = max(1, round(width * scale)), max(1, round(height * scale))
    bitmap = library.FPDFBitmap_CreateEx(columns, rows, colours.bitmap_format, None, 0)
    if bitmap is None:
        return b""
    try:
        library.FPDFBitmap_FillRect(bitmap, 0, 0, columns, rows, _WHITE)
        library.FPDF_RenderPageBitmap(bitmap, page, 0, 0, columns, rows, quarter_turns, colours.flags)
        # PDFium pads each row to a multiple of four bytes.
        stride = int(library.FPDFBitmap_GetStride(bitmap))
        pixels = ctypes.string_at(library.FPDFBitmap_GetBuffer(bitmap), stride * rows)
    finally:
        library.FPDFBitmap_Destroy(bitmap)
    return _png(pixels, (columns, rows), stride, colours)


def _png(pixels: bytes, size: tuple[int, int], stride: int, colours: _Colours) -> bytes:
    """Return pixels as a PNG file (W3C Portable Network Graphics), without row filters."""
    width, height = size
    row_bytes = width * colours.channels
    packer = zlib.compressobj(_COMPRESSION)
    data = [packer.compress(b"\0" + pixels[row * stride : row * stride + row_bytes]) for row in range(height)]
    header = struct.pack(">IIBBBBB", width, height, 8, colours.color_type, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", b"".join([*data, packer.flush()])), (b"IEND", b""))
    return _PNG_SIGNATURE + b"".join(
        struct.pack(">I", len(payload)) + kind + payload + struct.pack(">I", zlib.crc32(kind + payload))
        for kind, payload in chunks
    )
