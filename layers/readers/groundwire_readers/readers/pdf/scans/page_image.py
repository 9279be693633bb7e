"""Rendering of a PDF page to a greyscale PNG image, by PDFium."""

import ctypes
import struct
import zlib
from typing import Final

from groundwire_readers.readers.pdf import pdfium

_POINTS_PER_INCH: Final = 72.0
_DOTS_PER_INCH: Final = 200.0
"""Resolution from which Tesseract reads small print well; it enlarges the image itself."""
_MAX_SIDE: Final = 4_000
"""Maximum width and height of the image, in pixels."""
_GRAY: Final = 1
"""FPDFBitmap_Gray: one byte per pixel."""
# FPDF_ANNOT and FPDF_GRAYSCALE of PDFium's fpdfview.h.
_WITH_ANNOTATIONS: Final = 0x01
_PRINTED_GRAY: Final = 0x08
_WHITE: Final = 0xFFFFFFFF
_PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_COMPRESSION: Final = 1
"""Fastest level of zlib: the image is read once and dropped."""


def draw_page(page: int, quarter_turns: int) -> bytes:
    """Return a PNG image of the page; empty if it cannot be rendered.

    Args:
        page: PDFium's handle of the page.
        quarter_turns: clockwise rotation in steps of 90 degrees; 0 for the page as displayed.
    """
    library = pdfium.load_library()
    width, height = float(library.FPDF_GetPageWidthF(page)), float(library.FPDF_GetPageHeightF(page))
    if quarter_turns % 2:
        width, height = height, width
    if not (width > 0 and height > 0):
        return b""
    scale = min(_DOTS_PER_INCH / _POINTS_PER_INCH, _MAX_SIDE / max(width, height))
    columns, rows = max(1, round(width * scale)), max(1, round(height * scale))
    bitmap = library.FPDFBitmap_CreateEx(columns, rows, _GRAY, None, 0)
    if bitmap is None:
        return b""
    try:
        library.FPDFBitmap_FillRect(bitmap, 0, 0, columns, rows, _WHITE)
        flags = _WITH_ANNOTATIONS | _PRINTED_GRAY
        library.FPDF_RenderPageBitmap(bitmap, page, 0, 0, columns, rows, quarter_turns, flags)
        # PDFium pads each row to a multiple of four bytes.
        stride = int(library.FPDFBitmap_GetStride(bitmap))
        pixels = ctypes.string_at(library.FPDFBitmap_GetBuffer(bitmap), stride * rows)
    finally:
        library.FPDFBitmap_Destroy(bitmap)
    return _png(pixels, columns, rows, stride)


def _png(pixels: bytes, width: int, height: int, stride: int) -> bytes:
    """Return greyscale pixels as a PNG file (W3C Portable Network Graphics), without row filters."""
    packer = zlib.compressobj(_COMPRESSION)
    data = [packer.compress(b"\0" + pixels[row * stride : row * stride + width]) for row in range(height)]
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", b"".join([*data, packer.flush()])), (b"IEND", b""))
    return _PNG_SIGNATURE + b"".join(
        struct.pack(">I", len(payload)) + kind + payload + struct.pack(">I", zlib.crc32(kind + payload))
        for kind, payload in chunks
    )
