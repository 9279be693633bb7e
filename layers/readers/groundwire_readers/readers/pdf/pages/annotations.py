"""Words that annotations of a page show besides its content: values of form fields, and text typed on the page.

What an annotation's appearance draws is made part of the page (PDFium flattens it in memory), so that the rules for
hidden text hold for it as for all content. Only an annotation without an appearance is read by its stated value.
PDFium's form environment is made for the reading of values alone: no action of the document runs (`FORM_Do...`).
"""

import ctypes
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox, PageWord
from groundwire_readers.readers.pdf.pages import pdfium
from groundwire_readers.readers.pdf.pages.page_map import Map
from groundwire_readers.readers.pdf.pages.page_text import DrawnWord
from groundwire_readers.readers.pdf.pages.text_style import TextStyle
from groundwire_readers.readers.visibility import BLACK, Colour

_ANNOTATIONS: Final = 2_000
"""Maximum number of a page's annotations that are looked at."""
_CHARACTERS: Final = 500_000
"""Number of characters of a page's annotations after which no other annotation is read."""
# Numbers of PDFium's fpdf_annot.h and fpdf_formfill.h.
_FREE_TEXT, _WIDGET = 3, 20
_CHECK_BOX, _RADIO_BUTTON, _COMBO_BOX, _LIST_BOX, _TEXT_FIELD = 2, 3, 4, 5, 6
_TEXT_FIELDS: Final = (_COMBO_BOX, _LIST_BOX, _TEXT_FIELD)
_UNSEEN: Final = 1 | 2 | 32
"""Flags of annotations that no viewer shows: invisible, hidden, not to be viewed (PDF 32000-1, 12.5.3)."""
# Bits 13 and 14 of a text field's flags (ISO 32000-1, table 228).
_MULTILINE, _PASSWORD = 1 << 12, 1 << 13
_CHECKED: Final = "[x]"
_UNCHECKED: Final = ("", "Off")
"""Appearance states of boxes that are not checked."""
_OPTIONS: Final = 1_000
_VALUE_BYTES: Final = 400_000
_DEFAULTS_BYTES: Final = 2_000
_FONT: Final = "annotation"
_OPAQUE: Final = 255
_LARGEST, _HEIGHT_SHARE = 12.0, 0.7
"""Size of text whose size depends on its field's height."""
_WIDTH: Final = 0.5
"""Width of a character, as a share of the font's size."""
_LINE: Final = 1.2
_NUMBER: Final = r"(?<![\d.])([\d.]{1,12})\s{1,8}"
_SIZE: Final = re.compile(rf"{_NUMBER}Tf\b")
_COLOUR: Final = re.compile(rf"(?:{_NUMBER})?(?:{_NUMBER}{_NUMBER})?{_NUMBER}(?:rg|g|k)\b")
_CMYK: Final = 4


Rectangle = tuple[float, float, float, float]
"""Left, bottom, right and top in the page's own coordinates."""


@dataclass(frozen=True, slots=True)
class StatedText:
    """Text of an annotation without an appearance, which viewers draw by the annotation's defaults.

    Attributes:
        number: number of the annotation on its page.
        rectangle: its place on the page.
        is_wrapped: its lines are as wide as the rectangle.
        size: size of the font in points; 0: that of the rectangle's height.
        opacity: 0 to 255.
    """

    number: int
    value: str
    rectangle: Rectangle
    is_wrapped: bool
    size: float
    colour: Colour
    opacity: int

    @property
    def handle(self) -> int:
        """A number in place of a handle of PDFium, which is never negative."""
        return -1 - self.number

    def words(self, to_shown: Map) -> list[DrawnWord]:
        """Return the words that fit into the rectangle, in lines from its top left corner; places as shown."""
        box = to_shown.box(*self.rectangle)
        width, height = box.right - box.left, box.bottom - box.top
        # What is lower than a legible letter shows none, whatever size is stated.
        size = min(self.size or min(_LARGEST, _HEIGHT_SHARE * height), height)
        if size <= 0 or width <= 0:
            return []
        return list(self._placed(box, size, self._lines(width, size)))

    def _lines(self, width: float, size: float) -> list[str]:
        lines = self.value.replace("\r", "\n").splitlines()
        if self.is_wrapped:
            fitting = max(int(width / (_WIDTH * size)), 1)
            lines = [part for line in lines for part in textwrap.wrap(line, fitting, break_long_words=False)]
        return [line for line in lines if line.strip()]

    def _placed(self, box: PageBox, size: float, lines: Sequence[str]) -> Iterator[DrawnWord]:
        width, height = box.right - box.left, box.bottom - box.top
        pitch = _LINE * size if self.is_wrapped or len(lines) > 1 else height
        style = TextStyle(self.handle, size, _FONT, False, False, 0, 0, self.colour, self.opacity)
        for number, line in enumerate(lines):
            middle = box.top + (number + 0.5) * pitch
            if number and middle > box.bottom:
                break
            advance = min(_WIDTH * size, width / len(line))
            for word in re.finditer(r"\S+", line):
                left, right = (box.left + place * advance for place in word.span())
                place = PageBox(left, middle - size / 2, right, middle + size / 2)
                yield DrawnWord(PageWord(word.group(), place, 0, size, is_bold=False, font=_FONT), style)


@dataclass(frozen=True, slots=True)
class PageAnnotations:
    """Texts of a page's annotations.

    Attributes:
        stated: those without an appearance.
        drawn: rectangles of those that are part of the page's content now.
    """

    stated: tuple[StatedText, ...] = ()
    drawn: tuple[Rectangle, ...] = ()


def has_annotations(page: int) -> bool:
    """Return whether the page has any annotation."""
    return int(pdfium.load_library().FPDFPage_GetAnnotCount(page)) > 0


def take_annotations(page: int, form: int | None) -> PageAnnotations:
    """Draw the texts of the page's annotations into its content, and return those without an appearance.

    The page has no annotations afterwards, and has to be loaded again. Text that no viewer shows is in neither.

    Args:
        page: PDFium's handle of the page.
        form: its handle of the document's form environment; None where it cannot be made.
    """
    library = pdfium.load_library()
    stated: list[StatedText] = []
    drawn: list[Rectangle] = []
    characters = 0
    removed: list[int] = []
    for index in range(int(library.FPDFPage_GetAnnotCount(page))):
        handle = library.FPDFPage_GetAnnot(page, index) if index < _ANNOTATIONS else None
        if handle is None:
            removed.append(index)
            continue
        try:
            annotation = _Annotation(handle, form, index)
            if annotation.is_drawn():
                drawn.extend(annotation.rectangles())
            else:
                removed.append(index)
                if characters < _CHARACTERS and (text := annotation.stated_text()) is not None:
                    stated.append(text)
                    characters += len(text.value)
        finally:
            library.FPDFPage_CloseAnnot(handle)
    # From the end, since a removal changes the numbers of the annotations behind it.
    for index in reversed(removed):
        library.FPDFPage_RemoveAnnot(page, index)
    library.FPDFPage_Flatten(page, 0)
    return PageAnnotations(tuple(stated), tuple(drawn))


class _Annotation:
    def __init__(self, handle: int, form: int | None, number: int) -> None:
        self._library = pdfium.load_library()
        self._handle = handle
        self._form = form
        self._number = number
        self._kind = int(self._library.FPDFAnnot_GetSubtype(handle))
        self._field = -1
        if self._kind == _WIDGET and form is not None:
            self._field = int(self._library.FPDFAnnot_GetFormFieldType(form, handle))
        self._field_flags = 0 if self._field < 0 else int(self._library.FPDFAnnot_GetFormFieldFlags(form, handle))

    def is_drawn(self) -> bool:
        """Return whether its appearance draws a text: a typed one, or a field's value."""
        return self._is_text() and self._is_seen() and self._has("AP")

    def stated_text(self) -> StatedText | None:
        """Return the text that viewers draw by the annotation's defaults; None without one."""
        is_box = self._field in (_CHECK_BOX, _RADIO_BUTTON)
        if not self._is_seen() or self._has("AP") != is_box or not (is_box or self._is_text()):
            return None
        value, is_wrapped = (self._text("Contents"), True) if self._kind == _FREE_TEXT else self._value()
        rectangles = self.rectangles()
        if not value.strip() or not rectangles:
            return None
        defaults = pdfium.text_of("FPDFAnnot_GetStringValue", self._handle, b"DA", most_bytes=_DEFAULTS_BYTES)
        sizes, colours = list(_SIZE.finditer(defaults)), list(_COLOUR.finditer(defaults))
        return StatedText(
            self._number,
            value[:_CHARACTERS],
            rectangles[0],
            is_wrapped,
            _number(sizes[-1].group(1)) if sizes else self._default_size(),
            _colour_of(colours[-1]) if colours else BLACK,
            self._opacity(),
        )

    def rectangles(self) -> list[Rectangle]:
        """Return the annotation's rectangle, if it has one."""
        found = pdfium.Rectangle()
        has_one = self._library.FPDFAnnot_GetRect(self._handle, ctypes.byref(found))
        return [(found.left, found.bottom, found.right, found.top)] if has_one else []

    def _is_text(self) -> bool:
        is_password = self._field == _TEXT_FIELD and bool(self._field_flags & _PASSWORD)
        return self._kind == _FREE_TEXT or (self._field in _TEXT_FIELDS and not is_password)

    def _is_seen(self) -> bool:
        """Return whether viewers show it; text of an optional layer may be off."""
        return not int(self._library.FPDFAnnot_GetFlags(self._handle)) & _UNSEEN and not self._has("OC")

    def _has(self, key: str) -> bool:
        return bool(self._library.FPDFAnnot_HasKey(self._handle, key.encode()))

    def _value(self) -> tuple[str, bool]:
        """Return what the field shows, and whether it has several lines."""
        if self._form is None:
            return "", False
        if self._field in (_CHECK_BOX, _RADIO_BUTTON):
            return ("" if self._text("AS") in _UNCHECKED else _CHECKED), False
        chosen = "" if self._field == _TEXT_FIELD else "\n".join(self._chosen(self._form))
        value = chosen or pdfium.text_of(
            "FPDFAnnot_GetFormFieldValue", self._form, self._handle, most_bytes=_VALUE_BYTES
        )
        return value, self._field == _TEXT_FIELD and bool(self._field_flags & _MULTILINE)

    def _chosen(self, form: int) -> Iterator[str]:
        library, handle = self._library, self._handle
        for index in range(min(int(library.FPDFAnnot_GetOptionCount(form, handle)), _OPTIONS)):
            if library.FPDFAnnot_IsOptionSelected(form, handle, index) == 1:
                yield pdfium.text_of("FPDFAnnot_GetOptionLabel", form, handle, index)

    def _text(self, key: str) -> str:
        return pdfium.text_of("FPDFAnnot_GetStringValue", self._handle, key.encode(), most_bytes=_VALUE_BYTES)

    def _opacity(self) -> int:
        opacity = ctypes.c_float()
        has_opacity = self._library.FPDFAnnot_GetNumberValue(self._handle, b"CA", ctypes.byref(opacity))
        return round(min(max(opacity.value, 0.0), 1.0) * _OPAQUE) if has_opacity else _OPAQUE

    def _default_size(self) -> float:
        size = ctypes.c_float()
        has_size = self._form is not None and self._library.FPDFAnnot_GetFontSize(
            self._form, self._handle, ctypes.byref(size)
        )
        return max(size.value, 0.0) if has_size else 0.0


def _colour_of(stated: re.Match[str]) -> Colour:
    """Return the colour of an operator of a default appearance: grey, RGB or CMYK, each part from 0 to 1."""
    parts = [min(_number(part), 1.0) for part in stated.groups() if part is not None]
    if len(parts) == _CMYK:
        *inks, black = parts
        parts = [(1 - ink) * (1 - black) for ink in inks]
    elif len(parts) != len(("red", "green", "blue")):
        parts = [parts[-1]] * 3
    red, green, blue = (round(part * 255) for part in parts)
    return red, green, blue


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
