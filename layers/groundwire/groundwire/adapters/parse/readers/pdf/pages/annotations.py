"""Words that annotations of a page show besides its content: values of form fields, and text typed on the page.

PDFium's form environment is made for the reading of values alone: no action of the document runs (`FORM_Do...`).
"""

import ctypes
import math
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from groundwire.adapters.parse.readers.pdf.page_content import PageBox, PageWord
from groundwire.adapters.parse.readers.pdf.pages import pdfium
from groundwire.adapters.parse.readers.pdf.pages.page_objects import Map
from groundwire.adapters.parse.readers.pdf.pages.page_text import DrawnWord
from groundwire.adapters.parse.readers.pdf.pages.text_style import FAINT, INVISIBLE_MODES, STROKED_MODES, TextStyle
from groundwire.adapters.parse.readers.visibility import BLACK, Colour, look_same

_ANNOTATIONS: Final = 2_000
"""Maximum number of a page's annotations that are looked at."""
_WORDS: Final = 100_000
"""Number of words of a page's annotations after which no other annotation is read."""
_FREE_TEXT, _WIDGET = 3, 20
_CHECK_BOX, _RADIO_BUTTON, _COMBO_BOX, _LIST_BOX, _TEXT_FIELD = 2, 3, 4, 5, 6
_UNSEEN: Final = 1 | 2 | 32
"""Flags of annotations that no viewer shows: invisible, hidden, not to be viewed (PDF 32000-1, 12.5.3)."""
_MULTILINE, _PASSWORD = 1 << 12, 1 << 13
_CHECKED: Final = "[x]"
_UNCHECKED: Final = ("", "Off")
"""Appearance states of boxes that are not checked."""
_OPTIONS: Final = 1_000
_VALUE_BYTES: Final = 400_000
_FONT: Final = "annotation"
_INVISIBLE_MODE: Final = 3
_OPAQUE: Final = 255
_DEPTH: Final = 3
_OBJECTS: Final = 200
"""Maximum number of an appearance's objects that are looked at."""
_LARGEST, _HEIGHT_SHARE = 12.0, 0.7
"""Size of text whose size depends on its field's height."""
_WIDTH: Final = 0.5
"""Width of a character, as a share of the font's size."""
_LINE: Final = 1.2
_SIZE: Final = re.compile(r"([\d.]+)\s+Tf")
_COLOUR: Final = re.compile(r"(?:([\d.]+)\s+([\d.]+)\s+)?([\d.]+)\s+(?:rg|g)\b")


@dataclass(frozen=True, slots=True)
class _Appearance:
    size: float
    colour: Colour
    mode: int


def read_annotations(page: int, form: int | None, to_shown: Map) -> list[list[DrawnWord]]:
    """Return the words of each field and each typed text of the page, hidden ones included; places as shown.

    Args:
        page: PDFium's handle of the page.
        form: its handle of the document's form environment; None where it cannot be made.
        to_shown: map of the page's coordinates to places as shown.
    """
    library = pdfium.load_library()
    found: list[list[DrawnWord]] = []
    count = 0
    for index in range(min(int(library.FPDFPage_GetAnnotCount(page)), _ANNOTATIONS)):
        annotation = library.FPDFPage_GetAnnot(page, index)
        if annotation is None:
            continue
        try:
            words = _Annotation(annotation, form, to_shown).words()
        finally:
            library.FPDFPage_CloseAnnot(annotation)
        if words:
            found.append(words)
        count += len(words)
        if count > _WORDS:
            break
    return found


def has_annotations(page: int) -> bool:
    """Return whether the page has any annotation."""
    return int(pdfium.load_library().FPDFPage_GetAnnotCount(page)) > 0


class _Annotation:
    def __init__(self, handle: int, form: int | None, to_shown: Map) -> None:
        self._library = pdfium.load_library()
        self._handle = handle
        self._form = form
        self._to_shown = to_shown

    def words(self) -> list[DrawnWord]:
        """Return the words that are shown within the annotation's rectangle."""
        kind = int(self._library.FPDFAnnot_GetSubtype(self._handle))
        if kind not in (_FREE_TEXT, _WIDGET) or int(self._library.FPDFAnnot_GetFlags(self._handle)) & _UNSEEN:
            return []
        value, is_wrapped = (self._text("Contents"), True) if kind == _FREE_TEXT else self._value()
        box = self._box() if value.strip() else None
        return [] if box is None else list(self._placed(value, box, is_wrapped=is_wrapped))

    def _value(self) -> tuple[str, bool]:
        """Return what the field shows, and whether it has several lines."""
        form, handle, library = self._form, self._handle, self._library
        if form is None:
            return "", False
        kind = int(library.FPDFAnnot_GetFormFieldType(form, handle))
        if kind in (_CHECK_BOX, _RADIO_BUTTON):
            return ("" if self._text("AS") in _UNCHECKED else _CHECKED), False
        flags = int(library.FPDFAnnot_GetFormFieldFlags(form, handle))
        if kind not in (_COMBO_BOX, _LIST_BOX, _TEXT_FIELD) or (kind == _TEXT_FIELD and flags & _PASSWORD):
            return "", False
        chosen = "" if kind == _TEXT_FIELD else "\n".join(self._chosen(form))
        value = chosen or pdfium.text_of("FPDFAnnot_GetFormFieldValue", form, handle, most_bytes=_VALUE_BYTES)
        return value, kind == _TEXT_FIELD and bool(flags & _MULTILINE)

    def _chosen(self, form: int) -> Iterator[str]:
        library, handle = self._library, self._handle
        for index in range(min(int(library.FPDFAnnot_GetOptionCount(form, handle)), _OPTIONS)):
            if library.FPDFAnnot_IsOptionSelected(form, handle, index) == 1:
                yield pdfium.text_of("FPDFAnnot_GetOptionLabel", form, handle, index)

    def _text(self, key: str) -> str:
        return pdfium.text_of("FPDFAnnot_GetStringValue", self._handle, key.encode(), most_bytes=_VALUE_BYTES)

    def _box(self) -> PageBox | None:
        rectangle = pdfium.Rectangle()
        if not self._library.FPDFAnnot_GetRect(self._handle, ctypes.byref(rectangle)):
            return None
        box = self._to_shown.box(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
        return box if box.right > box.left and box.bottom > box.top else None

    def _placed(self, value: str, box: PageBox, *, is_wrapped: bool) -> Iterator[DrawnWord]:
        """Yield the words, in lines from the rectangle's top left corner, none wider than the rectangle."""
        appearance = self._appearance()
        width, height = box.right - box.left, box.bottom - box.top
        size = appearance.size or min(_LARGEST, _HEIGHT_SHARE * height)
        lines = value.replace("\r", "\n").splitlines()
        if is_wrapped:
            fitting = max(int(width / (_WIDTH * size)), 1)
            lines = [part for line in lines for part in textwrap.wrap(line, fitting, break_long_words=False)]
        lines = [line for line in lines if line.strip()]
        pitch = min(_LINE * size, height / len(lines)) if is_wrapped or len(lines) > 1 else height
        style = TextStyle(self._handle, size, _FONT, False, False, 0, appearance.mode, appearance.colour, _OPAQUE)
        for number, line in enumerate(lines):
            middle = box.top + (number + 0.5) * pitch
            advance = min(_WIDTH * size, width / len(line))
            for word in re.finditer(r"\S+", line):
                left, right = (box.left + place * advance for place in word.span())
                place = PageBox(left, middle - size / 2, right, middle + size / 2)
                yield DrawnWord(PageWord(word.group(), place, 0, size, is_bold=False, font=_FONT), style)

    def _appearance(self) -> _Appearance:
        """Return how the text is drawn: by the annotation's appearance, else as its defaults state it."""
        drawn = _DrawnTexts(self._handle).appearance()
        if drawn is not None:
            return drawn
        stated = self._text("DA")
        size, colour = _SIZE.search(stated), _COLOUR.search(stated)
        points = self._default_size() if size is None else _number(size.group(1))
        return _Appearance(points, _colour_of(colour), 0)

    def _default_size(self) -> float:
        size = ctypes.c_float()
        has_size = self._form is not None and self._library.FPDFAnnot_GetFontSize(
            self._form, self._handle, ctypes.byref(size)
        )
        return max(size.value, 0.0) if has_size else 0.0


class _DrawnTexts:
    """Texts that the annotation's appearance draws."""

    def __init__(self, annotation: int) -> None:
        self._library = pdfium.load_library()
        self._annotation = annotation
        self._found: list[_Appearance] = []
        self._ground: Colour | None = None
        self._left = _OBJECTS

    def appearance(self) -> _Appearance | None:
        """Return the largest visible text's; an invisible one where all are hidden, None where there is no text."""
        library = self._library
        for index in range(min(int(library.FPDFAnnot_GetObjectCount(self._annotation)), _OBJECTS)):
            self._read(library.FPDFAnnot_GetObject(self._annotation, index), 0)
        visible = [each for each in self._found if each.mode != _INVISIBLE_MODE]
        return max(visible or self._found, key=lambda each: each.size, default=None)

    def _read(self, handle: int | None, depth: int) -> None:
        self._left -= 1
        if handle is None or self._left < 0:
            return
        kind = self._library.FPDFPageObj_GetType(handle)
        if kind == pdfium.OBJECT_FORM and depth < _DEPTH:
            for index in range(min(int(self._library.FPDFFormObj_CountObjects(handle)), _OBJECTS)):
                self._read(self._library.FPDFFormObj_GetObject(handle, index), depth + 1)
        elif kind == pdfium.OBJECT_PATH:
            self._read_ground(handle)
        elif kind == pdfium.OBJECT_TEXT:
            self._read_text(handle)

    def _read_ground(self, handle: int) -> None:
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        self._library.FPDFPath_GetDrawMode(handle, ctypes.byref(fill), ctypes.byref(stroke))
        colour, opacity = self._fill(handle)
        if fill.value and opacity > FAINT:
            self._ground = colour

    def _read_text(self, handle: int) -> None:
        size, matrix = ctypes.c_float(), pdfium.Matrix()
        self._library.FPDFTextObj_GetFontSize(handle, ctypes.byref(size))
        has_matrix = self._library.FPDFPageObj_GetMatrix(handle, ctypes.byref(matrix))
        scale = math.hypot(matrix.c, matrix.d) if has_matrix else 1.0
        mode = int(self._library.FPDFTextObj_GetTextRenderMode(handle))
        colour, opacity = self._fill(handle)
        is_lost = self._ground is not None and look_same(colour, self._ground) and mode not in STROKED_MODES
        is_hidden = is_lost or mode in INVISIBLE_MODES or opacity <= FAINT
        self._found.append(_Appearance(size.value * scale, colour, _INVISIBLE_MODE if is_hidden else mode))

    def _fill(self, handle: int) -> tuple[Colour, int]:
        channels = [ctypes.c_uint() for _ in range(4)]
        if not self._library.FPDFPageObj_GetFillColor(handle, *map(ctypes.byref, channels)):
            return BLACK, _OPAQUE
        red, green, blue, opacity = (channel.value for channel in channels)
        return (red, green, blue), opacity


def _colour_of(stated: re.Match[str] | None) -> Colour:
    """Return the colour of an operator of a default appearance: a grey, or red, green and blue, each from 0 to 1."""
    if stated is None:
        return BLACK
    red, green, blue = (round(min(_number(part or stated.group(3)), 1.0) * 255) for part in stated.groups())
    return red, green, blue


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
