"""Ground of a slide: its background, the colours of its theme, and what its layout and its master draw on it."""

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeGuard
from xml.etree.ElementTree import Element

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import read_entry
from groundwire_readers.readers.office.package_parts import main_part, relationships
from groundwire_readers.readers.office.presentations.letter_formats import (
    LetterFormat,
    Levels,
    anchor_of,
    levels_of,
    levels_over,
)
from groundwire_readers.readers.office.presentations.slide_areas import (
    UNPLACED,
    DrawnArea,
    SlideArea,
    placed_shapes,
)
from groundwire_readers.readers.office.presentations.slide_colours import (
    FILLS,
    NO_FILL,
    UNFILLED,
    Paint,
    paint_in,
    paint_of,
    theme_colours,
)
from groundwire_readers.readers.office.presentations.slides import DRAWING_NAMESPACE, SLIDE_NAMESPACE
from groundwire_readers.readers.visibility import WHITE, Colour

_GEOMETRY: Final = (f"{DRAWING_NAMESPACE} prstGeom", f"{DRAWING_NAMESPACE} custGeom")
_FILL_REFERENCE: Final = f"{DRAWING_NAMESPACE} fillRef"
_PLAIN_FILL: Final = "1001"
"""Number of a theme's first background, which is of one colour."""
_NO_FILL: Final = ("0", "1000")
_DIGITS_MAX: Final = 9
_DRAWN: Final = tuple(f"{SLIDE_NAMESPACE} {name}" for name in ("pic", "graphicFrame"))
_SHAPE: Final = f"{SLIDE_NAMESPACE} sp"
_TREE: Final = f"{SLIDE_NAMESPACE} spTree"
_PLACEHOLDER: Final = f"{SLIDE_NAMESPACE} ph"
_TYPES_OF_MASTERS: Final = {"ctrTitle": "title"} | {name: name for name in ("title", "body", "dt", "ftr", "sldNum")}
_STYLES_OF_TYPES: Final = {"title": "titleStyle", "body": "bodyStyle"}
"""Styles of a master by the type of a placeholder; other ones have "otherStyle"."""
_FIRST_FILL: Final = "1"
"""Number of a theme's first fill, which is of one colour."""
_FULL_SHAPES: Final = ("rect", "roundRect", "ellipse", "flowChartProcess", "round2SameRect", "snip1Rect")
"""Geometries that fill the rectangle around them, or all of it but its corners."""
_LINES: Final = ("line", "Connector", "arc", "Bracket", "Brace", "bracket", "brace")
"""Parts of the names of geometries that are lines, which have no fill."""
_COVERING: Final = 0.1
"""Maximum opacity of a fill that does not count as one: text in the colour below it is not seen on it either."""
_NO_LEVELS: Final[dict[str, LetterFormat]] = {}


@dataclass(frozen=True, slots=True)
class PlaceholderFormat:
    """Format that shapes take from a placeholder of a layout or a master.

    Attributes:
        fill: None where the placeholder states none. anchor: where in its box the text is.
    """

    area: SlideArea = UNPLACED
    fill: Paint | None = None
    anchor: str | None = None
    levels: Levels = field(default_factory=_NO_LEVELS.copy)

    def over(self, below: "PlaceholderFormat") -> "PlaceholderFormat":
        """Return this format, with what `below` states where it states nothing."""
        return PlaceholderFormat(
            below.area if self.area is UNPLACED else self.area,
            below.fill if self.fill is None else self.fill,
            below.anchor if self.anchor is None else self.anchor,
            levels_over(self.levels, below.levels),
        )


@dataclass(frozen=True, slots=True)
class SlideGround:
    """Ground of the slides of one layout.

    Attributes:
        background: None where it is no plain colour. theme: colours by their names in the slides.
        drawn: areas that layout and master fill.
        placeholders: formats of those of layout and master, by their index and by their type.
        levels: formats of text in shapes that are no placeholders.
        page, sizes: area of the slide, None where the file does not state it, and the sizes of text without another.
    """

    background: Colour | None
    theme: Mapping[str, Colour]
    drawn: tuple[DrawnArea, ...]
    placeholders: Mapping[str, PlaceholderFormat]
    levels: Levels
    page: SlideArea | None
    sizes: Levels

    def of_slide(self, tree: Element) -> Colour | None:
        """Return the background of a slide, which may have one of its own."""
        own = next(tree.iter(f"{SLIDE_NAMESPACE} bg"), None)
        return self.background if own is None else background_colour(own, self.theme)

    def format_of(self, shape: Element, area: SlideArea) -> PlaceholderFormat:
        """Return the format of a shape at this place, with what it takes from its layout."""
        names = _placeholder_names(shape)
        usual = PlaceholderFormat(levels=self.levels)
        below = next((self.placeholders[name] for name in names if name in self.placeholders), usual)
        return placeholder_format(shape, area, self.theme).over(below)


def ground_of(package: zipfile.ZipFile, slide_path: str, known: dict[str, SlideGround]) -> SlideGround:
    """Return the ground of a slide; `known` keeps those of layouts."""
    layout = _related(package, slide_path, "slideLayout")
    if layout not in known:
        others = next(iter(known.values()), None)
        page, sizes = _presentation(package) if others is None else (others.page, others.sizes)
        known[layout] = _read_ground(package, layout, page, sizes)
    return known[layout]


def _read_ground(package: zipfile.ZipFile, layout: str, page: SlideArea | None, sizes: Levels) -> SlideGround:
    master = _related(package, layout, "slideMaster")
    theme = _related(package, master, "theme")
    trees = [parse_xml(content) for path in (layout, master) if (content := read_entry(package, path))]
    content = read_entry(package, theme)
    colours = theme_colours(parse_xml(content), trees) if content else {"bg1": WHITE, "lt1": WHITE}
    backgrounds = [one for tree in trees for one in tree.iter(f"{SLIDE_NAMESPACE} bg")]
    placed = [[one for group in tree.iter(_TREE) for one in placed_shapes(group)] for tree in reversed(trees)]
    drawn = (drawn_area(*one, colours) for shapes in placed for one in shapes if not is_placeholder(one[0]))
    styles = _master_styles(trees, colours)
    return SlideGround(
        background_colour(backgrounds[0], colours) if backgrounds else WHITE,
        colours,
        tuple(area for area in drawn if area is not None),
        _placeholders(placed, styles, colours),
        levels_over(styles.get("otherStyle", {}), sizes),
        page,
        sizes,
    )


def _presentation(package: zipfile.ZipFile) -> tuple[SlideArea | None, Levels]:
    """Return the area of the slides, and the sizes of text that has none of its own."""
    content = read_entry(package, main_part(package))
    tree = parse_xml(content) if content else Element("none")
    sizes = (
        SlideArea(0, 0, _number(one.get("cx", "")), _number(one.get("cy", "")))
        for one in tree.iter(f"{SLIDE_NAMESPACE} sldSz")
    )
    page = next((one for one in sizes if one.right and one.bottom), None)
    return page, _sizes(levels_of(next(tree.iter(f"{SLIDE_NAMESPACE} defaultTextStyle"), None), {}))


def _master_styles(trees: Sequence[Element], theme: Mapping[str, Colour]) -> dict[str, Levels]:
    styles = (style for tree in trees for holder in tree.iter(f"{SLIDE_NAMESPACE} txStyles") for style in holder)
    found: dict[str, Levels] = {style.tag.rpartition(" ")[2]: levels_of(style, theme) for style in styles}
    # Shapes that are no placeholders take their colour from their style, which may differ from the master's.
    return found | {name: _sizes(levels) for name, levels in found.items() if name not in _STYLES_OF_TYPES.values()}


def _sizes(levels: Levels) -> Levels:
    return {number: LetterFormat(one.hundredths, alignment=one.alignment) for number, one in levels.items()}


def _placeholders(
    placed: Sequence[Sequence[tuple[Element, SlideArea]]], styles: Mapping[str, Levels], theme: Mapping[str, Colour]
) -> dict[str, PlaceholderFormat]:
    """Return the formats of placeholders; those of the master are before those of the layout."""
    found = {
        kind: PlaceholderFormat(levels=styles.get(_STYLES_OF_TYPES.get(kind, "otherStyle"), {}))
        for kind in _TYPES_OF_MASTERS.values()
    }
    for shapes in placed:
        below = dict(found)
        for shape, area in shapes:
            names = _placeholder_names(shape)
            if names:
                inherited = next(below[name] for name in names if name in below)
                found |= dict.fromkeys(names, placeholder_format(shape, area, theme).over(inherited))
    return found


def placeholder_format(shape: Element, area: SlideArea, theme: Mapping[str, Colour]) -> PlaceholderFormat:
    """Return what a shape states itself."""
    levels = levels_of(next(shape.iter(f"{DRAWING_NAMESPACE} lstStyle"), None), theme)
    fonts = (one for one in shape.iter(f"{DRAWING_NAMESPACE} fontRef") if len(one))
    letters = next((LetterFormat(fill=paint_in(one, theme)) for one in fonts), None)
    if letters is not None:
        # DrawingML has nine levels of paragraphs.
        levels = levels_over(levels, {str(number): letters for number in range(9)})
    return PlaceholderFormat(area, shape_paint(shape, theme), anchor_of(shape), levels)


def _placeholder_names(shape: Element) -> tuple[str, ...]:
    """Return the index and the type of a placeholder, and the type that it has in a master; empty for other shapes."""
    placeholder = next(shape.iter(_PLACEHOLDER), None)
    if placeholder is None:
        return ()
    kind, index = placeholder.get("type", "obj"), placeholder.get("idx", "")
    usual = _TYPES_OF_MASTERS.get(kind, "body")
    return (*([f"idx {index}"] if index else []), kind, *([usual] if usual != kind else []))


def _related(package: zipfile.ZipFile, path: str, kind: str) -> str:
    if not path:
        return ""
    return next((one.target for one in relationships(package, path).values() if one.kind == kind), "")


def background_colour(background: Element, theme: Mapping[str, Colour]) -> Colour | None:
    """Return the colour of a `p:bg`; None for one that is no plain colour."""
    for child in background:
        if child.tag == f"{SLIDE_NAMESPACE} bgRef":
            if child.get("idx") in _NO_FILL:
                return WHITE
            return paint_in(child, theme).colour if child.get("idx") == _PLAIN_FILL else None
        fill = next((one for one in child if one.tag in FILLS), None)
        return WHITE if fill is None else paint_of(fill, theme).colour
    return None


def is_placeholder(shape: Element) -> bool:
    """Return whether the shape takes its place and its format from the layout."""
    return next(shape.iter(_PLACEHOLDER), None) is not None


def drawn_area(
    shape: Element, area: SlideArea, theme: Mapping[str, Colour], below: Paint | None = None
) -> DrawnArea | None:
    """Return the area that a shape fills, with the fill `below` where it states none; None for one that fills none."""
    if area is UNPLACED:
        return None
    if shape.tag in _DRAWN:
        return DrawnArea(area, None, is_full=True)
    paint = shape_paint(shape, theme) or below
    geometries = (one for part in shape for one in part if one.tag in _GEOMETRY)
    geometry = next(geometries, None)
    name = "rect" if geometry is None else geometry.get("prst", "")
    if shape.tag != _SHAPE or not covers(paint) or any(part in name for part in _LINES):
        return None
    colour = paint.opaque_colour
    return DrawnArea(area, colour, is_full=colour is None or name in _FULL_SHAPES)


def covers(paint: Paint | None) -> TypeGuard[Paint]:
    """Return whether a fill changes the colour below it enough for text in that colour to be seen."""
    return paint is not None and paint.opacity > _COVERING


def shape_paint(shape: Element, theme: Mapping[str, Colour]) -> Paint | None:
    """Return the fill of a shape, of its own or of its style; None where it states none."""
    tags = (*FILLS, NO_FILL)
    fill = next((one for part in _properties(shape) for one in part if one.tag in tags), None)
    if fill is not None:
        return paint_of(fill, theme)
    reference = next(shape.iter(_FILL_REFERENCE), None)
    if reference is None:
        return None
    if reference.get("idx", "0") in _NO_FILL:
        return UNFILLED
    return paint_in(reference, theme) if reference.get("idx") == _FIRST_FILL else Paint(None)


def _properties(shape: Element) -> Iterator[Element]:
    yield from (one for one in shape if one.tag == f"{SLIDE_NAMESPACE} spPr")


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _DIGITS_MAX else 0
