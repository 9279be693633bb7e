"""Format that slides inherit from layout, master and theme: background, colours, drawn areas and placeholders."""

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeGuard
from xml.etree.ElementTree import Element

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import read_entry
from groundwire_readers.readers.office.package_parts import main_part, relationships
from groundwire_readers.readers.office.presentations.slide_areas import UNPLACED, DrawnArea, SlideArea, placed_shapes
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
from groundwire_readers.readers.office.presentations.text_formats import (
    Levels,
    TextFormat,
    anchor_of,
    levels_of,
    levels_over,
)
from groundwire_readers.readers.visibility import WHITE, Colour

_GEOMETRY: Final = (f"{DRAWING_NAMESPACE} prstGeom", f"{DRAWING_NAMESPACE} custGeom")
_FILL_REFERENCE: Final = f"{DRAWING_NAMESPACE} fillRef"
_FIRST_BACKGROUND_FILL: Final = "1001"
"""Index of a theme's first background fill, which is a single colour."""
_NO_FILL: Final = ("0", "1000")
"""Indexes of fill styles that mean no fill."""
_MAX_DIGITS: Final = 9
_IMAGES_AND_FRAMES: Final = tuple(f"{SLIDE_NAMESPACE} {name}" for name in ("pic", "graphicFrame"))
_SHAPE: Final = f"{SLIDE_NAMESPACE} sp"
_TREE: Final = f"{SLIDE_NAMESPACE} spTree"
_PLACEHOLDER: Final = f"{SLIDE_NAMESPACE} ph"
_MASTER_TYPES: Final = {"ctrTitle": "title"} | {name: name for name in ("title", "body", "dt", "ftr", "sldNum")}
_STYLE_BY_TYPE: Final = {"title": "titleStyle", "body": "bodyStyle"}
"""Text style of a master by placeholder type; other types have "otherStyle"."""
_FIRST_FILL: Final = "1"
"""Index of a theme's first fill, which is a single colour."""
_FILLING_GEOMETRIES: Final = ("rect", "roundRect", "ellipse", "flowChartProcess", "round2SameRect", "snip1Rect")
"""Preset geometries that fill their bounding rectangle, except at most its corners."""
_LINE_GEOMETRIES: Final = ("line", "Connector", "arc", "Bracket", "Brace", "bracket", "brace")
"""Name parts of preset geometries that are lines without a fill."""
_MAX_IGNORED_OPACITY: Final = 0.1
"""Maximum opacity of a fill that is ignored: text in the colour below it is not visible on it either."""
_NO_LEVELS: Final[dict[str, TextFormat]] = {}


@dataclass(frozen=True, slots=True)
class PlaceholderFormat:
    """Format that shapes inherit from a placeholder of a layout or a master.

    Attributes:
        area: position on the slide.
        fill: paint of the shape; None if it is not declared.
        anchor: vertical position of the text in its box.
        levels: text formats by paragraph level.
    """

    area: SlideArea = UNPLACED
    fill: Paint | None = None
    anchor: str | None = None
    levels: Levels = field(default_factory=_NO_LEVELS.copy)

    def over(self, below: "PlaceholderFormat") -> "PlaceholderFormat":
        """Return this format with undeclared properties inherited from `below`."""
        return PlaceholderFormat(
            below.area if self.area is UNPLACED else self.area,
            below.fill if self.fill is None else self.fill,
            below.anchor if self.anchor is None else self.anchor,
            levels_over(self.levels, below.levels),
        )


@dataclass(frozen=True, slots=True)
class SlideDefaults:
    """Format that the slides of one layout inherit.

    Attributes:
        background: background colour; None if it is no single colour.
        theme: colours by their names in the slides.
        drawn: areas that layout and master fill.
        placeholders: placeholder formats of layout and master, by index and by type.
        levels: text formats of shapes that are no placeholders.
        page: area of the slide; None if the file does not declare it.
        sizes: default text sizes of the presentation, by paragraph level.
    """

    background: Colour | None
    theme: Mapping[str, Colour]
    drawn: tuple[DrawnArea, ...]
    placeholders: Mapping[str, PlaceholderFormat]
    levels: Levels
    page: SlideArea | None
    sizes: Levels

    def of_slide(self, tree: Element) -> Colour | None:
        """Return the background of a slide: its own, else the inherited one."""
        own = next(tree.iter(f"{SLIDE_NAMESPACE} bg"), None)
        return self.background if own is None else background_colour(own, self.theme)

    def format_of(self, shape: Element, area: SlideArea) -> PlaceholderFormat:
        """Return the format of a shape with this position, properties inherited from its placeholder included."""
        keys = _placeholder_keys(shape)
        default = PlaceholderFormat(levels=self.levels)
        below = next((self.placeholders[key] for key in keys if key in self.placeholders), default)
        return placeholder_format(shape, area, self.theme).over(below)


def slide_defaults_of(package: zipfile.ZipFile, slide_path: str, known: dict[str, SlideDefaults]) -> SlideDefaults:
    """Return the inherited format of a slide; `known` caches it by layout."""
    layout = _related(package, slide_path, "slideLayout")
    if layout not in known:
        others = next(iter(known.values()), None)
        page, sizes = _presentation(package) if others is None else (others.page, others.sizes)
        known[layout] = _read_ground(package, layout, page, sizes)
    return known[layout]


def _read_ground(package: zipfile.ZipFile, layout: str, page: SlideArea | None, sizes: Levels) -> SlideDefaults:
    master = _related(package, layout, "slideMaster")
    theme = _related(package, master, "theme")
    trees = [parse_xml(content) for path in (layout, master) if (content := read_entry(package, path))]
    content = read_entry(package, theme)
    colours = theme_colours(parse_xml(content), trees) if content else {"bg1": WHITE, "lt1": WHITE}
    backgrounds = [one for tree in trees for one in tree.iter(f"{SLIDE_NAMESPACE} bg")]
    placed = [[one for group in tree.iter(_TREE) for one in placed_shapes(group)] for tree in reversed(trees)]
    drawn = (drawn_area(*one, colours) for shapes in placed for one in shapes if not is_placeholder(one[0]))
    styles = _master_styles(trees, colours)
    return SlideDefaults(
        background_colour(backgrounds[0], colours) if backgrounds else WHITE,
        colours,
        tuple(area for area in drawn if area is not None),
        _placeholders(placed, styles, colours),
        levels_over(styles.get("otherStyle", {}), sizes),
        page,
        sizes,
    )


def _presentation(package: zipfile.ZipFile) -> tuple[SlideArea | None, Levels]:
    """Return the area of the slides, and the default text sizes."""
    content = read_entry(package, main_part(package))
    tree = parse_xml(content) if content else Element("none")
    sizes = (
        SlideArea(0, 0, _number(element.get("cx", "")), _number(element.get("cy", "")))
        for element in tree.iter(f"{SLIDE_NAMESPACE} sldSz")
    )
    page = next((element for element in sizes if element.right and element.bottom), None)
    return page, _sizes(levels_of(next(tree.iter(f"{SLIDE_NAMESPACE} defaultTextStyle"), None), {}))


def _master_styles(trees: Sequence[Element], theme: Mapping[str, Colour]) -> dict[str, Levels]:
    styles = (style for tree in trees for holder in tree.iter(f"{SLIDE_NAMESPACE} txStyles") for style in holder)
    by_name: dict[str, Levels] = {style.tag.rpartition(" ")[2]: levels_of(style, theme) for style in styles}
    # Shapes that are no placeholders have the colour of their own style, not that of the master: only sizes remain.
    return by_name | {name: _sizes(levels) for name, levels in by_name.items() if name not in _STYLE_BY_TYPE.values()}


def _sizes(levels: Levels) -> Levels:
    return {
        number: TextFormat(level_format.hundredths, alignment=level_format.alignment)
        for number, level_format in levels.items()
    }


def _placeholders(
    placed: Sequence[Sequence[tuple[Element, SlideArea]]], styles: Mapping[str, Levels], theme: Mapping[str, Colour]
) -> dict[str, PlaceholderFormat]:
    """Return the placeholder formats by index and by type; `placed` has the master's shapes before the layout's."""
    formats = {
        kind: PlaceholderFormat(levels=styles.get(_STYLE_BY_TYPE.get(kind, "otherStyle"), {}))
        for kind in _MASTER_TYPES.values()
    }
    for shapes in placed:
        below = dict(formats)
        for shape, area in shapes:
            keys = _placeholder_keys(shape)
            if keys:
                inherited = next(below[key] for key in keys if key in below)
                formats |= dict.fromkeys(keys, placeholder_format(shape, area, theme).over(inherited))
    return formats


def placeholder_format(shape: Element, area: SlideArea, theme: Mapping[str, Colour]) -> PlaceholderFormat:
    """Return the format that a shape declares itself."""
    levels = levels_of(next(shape.iter(f"{DRAWING_NAMESPACE} lstStyle"), None), theme)
    fonts = (element for element in shape.iter(f"{DRAWING_NAMESPACE} fontRef") if len(element))
    style_format = next((TextFormat(fill=paint_in(element, theme)) for element in fonts), None)
    if style_format is not None:
        # DrawingML has nine paragraph levels.
        levels = levels_over(levels, {str(number): style_format for number in range(9)})
    return PlaceholderFormat(area, shape_paint(shape, theme), anchor_of(shape), levels)


def _placeholder_keys(shape: Element) -> tuple[str, ...]:
    """Return the lookup keys of a placeholder: index, type, and its type in a master; empty for other shapes."""
    placeholder = next(shape.iter(_PLACEHOLDER), None)
    if placeholder is None:
        return ()
    kind, index = placeholder.get("type", "obj"), placeholder.get("idx", "")
    master_type = _MASTER_TYPES.get(kind, "body")
    return (*([f"idx {index}"] if index else []), kind, *([master_type] if master_type != kind else []))


def _related(package: zipfile.ZipFile, path: str, kind: str) -> str:
    if not path:
        return ""
    return next(
        (relationship.target for relationship in relationships(package, path).values() if relationship.kind == kind), ""
    )


def background_colour(background: Element, theme: Mapping[str, Colour]) -> Colour | None:
    """Return the colour of a background (`p:bg`); None if it is no single colour."""
    for child in background:
        if child.tag == f"{SLIDE_NAMESPACE} bgRef":
            if child.get("idx") in _NO_FILL:
                return WHITE
            return paint_in(child, theme).colour if child.get("idx") == _FIRST_BACKGROUND_FILL else None
        fill = next((element for element in child if element.tag in FILLS), None)
        return WHITE if fill is None else paint_of(fill, theme).colour
    return None


def is_placeholder(shape: Element) -> bool:
    """Return whether the shape inherits position and format from the layout."""
    return next(shape.iter(_PLACEHOLDER), None) is not None


def drawn_area(
    shape: Element, area: SlideArea, theme: Mapping[str, Colour], below: Paint | None = None
) -> DrawnArea | None:
    """Return the area that a shape fills, with `below` as default fill; None if it fills none."""
    if area is UNPLACED:
        return None
    if shape.tag in _IMAGES_AND_FRAMES:
        return DrawnArea(area, None, is_full=True)
    paint = shape_paint(shape, theme) or below
    geometries = (element for part in shape for element in part if element.tag in _GEOMETRY)
    geometry = next(geometries, None)
    name = "rect" if geometry is None else geometry.get("prst", "")
    if shape.tag != _SHAPE or not covers(paint) or any(part in name for part in _LINE_GEOMETRIES):
        return None
    colour = paint.opaque_colour
    return DrawnArea(area, colour, is_full=colour is None or name in _FILLING_GEOMETRIES)


def covers(paint: Paint | None) -> TypeGuard[Paint]:
    """Return whether a fill is opaque enough for text in the colour below it to become visible."""
    return paint is not None and paint.opacity > _MAX_IGNORED_OPACITY


def shape_paint(shape: Element, theme: Mapping[str, Colour]) -> Paint | None:
    """Return the fill of a shape, explicit or of its style; None if it declares none."""
    tags = (*FILLS, NO_FILL)
    fill = next((element for part in _properties(shape) for element in part if element.tag in tags), None)
    if fill is not None:
        return paint_of(fill, theme)
    reference = next(shape.iter(_FILL_REFERENCE), None)
    if reference is None:
        return None
    if reference.get("idx", "0") in _NO_FILL:
        return UNFILLED
    return paint_in(reference, theme) if reference.get("idx") == _FIRST_FILL else Paint(None)


def _properties(shape: Element) -> Iterator[Element]:
    yield from (child for child in shape if child.tag == f"{SLIDE_NAMESPACE} spPr")


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS else 0
