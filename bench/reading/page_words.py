"""Words of a PDF's text layer with their boxes, as PDFium has them."""

import ctypes
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import pypdfium2
import pypdfium2.raw as pdfium

_INVISIBLE: Final = 3
"""Render mode of text that is neither filled nor drawn."""
_MIN_HEIGHT: Final = 2.0
"""Points: nobody sees smaller text."""
_HYPHENS: Final = "\x02\ufffe\u00ad"
_FONT_NAME: Final = 128
_PICTURES: Final = re.compile(rb"wingdings|webdings|dingbats", re.IGNORECASE)
"""Fonts whose letters are pictures, such as a box to tick."""
_BOLD: Final = re.compile(rb"bold|black|heavy|bx\d", re.IGNORECASE)
_COLUMN_GAP: Final = 1.0
_SPACE: Final = 0.14
"""Share of a word's height; such a gap after letters without gaps is a space that the text layer lacks."""
_TIGHT: Final = 0.03
_QUARTER: Final = 90
_RAISED: Final = 0.15
_SMALLER: Final = 0.8
"""Share of a word's height; a smaller letter that is as far above the line is the mark of a note, a word of its own."""


@dataclass(frozen=True, slots=True)
class PageWord:
    """Word between two blanks, in points from the upper left corner of the page as it is shown.

    Attributes:
        is_broken: goes on in the next word: a hyphen at a line's end parts them.
        is_rest: goes on from the word before.
        is_upright: runs from left to right on the page as it is shown.
        widest_gap: between two of its letters.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    is_broken: bool = False
    is_rest: bool = False
    is_upright: bool = True
    is_bold: bool = False
    widest_gap: float = 0.0

    @property
    def height(self) -> float:
        return self.bottom - self.top


def words_of_page(page: pypdfium2.PdfPage) -> list[PageWord]:
    """Return the page's words in the order of its content, without text that is not drawn or is too small to see."""
    text, place, made = page.get_textpage(), _Place(page), _Words()
    for index in range(text.count_chars()):
        character = chr(pdfium.FPDFText_GetUnicode(text, index))
        if character in _HYPHENS:
            made.break_word()
        elif character.isspace() or not character.isprintable():
            made.end()
        elif _is_drawn(text, index):
            font, letter = _font(text, index), place.of(text, index, character)
            if letter.height >= _MIN_HEIGHT and not _PICTURES.search(font):
                made.add(replace(letter, is_bold=_BOLD.search(font) is not None))
    made.end()
    return made.words


class _Words:
    """Words as their letters come."""

    def __init__(self) -> None:
        self.words: list[PageWord] = []
        self._word: PageWord | None = None
        self._is_rest = False

    def add(self, letter: PageWord) -> None:
        if self._word is not None and _is_separate(self._word, letter):
            self.end()
        if self._word is None:
            self._word = replace(letter, is_rest=self._is_rest)
            self._is_rest = False
        else:
            self._word = _joined(self._word, letter)

    def end(self) -> None:
        if self._word is not None:
            self.words.append(self._word)
            self._word = None

    def break_word(self) -> None:
        if self._word is not None:
            self._word = replace(self._word, is_broken=True)
            self._is_rest = True
            self.end()


def _is_separate(word: PageWord, letter: PageWord) -> bool:
    """Return true for the mark of a note, for a letter in another column, and for one after a visible space."""
    if word.is_upright and letter.left - word.right > _COLUMN_GAP * word.height:
        return True
    is_tight = len(word.text) > 1 and word.widest_gap <= _TIGHT * word.height
    is_in_text = word.is_upright and letter.text.isalpha() and word.text[-1].isalpha()
    if is_tight and is_in_text and letter.left - word.right > _SPACE * word.height:
        return True
    is_small = letter.height < _SMALLER * word.height
    return is_small and word.is_upright and word.bottom - letter.bottom > _RAISED * word.height


def _joined(word: PageWord, letter: PageWord) -> PageWord:
    return replace(
        word,
        text=word.text + letter.text,
        left=min(word.left, letter.left),
        top=min(word.top, letter.top),
        right=max(word.right, letter.right),
        bottom=max(word.bottom, letter.bottom),
        widest_gap=max(word.widest_gap, letter.left - word.right),
    )


def _font(text: pypdfium2.PdfTextPage, index: int) -> bytes:
    """Return the name of a letter's font."""
    name, flags = ctypes.create_string_buffer(_FONT_NAME), ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(text, index, name, _FONT_NAME, ctypes.byref(flags))
    return name.value


def _is_drawn(text: pypdfium2.PdfTextPage, index: int) -> bool:
    piece = pdfium.FPDFText_GetTextObject(text, index)
    return not piece or pdfium.FPDFTextObj_GetTextRenderMode(piece) != _INVISIBLE


class _Place:
    """Places of characters on the page as it is shown, turned and cropped."""

    def __init__(self, page: pypdfium2.PdfPage) -> None:
        self._quarters = page.get_rotation() // _QUARTER
        self._left, self._bottom, self._right, self._top = page.get_bbox()

    def of(self, text: pypdfium2.PdfTextPage, index: int, character: str) -> PageWord:
        box = pdfium.FS_RECTF()
        pdfium.FPDFText_GetLooseCharBox(text, index, ctypes.byref(box))
        left, top = box.left - self._left, self._top - box.top
        right, bottom = box.right - self._left, self._top - box.bottom
        width, height = self._right - self._left, self._top - self._bottom
        # A page that is turned by 90° shows its lower left corner at the upper left.
        turned = [
            (left, top, right, bottom),
            (height - bottom, left, height - top, right),
            (width - right, height - bottom, width - left, height - top),
            (top, width - right, bottom, width - left),
        ][self._quarters % 4]
        quarters = round(pdfium.FPDFText_GetCharAngle(text, index) / (math.pi / 2))
        return PageWord(character, *turned, is_upright=(quarters + self._quarters) % 4 == 0)


def pages_of(content: bytes) -> Iterator[list[PageWord]]:
    """Yield the words of each page."""
    with pypdfium2.PdfDocument(content) as pdf:
        for page in pdf:
            yield words_of_page(page)
            page.close()


def outline_of(content: bytes) -> list[str]:
    """Return the titles of the file's outline, in order."""
    with pypdfium2.PdfDocument(content) as pdf:
        return [entry.get_title() for entry in pdf.get_toc()]
