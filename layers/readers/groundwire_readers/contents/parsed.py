"""Parsed documents: blocks, attachments and images that a parser returns."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Final, NamedTuple

from groundwire_readers.contents.limits import (
    MAX_DOCUMENT_IMAGE_BYTES,
    MAX_DOCUMENT_IMAGE_PIXELS,
    MAX_IMAGE_PIXELS,
    MAX_IMAGES,
)

THUMBNAIL_SIDE: Final = 224
"""Pixels of both sides of a thumbnail: the input of CLIP's models of 32 or 16 pixels per patch."""
THUMBNAIL_BYTES: Final = 3 * THUMBNAIL_SIDE * THUMBNAIL_SIDE
"""Size of a thumbnail: rows from the top, three bytes (red, green, blue) per pixel."""


class BlockKind(StrEnum):
    """Kind of a block; the chunker treats each kind differently."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    CODE = "code"
    TABLE = "table"


MAIL_FILE_TYPES: Final = frozenset({"eml", "msg"})
"""Types of files that may have attachments."""


@dataclass(frozen=True, slots=True)
class Block:
    """Unit of a parsed document, in reading order, with normalised text.

    Attributes:
        level: 1 for the outermost heading; 0 for all blocks that are not headings.
        page: page, slide or sheet, from 1; None where the format has none.
        rows: the cells of a table, header rows first; empty for other kinds.
        group: sheet or slide of the block; a segment never spans two groups.
        caption: of a table: what belongs to each piece of it, such as its caption, period and unit; a line each.
        header_rows: number of the rows that are a table's header; 0 where the first row is none.
        is_unverified: text of an invisible layer over the picture of a page, which nothing confirms.
        labels: cells that span several rows, which have their text in the first one: row, column and the row after the
            last one, all among `rows`.
        raw_values: numbers that cells store with more digits than they show, each with its row: searched, never quoted.
        page_breaks: places in the text, ascending, at each of which the next page starts.
    """

    kind: BlockKind
    text: str
    level: int = 0
    page: int | None = None
    rows: tuple[tuple[str, ...], ...] = ()
    group: int | None = None
    caption: str = ""
    header_rows: int = 1
    is_unverified: bool = False
    labels: tuple[tuple[int, int, int], ...] = ()
    raw_values: tuple[tuple[int, str], ...] = ()
    page_breaks: tuple[int, ...] = ()

    @property
    def last_page(self) -> int | None:
        """Page of the end of its text."""
        return None if self.page is None else self.page + len(self.page_breaks)

    def pages_between(self, start: int, end: int) -> tuple[int, ...]:
        """Return the first and the last page of a part of the text; empty where the format has no pages."""
        if self.page is None:
            return ()
        return self.page + bisect_right(self.page_breaks, start), self.page + bisect_left(self.page_breaks, end)

    def text_by_page(self) -> Iterator[tuple[int, str]]:
        """Yield each of its pages with the part of the text on it."""
        if self.page is not None:
            edges = pairwise((0, *self.page_breaks, len(self.text)))
            yield from enumerate((self.text[start:end] for start, end in edges), self.page)


class ReadingDefect(StrEnum):
    """Part of a document that is read otherwise than a person reads it; a record counts each.

    `TABLE_AS_TEXT`: tables that are given as aligned text, since their cells are not certain. `UNVERIFIED_LAYER`: pages
    whose text is an invisible layer over a picture. `HIDDEN_TEXT`: pages, slides, sheets or files with text that people
    cannot see, which was left out. `UNREADABLE_RECOGNITION`: pages whose recognised text is unreadable, so left out.
    `UNMAPPED_FONTS`: pages whose characters have no known meaning, since their fonts have no Unicode map; left out.
    `UNKNOWN_RESULT`: formulas of a workbook whose result no program has stored, so that their cells are empty.
    `LOST_LETTERS`: characters that have no known meaning, shown as U+FFFD. `DAMAGED_PARTS`: lines or chapters that
    cannot be read, left out.
    """

    TABLE_AS_TEXT = "table_as_text"
    UNVERIFIED_LAYER = "unverified_layer"
    HIDDEN_TEXT = "hidden_text"
    UNREADABLE_RECOGNITION = "unreadable_recognition"
    UNMAPPED_FONTS = "unmapped_fonts"
    UNKNOWN_RESULT = "unknown_result"
    LOST_LETTERS = "lost_letters"
    DAMAGED_PARTS = "damaged_parts"


@dataclass(frozen=True, slots=True)
class Attachment:
    """File within a file, such as a mail's attachment; it becomes a document under the policy of its parent."""

    name: str
    content: bytes


class ImageLeftOut(StrEnum):
    """Reason for which an image of a document is not kept."""

    DAMAGED = "damaged"
    UNSUPPORTED = "unsupported"
    TOO_LARGE = "too_large"
    OVER_LIMIT = "over_limit"
    OUT_OF_TIME = "out_of_time"
    EXTRACTION_FAILED = "extraction_failed"


_REASONS: Final = {
    ImageLeftOut.DAMAGED: "damaged",
    ImageLeftOut.UNSUPPORTED: "of a type that is not supported",
    ImageLeftOut.TOO_LARGE: f"larger than {MAX_IMAGE_PIXELS // 1_000_000} megapixels",
    ImageLeftOut.OVER_LIMIT: f"beyond the limits for a document ({MAX_IMAGES} images, "
    f"{MAX_DOCUMENT_IMAGE_PIXELS // 1000000} megapixels, "
    f"{MAX_DOCUMENT_IMAGE_BYTES // 1000000} MB)",
    ImageLeftOut.OUT_OF_TIME: "not read in time",
}


@dataclass(frozen=True, slots=True)
class ParsedImage:
    """An image of a document, re-encoded without metadata, with the normalised texts that describe it.

    Attributes:
        media_type: "image/png" or "image/jpeg".
        position: among the images of the document, from 0, in reading order.
        page: page, slide or sheet, from 1; None where the format has none.
        is_page: an image of the whole page, such as a scan.
        alt_text: alternative text and title that the author gave it.
        nearby_text: headings above it and text before and after it, a line each.
        recognised_text: text that was recognised in the image itself.
        digest: SHA-256 of `content`, hexadecimal.
        thumbnail: middle of the image, its shorter side scaled to THUMBNAIL_SIDE, as THUMBNAIL_BYTES bytes; empty
            where none was requested, and where it could not be drawn.
    """

    content: bytes
    media_type: str
    width: int
    height: int
    position: int
    page: int | None
    is_page: bool
    caption: str
    alt_text: str
    nearby_text: str
    recognised_text: str
    digest: str
    thumbnail: bytes = b""


@dataclass(frozen=True, slots=True)
class DocumentImages:
    """The images that are kept of a document, in order, and the number of the others by reason."""

    images: tuple[ParsedImage, ...]
    left_out: Mapping[ImageLeftOut, int]


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """Result of parsing a file's bytes.

    Attributes:
        media_type: type sniffed from the bytes, e.g. "application/pdf".
        title: from the document's own metadata or first heading; None when it has neither, so that the file name is
            used; empty when the file name would not be informative, either.
        pages: number of pages, slides or sheets; None where the format has none.
        pages_without_text: number of pages with images only.
        language: ISO 639-1; None where the detector is not sure.
        front_matter: fields of the file's own header, as written there.
        images: the images that are kept, in order; empty unless they were requested.
        images_left_out: number of the other images by reason.
        defects: number of each defect of the reading; those without any are left out.
    """

    media_type: str
    title: str | None
    blocks: tuple[Block, ...]
    pages: int | None
    pages_without_text: int
    language: str | None = None
    front_matter: Mapping[str, object] = field(default_factory=dict[str, object])
    attachments: tuple[Attachment, ...] = ()
    images: tuple[ParsedImage, ...] = ()
    images_left_out: Mapping[ImageLeftOut, int] = field(default_factory=dict[ImageLeftOut, int])
    defects: Mapping[ReadingDefect, int] = field(default_factory=dict[ReadingDefect, int])


_DEFECTS: Final = {
    ReadingDefect.TABLE_AS_TEXT: ("table given as text", "tables given as text"),
    ReadingDefect.UNVERIFIED_LAYER: (
        "page with a text layer that the page's image does not confirm",
        "pages with a text layer that the pages' images do not confirm",
    ),
    ReadingDefect.HIDDEN_TEXT: ("page with hidden text left out", "pages with hidden text left out"),
    ReadingDefect.UNREADABLE_RECOGNITION: ("page whose picture cannot be read", "pages whose pictures cannot be read"),
    ReadingDefect.UNMAPPED_FONTS: (
        "page whose fonts do not name their letters",
        "pages whose fonts do not name their letters",
    ),
    ReadingDefect.UNKNOWN_RESULT: ("formula without a stored result", "formulas without a stored result"),
    ReadingDefect.LOST_LETTERS: ("character without a known meaning", "characters without a known meaning"),
    ReadingDefect.DAMAGED_PARTS: ("damaged line or chapter left out", "damaged lines or chapters left out"),
}
"""Words for one and for several of each defect."""


def defects_notice(defects: Mapping[ReadingDefect, int]) -> str | None:
    """Return the number of each defect, as a phrase; None without any."""
    counted = [
        f"{number} {_DEFECTS[defect][number != 1]}" for defect in ReadingDefect if (number := defects.get(defect, 0))
    ]
    return ", ".join(counted) or None


def images_notice(left_out: Mapping[ImageLeftOut, int]) -> str | None:
    """Return the number of images left out by reason, as a phrase; None without any."""
    if left_out.get(ImageLeftOut.EXTRACTION_FAILED, 0):
        return "its images cannot be extracted"
    counted = [f"{left_out[reason]} {_REASONS[reason]}" for reason in _REASONS if left_out.get(reason, 0)]
    if not counted:
        return None
    total = sum(left_out.values())
    return f"{total} {'image' if total == 1 else 'images'} left out: {', '.join(counted)}"


class WordBox(NamedTuple):
    """Word of a page with its bounding box, in parts of `PAGE_PARTS` of the page's width and height as displayed.

    Attributes:
        left, top, right, bottom: from the upper left corner, within the page.
    """

    text: str
    left: int
    top: int
    right: int
    bottom: int


PAGE_PARTS: Final = 10_000
"""Parts of a page's width and height: a quarter of a pixel of its picture."""


@dataclass(frozen=True, slots=True)
class PagePicture:
    """Picture of a page as displayed, without marks, and the places of its words.

    Attributes:
        media_type: "image/png" or "image/jpeg".
        words: those of its text layer in their order, hidden ones included; empty for a scan.
    """

    content: bytes
    media_type: str
    width: int
    height: int
    words: tuple[WordBox, ...]
