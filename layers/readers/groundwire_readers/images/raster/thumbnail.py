"""Thumbnail of a kept image for an image model: a square of pixels, drawn by the parser library's renderer."""

from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Final

from groundwire_readers.contents.parsed import THUMBNAIL_SIDE
from groundwire_readers.images.raster.conversion import render_page
from groundwire_readers.images.raster.encoding import EncodedImage
from groundwire_readers.images.raster.headers import JPEG_TYPE, ImageHeader, is_gray_jpeg
from groundwire_readers.images.raster.page_drawing import square_page_of_jpeg, square_page_of_png
from groundwire_readers.images.raster.png_stream import RGB, ImageDamaged, PngImage, read_png, rows

_CHANNELS: Final = 3


def draw_thumbnail(image: EncodedImage) -> bytes:
    """Return the middle of an image, its shorter side scaled to THUMBNAIL_SIDE, as rows of red, green and blue.

    Raises:
        ImageDamaged: it cannot be drawn.
    """
    if image.media_type == JPEG_TYPE:
        header = ImageHeader(JPEG_TYPE, image.width, image.height)
        is_gray = is_gray_jpeg(image.content)
        page = square_page_of_jpeg(image.content, header, is_gray=is_gray, side=THUMBNAIL_SIDE)
    else:
        page = square_page_of_png(read_png(image.content), THUMBNAIL_SIDE)
    drawn = read_png(render_page(page, 1, longest_side=None))
    is_expected = (drawn.width, drawn.height, drawn.color_type) == (THUMBNAIL_SIDE, THUMBNAIL_SIDE, RGB)
    if not is_expected or not drawn.is_plain or drawn.bit_depth != 8:  # noqa: PLR2004 - a byte per channel
        raise ImageDamaged("not drawn as wanted")
    return b"".join(pixel_rows(drawn))


def pixel_rows(image: PngImage) -> Iterator[bytes]:
    """Yield the rows of an image in RGB with the filters undone."""
    above = bytes(image.row_bytes)
    for row in rows(image):
        above = _UNDO[row[0]](row[1:], above)
        yield above


def _undo_nothing(row: bytes, _above: bytes) -> bytes:
    return row


def _undo_left(row: bytes, _above: bytes) -> bytes:
    pixels = bytearray(len(row))
    for channel in range(_CHANNELS):
        pixels[channel::_CHANNELS] = bytes(total & 0xFF for total in accumulate(row[channel::_CHANNELS]))
    return bytes(pixels)


def _undo_above(row: bytes, above: bytes) -> bytes:
    return bytes((value + up) & 0xFF for value, up in zip(row, above, strict=True))


def _undo_average(row: bytes, above: bytes) -> bytes:
    pixels = bytearray(_CHANNELS) + row
    for at, up in enumerate(above):
        pixels[at + _CHANNELS] = (row[at] + (pixels[at] + up) // 2) & 0xFF
    return bytes(pixels[_CHANNELS:])


def _undo_nearest(row: bytes, above: bytes) -> bytes:
    """Undo the filter of Paeth: the prediction is the neighbour nearest to left + above - corner."""
    pixels = bytearray(_CHANNELS) + row
    padded = bytes(_CHANNELS) + above
    for at, up in enumerate(above):
        left, corner = pixels[at], padded[at]
        to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
        nearest = left if to_left <= to_up and to_left <= to_corner else up if to_up <= to_corner else corner
        pixels[at + _CHANNELS] = (row[at] + nearest) & 0xFF
    return bytes(pixels[_CHANNELS:])


_UNDO: Final[tuple[Callable[[bytes, bytes], bytes], ...]] = (
    _undo_nothing,
    _undo_left,
    _undo_above,
    _undo_average,
    _undo_nearest,
)
"""Functions that undo a filter, by its number; each takes the filtered row and the pixels above it."""
