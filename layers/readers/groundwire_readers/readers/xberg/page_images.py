"""Images and positioned text blocks of a PDF's pages, by the parser library."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import xberg
from xberg import _xberg as native  # pyright: ignore[reportPrivateUsage] - it has the types of the results

from groundwire_readers import formats
from groundwire_readers.contents.parsed import Block
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.readers.xberg.extraction import Extraction, node_of, reason_of
from groundwire_readers.readers.xberg.nodes import numbered_blocks
from groundwire_readers.readers.xberg.running_headers import without_running_headers

_CMYK: Final = ("DeviceCMYK", "ICCBased(4)")
_IMAGE: Final = re.compile(rb"/Subtype\s{0,4}/Image(?![A-Za-z0-9])")
_SEARCHED_BYTES: Final = 2_000
"""Number of bytes before and after `/Subtype /Image` that are searched for the image size."""
_WIDTH: Final = re.compile(rb"/Width\s{0,4}(\d{1,9})(?!\d|\s+\d+\s+R)")
_HEIGHT: Final = re.compile(rb"/Height\s{0,4}(\d{1,9})(?!\d|\s+\d+\s+R)")


class Box(NamedTuple):
    """Rectangle on a page, in points from its lower left corner."""

    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True, slots=True)
class PlacedBlock:
    """A block with its bounding box, if the library knows it."""

    block: Block
    page: int
    box: Box | None


@dataclass(frozen=True, slots=True)
class PlacedImage:
    """An image of a page.

    Attributes:
        content: JPEG as stored in the file, else PNG.
        description: alternative text of a tagged PDF.
        is_gray: whether it is greyscale, as soft masks are, too.
        is_cmyk: whether its colour space is CMYK.
    """

    content: bytes
    page: int
    box: Box | None
    description: str
    is_gray: bool
    is_cmyk: bool


@dataclass(frozen=True, slots=True)
class PdfPages:
    """The images and the text of a PDF, in order."""

    pages: int
    images: tuple[PlacedImage, ...]
    blocks: tuple[PlacedBlock, ...]


class CheckedPdf(NamedTuple):
    """A PDF with oversized images disabled, and their number."""

    content: bytes
    oversized: int


def has_image_objects(content: bytes) -> bool:
    """Return whether the file has image objects; inline images, of a few pixels, do not count."""
    return _IMAGE.search(content) is not None


def without_oversized_images(content: bytes, pixels_max: int) -> CheckedPdf:
    """Return the file with images above `pixels_max` disabled; all byte offsets are unchanged.

    Dictionaries of streams are never compressed, so the search finds every image. An image whose size is in another
    object is left to the library's own limit.
    """
    too_large = [match for match in _IMAGE.finditer(content) if _pixels(content, match) > pixels_max]
    if not too_large:
        return CheckedPdf(content, 0)
    changed = bytearray(content)
    for match in too_large:
        # `/Imago` is no valid subtype and has the length of `/Image`, so all offsets stay valid.
        changed[match.end() - 1 : match.end()] = b"o"
    return CheckedPdf(bytes(changed), len(too_large))


def _pixels(content: bytes, subtype: re.Match[bytes]) -> int:
    before = content[max(0, subtype.start() - _SEARCHED_BYTES) : subtype.start()].rpartition(b"obj")[2]
    after = content[subtype.end() : subtype.end() + _SEARCHED_BYTES].partition(b"stream")[0]
    width, height = (pattern.search(before + b" " + after) for pattern in (_WIDTH, _HEIGHT))
    return 0 if width is None or height is None else int(width[1]) * int(height[1])


def extract_page_images(content: bytes) -> PdfPages:
    """Return the images and the text of a PDF, without text recognition.

    Raises:
        UnreadableDocument: damaged or encrypted.
    """
    config = xberg.ExtractionConfig(
        use_cache=False,
        disable_ocr=True,
        images=xberg.ImageExtractionConfig(inject_placeholders=False, run_ocr_on_images=False),
        include_document_structure=True,
        enable_quality_processing=False,
        escape_markdown=False,
        max_archive_depth=0,
        extraction_timeout_secs=None,
    )
    source = xberg.ExtractInput(kind=xberg.ExtractInputKind.BYTES, bytes=content, mime_type=formats.PDF.media_type)
    try:
        result = asyncio.run(xberg.extract(source, config))
    except (RuntimeError, ValueError, xberg.XbergError) as error:
        raise UnreadableDocument(reason_of(str(error), formats.PDF)) from error
    if not result.results:
        raise UnreadableDocument(reason_of(" ".join(item.message for item in result.errors), formats.PDF))
    document = result.results[0]
    structure = document.document
    blocks = () if structure is None else _placed_blocks(structure.nodes)
    pages = max([document.counts.pages or 0, *(placed.page for placed in blocks)])
    return PdfPages(pages, tuple(_placed_images(document.images or [])), blocks)


def _placed_images(images: list[native.ExtractedImage]) -> Iterator[PlacedImage]:
    for image in images:
        if image.page_number is not None and image.data and not image.is_mask:
            yield PlacedImage(
                bytes(image.data),
                image.page_number,
                _box(image.bounding_box),
                image.description or "",
                is_gray=image.colorspace == "DeviceGray",
                is_cmyk=image.colorspace in _CMYK,
            )


def _placed_blocks(nodes: list[native.DocumentNode]) -> tuple[PlacedBlock, ...]:
    extraction = Extraction(None, 0, tuple(map(node_of, nodes)))
    numbered = list(numbered_blocks(extraction, formats.PDF))
    # By identity, since one of two equal blocks can be a running header.
    kept = set(map(id, without_running_headers([block for _, block in numbered])))
    return tuple(
        PlacedBlock(block, block.page or 1, _box(nodes[number].bbox)) for number, block in numbered if id(block) in kept
    )


def _box(box: native.BoundingBox | None) -> Box | None:
    return None if box is None else Box(box.x0, box.y0, box.x1, box.y1)
