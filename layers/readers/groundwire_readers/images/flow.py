"""A document as a flow of blocks, captions and images, from which each image gets its texts."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.images.texts import ImageTexts, clean_text, is_caption, nearby_text, page_text, path_below

_LOOKED_AT: Final = 12
"""Items on each side among which neighbours are looked for."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An image as its document holds it.

    Attributes:
        load: returns its file, or draws the page that it is a picture of; raises ImageDamaged or UnreadableDocument.
        describe: returns its texts, which only an image that is kept needs.
        mask: its transparency as a file of its own; empty when there is none.
        is_page: a picture of the whole page.
        is_drawn: where its file is a JPEG in CMYK, it is drawn as a PDF shows it before it is encoded.
        is_turned: shown as the orientation in its file states, which a PDF ignores.
    """

    load: Callable[[], bytes]
    describe: Callable[[], ImageTexts]
    page: int | None = None
    mask: bytes = b""
    is_page: bool = False
    is_drawn: bool = False
    is_turned: bool = True


@dataclass(frozen=True, slots=True)
class Caption:
    """A text that the format itself marks as the caption of the image beside it."""

    text: str


@dataclass(frozen=True, slots=True)
class FlowImage:
    """An image in the flow; `load` returns its file.

    Attributes:
        alt_text: alternative text and title by its author.
    """

    load: Callable[[], bytes]
    alt_text: str = ""


FlowItem = Block | Caption | FlowImage


def candidates_of_flow(flow: Sequence[FlowItem]) -> Iterator[Candidate]:
    """Yield the images of a document without pages, each with its caption and the text around it."""
    path: tuple[Block, ...] = ()
    for index, item in enumerate(flow):
        if isinstance(item, Block) and item.kind is BlockKind.HEADING:
            path = path_below(path, item)
        elif isinstance(item, FlowImage):
            yield Candidate(item.load, partial(_texts_in_flow, flow, index, item.alt_text, path))


def _texts_in_flow(flow: Sequence[FlowItem], index: int, alt_text: str, path: Sequence[Block]) -> ImageTexts:
    before = [item for item in flow[max(0, index - _LOOKED_AT) : index] if not isinstance(item, FlowImage)]
    after = [item for item in flow[index + 1 : index + 1 + _LOOKED_AT] if not isinstance(item, FlowImage)]
    before.reverse()
    around = nearby_text(path, _neighbour(before), _neighbour(after))
    return ImageTexts(clean_text(_caption(after, before)), alt_text, around)


def candidates_of_page(page: int, blocks: Sequence[Block], images: Sequence[FlowImage]) -> Iterator[Candidate]:
    """Yield the images of a slide or sheet, each with the text of the whole page."""
    for index, image in enumerate(images):
        yield Candidate(image.load, partial(_texts_on_page, blocks, index, len(images), image.alt_text), page)


def _texts_on_page(blocks: Sequence[Block], index: int, count: int, alt_text: str) -> ImageTexts:
    captions = [block.text for block in blocks if is_caption(block)]
    # Captions of a page have no places: they belong to images only if there is one for each.
    caption = captions[index] if len(captions) == count else ""
    return ImageTexts(clean_text(caption), alt_text, page_text(blocks))


def _caption(after: Sequence[Block | Caption], before: Sequence[Block | Caption]) -> str:
    """Return the caption next to the image; one that the format marks goes before one that begins like one."""
    for neighbour in (after[:1], before[:1]):
        if neighbour and isinstance(neighbour[0], Caption):
            return neighbour[0].text
    for neighbour in (after[:1], before[:1]):
        if neighbour and isinstance(neighbour[0], Block) and is_caption(neighbour[0]):
            return neighbour[0].text
    return ""


def _neighbour(items: Sequence[Block | Caption]) -> str:
    """Return the nearest text up to the next heading that is no caption."""
    for item in items:
        if isinstance(item, Caption) or is_caption(item):
            continue
        return "" if item.kind is BlockKind.HEADING else item.text
    return ""
