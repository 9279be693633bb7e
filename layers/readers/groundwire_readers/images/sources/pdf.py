"""Images of PDF files: the image objects of pages, and scanned pages as one picture each."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import pairwise
from typing import Final, NoReturn

from groundwire_readers.contents.heading_levels import repair_heading_levels
from groundwire_readers.contents.limits import MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.images.flow import Candidate
from groundwire_readers.images.raster.conversion import render_page
from groundwire_readers.images.raster.png_stream import ImageTooLarge
from groundwire_readers.images.sources.repetition import repeated_on_most_pages
from groundwire_readers.images.texts import ImageTexts, clean_text, is_caption, nearby_text, page_text, path_below
from groundwire_readers.ocr import textless_page_numbers
from groundwire_readers.readers.xberg.page_images import (
    Box,
    PdfPages,
    PlacedBlock,
    PlacedImage,
    extract_page_images,
    has_image_objects,
    without_oversized_images,
)

_SCAN_POINTS: Final = 120_000
"""Area, in square points, of the images of a scanned page: a quarter of an A4 page."""
_CAPTION_GAP: Final = 60.0
"""Points between an image and its caption."""
_OVERLAP: Final = 6.0
"""Points by which a caption's box may reach into the image's."""
_EDGE: Final = 1.0
"""Points by which the edges of the strips of one scan differ."""


@dataclass(frozen=True, slots=True)
class _Page:
    """The images of a page, each with its soft mask, and the blocks of the page."""

    number: int
    images: list[tuple[PlacedImage, bytes]]
    blocks: list[PlacedBlock]


def find_images(content: bytes) -> Iterator[Candidate]:
    """Yield the images of the pages, in order.

    Raises:
        UnreadableDocument: damaged or encrypted.
    """
    if not has_image_objects(content):
        return
    checked = without_oversized_images(content, MAX_IMAGE_PIXELS)
    for _ in range(checked.oversized):
        yield Candidate(_refuse_size, ImageTexts)
    pdf = extract_page_images(checked.content)
    textless = set(textless_page_numbers([placed.block for placed in pdf.blocks], pdf.pages))
    path: tuple[Block, ...] = ()
    for page in _pages(pdf):
        is_scan = page.number in textless and _area(page.images) >= _SCAN_POINTS
        if page.images and (is_scan or _is_in_strips(page.images)):
            load = partial(render_page, checked.content, page.number, MAX_IMAGE_SIDE)
            yield Candidate(load, partial(_texts_of_page, page), page.number, is_page=True)
        else:
            yield from (_candidate(image, mask, page, path) for image, mask in page.images)
        path = _path_after(path, page.blocks)


def _refuse_size() -> NoReturn:
    raise ImageTooLarge


def _pages(pdf: PdfPages) -> Iterator[_Page]:
    """Yield the pages, without images that are on most of them."""
    repaired = repair_heading_levels([placed.block for placed in pdf.blocks])
    blocks: defaultdict[int, list[PlacedBlock]] = defaultdict(list)
    for placed, block in zip(pdf.blocks, repaired, strict=True):
        blocks[placed.page].append(PlacedBlock(block, placed.page, placed.box))
    digests = [sha256(image.content).digest() for image in pdf.images]
    repeated = repeated_on_most_pages(
        ((image.page, digest) for image, digest in zip(pdf.images, digests, strict=True)), pdf.pages
    )
    images: defaultdict[int, list[tuple[PlacedImage, bytes]]] = defaultdict(list)
    kept = [image for image, digest in zip(pdf.images, digests, strict=True) if digest not in repeated]
    for image, mask in _with_masks(kept):
        images[image.page].append((image, mask))
    for number in sorted({*blocks, *images}):
        yield _Page(number, images[number], blocks[number])


def _with_masks(images: Sequence[PlacedImage]) -> Iterator[tuple[PlacedImage, bytes]]:
    """Yield each image with its soft mask, which the library lists behind it as a grey image at the same place."""
    index = 0
    while index < len(images):
        image = images[index]
        following = images[index + 1] if index + 1 < len(images) else None
        has_mask = (
            following is not None
            and following.is_gray
            and image.box is not None
            and (following.page, following.box) == (image.page, image.box)
        )
        yield image, following.content if has_mask and following is not None else b""
        index += 2 if has_mask else 1


def _area(images: Sequence[tuple[PlacedImage, bytes]]) -> float:
    boxes = [image.box for image, _ in images if image.box is not None]
    return sum((box.right - box.left) * (box.top - box.bottom) for box in boxes)


def _is_in_strips(images: Sequence[tuple[PlacedImage, bytes]]) -> bool:
    """Return whether a scanned page is stored as several images that touch each other, one below the other."""
    boxes = [image.box for image, _ in images if image.box is not None]
    if len(boxes) < 2 or len(boxes) < len(images) or _area(images) < 2 * _SCAN_POINTS:  # noqa: PLR2004 - one is no strip
        return False
    # A page's coordinates begin at its lower edge, so the uppermost box has the largest top.
    boxes.sort(key=lambda box: -box.top)
    return all(
        abs(upper.left - lower.left) <= _EDGE
        and abs(upper.right - lower.right) <= _EDGE
        and abs(upper.bottom - lower.top) <= _EDGE
        for upper, lower in pairwise(boxes)
    )


def _candidate(image: PlacedImage, mask: bytes, page: _Page, path: tuple[Block, ...]) -> Candidate:
    return Candidate(
        partial(bytes, image.content),
        partial(_texts, image, page, path),
        image.page,
        mask,
        is_drawn=image.is_cmyk,
        is_turned=False,
    )


def _path_after(path: tuple[Block, ...], blocks: Iterable[PlacedBlock]) -> tuple[Block, ...]:
    for placed in blocks:
        if placed.block.kind is BlockKind.HEADING:
            path = path_below(path, placed.block)
    return path


def _texts_of_page(page: _Page) -> ImageTexts:
    return ImageTexts(nearby_text=page_text([placed.block for placed in page.blocks]))


def _texts(image: PlacedImage, page: _Page, path: tuple[Block, ...]) -> ImageTexts:
    description = clean_text(image.description)
    above, below = ([], []) if image.box is None else _neighbours(image.box, page.blocks)
    if image.box is None or not (above or below):
        return ImageTexts("", description, page_text([placed.block for placed in page.blocks]))
    around = nearby_text(_path_after(path, reversed(above)), _first_text(above), _first_text(below))
    return ImageTexts(_caption(image.box, above, below), description, around)


def _neighbours(box: Box, blocks: Sequence[PlacedBlock]) -> tuple[list[PlacedBlock], list[PlacedBlock]]:
    """Return the blocks above and below the image, the nearest first."""
    above = [placed for placed in blocks if placed.box is not None and placed.box.bottom >= box.top - _OVERLAP]
    below = [placed for placed in blocks if placed.box is not None and placed.box.top <= box.bottom + _OVERLAP]
    above.sort(key=lambda placed: placed.box.bottom if placed.box else 0.0)
    below.sort(key=lambda placed: -placed.box.top if placed.box else 0.0)
    return above, below


def _caption(box: Box, above: Sequence[PlacedBlock], below: Sequence[PlacedBlock]) -> str:
    for placed in below:
        if _is_near(placed, box) and placed.box is not None and box.bottom - placed.box.top <= _CAPTION_GAP:
            return clean_text(placed.block.text)
    for placed in above:
        if _is_near(placed, box) and placed.box is not None and placed.box.bottom - box.top <= _CAPTION_GAP:
            return clean_text(placed.block.text)
    return ""


def _is_near(placed: PlacedBlock, box: Box) -> bool:
    """Return whether the block begins like a caption and is in the same column as the image."""
    if placed.box is None or not is_caption(placed.block):
        return False
    return placed.box.left < box.right and box.left < placed.box.right


def _first_text(placed_blocks: Sequence[PlacedBlock]) -> str:
    for placed in placed_blocks:
        if placed.block.kind is BlockKind.HEADING:
            return ""
        if not is_caption(placed.block):
            return placed.block.text
    return ""
