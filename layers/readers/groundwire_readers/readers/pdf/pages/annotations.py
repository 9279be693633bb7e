"""Text of a page's annotations: values of form fields, and text typed on the page (free text).

An annotation with an appearance stream is flattened into the page in memory by PDFium, so that the checks for hidden
text apply to it as to all content. Only an annotation without an appearance stream is read from its stored value.
PDFium's form environment is created only to read values: no action of the document runs (no `FORM_Do...` call).
"""

import ctypes
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.pdf import pdfium
from groundwire_readers.readers.pdf.page_content import PageBox, PageWord
from groundwire_readers.readers.pdf.pages.word_order import CHECKED, UNCHECKED
from groundwire_readers.readers.pdf.text_layer.page_text import DrawnWord
from groundwire_readers.readers.pdf.text_layer.text_style import TextStyle
from groundwire_readers.readers.pdf.transform import Transform
from groundwire_readers.readers.visibility import BLACK, Colour

_MAX_ANNOTATIONS: Final = 2_000
"""Maximum number of annotations of a page that are read."""
_MAX_CHARACTERS: Final = 500_000
"""Number of characters of annotations after which no further annotation of the page is read."""
# Numbers of PDFium's fpdf_annot.h and fpdf_formfill.h.
_FREE_TEXT, _WIDGET = 3, 20
_CHECK_BOX, _RADIO_BUTTON, _COMBO_BOX, _LIST_BOX, _TEXT_FIELD = 2, 3, 4, 5, 6
_TEXT_FIELDS: Final = (_COMBO_BOX, _LIST_BOX, _TEXT_FIELD)
_NOT_DISPLAYED: Final = 1 | 2 | 32
"""Flags of annotations that no viewer displays: Invisible, Hidden, NoView (ISO 32000-1, 12.5.3)."""
# Bits 13 and 14 of a text field's flags (ISO 32000-1, table 228).
_MULTILINE, _PASSWORD = 1 << 12, 1 << 13
_OFF_STATES: Final = ("", "Off")
"""Appearance states of check boxes and radio buttons that are not checked."""
_MAX_OPTIONS: Final = 1_000
"""Maximum number of options of a choice field that are read."""
_MAX_VALUE_BYTES: Final = 400_000
"""Maximum size of a field's value in UTF-16."""
_MAX_DEFAULTS_BYTES: Final = 2_000
"""Maximum size of a default appearance string."""
_FONT: Final = "annotation"
"""Placeholder name of the font, which is not read."""
_OPAQUE: Final = 255
_MAX_AUTOMATIC_SIZE, _AUTOMATIC_SIZE_SHARE = 12.0, 0.7
"""Automatic font size (0 in the default appearance): a share of the field's height, at most so many points."""
_CHARACTER_WIDTH: Final = 0.5
"""Estimated width of a character, in font sizes."""
_LEADING: Final = 1.2
"""Estimated baseline distance, in font sizes."""
_WORD: Final = re.compile(rf"{re.escape(UNCHECKED)}|\S+")
_OPERAND: Final = r"(?<![\d.])([\d.]{1,12})\s{1,8}"
_FONT_OPERATOR: Final = re.compile(rf"{_OPERAND}Tf\b")
_COLOUR_OPERATOR: Final = re.compile(rf"(?:{_OPERAND})?(?:{_OPERAND}{_OPERAND})?{_OPERAND}(?:rg|g|k)\b")
_CMYK_COMPONENTS: Final = 4


Rectangle = tuple[float, float, float, float]
"""Left, bottom, right and top in page coordinates, before rotation."""


@dataclass(frozen=True, slots=True)
class StatedText:
    """Text of an annotation without an appearance stream, which viewers draw from the annotation's defaults.

    Attributes:
        number: index of the annotation on its page.
        rectangle: its rectangle on the page.
        is_wrapped: whether viewers wrap its lines at the width of the rectangle.
        size: font size in points; 0 for automatic, which follows the rectangle's height.
        opacity: from 0 (transparent) to 255.
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
        """A negative number in place of a PDFium handle, which is never negative."""
        return -1 - self.number

    def words(self, to_display: Transform) -> list[DrawnWord]:
        """Return the words that fit into the rectangle, laid out from its top left corner, in displayed positions."""
        box = to_display.box(*self.rectangle)
        width, height = box.right - box.left, box.bottom - box.top
        # A rectangle lower than the font size clips the text, whatever size is declared.
        size = min(self.size or min(_MAX_AUTOMATIC_SIZE, _AUTOMATIC_SIZE_SHARE * height), height)
        if size <= 0 or width <= 0:
            return []
        return list(self._laid_out(box, size, self._lines(width, size)))

    def _lines(self, width: float, size: float) -> list[str]:
        lines = self.value.replace("\r", "\n").splitlines()
        if self.is_wrapped:
            fitting = max(int(width / (_CHARACTER_WIDTH * size)), 1)
            lines = [part for line in lines for part in textwrap.wrap(line, fitting, break_long_words=False)]
        return [line for line in lines if line.strip()]

    def _laid_out(self, box: PageBox, size: float, lines: Sequence[str]) -> Iterator[DrawnWord]:
        width, height = box.right - box.left, box.bottom - box.top
        line_distance = _LEADING * size if self.is_wrapped or len(lines) > 1 else height
        style = TextStyle(self.handle, size, _FONT, False, False, 0, 0, self.colour, self.opacity)
        for number, line in enumerate(lines):
            middle = box.top + (number + 0.5) * line_distance
            if number and middle > box.bottom:
                break
            advance = min(_CHARACTER_WIDTH * size, width / len(line))
            for word in _WORD.finditer(line):
                left, right = (box.left + place * advance for place in word.span())
                place = PageBox(left, middle - size / 2, right, middle + size / 2)
                yield DrawnWord(PageWord(word.group(), place, 0, size, is_bold=False, font=_FONT), style)


@dataclass(frozen=True, slots=True)
class PageAnnotations:
    """Texts of a page's annotations.

    Attributes:
        stated: texts of annotations without an appearance stream.
        drawn: rectangles of annotations that were flattened into the page.
    """

    stated: tuple[StatedText, ...] = ()
    drawn: tuple[Rectangle, ...] = ()


def has_annotations(page: int) -> bool:
    """Return whether the page has any annotation."""
    return int(pdfium.load_library().FPDFPage_GetAnnotCount(page)) > 0


def take_annotations(page: int, form: int | None) -> PageAnnotations:
    """Flatten the text annotations into the page's content, and return the texts of those without an appearance.

    The page has no annotations afterwards and must be loaded again. Annotations that no viewer displays are removed.

    Args:
        page: PDFium's handle of the page.
        form: PDFium's handle of the document's form environment; None if it cannot be created.
    """
    library = pdfium.load_library()
    stated: list[StatedText] = []
    drawn: list[Rectangle] = []
    characters = 0
    removed: list[int] = []
    for index in range(int(library.FPDFPage_GetAnnotCount(page))):
        handle = library.FPDFPage_GetAnnot(page, index) if index < _MAX_ANNOTATIONS else None
        if handle is None:
            removed.append(index)
            continue
        try:
            annotation = _Annotation(handle, form, index)
            if annotation.is_drawn():
                drawn.extend(annotation.rectangles())
            else:
                removed.append(index)
                if characters < _MAX_CHARACTERS and (text := annotation.stated_text()) is not None:
                    stated.append(text)
                    characters += len(text.value)
        finally:
            library.FPDFPage_CloseAnnot(handle)
    # From the end, since a removal changes the indexes of the annotations after it.
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
        """Return whether an appearance stream draws its text, so that it is flattened."""
        return self._is_text() and self._is_displayed() and self._has("AP")

    def stated_text(self) -> StatedText | None:
        """Return the text that viewers draw from the annotation's defaults; None if they draw none."""
        is_box = self._field in (_CHECK_BOX, _RADIO_BUTTON)
        if not self._is_displayed() or self._has("AP") != is_box or not (is_box or self._is_text()):
            return None
        value, is_wrapped = (self._text("Contents"), True) if self._kind == _FREE_TEXT else self._value()
        rectangles = self.rectangles()
        if not value.strip() or not rectangles:
            return None
        defaults = pdfium.text_of("FPDFAnnot_GetStringValue", self._handle, b"DA", most_bytes=_MAX_DEFAULTS_BYTES)
        sizes, colours = list(_FONT_OPERATOR.finditer(defaults)), list(_COLOUR_OPERATOR.finditer(defaults))
        return StatedText(
            self._number,
            value[:_MAX_CHARACTERS],
            rectangles[0],
            is_wrapped,
            _number(sizes[-1].group(1)) if sizes else self._default_size(),
            _colour_of(colours[-1]) if colours else BLACK,
            self._opacity(),
        )

    def rectangles(self) -> list[Rectangle]:
        """Return a list of the annotation's rectangle; empty if it has none."""
        rectangle = pdfium.Rectangle()
        has_rectangle = self._library.FPDFAnnot_GetRect(self._handle, ctypes.byref(rectangle))
        return [(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)] if has_rectangle else []

    def _is_text(self) -> bool:
        is_password = self._field == _TEXT_FIELD and bool(self._field_flags & _PASSWORD)
        return self._kind == _FREE_TEXT or (self._field in _TEXT_FIELDS and not is_password)

    def _is_displayed(self) -> bool:
        """Return whether viewers display it; optional content (a layer) counts as hidden, since it may be off."""
        return not int(self._library.FPDFAnnot_GetFlags(self._handle)) & _NOT_DISPLAYED and not self._has("OC")

    def _has(self, key: str) -> bool:
        return bool(self._library.FPDFAnnot_HasKey(self._handle, key.encode()))

    def _value(self) -> tuple[str, bool]:
        """Return the displayed value of the field, and whether the field has several lines."""
        if self._form is None:
            return "", False
        if self._field in (_CHECK_BOX, _RADIO_BUTTON):
            return (UNCHECKED if self._text("AS") in _OFF_STATES else CHECKED), False
        selected = "" if self._field == _TEXT_FIELD else "\n".join(self._selected_options(self._form))
        value = selected or pdfium.text_of(
            "FPDFAnnot_GetFormFieldValue", self._form, self._handle, most_bytes=_MAX_VALUE_BYTES
        )
        return value, self._field == _TEXT_FIELD and bool(self._field_flags & _MULTILINE)

    def _selected_options(self, form: int) -> Iterator[str]:
        library, handle = self._library, self._handle
        for index in range(min(int(library.FPDFAnnot_GetOptionCount(form, handle)), _MAX_OPTIONS)):
            if library.FPDFAnnot_IsOptionSelected(form, handle, index) == 1:
                yield pdfium.text_of("FPDFAnnot_GetOptionLabel", form, handle, index)

    def _text(self, key: str) -> str:
        return pdfium.text_of("FPDFAnnot_GetStringValue", self._handle, key.encode(), most_bytes=_MAX_VALUE_BYTES)

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


def _colour_of(operator: re.Match[str]) -> Colour:
    """Return the colour set by a `g`, `rg` or `k` operator (grey, RGB or CMYK, components from 0 to 1)."""
    components = [min(_number(component), 1.0) for component in operator.groups() if component is not None]
    if len(components) == _CMYK_COMPONENTS:
        *inks, black = components
        components = [(1 - ink) * (1 - black) for ink in inks]
    elif len(components) != len(("red", "green", "blue")):
        components = [components[-1]] * 3
    red, green, blue = (round(component * 255) for component in components)
    return red, green, blue


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
