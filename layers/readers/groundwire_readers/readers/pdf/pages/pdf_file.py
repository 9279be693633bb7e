"""Access to an open PDF file: the content of its pages, its outline and its properties."""

import ctypes
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from groundwire_readers.readers.pdf import pdfium
from groundwire_readers.readers.pdf.page_content import PageContent, PageWord
from groundwire_readers.readers.pdf.pages.annotations import PageAnnotations, has_annotations, take_annotations
from groundwire_readers.readers.pdf.pages.drawn_bullets import with_bullets
from groundwire_readers.readers.pdf.pages.hidden_text import visible_words
from groundwire_readers.readers.pdf.pages.page_objects import PageObjects, read_page_objects
from groundwire_readers.readers.pdf.pages.word_order import with_annotations, without_overprints
from groundwire_readers.readers.pdf.scans.page_image import draw_page_in_colour
from groundwire_readers.readers.pdf.text_layer.no_language import is_no_language
from groundwire_readers.readers.pdf.text_layer.page_text import DrawnWord, read_words
from groundwire_readers.readers.pdf.text_layer.strikes import strikes_of
from groundwire_readers.readers.pdf.transform import Transform

_MAX_OUTLINE_ENTRIES: Final = 10_000
_SHADE, _DARK = 253.0, 140.0
"""Brightness up to which an area is shaded, and up to which it is a bar with light letters."""
_MAX_OUTLINE_DEPTH: Final = 9
_MIN_PITCH_WORDS: Final = 6
"""Minimum number of words of a font from which its pitch is measured."""
_MIN_PITCH_CHARACTERS: Final = 4
"""Minimum length of such a word."""
_MIN_PITCH_LETTERS: Final = 3
"""Minimum number of different letters of such a word."""
_MAX_PITCH_SPREAD: Final = 0.02
"""Maximum relative difference of the mean character widths of a monospaced font's words."""
_MASK_KEYS: Final = (b"/SMask", b"/ImageMask", b"/Mask")
"""Keys of images that are transparent in parts."""


ChangePage = Callable[[int, PageContent], PageContent]
"""Function of PDFium's page handle and the page's content, which returns the content to use."""


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """An entry of the file's outline (its bookmarks); `page` counts from 1 and is 0 if unknown."""

    title: str
    level: int
    page: int


class PdfFile:
    """An open PDF file; pages are read one at a time to bound memory."""

    def __init__(self, handle: int, *, has_masks: bool) -> None:
        """Take PDFium's handle of the document."""
        self._library = pdfium.load_library()
        self._handle = handle
        self._has_masks = has_masks
        self._form: int | None = None
        # PDFium keeps the address of this structure until the environment is freed.
        self._form_callbacks = pdfium.FormFillInfo(version=1)

    def close(self) -> None:
        """Free the form environment; the document itself stays open."""
        if self._form is not None:
            self._library.FPDFDOC_ExitFormFillEnvironment(self._form)

    @property
    def page_count(self) -> int:
        """The number of pages."""
        return int(self._library.FPDF_GetPageCount(self._handle))

    def pages(self, change: "ChangePage | None" = None) -> Iterator[PageContent]:
        """Yield the content of each page, in order, after `change`; a page that cannot be loaded is empty."""
        for index in range(self.page_count):
            yield self._page(index, change)

    @contextmanager
    def displayed(self, number: int) -> "Generator[DisplayedPage | None]":
        """Yield a page as it is displayed, its number counted from 1; None if it cannot be loaded, or has no area."""
        page = self._library.FPDF_LoadPage(self._handle, number - 1)
        if page is None:
            yield None
            return
        try:
            width, height = (
                float(self._library.FPDF_GetPageWidthF(page)),
                float(self._library.FPDF_GetPageHeightF(page)),
            )
            has_area = 0 < width < math.inf and 0 < height < math.inf
            yield DisplayedPage(page, self._transform_to_display(page), width, height) if has_area else None
        finally:
            self._library.FPDF_ClosePage(page)

    def _page(self, index: int, change: "ChangePage | None") -> PageContent:
        page = self._library.FPDF_LoadPage(self._handle, index)
        if page is None:
            return PageContent(index + 1, 0.0, 0.0, (), ())
        annotations = PageAnnotations()
        if has_annotations(page):
            annotations = take_annotations(page, self._form_environment())
            self._library.FPDF_ClosePage(page)
            page = self._library.FPDF_LoadPage(self._handle, index)
            if page is None:
                return PageContent(index + 1, 0.0, 0.0, (), ())
        try:
            content = self._content(page, index + 1, annotations)
            return content if change is None else change(page, content)
        finally:
            self._library.FPDF_ClosePage(page)

    def _content(self, page: int, number: int, annotations: PageAnnotations) -> PageContent:
        width = float(self._library.FPDF_GetPageWidthF(page))
        height = float(self._library.FPDF_GetPageHeightF(page))
        to_display = self._transform_to_display(page)
        objects = read_page_objects(page, to_display, has_masks=self._has_masks)
        words = read_words(page, to_display, objects.text_clips)
        # Wide tables are often rotated on a portrait page.
        angle = _prevailing_angle(words)
        if angle:
            to_display, width, height = _rotated(to_display, angle, width, height)
            objects = read_page_objects(page, to_display, has_masks=self._has_masks)
            words = read_words(page, to_display, objects.text_clips)
        if strikes := strikes_of((item.word for item in words), objects.rules):
            words = read_words(page, to_display, objects.text_clips, strikes)
        drawn = _with_annotations(words, annotations, to_display, objects)
        visible = visible_words(drawn, objects, width, height)
        if visible.is_unmapped or is_no_language(word.text for word in visible.words):
            return PageContent(number, width, height, (), (), visible.hidden, is_unmapped=True)
        return PageContent(
            number,
            width,
            height,
            _with_monospaced(with_bullets(without_overprints(visible.words), objects.dots)),
            tuple(objects.rules),
            visible.hidden,
            visible.is_unverified,
            areas=objects.shaded(_SHADE),
            bars=objects.shaded(_DARK),
            has_drawing=bool(objects.areas or visible.hidden),
        )

    def _form_environment(self) -> int | None:
        if self._form is None:
            callbacks = ctypes.byref(self._form_callbacks)
            self._form = self._library.FPDFDOC_InitFormFillEnvironment(self._handle, callbacks)
        return self._form

    def _transform_to_display(self, page: int) -> Transform:
        """Return the transformation of page coordinates to points from the top left corner as displayed."""
        box = pdfium.Rectangle()
        self._library.FPDF_GetPageBoundingBox(page, ctypes.byref(box))
        left, right = sorted((box.left, box.right))
        bottom, top = sorted((box.top, box.bottom))
        match int(self._library.FPDFPage_GetRotation(page)):
            case 1:
                return Transform(0, 1, 1, 0, -bottom, -left)
            case 2:
                return Transform(-1, 0, 0, 1, right, -bottom)
            case 3:
                return Transform(0, -1, -1, 0, top, right)
            case _:
                return Transform(1, 0, 0, -1, -left, top)

    def outline(self) -> list[OutlineEntry]:
        """Return the outline's entries, depth first."""
        entries: list[OutlineEntry] = []
        seen: set[int] = set()
        pending: list[tuple[int, int]] = []
        first = self._library.FPDFBookmark_GetFirstChild(self._handle, None)
        if first is not None:
            pending.append((first, 1))
        while pending and len(entries) < _MAX_OUTLINE_ENTRIES:
            bookmark, level = pending.pop()
            # The bookmarks of a damaged file can form a cycle.
            if bookmark in seen:
                continue
            seen.add(bookmark)
            title = " ".join(pdfium.text_of("FPDFBookmark_GetTitle", bookmark).split())
            entries.append(OutlineEntry(title, level, self._target_page(bookmark)))
            following = self._library.FPDFBookmark_GetNextSibling(self._handle, bookmark)
            if following is not None:
                pending.append((following, level))
            child = self._library.FPDFBookmark_GetFirstChild(self._handle, bookmark)
            if child is not None and level < _MAX_OUTLINE_DEPTH:
                pending.append((child, level + 1))
        return entries

    def _target_page(self, bookmark: int) -> int:
        target = self._library.FPDFBookmark_GetDest(self._handle, bookmark)
        return 0 if target is None else int(self._library.FPDFDest_GetDestPageIndex(self._handle, target)) + 1

    def property_text(self, name: str) -> str:
        """Return a property such as "Title" or "Author"; empty without one."""
        return pdfium.text_of("FPDF_GetMetaText", self._handle, name.encode())


class DisplayedPage(NamedTuple):
    """Page as viewers display it, with its rotation and within its crop box.

    Attributes:
        handle: PDFium's.
        to_display: transformation of page coordinates to points from the upper left corner.
        width, height: points.
    """

    handle: int
    to_display: Transform
    width: float
    height: float

    def picture(self, longest_side: int) -> bytes:
        """Return a PNG image of the page; empty if it cannot be rendered."""
        return draw_page_in_colour(self.handle, longest_side)

    def words(self) -> Iterator[PageWord]:
        """Yield the words of the text layer with their places, hidden ones included."""
        return (drawn.word for drawn in read_words(self.handle, self.to_display, {}))


def _with_annotations(
    words: Sequence[DrawnWord], annotations: PageAnnotations, to_display: Transform, objects: PageObjects
) -> list[DrawnWord]:
    """Return the words with those of the annotations, which viewers draw above all objects of the page."""
    last = max([*objects.text_order.values(), *(area.order for area in objects.areas)], default=0)
    annotation_words: list[list[DrawnWord]] = []
    for text in annotations.stated:
        if placed := text.words(to_display):
            objects.text_order[text.handle] = last + 1
            annotation_words.append(placed)
    return with_annotations(words, annotation_words, [to_display.box(*rectangle) for rectangle in annotations.drawn])


def _prevailing_angle(drawn: Sequence[DrawnWord]) -> int:
    """Return the rotation of most of the page's characters, in degrees; 0 if most are upright."""
    angles = Counter[int]()
    for item in drawn:
        angles[item.style.angle] += len(item.word.text)
    return max(angles, key=lambda angle: angles[angle]) if angles else 0


def _rotated(to_display: Transform, angle: int, width: float, height: float) -> tuple[Transform, float, float]:
    """Return transformation, width and height of the page rotated clockwise by the angle."""
    match angle:
        case 90:
            return Transform(0, 1, -1, 0, height, 0).after(to_display), height, width
        case 180:
            return Transform(-1, 0, 0, -1, width, height).after(to_display), width, height
        case _:
            return Transform(0, -1, 1, 0, 0, width).after(to_display), height, width


def _with_monospaced(words: Sequence[PageWord]) -> tuple[PageWord, ...]:
    """Return the words, with those of fonts that are monospaced by measurement marked as such."""
    widths: defaultdict[str, list[float]] = defaultdict(list)
    for word in words:
        if word.size > 0 and not word.is_monospaced and not word.angle and _has_various_letters(word.text):
            widths[word.font].append((word.box.right - word.box.left) / len(word.text) / word.size)
    fonts = {
        font
        for font, font_widths in widths.items()
        if len(font_widths) >= _MIN_PITCH_WORDS and _is_one_width(font_widths)
    }
    if not fonts:
        return tuple(words)
    return tuple(replace(word, is_monospaced=True) if word.font in fonts else word for word in words)


def _has_various_letters(text: str) -> bool:
    return (
        len(text) >= _MIN_PITCH_CHARACTERS
        and text.isascii()
        and len(set(filter(str.isalpha, text))) >= _MIN_PITCH_LETTERS
    )


def _is_one_width(widths: Sequence[float]) -> bool:
    return max(widths) - min(widths) <= _MAX_PITCH_SPREAD * max(widths)


@contextmanager
def open_pdf(content: bytes) -> Generator[PdfFile | None]:
    """Yield the open file; None if it is damaged or encrypted."""
    library = pdfium.load_library()
    # PDFium reads these bytes until the document is closed and keeps no copy of them.
    handle = library.FPDF_LoadMemDocument64(content, len(content), None)
    if handle is None:
        yield None
        return
    file = PdfFile(handle, has_masks=any(mask in content for mask in _MASK_KEYS))
    try:
        yield file
    finally:
        file.close()
        library.FPDF_CloseDocument(handle)
