"""Collection of a document's images: within bounds, each once, re-encoded, the others counted by reason."""

import time
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from groundwire.adapters.parse.images.flow import Candidate
from groundwire.adapters.parse.images.raster.encoding import EncodedImage, encode_image
from groundwire.adapters.parse.images.raster.headers import ImageHeader, is_svg, read_header
from groundwire.adapters.parse.images.raster.png_stream import ImageDamaged, ImageTooLarge
from groundwire.domain.documents.parsed import (
    MAX_DOCUMENT_IMAGE_BYTES,
    MAX_DOCUMENT_IMAGE_PIXELS,
    MAX_IMAGE_PIXELS,
    MAX_IMAGE_RATIO,
    MAX_IMAGES,
    MIN_IMAGE_SIDE,
    DocumentImages,
    ImageLeftOut,
    ParsedImage,
)
from groundwire.domain.errors import DocumentRefused

_CANDIDATES_MAX: Final = 2_000
"""Images looked at; a document with more has them for decoration."""


class TimeLimit:
    """Limit of the time for a document's images, of the clock and of the processor."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._processor_end = time.process_time() + seconds

    @property
    def is_over(self) -> bool:
        """True when no further image may be decoded."""
        return time.monotonic() > self._end or time.process_time() > self._processor_end


def collect_images(candidates: Iterable[Candidate], limit: TimeLimit) -> DocumentImages:
    """Return the images in order; decorations and repetitions are left out without being counted."""
    collector = _Collector(limit)
    for number, candidate in enumerate(candidates):
        if number == _CANDIDATES_MAX:
            collector.left_out[ImageLeftOut.OVER_LIMIT] += 1
            break
        collector.add(candidate)
    return DocumentImages(tuple(collector.images), dict(collector.left_out))


class _Collector:
    def __init__(self, limit: TimeLimit) -> None:
        self.images: list[ParsedImage] = []
        self.left_out = Counter[ImageLeftOut]()
        self._limit = limit
        self._files: set[bytes] = set()
        self._digests: set[str] = set()
        self._pixels = 0
        self._bytes = 0

    def add(self, candidate: Candidate) -> None:
        """Keep the image, count why it is left out, or skip it as a decoration or a repetition."""
        try:
            if candidate.is_page and not self._has_room():  # to draw a page is as much work as to decode an image
                return
            content = candidate.load()
            if not content or not self._is_new_file(content + candidate.mask):
                return
            header = read_header(content)
            if header is None:
                self._count(ImageLeftOut.UNSUPPORTED if _is_other_type(content) else ImageLeftOut.DAMAGED)
            elif not _is_decoration(header) and self._may_decode(header):
                self._pixels += header.width * header.height
                shown = header if candidate.is_turned else header._replace(orientation=1)
                self._keep(candidate, encode_image(content, shown, candidate.mask))
        except ImageTooLarge:
            self._count(ImageLeftOut.TOO_LARGE)
        except (ImageDamaged, DocumentRefused):
            self._count(ImageLeftOut.DAMAGED)

    def _may_decode(self, header: ImageHeader) -> bool:
        pixels = header.width * header.height
        if pixels > MAX_IMAGE_PIXELS:
            self._count(ImageLeftOut.TOO_LARGE)
            return False
        if self._pixels + pixels > MAX_DOCUMENT_IMAGE_PIXELS:
            self._count(ImageLeftOut.OVER_LIMIT)
            return False
        return self._has_room()

    def _has_room(self) -> bool:
        if len(self.images) == MAX_IMAGES:
            self._count(ImageLeftOut.OVER_LIMIT)
            return False
        if self._limit.is_over:
            self._count(ImageLeftOut.OUT_OF_TIME)
            return False
        return True

    def _keep(self, candidate: Candidate, encoded: EncodedImage) -> None:
        digest = sha256(encoded.content).hexdigest()
        if digest in self._digests:
            return
        if self._bytes + len(encoded.content) > MAX_DOCUMENT_IMAGE_BYTES:
            self._count(ImageLeftOut.OVER_LIMIT)
            return
        self._bytes += len(encoded.content)
        self._digests.add(digest)
        self.images.append(
            ParsedImage(
                *encoded,
                position=len(self.images),
                page=candidate.page,
                is_page=candidate.is_page,
                caption=candidate.texts.caption,
                alt_text=candidate.texts.alt_text,
                nearby_text=candidate.texts.nearby_text,
                recognised_text="",
                digest=digest,
            )
        )

    def _is_new_file(self, content: bytes) -> bool:
        digest = sha256(content).digest()
        is_new = digest not in self._files
        self._files.add(digest)
        return is_new

    def _count(self, reason: ImageLeftOut) -> None:
        self.left_out[reason] += 1


def _is_decoration(header: ImageHeader) -> bool:
    shorter, longer = sorted((header.width, header.height))
    return shorter < MIN_IMAGE_SIDE or longer > MAX_IMAGE_RATIO * shorter


_OTHER_TYPES: Final = (
    b"\xd7\xcd\xc6\x9a",  # Windows metafile
    b"\x01\0\0\0",  # enhanced metafile
    b"\x01\0\x09\0",  # Windows metafile without its placeable header
    b"\0\0\x01\0",  # icon
    b"\0\0\0\x0cjP",  # JPEG 2000
    b"%!PS",
    b"%PDF",
    b"\x1f\x8b",  # compressed metafile or SVG
)
_ISO_MEDIA: Final = b"ftyp"
"""Name of the first box of HEIF and AVIF."""


def _is_other_type(content: bytes) -> bool:
    return content.startswith(_OTHER_TYPES) or content[4:8] == _ISO_MEDIA or is_svg(content)
