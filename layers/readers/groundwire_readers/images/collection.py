"""Collection of a document's images: within bounds, each once, re-encoded, the others counted by reason."""

import time
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from itertools import islice, takewhile
from typing import Final

from groundwire_readers.contents.limits import (
    MAX_DOCUMENT_IMAGE_BYTES,
    MAX_DOCUMENT_IMAGE_PIXELS,
    MAX_IMAGE_PIXELS,
    MAX_IMAGE_RATIO,
    MAX_IMAGES,
    MIN_IMAGE_SIDE,
)
from groundwire_readers.contents.parsed import DocumentImages, ImageLeftOut, ParsedImage
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.images.flow import Candidate
from groundwire_readers.images.raster.encoding import EncodedImage, draw_cmyk_jpeg, encode_image, mask_header
from groundwire_readers.images.raster.headers import JPEG_TYPE, PNG_TYPE, ImageHeader, is_svg, read_header
from groundwire_readers.images.raster.png_stream import ImageDamaged, ImageTooLarge
from groundwire_readers.images.raster.thumbnail import draw_thumbnail

_CANDIDATES_MAX: Final = 2_000
"""Images looked at; a document with more has them for decoration."""
_COUNTING_SECONDS: Final = 1.0
"""Time to count the images that are left out together."""


class TimeLimit:
    """Limit of the time for a document's images, of the clock and of the processor."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._processor_end = time.process_time() + seconds

    @property
    def is_over(self) -> bool:
        """True when no further image may be decoded."""
        return time.monotonic() > self._end or time.process_time() > self._processor_end


def collect_images(
    candidates: Iterable[Candidate], limit: TimeLimit, *, with_thumbnails: bool = False
) -> DocumentImages:
    """Return the images in order; decorations and repetitions are left out without being counted.

    What follows when there is no more room or time is counted without being loaded.
    """
    collector = _Collector(limit, with_thumbnails=with_thumbnails)
    # One more than allowed shows that there are others, without finding them all.
    remaining = islice(candidates, _CANDIDATES_MAX + 1)
    for number, candidate in enumerate(remaining):
        reason = ImageLeftOut.OVER_LIMIT if number == _CANDIDATES_MAX else collector.reason_to_stop()
        if reason is not None:
            collector.left_out[reason] += 1 + _count(remaining)
            break
        collector.add(candidate)
    return DocumentImages(tuple(collector.images), dict(collector.left_out))


def _count(candidates: Iterable[Candidate]) -> int:
    """Return the number of the candidates, or of those that are found in the time for counting."""
    limit = TimeLimit(_COUNTING_SECONDS)
    return sum(1 for _ in takewhile(lambda _: not limit.is_over, candidates))


class _Collector:
    def __init__(self, limit: TimeLimit, *, with_thumbnails: bool) -> None:
        self._with_thumbnails = with_thumbnails
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
            content = candidate.load()
            # The same file with another mask is another picture.
            if not content or not self._is_new_file(content + candidate.mask):
                return
            header = read_header(content)
            if header is None:
                self._count(ImageLeftOut.UNSUPPORTED if _is_other_type(content) else ImageLeftOut.DAMAGED)
            elif not _is_decoration(header) and self._may_decode(header, candidate.mask):
                self._keep(candidate, _encoded(candidate, content, header))
        except ImageTooLarge:
            self._count(ImageLeftOut.TOO_LARGE)
        except (ImageDamaged, UnreadableDocument):
            self._count(ImageLeftOut.DAMAGED)

    def reason_to_stop(self) -> ImageLeftOut | None:
        """Return why no further image can be kept; None while one can."""
        if len(self.images) == MAX_IMAGES or self._pixels + MIN_IMAGE_SIDE**2 > MAX_DOCUMENT_IMAGE_PIXELS:
            return ImageLeftOut.OVER_LIMIT
        return ImageLeftOut.OUT_OF_TIME if self._limit.is_over else None

    def _may_decode(self, header: ImageHeader, mask: bytes) -> bool:
        """Take the pixels of an image and of its mask from the document's limit, or count why they exceed one."""
        pixels = header.width * header.height
        shape = mask_header(mask)
        decoded = pixels if shape is None else pixels + shape.width * shape.height
        if pixels > MAX_IMAGE_PIXELS:
            self._count(ImageLeftOut.TOO_LARGE)
        elif self._pixels + decoded > MAX_DOCUMENT_IMAGE_PIXELS:
            self._count(ImageLeftOut.OVER_LIMIT)
        elif self._limit.is_over:
            self._count(ImageLeftOut.OUT_OF_TIME)
        else:
            self._pixels += decoded
            return True
        return False

    def _keep(self, candidate: Candidate, encoded: EncodedImage) -> None:
        digest = sha256(encoded.content).hexdigest()
        # Files that differ in their metadata alone give the same image.
        if digest in self._digests:
            return
        if self._bytes + len(encoded.content) > MAX_DOCUMENT_IMAGE_BYTES:
            self._count(ImageLeftOut.OVER_LIMIT)
            return
        self._bytes += len(encoded.content)
        self._digests.add(digest)
        texts = candidate.describe()
        self.images.append(
            ParsedImage(
                *encoded,
                position=len(self.images),
                page=candidate.page,
                is_page=candidate.is_page,
                caption=texts.caption,
                alt_text=texts.alt_text,
                nearby_text=texts.nearby_text,
                recognised_text="",
                digest=digest,
                thumbnail=self._thumbnail(encoded),
            )
        )

    def _thumbnail(self, encoded: EncodedImage) -> bytes:
        """Return the thumbnail if one is wanted and there is time; an image without one is kept all the same."""
        if not self._with_thumbnails or self._limit.is_over:
            return b""
        try:
            return draw_thumbnail(encoded)
        except ImageDamaged:
            return b""

    def _is_new_file(self, content: bytes) -> bool:
        digest = sha256(content).digest()
        is_new = digest not in self._files
        self._files.add(digest)
        return is_new

    def _count(self, reason: ImageLeftOut) -> None:
        self.left_out[reason] += 1


def _encoded(candidate: Candidate, content: bytes, header: ImageHeader) -> EncodedImage:
    if candidate.is_drawn and header.media_type == JPEG_TYPE:
        content = draw_cmyk_jpeg(content, header)
        header = ImageHeader(PNG_TYPE, header.width, header.height)
    shown = header if candidate.is_turned else header._replace(orientation=1)
    return encode_image(content, shown, candidate.mask)


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
