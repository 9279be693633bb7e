"""Extracted images as JSON and bytes; the worker's output is checked, since it may be hostile."""

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Final

from groundwire_readers.contents.json_values import is_list, is_mapping, list_or_empty
from groundwire_readers.contents.limits import MAX_DOCUMENT_IMAGE_BYTES, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE, MAX_IMAGES
from groundwire_readers.contents.parsed import (
    THUMBNAIL_BYTES,
    DocumentImages,
    ImageLeftOut,
    ParsedDocument,
    ParsedImage,
)
from groundwire_readers.images.raster.headers import (
    JPEG_TYPE,
    PNG_TYPE,
    ImageHeader,
    read_header,
)
from groundwire_readers.images.raster.png_stream import PIXEL_CHUNKS, ImageDamaged, png_chunks
from groundwire_readers.images.texts import clean_lines, clean_text
from groundwire_readers.sandbox.wire import InvalidReply

_LAST_PAGE: Final = 100_000
_LEFT_OUT_MAX: Final = 1_000_000
_SCAN: Final = 0xDA
_JPEG_FRAMES: Final = frozenset({0xC0, 0xC1, 0xC2})
_JPEG_SEGMENTS: Final = _JPEG_FRAMES | {0xC4, _SCAN, 0xDB, 0xDD, 0xE0}
"""Markers of what a picture is made of: frames, tables, the scan, the restart interval and the name of the format."""
_JPEG_END: Final = b"\xff\xd9"
_SCAN_DATA: Final = re.compile(rb"(?:[^\xff]++|\xff[\x00\xd0-\xd7])*+")
"""Entropy-coded data of a scan, with its restart markers."""
_JFIF: Final = b"JFIF\0"
_JFIF_MARKER: Final = 0xE0
_JFIF_BYTES: Final = 14
"""Length of a JFIF header without a thumbnail."""


def images_to_json(collected: DocumentImages) -> dict[str, object]:
    """Return the images without their contents and thumbnails; `images_from_json` reverses it.

    The contents follow in the same order, then the thumbnails of those that have one.
    """
    has_thumbnail = [bool(one.thumbnail) for one in collected.images]
    return {
        "images": [
            [len(one.content), one.page, one.is_page, one.caption, one.alt_text, one.nearby_text]
            for one in collected.images
        ],
        "left_out": {reason.value: count for reason, count in collected.left_out.items()},
        **({"thumbnails": has_thumbnail} if any(has_thumbnail) else {}),
    }


def images_from_json(message: Mapping[str, object], files: bytes, *, with_thumbnails: bool = False) -> DocumentImages:
    """Return the images, their texts normalised again, their contents checked to hold pixels and nothing else.

    Raises:
        InvalidReply: not images, beyond the limits, or thumbnails that were not requested.
    """
    match message:
        case {"images": object() as listed, "left_out": object() as left_out}:
            if not is_list(listed) or not is_mapping(left_out):
                raise InvalidReply("not images")
            flags = _thumbnail_flags(message, len(listed), with_thumbnails=with_thumbnails)
            end = max(0, len(files) - THUMBNAIL_BYTES * sum(flags))
            images = tuple(_with_thumbnails(_images(listed, files[:end]), flags, files[end:]))
            return DocumentImages(images, dict(_counts(left_out)))
        case _:
            raise InvalidReply("not images")


def _thumbnail_flags(message: Mapping[str, object], count: int, *, with_thumbnails: bool) -> Sequence[bool]:
    """Return for each image whether it has a thumbnail; a reply without thumbnails has no such member."""
    if "thumbnails" not in message:
        return [False] * count
    listed = message["thumbnails"]
    flags = list_or_empty(listed)
    checked = [flag for flag in flags if isinstance(flag, bool)]
    if not with_thumbnails or len(checked) != len(flags) or len(checked) != count:
        raise InvalidReply("not the thumbnails of its images")
    return checked


def _with_thumbnails(images: Iterator[ParsedImage], flags: Sequence[bool], pixels: bytes) -> Iterator[ParsedImage]:
    """Yield the images with their thumbnails, which are pixels of a fixed size and need no further check."""
    start = 0
    for image, has_thumbnail in zip(images, flags, strict=True):
        end = start + (THUMBNAIL_BYTES if has_thumbnail else 0)
        yield replace(image, thumbnail=pixels[start:end])
        start = end


def recognised_text_from_json(message: Mapping[str, object]) -> str:
    """Return the text of one image, normalised again.

    Raises:
        InvalidReply: no text.
    """
    text = message.get("text")
    if not isinstance(text, str):
        raise InvalidReply("not a text")
    return clean_text(text)


def page_text_of(document: ParsedDocument, image: ParsedImage) -> str:
    """Return the text that the document has for the page that the image is a picture of; empty for other images."""
    if not image.is_page:
        return ""
    return clean_text(
        " ".join(text for block in document.blocks for page, text in block.text_by_page() if page == image.page)
    )


def _images(listed: Sequence[object], files: bytes) -> Iterator[ParsedImage]:
    if len(listed) > MAX_IMAGES or len(files) > MAX_DOCUMENT_IMAGE_BYTES:
        raise InvalidReply("more images than a document may have")
    start = 0
    for position, item in enumerate(listed):
        match item:
            case [int(size), None | int() as page, bool(is_page), str(caption), str(alt_text), str(nearby_text)]:
                if not 0 < size <= min(MAX_IMAGE_BYTES, len(files) - start) or not _is_page_number(page):
                    raise InvalidReply("a number out of bounds")
                content = files[start : start + size]
                start += size
                header = checked_header(content)
                yield ParsedImage(
                    content,
                    header.media_type,
                    header.width,
                    header.height,
                    position,
                    page,
                    is_page,
                    clean_text(caption),
                    clean_text(alt_text),
                    clean_lines(nearby_text.split("\n")),
                    "",
                    sha256(content).hexdigest(),
                )
            case _:
                raise InvalidReply("not an image")
    if start != len(files):
        raise InvalidReply("bytes of no image")


def _is_page_number(page: int | None) -> bool:
    # JSON's true is a Python int.
    return page is None or (not isinstance(page, bool) and 1 <= page <= _LAST_PAGE)


def checked_header(content: bytes) -> ImageHeader:
    """Return the header of an image that has pixels and nothing else; nothing is decoded.

    Raises:
        InvalidReply: it has more, or is too large.
    """
    header = read_header(content)
    if header is None or max(header.width, header.height) > MAX_IMAGE_SIDE:
        raise InvalidReply("no image of the size that is kept")
    is_clean = {PNG_TYPE: _is_clean_png, JPEG_TYPE: _is_clean_jpeg}.get(header.media_type)
    if is_clean is None or not is_clean(content):
        raise InvalidReply("an image with more than pixels")
    return header


def _is_clean_png(content: bytes) -> bool:
    try:
        chunks = list(png_chunks(content))
    except ImageDamaged:
        return False
    # PNG has a signature of 8 bytes, and 12 bytes of length, kind and checksum around each payload.
    length = 8 + sum(12 + len(chunk.payload) for chunk in chunks)
    return length == len(content) and all(chunk.kind in PIXEL_CHUNKS for chunk in chunks)


def _is_clean_jpeg(content: bytes) -> bool:
    """Return whether the file is one frame, its tables and scans alone, and ends with its first end marker."""
    position = 2
    markers: list[int] = []
    while position + 4 <= len(content):
        start, marker, length = struct.unpack_from(">BBH", content, position)
        end = position + 2 + length
        is_known = start == 0xFF and marker in _JPEG_SEGMENTS and 2 <= length <= len(content) - position - 2  # noqa: PLR2004
        if not is_known or (marker == _JFIF_MARKER and not _is_plain_jfif(content[position + 4 : end])):
            return False
        markers.append(marker)
        position = _scan_end(content, end) if marker == _SCAN else end
    frames = sum(marker in _JPEG_FRAMES for marker in markers)
    return content[position:] == _JPEG_END and frames == 1 and _SCAN in markers


def _is_plain_jfif(payload: bytes) -> bool:
    return payload.startswith(_JFIF) and len(payload) == _JFIF_BYTES


def _scan_end(content: bytes, position: int) -> int:
    """Return where the first marker after a scan's data is."""
    found = _SCAN_DATA.match(content, position)
    return position if found is None else found.end()


def _counts(left_out: Mapping[str, object]) -> Iterator[tuple[ImageLeftOut, int]]:
    for reason, count in left_out.items():
        is_count = isinstance(count, int) and not isinstance(count, bool) and 0 < count <= _LEFT_OUT_MAX
        if reason not in list(ImageLeftOut) or not isinstance(count, int) or not is_count:
            raise InvalidReply("not a number of images")
        yield ImageLeftOut(str(reason)), count
