"""Picture of a PDF page with the places of its words; runs inside the worker only."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from groundwire_readers import formats
from groundwire_readers.contents.limits import MAX_PAGE_PICTURE_SIDE, MAX_PAGE_WORD_CHARACTERS, MAX_PAGE_WORDS
from groundwire_readers.contents.parsed import PAGE_PARTS, PagePicture, WordBox
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.images.raster.encoding import encode_image
from groundwire_readers.images.raster.headers import read_header
from groundwire_readers.images.raster.png_stream import ImageDamaged
from groundwire_readers.readers.pdf.pages.pdf_file import DisplayedPage, open_pdf

_NOT_DRAWN: Final = "the page cannot be drawn"


def draw_page_picture(content: bytes, page: int) -> PagePicture:
    """Return the picture of a page of a PDF file, at most `MAX_PAGE_PICTURE_SIDE` pixels wide and high.

    Args:
        content: the file's bytes.
        page: its number, from 1.

    Raises:
        UnreadableDocument: the file is no PDF, is damaged or encrypted, has no such page, or the page cannot be drawn.
    """
    formats.check_content(content, formats.PDF, formats.PDF.extension)
    with open_pdf(content) as pdf:
        if pdf is None:
            raise UnreadableDocument("the file is damaged, or needs a password")
        if not 1 <= page <= pdf.page_count:
            raise UnreadableDocument(f"the file has no page {page}")
        with pdf.displayed(page) as displayed:
            if displayed is None:
                raise UnreadableDocument(_NOT_DRAWN)
            drawn, words = displayed.picture(MAX_PAGE_PICTURE_SIDE), tuple(_word_boxes(displayed))
    header = read_header(drawn)
    if header is None:
        raise UnreadableDocument(_NOT_DRAWN)
    try:
        # A page of print stays a PNG; a scan becomes a JPEG, which is smaller.
        image = encode_image(drawn, header)
    except ImageDamaged as error:
        raise UnreadableDocument(_NOT_DRAWN) from error
    return PagePicture(image.content, image.media_type, image.width, image.height, words)


def _word_boxes(page: DisplayedPage) -> Iterator[WordBox]:
    width, height = page.width / PAGE_PARTS, page.height / PAGE_PARTS
    for word in islice(page.words(), MAX_PAGE_WORDS):
        box = word.box
        left, right = _within(box.left / width), _within(box.right / width)
        top, bottom = _within(box.top / height), _within(box.bottom / height)
        # What is beside the page has no area on it.
        if left < right and top < bottom:
            yield WordBox(word.text[:MAX_PAGE_WORD_CHARACTERS], left, top, right, bottom)


def _within(place: float) -> int:
    return round(min(max(0.0, place), PAGE_PARTS))
