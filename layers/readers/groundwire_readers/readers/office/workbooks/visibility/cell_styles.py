"""Cell formats of a workbook that decide whether content is visible: number format, font and fill."""

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar
from xml.etree.ElementTree import Element

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import read_entry
from groundwire_readers.readers.office.number_formats.built_in import GENERAL, built_in_code
from groundwire_readers.readers.office.number_formats.number_format import number_format
from groundwire_readers.readers.office.package_parts import main_part, relationships
from groundwire_readers.readers.visibility import (
    BLACK,
    UNREADABLE_POINTS,
    WHITE,
    Colour,
    colour_of,
    look_same,
    with_luminance,
)
from groundwire_readers.text.runs import GAP, Mark

_Item = TypeVar("_Item")
_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DRAWING: Final = "http://schemas.openxmlformats.org/drawingml/2006/main"
_THEME_ORDER: Final = (1, 0, 3, 2, *range(4, 12))
"""Index in the theme's colour scheme by the number that cells use: cells count light colours before dark ones."""
_DEFAULT_COLOURS: Final = (
    "000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF 800000 008000 000080 808000 800080 008080 C0C0C0 808080 "
    "9999FF 993366 FFFFCC CCFFFF 660066 FF8080 0066CC CCCCFF 000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF "
    "00CCFF CCFFFF CCFFCC FFFF99 99CCFF FF99CC CC99FF FFCC99 3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696 "
    "003366 339966 003300 333300 993300 993366 333399 333333"
)
_DEFAULT_PALETTE: Final = tuple(map(colour_of, _DEFAULT_COLOURS.split()))
"""Default indexed colours (ISO/IEC 29500-1, 18.8.27); the first eight have two indexes each."""
_DUPLICATED_COLOURS: Final = 8
_SYSTEM_FOREGROUND, _SYSTEM_BACKGROUND = 64, 65
"""Indexes of the system's text and window colours."""


@dataclass(frozen=True, slots=True)
class CellFont:
    """Font of a cell or of a part of its text; `colour` is None if unknown, `is_tiny` if it is too small to read.

    `mark` is that of raised, lowered or struck text; empty for other text. `name` is that of its letters.
    """

    colour: Colour | None
    is_tiny: bool
    mark: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class CellFill:
    """Background of a cell; `colour` is None if it is a pattern or a gradient."""

    colour: Colour | None
    is_filled: bool


_ALIGNED: Final = {"superscript": Mark.RAISED, "subscript": Mark.LOWERED}
_DEFAULT_FONT: Final = CellFont(BLACK, is_tiny=False)
_NO_FILL: Final = CellFill(WHITE, is_filled=False)


@dataclass(frozen=True, slots=True)
class CellStyle:
    """Format of a cell.

    Attributes:
        code: its number format.
        font: font of its text.
        fill: background of the cell.
    """

    code: str = GENERAL
    font: CellFont = _DEFAULT_FONT
    fill: CellFill = _NO_FILL


@dataclass(frozen=True, slots=True)
class ConditionalStyle:
    """Format of a conditional formatting rule; what is None stays as cells have it."""

    code: str | None
    font: CellFont | None
    fill: CellFill | None


@dataclass(frozen=True, slots=True)
class CellStyles:
    """The formats of a workbook.

    Attributes:
        colours: theme and palette that the parts refer to.
        cells: cell formats (`cellXfs`) by index.
        conditional: formats of conditional formatting (`dxfs`) by index.
        filled_tables: names of custom table styles that fill cells.
    """

    colours: "WorkbookColours"
    cells: tuple[CellStyle, ...] = ()
    conditional: tuple[ConditionalStyle, ...] = ()
    filled_tables: frozenset[str] = frozenset()

    @property
    def may_hide_content(self) -> bool:
        """State of the formats as a whole: true if any may hide the content of a cell."""
        return any(hides_any(style.code) or is_invisible(style.font, style.fill) for style in self.cells)


def hides_any(code: str | None) -> bool:
    """Return whether a number format displays nothing for numbers, or nothing for texts."""
    return hides_value(code, is_text=True) or hides_value(code, is_text=False)


def hides_value(code: str | None, *, is_text: bool) -> bool:
    """Return whether a number format displays nothing for a text, or for a number."""
    if code is None or ";" not in code:
        return False
    found = number_format(code)
    return found.hides_texts if is_text else found.hides_numbers


def is_invisible(font: CellFont, fill: CellFill) -> bool:
    """Return whether text in the font is invisible on the fill; unknown colours count as visible."""
    return font.is_tiny or (font.colour is not None and fill.colour is not None and look_same(font.colour, fill.colour))


def read_cell_styles(package: zipfile.ZipFile) -> CellStyles:
    """Return the formats of a workbook.

    Raises:
        UnreadableDocument: damaged.
    """
    related = {element.kind: element.target for element in relationships(package, main_part(package)).values()}
    content = read_entry(package, related.get("styles", ""))
    if not content:
        return CellStyles(WorkbookColours((), _palette(None)))
    root = parse_xml(content)
    theme = read_entry(package, related.get("theme", ""))
    colours = WorkbookColours(_theme_colours(parse_xml(theme)) if theme else (), _palette(root))
    formats = {element.get("numFmtId", ""): element.get("formatCode", "") for element in _items_of(root, "numFmts")}
    # Each font and fill is read once, since many formats share it.
    fonts = [colours.font(element) for element in _items_of(root, "fonts")]
    fills = [_fill(element, colours) for element in _items_of(root, "fills")]
    conditional = tuple(_conditional_style(element, colours) for element in _items_of(root, "dxfs"))
    return CellStyles(
        colours,
        tuple(_cell_style(element, formats, fonts, fills) for element in _items_of(root, "cellXfs")),
        conditional,
        frozenset(_filled_tables(root, conditional)),
    )


@dataclass(frozen=True, slots=True)
class WorkbookColours:
    """Colours of a workbook's theme and of its palette, by index."""

    theme: Sequence[Colour | None]
    palette: Sequence[Colour | None]

    def font(self, properties: Element) -> CellFont:
        """Return the font that font properties (`font`, `rPr`) declare."""
        is_tiny = _bounded_number(_value(properties, "sz") or "11") < UNREADABLE_POINTS
        name = _value(properties, "name") or _value(properties, "rFont")
        return CellFont(self.colour(_child(properties, "color"), BLACK), is_tiny, _mark_of(properties), name)

    def colour(self, element: Element | None, automatic: Colour | None) -> Colour | None:
        """Return the colour that an element declares; `automatic` if it declares none, None if it is unknown."""
        if element is None or element.get("auto") in ("1", "true"):
            return automatic
        if (text := element.get("rgb")) is not None:
            # The first two digits are the alpha channel, which Excel ignores.
            found = colour_of(text[-6:])
        elif (text := element.get("theme")) is not None:
            found = _item_at(self.theme, _number(text, -1))
        elif (text := element.get("indexed")) is not None:
            found = self._indexed(_number(text, -1))
        else:
            return automatic
        tint = _bounded_number(element.get("tint", "0"))
        if found is None or not tint:
            return found
        return with_luminance(found, 1 - abs(tint), max(tint, 0.0))

    def _indexed(self, number: int) -> Colour | None:
        if number in (_SYSTEM_FOREGROUND, _SYSTEM_BACKGROUND):
            return BLACK if number == _SYSTEM_FOREGROUND else WHITE
        return _item_at(self.palette, number)


def _palette(root: Element | None) -> list[Colour | None]:
    listed = () if root is None else root.iter(f"{_SHEET} rgbColor")
    custom = [colour_of(element.get("rgb", "")[-6:]) for element in listed]
    return custom or [*_DEFAULT_PALETTE[:_DUPLICATED_COLOURS], *_DEFAULT_PALETTE]


def _theme_colours(theme: Element) -> list[Colour | None]:
    """Return the theme's colours in the order of the indexes that cells use."""
    scheme = next(theme.iter(f"{_DRAWING} clrScheme"), ())
    declared = [
        next((colour_of(element.get("lastClr") or element.get("val", "")) for element in entry), None)
        for entry in scheme
    ]
    return [_item_at(declared, place) for place in _THEME_ORDER]


def _cell_style(
    cell: Element, formats: Mapping[str, str], fonts: Sequence[CellFont], fills: Sequence[CellFill]
) -> CellStyle:
    identity = cell.get("numFmtId", "")
    return CellStyle(
        formats[identity] if identity in formats else built_in_code(_number(identity, 0)),
        _item_at(fonts, _number(cell.get("fontId", ""), 0)) or _DEFAULT_FONT,
        _item_at(fills, _number(cell.get("fillId", ""), 0)) or _NO_FILL,
    )


def _fill(fill: Element, colours: WorkbookColours) -> CellFill:
    pattern = _child(fill, "patternFill")
    if pattern is None and not len(fill):
        return _NO_FILL
    kind = "gradient" if pattern is None else pattern.get("patternType", "none")
    if kind == "none":
        return _NO_FILL
    colour = None if pattern is None or kind != "solid" else colours.colour(_child(pattern, "fgColor"), None)
    return CellFill(colour, is_filled=True)


def _conditional_style(style: Element, colours: WorkbookColours) -> ConditionalStyle:
    format_element, font, fill = (_child(style, name) for name in ("numFmt", "font", "fill"))
    is_coloured = font is not None and _child(font, "color") is not None
    return ConditionalStyle(
        None if format_element is None else format_element.get("formatCode", ""),
        colours.font(font) if font is not None and is_coloured else None,
        None if fill is None else _conditional_fill(fill, colours),
    )


def _conditional_fill(fill: Element, colours: WorkbookColours) -> CellFill:
    """Return the fill of a conditional format: a solid colour is in `bgColor`, unlike that of a cell."""
    pattern = _child(fill, "patternFill")
    if pattern is None or pattern.get("patternType", "solid") != "solid":
        return CellFill(None, is_filled=True)
    declared = [child for name in ("bgColor", "fgColor") if (child := _child(pattern, name)) is not None]
    return CellFill(colours.colour(declared[0], WHITE) if declared else WHITE, is_filled=True)


def _filled_tables(root: Element, conditional: Sequence[ConditionalStyle]) -> Iterator[str]:
    for style in _items_of(root, "tableStyles"):
        formats = (_item_at(conditional, _number(one.get("dxfId", ""), len(conditional))) for one in style)
        fills = (one.fill for one in formats if one is not None)
        if any(fill is not None and fill.colour != WHITE for fill in fills):
            yield style.get("name", "")


def _items_of(root: Element, name: str) -> Iterator[Element]:
    return (item for part in root if part.tag == f"{_SHEET} {name}" for item in part)


def _child(element: Element, name: str) -> Element | None:
    return next((child for child in element if child.tag == f"{_SHEET} {name}"), None)


def _value(element: Element, name: str) -> str:
    child = _child(element, name)
    return "" if child is None else child.get("val", "")


def _mark_of(font: Element) -> str:
    struck = _child(font, "strike")
    if struck is not None and struck.get("val", "1") not in ("0", "false"):
        return GAP
    return _ALIGNED.get(_value(font, "vertAlign"), "")


def _item_at(values: Sequence[_Item], place: int) -> _Item | None:
    return values[place] if 0 <= place < len(values) else None


def _number(text: str, default: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else default  # noqa: PLR2004


def _bounded_number(text: str) -> float:
    try:
        return min(1_000.0, max(-1.0, float(text)))
    except ValueError:
        return 0.0
