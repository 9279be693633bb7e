"""Content of a PDF page as text recognition reads it, in the form of a page with a text layer."""

from typing import Final

from groundwire.adapters.parse.ocr import OcrSettings
from groundwire.adapters.parse.readers.pdf.page_content import Box, PageContent, Word
from groundwire.adapters.parse.readers.pdf.scans.page_picture import draw_page
from groundwire.adapters.parse.readers.pdf.scans.recognition import RecognisedText, recognise_picture

_TURNS: Final = (0, 2, 1, 3)
"""Quarter turns that are tried until the text is readable: as shown, upside down, and on its sides."""
_SAME_WORDS: Final = 0.6
"""Share of a layer's words that recognition finds, too, from which the layer is the text of the picture."""


def recognised_page(page: int, number: int, width: float, height: float, settings: OcrSettings) -> PageContent | None:
    """Return the content that is recognised in the page's picture, upright; None when it is not readable.

    Args:
        page: PDFium's handle of the page.
        number: its number, from 1.
        width, height: of the page as shown, in points.
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
    """Return whether an invisible layer says what is recognised in the picture."""
    found = {_key(word.text) for word in recognised.words}
    stated = [key for word in layer.words if (key := _key(word.text))]
    return bool(stated) and sum(key in found for key in stated) >= _SAME_WORDS * len(stated)


def _key(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _content(text: RecognisedText, number: int, width: float, height: float) -> PageContent:
    across, down = width / text.width, height / text.height
    words: list[Word] = []
    position = 0
    for word in text.words:
        left, top = word.left * across, word.top * down
        box = Box(left, top, left + word.width * across, top + word.height * down)
        words.append(Word(word.text, box, position, box.bottom - box.top, is_bold=False, font=""))
        position += len(word.text) + 1
    return PageContent(number, width, height, tuple(words), ())
