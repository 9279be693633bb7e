"""Formats of a workbook's cells, as far as they affect whether a person sees what is in them."""

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar
from xml.etree.ElementTree import Element

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import read_entry
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

_Item = TypeVar("_Item")
_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DRAWING: Final = "http://schemas.openxmlformats.org/drawingml/2006/main"
_THEME_ORDER: Final = (1, 0, 3, 2, *range(4, 12))
"""Places of a theme's colours by their number in a workbook: light ones precede dark ones there."""
_COLOURS: Final = (
    "000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF 800000 008000 000080 808000 800080 008080 C0C0C0 808080 "
    "9999FF 993366 FFFFCC CCFFFF 660066 FF8080 0066CC CCCCFF 000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF "
    "00CCFF CCFFFF CCFFCC FFFF99 99CCFF FF99CC CC99FF FFCC99 3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696 "
    "003366 339966 003300 333300 993300 993366 333399 333333"
)
_PALETTE: Final = tuple(map(colour_of, _COLOURS.split()))
"""Colours of the usual palette; its first eight have two numbers each."""
_PALETTE_START: Final = 8
_FOREGROUND, _BACKGROUND = 64, 65
_SECTION: Final = re.compile(r'(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"])*')
_NOTHING: Final = re.compile(r'\s|""|\[[^\]]*\]')
_FORMAT_MAX: Final = 255
_SECTIONS: Final = 4


@dataclass(frozen=True, slots=True)
class CellFont:
    """A font; `colour` is None where it is not known."""

    colour: Colour | None
    is_tiny: bool


@dataclass(frozen=True, slots=True)
class CellFill:
    """Ground of a cell; `colour` is None for one that is not plain."""

    colour: Colour | None
    is_filled: bool


_USUAL_FONT: Final = CellFont(BLACK, is_tiny=False)
_NO_FILL: Final = CellFill(WHITE, is_filled=False)


@dataclass(frozen=True, slots=True)
class CellStyle:
    """Format of a cell.

    Attributes:
        hides_numbers, hides_texts: its number format shows nothing.
        font, fill: what its text is written with and on.
    """

    hides_numbers: bool = False
    hides_texts: bool = False
    font: CellFont = _USUAL_FONT
    fill: CellFill = _NO_FILL


@dataclass(frozen=True, slots=True)
class ConditionalStyle:
    """Format that a condition gives to cells; a font colour and a fill are None where the cells keep their own."""

    hides_numbers: bool
    hides_texts: bool
    font: CellFont | None
    fill: CellFill | None


@dataclass(frozen=True, slots=True)
class CellStyles:
    """The formats of a workbook.

    Attributes:
        cells, conditional: formats by their numbers.
        filled_tables: names of the workbook's own table styles that fill cells.
        colours: the colours that its parts refer to.
    """

    colours: "WorkbookColours"
    cells: tuple[CellStyle, ...] = ()
    conditional: tuple[ConditionalStyle, ...] = ()
    filled_tables: frozenset[str] = frozenset()

    @property
    def hide_any(self) -> bool:
        """State of the formats as a whole: true when any may hide what is in a cell."""
        return any(one.hides_numbers or one.hides_texts or is_unseen(one.font, one.fill) for one in self.cells)


def is_unseen(font: CellFont, fill: CellFill) -> bool:
    """Return whether nobody can read text of the font on the ground; text of an unknown colour can be read."""
    return font.is_tiny or (font.colour is not None and fill.colour is not None and look_same(font.colour, fill.colour))


def read_cell_styles(package: zipfile.ZipFile) -> CellStyles:
    """Return the formats of a workbook.

    Raises:
        UnreadableDocument: damaged.
    """
    related = {one.kind: one.target for one in relationships(package, main_part(package)).values()}
    content = read_entry(package, related.get("styles", ""))
    if not content:
        return CellStyles(WorkbookColours((), _palette(None)))
    root = parse_xml(content)
    theme = read_entry(package, related.get("theme", ""))
    colours = WorkbookColours(_theme_colours(parse_xml(theme)) if theme else (), _palette(root))
    formats = {one.get("numFmtId", ""): one.get("formatCode", "") for one in _listed(root, "numFmts")}
    # Each font and fill is read once: many formats may share one of many properties.
    fonts = [colours.font(one) for one in _listed(root, "fonts")]
    fills = [_fill(one, colours) for one in _listed(root, "fills")]
    conditional = tuple(_conditional_style(one, colours) for one in _listed(root, "dxfs"))
    return CellStyles(
        colours,
        tuple(_cell_style(one, formats, fonts, fills) for one in _listed(root, "cellXfs")),
        conditional,
        frozenset(_filled_tables(root, conditional)),
    )


@dataclass(frozen=True, slots=True)
class WorkbookColours:
    """Colours of a workbook's theme and of its palette, by their numbers."""

    theme: Sequence[Colour | None]
    palette: Sequence[Colour | None]

    def font(self, properties: Element) -> CellFont:
        """Return the font of the properties of a cell or of a part of its text."""
        is_tiny = _fraction(_value(properties, "sz") or "11") < UNREADABLE_POINTS
        return CellFont(self.colour(_child(properties, "color"), BLACK), is_tiny=is_tiny)

    def colour(self, element: Element | None, automatic: Colour | None) -> Colour | None:
        """Return the colour of an element; `automatic` without one, None for one that is not known."""
        if element is None or element.get("auto") in ("1", "true"):
            return automatic
        if (text := element.get("rgb")) is not None:
            # The first two digits are an opacity, which Excel ignores.
            found = colour_of(text[-6:])
        elif (text := element.get("theme")) is not None:
            found = _at(self.theme, _number(text, -1))
        elif (text := element.get("indexed")) is not None:
            found = self._indexed(_number(text, -1))
        else:
            return automatic
        tint = _fraction(element.get("tint", "0"))
        if found is None or not tint:
            return found
        return with_luminance(found, 1 - abs(tint), max(tint, 0.0))

    def _indexed(self, number: int) -> Colour | None:
        if number in (_FOREGROUND, _BACKGROUND):
            return BLACK if number == _FOREGROUND else WHITE
        return _at(self.palette, number)


def _palette(root: Element | None) -> list[Colour | None]:
    listed = () if root is None else root.iter(f"{_SHEET} rgbColor")
    own = [colour_of(one.get("rgb", "")[-6:]) for one in listed]
    return own or [*_PALETTE[:_PALETTE_START], *_PALETTE]


def _theme_colours(theme: Element) -> list[Colour | None]:
    """Return the colours of a theme in the order of their numbers in a workbook."""
    scheme = next(theme.iter(f"{_DRAWING} clrScheme"), ())
    stated = [next((colour_of(one.get("lastClr") or one.get("val", "")) for one in entry), None) for entry in scheme]
    return [_at(stated, place) for place in _THEME_ORDER]


def _cell_style(
    cell: Element, formats: Mapping[str, str], fonts: Sequence[CellFont], fills: Sequence[CellFill]
) -> CellStyle:
    return CellStyle(
        *hidden_by_format(formats.get(cell.get("numFmtId", ""), "")),
        _at(fonts, _number(cell.get("fontId", ""), 0)) or _USUAL_FONT,
        _at(fills, _number(cell.get("fillId", ""), 0)) or _NO_FILL,
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
    number_format, font, fill = (_child(style, name) for name in ("numFmt", "font", "fill"))
    code = "" if number_format is None else number_format.get("formatCode", "")
    is_coloured = font is not None and _child(font, "color") is not None
    return ConditionalStyle(
        *hidden_by_format(code),
        colours.font(font) if font is not None and is_coloured else None,
        None if fill is None else _conditional_fill(fill, colours),
    )


def _conditional_fill(fill: Element, colours: WorkbookColours) -> CellFill:
    """Return the ground of a condition: its plain colour is the second one of the pattern, unlike that of a cell."""
    pattern = _child(fill, "patternFill")
    if pattern is None or pattern.get("patternType", "solid") != "solid":
        return CellFill(None, is_filled=True)
    stated = [one for name in ("bgColor", "fgColor") if (one := _child(pattern, name)) is not None]
    return CellFill(colours.colour(stated[0], WHITE) if stated else WHITE, is_filled=True)


def _filled_tables(root: Element, conditional: Sequence[ConditionalStyle]) -> Iterator[str]:
    for style in _listed(root, "tableStyles"):
        formats = (_at(conditional, _number(one.get("dxfId", ""), len(conditional))) for one in style)
        fills = (one.fill for one in formats if one is not None)
        if any(fill is not None and fill.colour != WHITE for fill in fills):
            yield style.get("name", "")


def hidden_by_format(code: str) -> tuple[bool, bool]:
    """Return whether a number format such as ";;;" shows nothing of numbers, and whether nothing of texts."""
    if ";" not in code or len(code) > _FORMAT_MAX:
        return False, False
    sections = [_NOTHING.sub("", section) for section in _sections(code)]
    # Sections are for positive, negative and zero numbers, then for texts (ISO/IEC 29500-1, 18.8.31).
    hides_numbers = len(sections) >= _SECTIONS - 1 and not any(sections[: _SECTIONS - 1])
    return hides_numbers, len(sections) >= _SECTIONS and not sections[_SECTIONS - 1]


def _sections(code: str) -> Iterator[str]:
    position = 0
    while position <= len(code):
        found = _SECTION.match(code, position)
        end = position if found is None else found.end()
        yield code[position:end]
        position = max(end, position) + 1


def _listed(root: Element, name: str) -> Iterator[Element]:
    return (one for part in root if part.tag == f"{_SHEET} {name}" for one in part)


def _child(element: Element, name: str) -> Element | None:
    return next((one for one in element if one.tag == f"{_SHEET} {name}"), None)


def _value(element: Element, name: str) -> str:
    child = _child(element, name)
    return "" if child is None else child.get("val", "")


def _at(values: Sequence[_Item], place: int) -> _Item | None:
    return values[place] if 0 <= place < len(values) else None


def _number(text: str, default: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else default  # noqa: PLR2004


def _fraction(text: str) -> float:
    try:
        return min(1_000.0, max(-1.0, float(text)))
    except ValueError:
        return 0.0
