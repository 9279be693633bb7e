"""Encoding of a document's image: decoded, upright, on white, at most of the kept size, without any metadata."""

import math
from typing import Final, NamedTuple

from groundwire_readers.contents.limits import MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE
from groundwire_readers.images.raster.conversion import convert, render_page
from groundwire_readers.images.raster.headers import JPEG_TYPE, PNG_TYPE, ImageHeader, is_whole_jpeg, read_header
from groundwire_readers.images.raster.page_drawing import TURNED, page_of_cmyk_jpeg, page_of_image
from groundwire_readers.images.raster.png_stream import (
    ImageDamaged,
    PngImage,
    check_rows,
    read_png,
    split_alpha,
    write_png,
)

_ATTEMPTS: Final = 4
_MARGIN: Final = 0.9
"""Factor below the side that an exact proportion of bytes to pixels would allow."""


class EncodedImage(NamedTuple):
    """An image as it is kept."""

    content: bytes
    media_type: str
    width: int
    height: int


def encode_image(content: bytes, header: ImageHeader, mask: bytes = b"") -> EncodedImage:
    """Return the image as PNG, or as JPEG if it was one or would be too large.

    Args:
        content: a raster image, within the limit of pixels.
        header: its header.
        mask: its transparency as an image in shades of grey, if there is one.

    Raises:
        ImageDamaged: it cannot be decoded, or cannot be kept within the size limit.
    """
    image = _decode(content, header)
    transparency = _decode_mask(mask) if mask else None
    if image.has_alpha:
        image, transparency = split_alpha(image)
    is_lossy = header.media_type == JPEG_TYPE
    scale = min(1.0, MAX_IMAGE_SIDE / max(image.width, image.height))
    for _ in range(_ATTEMPTS):
        pixels = _draw(image, transparency, scale, header.orientation)
        encoded = pixels if not is_lossy and len(pixels) <= MAX_IMAGE_BYTES else convert(pixels, PNG_TYPE, "jpeg")
        if len(encoded) <= MAX_IMAGE_BYTES:
            return _encoded(encoded)
        # The size of a file grows with the area, which is the square of a side.
        scale *= _MARGIN * math.sqrt(MAX_IMAGE_BYTES / len(encoded))
    raise ImageDamaged("larger than an image may be")


def draw_cmyk_jpeg(content: bytes, header: ImageHeader) -> bytes:
    """Return a JPEG file in CMYK as a PDF shows it, as PNG.

    Args:
        content: a JPEG file, within the limit of pixels.
        header: its header.

    Raises:
        ImageDamaged: it is cut off, or cannot be drawn.
    """
    if not is_whole_jpeg(content):
        raise ImageDamaged("cut off")
    return render_page(page_of_cmyk_jpeg(content, (header.width, header.height)), 1, longest_side=None)


def _decode(content: bytes, header: ImageHeader) -> PngImage:
    """Return the image with 8 bits per channel at most, not interlaced."""
    if header.media_type == JPEG_TYPE and not is_whole_jpeg(content):
        raise ImageDamaged("cut off")
    if header.media_type == PNG_TYPE:
        image = read_png(content)
        if not image.is_plain:
            return _decoded(convert(_lossless(image, content), "image/webp", "png"))
        check_rows(image)
        return image
    return _decoded(convert(content, header.media_type, "png"))


def _lossless(image: PngImage, content: bytes) -> bytes:
    """Return a PNG as WebP without loss, since the library leaves a PNG as it is when PNG is wanted."""
    if image.width * image.height > MAX_IMAGE_PIXELS:
        raise ImageDamaged("larger than its header")
    return convert(content, PNG_TYPE, "webp")


def _decoded(content: bytes) -> PngImage:
    image = read_png(content)
    if not image.is_plain or image.width * image.height > MAX_IMAGE_PIXELS:
        raise ImageDamaged("not decoded as declared")
    return image


def mask_header(mask: bytes) -> ImageHeader | None:
    """Return the header of a mask; None where it is no image, or too large to be decoded."""
    header = read_header(mask)
    return header if header is not None and header.width * header.height <= MAX_IMAGE_PIXELS else None


def _decode_mask(content: bytes) -> PngImage | None:
    header = mask_header(content)
    if header is None:
        return None
    image = _decode(content, header)
    return None if image.has_alpha else image


def _draw(image: PngImage, mask: PngImage | None, scale: float, orientation: int) -> bytes:
    if mask is None and scale == 1.0 and orientation == 1:
        return write_png(image)
    width, height = (max(1, round(side * scale)) for side in (image.width, image.height))
    size = (height, width) if orientation in TURNED else (width, height)
    drawn = read_png(render_page(page_of_image(image, mask, size, orientation), 1, longest_side=None))
    return write_png(drawn)


def _encoded(content: bytes) -> EncodedImage:
    header = read_header(content)
    if header is None:
        raise ImageDamaged("not encoded")
    return EncodedImage(content, header.media_type, header.width, header.height)
