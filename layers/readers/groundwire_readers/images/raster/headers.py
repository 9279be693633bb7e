"""Headers of raster images: type, size and orientation from the first bytes, before anything is decoded."""

import struct
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

PNG_TYPE: Final = "image/png"
JPEG_TYPE: Final = "image/jpeg"
PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_JPEG_START: Final = b"\xff\xd8\xff"
_JPEG_END: Final = b"\xff\xd9"
# C4, C8 and CC lie between the frames, but are tables and an extension (ITU-T T.81, table B.1).
_FRAMES: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""JPEG markers that begin a frame, and so declare its size."""
# TEM and the restart markers stand alone (ITU-T T.81, B.1.1.3).
_WITHOUT_LENGTH: Final = frozenset({0x01, *range(0xD0, 0xD8)})
_SCAN: Final = 0xDA
_EXIF: Final = 0xE1
_EXIF_NAME: Final = b"Exif\0\0"
_ORIENTATION_TAG: Final = 0x0112
_WIDTH_TAG: Final = 0x0100
_HEIGHT_TAG: Final = 0x0101
_TIFF_TAGS_MAX: Final = 200
_SVG: Final = b"<svg"
_SVG_WITHIN: Final = 8192
_BEFORE_SVG: Final = ((b"<?xml", b"?>"), (b"<!--", b"-->"), (b"<!DOCTYPE", b">"))
"""Beginnings and ends of what may precede the root element."""
_BOM: Final = b"\xef\xbb\xbf"


class ImageHeader(NamedTuple):
    """Declared properties of an image.

    Attributes:
        width, height: pixels as stored, before its orientation is applied.
        orientation: 1 to 8, as EXIF numbers them; 1 is upright.
    """

    media_type: str
    width: int
    height: int
    orientation: int = 1


class JpegSegment(NamedTuple):
    """Segment of a JPEG file before its scan: the marker, and the bytes behind its length."""

    marker: int
    payload: bytes


def read_header(content: bytes) -> ImageHeader | None:
    """Return the header of a PNG, JPEG, GIF, BMP, TIFF or WebP file; None for anything else, and if it is cut off."""
    for signature, read in _READERS:
        if content.startswith(signature):
            try:
                found = read(content)
            except (struct.error, IndexError, ValueError):
                return None
            return found if found is not None and found.width > 0 and found.height > 0 else None
    return None


def is_svg(content: bytes) -> bool:
    """Return whether the bytes begin like an SVG file, which is never rendered."""
    start = content[:_SVG_WITHIN].removeprefix(_BOM)
    position = _after_spaces(start, 0)
    # Each step moves forward and never returns, so that no file takes more than linear time.
    while (end := _end_before_svg(start, position)) is not None:
        position = _after_spaces(start, end)
    following = start[position + len(_SVG) :][:1]
    return start.startswith(_SVG, position) and not (following.isalnum() or following == b"_")


def _end_before_svg(start: bytes, position: int) -> int | None:
    """Return where the declaration, comment or document type at this position ends; None if none is there."""
    for opening, closing in _BEFORE_SVG:
        if start.startswith(opening, position):
            end = start.find(closing, position + len(opening))
            return None if end < 0 else end + len(closing)
    return None


def _after_spaces(start: bytes, position: int) -> int:
    while start[position : position + 1].isspace():
        position += 1
    return position


def is_whole_jpeg(content: bytes) -> bool:
    """Return whether a JPEG file has an end marker behind its first scan: decoders fill what is missing with grey."""
    position = 2
    for segment in jpeg_segments(content):
        position += 4 + len(segment.payload)
        if segment.marker == _SCAN:
            return content.rfind(_JPEG_END) >= position
    return False


def is_gray_jpeg(content: bytes) -> bool:
    """Return whether a JPEG file has one component, and so shades of grey alone."""
    frame = next((one.payload for one in jpeg_segments(content) if one.marker in _FRAMES), b"")
    return frame[5:6] == b"\x01"


def jpeg_segments(content: bytes) -> Iterator[JpegSegment]:
    """Yield the segments of a JPEG file up to its first scan; it ends early where they are malformed."""
    position = 2
    while position + 4 <= len(content) and content[position] == 0xFF:  # noqa: PLR2004 - begins every marker
        marker = content[position + 1]
        if marker == 0xFF or marker in _WITHOUT_LENGTH:  # noqa: PLR2004 - a fill byte before a marker
            position += 1 if marker == 0xFF else 2  # noqa: PLR2004 - the marker follows its last fill byte
            continue
        (length,) = struct.unpack_from(">H", content, position + 2)
        if length < 2:  # noqa: PLR2004 - the length counts its own two bytes
            return
        yield JpegSegment(marker, content[position + 4 : position + 2 + length])
        if marker == _SCAN:
            return
        position += 2 + length


def _png(content: bytes) -> ImageHeader:
    return ImageHeader(PNG_TYPE, *struct.unpack_from(">II", content, 16))


def _jpeg(content: bytes) -> ImageHeader | None:
    orientation = 1
    for segment in jpeg_segments(content):
        if segment.marker == _EXIF and segment.payload.startswith(_EXIF_NAME):
            orientation = _orientation(segment.payload[len(_EXIF_NAME) :])
        elif segment.marker in _FRAMES:
            height, width = struct.unpack_from(">HH", segment.payload, 1)
            return ImageHeader(JPEG_TYPE, width, height, orientation)
    return None


def _gif(content: bytes) -> ImageHeader:
    return ImageHeader("image/gif", *struct.unpack_from("<HH", content, 6))


def _bmp(content: bytes) -> ImageHeader:
    (header_bytes,) = struct.unpack_from("<I", content, 14)
    # The header of OS/2 has 12 bytes, with sides of 16 bits.
    size: tuple[int, int] = struct.unpack_from("<HH" if header_bytes == 12 else "<ii", content, 18)  # noqa: PLR2004
    # A negative height means that the rows are stored from the top.
    return ImageHeader("image/bmp", size[0], abs(size[1]))


def _tiff(content: bytes) -> ImageHeader:
    tags = _tiff_tags(content)
    return ImageHeader("image/tiff", tags.get(_WIDTH_TAG, 0), tags.get(_HEIGHT_TAG, 0))


def _webp(content: bytes) -> ImageHeader | None:
    kind = content[12:16] if content[8:12] == b"WEBP" else b""
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", content, 26)
        # The upper two bits of each side are a scale for display (RFC 6386, 9.1).
        return ImageHeader("image/webp", width & 0x3FFF, height & 0x3FFF)
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", content, 21)
        return ImageHeader("image/webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if kind == b"VP8X":
        sides = [int.from_bytes(content[start : start + 3], "little") + 1 for start in (24, 27)]
        return ImageHeader("image/webp", *sides)
    return None


_READERS: Final[tuple[tuple[bytes, Callable[[bytes], ImageHeader | None]], ...]] = (
    (PNG_SIGNATURE, _png),
    (_JPEG_START, _jpeg),
    (b"GIF8", _gif),
    (b"BM", _bmp),
    (b"II*\0", _tiff),
    (b"MM\0*", _tiff),
    (b"RIFF", _webp),
)


def _orientation(exif: bytes) -> int:
    """Return the orientation that an EXIF block declares; 1 when it declares none."""
    try:
        found = _tiff_tags(exif).get(_ORIENTATION_TAG, 1)
    except struct.error:
        return 1
    return found if 1 <= found <= 8 else 1  # noqa: PLR2004 - EXIF knows eight


def _tiff_tags(content: bytes) -> dict[int, int]:
    """Return the tags of the first directory whose value is one number of 16 or 32 bits."""
    order = {b"II": "<", b"MM": ">"}.get(content[:2])
    if order is None:
        return {}
    (start,) = struct.unpack_from(f"{order}I", content, 4)
    (count,) = struct.unpack_from(f"{order}H", content, start)
    found: dict[int, int] = {}
    for number in range(min(count, _TIFF_TAGS_MAX)):
        at = start + 2 + 12 * number
        tag, kind, values = struct.unpack_from(f"{order}HHI", content, at)
        if values == 1 and kind in (3, 4):
            (found[tag],) = struct.unpack_from(f"{order}{'H' if kind == 3 else 'I'}", content, at + 8)  # noqa: PLR2004
    return found
