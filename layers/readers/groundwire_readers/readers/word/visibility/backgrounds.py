"""Background colour at the current reading position: shading of paragraphs and tables, shape fills, page colour."""

from dataclasses import dataclass
from functools import partial
from typing import Final

from groundwire_readers.readers.visibility import WHITE, Colour, colour_of
from groundwire_readers.readers.word.appearance import AUTOMATIC, UNKNOWN, WHITE_OF_THEME, shade_of
from groundwire_readers.readers.word.part_walk import OpenElement
from groundwire_readers.readers.word.styles import WordStyles

_ON_PAGE: Final[Colour] = (-3_000, -3_000, -3_000)
"""Marker of text that is directly on the page."""
_VECTOR_SHAPES: Final = ("v:shape", "v:rect", "v:roundrect", "v:oval")
_SHAPE: Final = "wps:wsp"
_SHAPE_PROPERTIES: Final = "wps:spPr"
_LAYER_ELEMENTS: Final = frozenset(["w:tbl", "w:tc", "w:p", "w:txbxContent", _SHAPE, *_VECTOR_SHAPES])
"""Elements that may set a background."""
_FILLS: Final = ("a:solidFill", "a:gradFill", "a:blipFill", "a:pattFill", "a:grpFill")
_COLOUR_CHANGES: Final = ("a:lumMod", "a:lumOff", "a:shade", "a:tint", "a:alpha")
_PAGE_ENDS: Final = ("w:lastRenderedPageBreak", "w:pageBreakBefore", "w:sectPr")
_SHADED_PROPERTIES: Final = ("w:pPr", "w:tcPr", "w:tblPr", "w:tblPrEx")
_MIN_COVERING_AREA: Final = 40 * 360_000**2
"""Minimum area of a floating image or shape that may be behind text: 40 square centimetres, in square EMU."""
_MAX_SIZE_DIGITS: Final = 12


@dataclass(slots=True)
class _Layer:
    """An open element with its background, and with the paragraph and table style that apply in it."""

    element: OpenElement
    background: Colour
    style: str
    table_style: str
    has_fill: bool = False


class Backgrounds:
    """Stack of the backgrounds of the open elements of one part."""

    def __init__(self, styles: WordStyles, page_colour: Colour) -> None:
        """Start with the colour of the page; UNKNOWN if it is uncertain."""
        self._styles = styles
        self._page_colour = page_colour
        self._layers: list[_Layer] = []
        self._floating_area = 0
        self._is_covered = False

    @property
    def paragraph_style(self) -> str:
        """The style of the current paragraph."""
        return self._layers[-1].style if self._layers else self._styles.default_paragraph_style

    @property
    def table_style(self) -> str:
        """The style of the current table; empty outside of tables."""
        return self._layers[-1].table_style if self._layers else ""

    @property
    def current(self) -> Colour:
        """The background of text at this position; UNKNOWN if an image may be behind it."""
        background = self._layers[-1].background if self._layers else _ON_PAGE
        if background != _ON_PAGE:
            return background
        return UNKNOWN if self._is_covered else self._page_colour

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""
        tag = element.tag
        if tag in _LAYER_ELEMENTS:
            style = self._styles.default_paragraph_style if tag == "w:p" else self.paragraph_style
            table_style = "" if tag == "w:tbl" else self.table_style
            self._layers.append(_Layer(element, self._initial(element), style, table_style))
        elif element.parent is not None:
            self._read_property(element, element.parent)
        if tag in _PAGE_ENDS or (tag == "w:br" and element.attributes.get("w:type") == "page"):
            self._is_covered = False

    def end(self, element: OpenElement) -> None:
        """Handle the end of an element."""
        if self._layers and self._layers[-1].element is element:
            self._layers.pop()
        elif element.tag == "wp:anchor":
            self._floating_area = 0

    def _initial(self, element: OpenElement) -> Colour:
        below = self._layers[-1].background if self._layers else _ON_PAGE
        if element.tag == _SHAPE:
            return _ON_PAGE
        if element.tag not in _VECTOR_SHAPES:
            return below
        if element.attributes.get("filled", "t") in ("f", "false"):
            return _ON_PAGE
        colour = element.attributes.get("fillcolor", "").split()
        # VML fills a shape with white if it declares no colour.
        return (colour_of(colour[0]) or UNKNOWN) if colour else WHITE

    def _read_property(self, element: OpenElement, parent: OpenElement) -> None:
        tag = element.tag
        if tag.startswith("w:") and parent.tag not in _SHADED_PROPERTIES:
            return
        if parent.tag in _SHADED_PROPERTIES:
            self._read_shading(element, parent)
        elif tag == "wp:extent" and parent.tag == "wp:anchor":
            self._floating_area = _size(element, "cx") * _size(element, "cy")
        elif tag in ("a:blip", "v:imagedata"):
            self._cover(is_sized=tag == "v:imagedata")
        elif self._layers and self._layers[-1].element.tag == _SHAPE:
            self._read_fill(element, parent, self._layers[-1])

    def _read_shading(self, element: OpenElement, parent: OpenElement) -> None:
        if not self._layers:
            return
        layer = self._layers[-1]
        fill = AUTOMATIC
        if element.tag == "w:pStyle" and parent.parent is layer.element:
            layer.style = element.value
            fill = self._styles.paragraph_fill(element.value) or AUTOMATIC
        elif element.tag == "w:tblStyle":
            layer.table_style = element.value
            fill = UNKNOWN if self._styles.has_shading(element.value) else AUTOMATIC
        elif element.tag == "w:shd":
            fill = shade_of(partial(_word_attribute, element))
            # The shading of one row only: other rows of the table may have another one.
            fill = UNKNOWN if parent.tag == "w:tblPrEx" and fill != AUTOMATIC else fill
        if fill != AUTOMATIC:
            layer.background = fill

    def _read_fill(self, element: OpenElement, parent: OpenElement, layer: _Layer) -> None:
        """Read the fill of a shape: only a single colour is known."""
        tag = element.tag
        if parent.tag == _SHAPE_PROPERTIES and (tag in _FILLS or tag == "a:noFill"):
            layer.has_fill = True
            if tag != "a:noFill":
                layer.background = UNKNOWN
                self._cover()
        elif parent.tag == "a:solidFill" and parent.parent_tag == _SHAPE_PROPERTIES:
            value = element.attributes.get("val", "")
            is_white = tag == "a:schemeClr" and value in WHITE_OF_THEME
            layer.background = WHITE if is_white else (colour_of(value) or UNKNOWN)
        elif tag in _COLOUR_CHANGES:
            layer.background = UNKNOWN if layer.has_fill and layer.background != _ON_PAGE else layer.background
        elif tag == "a:fillRef" and not layer.has_fill and element.attributes.get("idx", "0") != "0":
            layer.background = UNKNOWN
            self._cover()

    def _cover(self, *, is_sized: bool = False) -> None:
        """Record that an image or a shape may be behind text of this page."""
        self._is_covered |= is_sized or self._floating_area >= _MIN_COVERING_AREA


def _word_attribute(element: OpenElement, name: str) -> str:
    return element.attributes.get(f"w:{name}", "")


def _size(element: OpenElement, name: str) -> int:
    text = element.attributes.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MAX_SIZE_DIGITS else 0
