"""Replacement of a page's text layer by the words that text recognition (OCR) finds on the page's image."""

from dataclasses import replace
from statistics import median
from typing import Final

from groundwire_readers.ocr import OcrPages, OcrSettings
from groundwire_readers.readers.pdf.page_content import PageBox, PageContent, PageWord
from groundwire_readers.readers.pdf.scans.page_image import draw_page
from groundwire_readers.readers.pdf.scans.recognition import RecognisedText, recognise_image

_QUARTER_TURNS: Final = (0, 2, 1, 3)
"""Rotations in steps of 90 degrees, tried in this order until the text is readable."""
_MIN_LINE_RATIO, _MAX_LINE_RATIO = 0.6, 1.4
"""Range of line heights, as ratios to the median, whose letters have the usual font size."""
_MIN_CONFIRMED_SHARE: Final = 0.6
"""Share of an OCR layer's words that recognition must find for the layer to be trusted."""


class PageRecogniser:
    """Text recognition of selected pages of a document.

    Attributes:
        unreadable: numbers of the pages on which recognition found no readable text.
    """

    def __init__(self, ocr_pages: OcrPages) -> None:
        self._settings = ocr_pages.settings
        self._pages = frozenset(ocr_pages.pages)
        self.unreadable: list[int] = []

    def __call__(self, page: int, content: PageContent) -> PageContent:
        """Return the recognised content of a selected page; a scan's own layer is kept if recognition confirms it.

        Args:
            page: PDFium's handle of the page.
            content: content from the page's text layer.
        """
        if content.number not in self._pages:
            return content
        found = recognised_page(page, content.number, content.width, content.height, self._settings)
        if found is None:
            self.unreadable.append(content.number)
            # An invisible layer can contain any text: without a readable image, nothing confirms it.
            return replace(content, words=()) if content.is_unverified else content
        if content.is_unverified and has_same_words(content, found):
            return replace(content, is_unverified=False)
        return found


def recognised_page(page: int, number: int, width: float, height: float, settings: OcrSettings) -> PageContent | None:
    """Return the content recognised on the page's image, in upright orientation; None if it is not readable.

    Args:
        page: PDFium's handle of the page.
        number: page number, from 1.
        width: width of the page as displayed, in points.
        height: height of the page as displayed, in points.
        settings: languages and the folder of their data.
    """
    for turns in _QUARTER_TURNS:
        picture = draw_page(page, turns)
        text = recognise_image(picture, settings) if picture else None
        if text is not None and text.is_readable:
            size = (height, width) if turns % 2 else (width, height)
            return _content(text, number, *size)
    return None


def has_same_words(layer: PageContent, recognised: PageContent) -> bool:
    """Return whether most words of an invisible layer are among the recognised words."""
    found = {_key(word.text) for word in recognised.words}
    stated = [key for word in layer.words if (key := _key(word.text))]
    return bool(stated) and sum(key in found for key in stated) >= _MIN_CONFIRMED_SHARE * len(stated)


def _key(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _content(text: RecognisedText, number: int, width: float, height: float) -> PageContent:
    horizontal_scale, vertical_scale = width / text.width, height / text.height
    median_height = median((word.bottom - word.top) * vertical_scale for word in text.words)
    words: list[PageWord] = []
    position = 0
    for word in text.words:
        box = PageBox(
            word.left * horizontal_scale,
            word.top * vertical_scale,
            word.right * horizontal_scale,
            word.bottom * vertical_scale,
        )
        size = box.bottom - box.top
        if _MIN_LINE_RATIO * median_height <= size <= _MAX_LINE_RATIO * median_height:
            # A line without ascenders or descenders is lower, although its font size is the same.
            size = median_height
        words.append(PageWord(word.text, box, position, size, is_bold=False, font=""))
        position += len(word.text) + 1
    return PageContent(number, width, height, tuple(words), ())
