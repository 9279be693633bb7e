"""Content of a PDF page as text recognition reads it, in the form of a page with a text layer."""

from dataclasses import replace
from statistics import median
from typing import Final

from groundwire_readers.ocr import OcrPages, OcrSettings
from groundwire_readers.readers.pdf.page_content import PageBox, PageContent, PageWord
from groundwire_readers.readers.pdf.scans.page_picture import draw_page
from groundwire_readers.readers.pdf.scans.recognition import RecognisedText, recognise_picture

_TURNS: Final = (0, 2, 1, 3)
"""Quarter turns that are tried until the text is readable: as shown, upside down, and on its sides."""
_LOWEST_LINE, _HIGHEST_LINE = 0.6, 1.4
"""Heights of lines, of the usual one, whose letters have the usual size."""
_SAME_WORDS: Final = 0.6
"""Share of a layer's words that recognition finds, too, from which the layer is the text of the picture."""


class PageRecogniser:
    """Recognition of the chosen pages of a document.

    Attributes:
        unreadable: numbers of the pages whose picture cannot be read.
    """

    def __init__(self, ocr_pages: OcrPages) -> None:
        self._settings = ocr_pages.settings
        self._pages = frozenset(ocr_pages.pages)
        self.unreadable: list[int] = []

    def __call__(self, page: int, content: PageContent) -> PageContent:
        """Return the page as recognised, if it was chosen; the layer of a scan stays where the two have the same words.

        Args:
            page: PDFium's handle of the page.
            content: what its text layer has.
        """
        if content.number not in self._pages:
            return content
        found = recognised_page(page, content.number, content.width, content.height, self._settings)
        if found is None:
            self.unreadable.append(content.number)
            # An invisible layer can say anything; people see the picture, which cannot be read.
            return replace(content, words=()) if content.is_unverified else content
        if content.is_unverified and has_same_words(content, found):
            return replace(content, is_unverified=False)
        return found


def recognised_page(page: int, number: int, width: float, height: float, settings: OcrSettings) -> PageContent | None:
    """Return the content that is recognised in the page's picture, upright; None when it is not readable.

    Args:
        page: PDFium's handle of the page.
        number: its number, from 1.
        width: of the page as shown, in points.
        height: the same.
        settings: languages and their data.
    """
    for turns in _TURNS:
        picture = draw_page(page, turns)
        text = recognise_picture(picture, settings) if picture else None
        if text is not None and text.is_readable:
            shown = (height, width) if turns % 2 else (width, height)
            return _content(text, number, *shown)
    return None


def has_same_words(layer: PageContent, recognised: PageContent) -> bool:
    """Return whether an invisible layer has the words that are recognised in the picture."""
    found = {_key(word.text) for word in recognised.words}
    stated = [key for word in layer.words if (key := _key(word.text))]
    return bool(stated) and sum(key in found for key in stated) >= _SAME_WORDS * len(stated)


def _key(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _content(text: RecognisedText, number: int, width: float, height: float) -> PageContent:
    across, down = width / text.width, height / text.height
    usual = median((word.bottom - word.top) * down for word in text.words)
    words: list[PageWord] = []
    position = 0
    for word in text.words:
        box = PageBox(word.left * across, word.top * down, word.right * across, word.bottom * down)
        size = box.bottom - box.top
        if _LOWEST_LINE * usual <= size <= _HIGHEST_LINE * usual:
            # A line without ascenders or descenders is lower, and its letters are of the same size.
            size = usual
        words.append(PageWord(word.text, box, position, size, is_bold=False, font=""))
        position += len(word.text) + 1
    return PageContent(number, width, height, tuple(words), ())
