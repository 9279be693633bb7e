"""Ground of a slide: its background, the colours of its theme, and what its layout and its master draw on it."""

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from groundwire.adapters.parse.containers.xml_tree import parse_xml
from groundwire.adapters.parse.containers.zip_package import read_entry
from groundwire.adapters.parse.readers.office.package_parts import relationships
from groundwire.adapters.parse.readers.office.presentations.slide_areas import (
    EVERYWHERE,
    DrawnArea,
    SlideArea,
    placed_shapes,
)
from groundwire.adapters.parse.readers.office.presentations.slides import DRAWING_NAMESPACE, SLIDE_NAMESPACE
from groundwire.adapters.parse.readers.visibility import BLACK, WHITE, Colour, colour_of, with_luminance

FILLS: Final = tuple(
    f"{DRAWING_NAMESPACE} {name}" for name in ("solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
)
_NAMED: Final = {"white": WHITE, "black": BLACK}
_GEOMETRY: Final = (f"{DRAWING_NAMESPACE} prstGeom", f"{DRAWING_NAMESPACE} custGeom")
_FILL_REFERENCE: Final = f"{DRAWING_NAMESPACE} fillRef"
_PLAIN_FILL: Final = "1001"
"""Number of a theme's first background, which is of one colour."""
_NO_FILL: Final = ("0", "1000")
_DIGITS_MAX: Final = 9
_USUAL_NAMES: Final = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}
_DRAWN: Final = tuple(f"{SLIDE_NAMESPACE} {name}" for name in ("pic", "graphicFrame"))
_SHAPE: Final = f"{SLIDE_NAMESPACE} sp"
_TREE: Final = f"{SLIDE_NAMESPACE} spTree"
_PLACEHOLDER: Final = f"{SLIDE_NAMESPACE} ph"
_TYPES_OF_MASTERS: Final = {"ctrTitle": "title"} | {name: name for name in ("title", "body", "dt", "ftr", "sldNum")}
_FIRST_FILL: Final = "1"
"""Number of a theme's first fill, which is of one colour."""
_FULL_SHAPES: Final = ("rect", "roundRect", "ellipse", "flowChartProcess", "round2SameRect", "snip1Rect")
"""Geometries that fill the rectangle around them, or all of it but its corners."""
_LUMINANCE: Final = ("lumMod", "lumOff")
_PER_CENT: Final = 100_000


@dataclass(frozen=True, slots=True)
class SlideGround:
    """Ground of the slides of one layout.

    Attributes:
        background: None where it is no plain colour. theme: colours by their names in the slides.
        drawn: areas that layout and master fill. fills_placeholders: one of them gives a fill to placeholders.
        places: areas of the placeholders of layout and master, by their index and by their type.
    """

    background: Colour | None
    theme: Mapping[str, Colour]
    drawn: tuple[DrawnArea, ...]
    fills_placeholders: bool
    places: Mapping[str, SlideArea]

    def of_slide(self, tree: Element) -> Colour | None:
        """Return the background of a slide, which may have one of its own."""
        own = next(tree.iter(f"{SLIDE_NAMESPACE} bg"), None)
        return self.background if own is None else background_colour(own, self.theme)

    def placeholder_area(self, shape: Element) -> SlideArea:
        """Return the area that a shape takes from its layout; EVERYWHERE for one that is no placeholder."""
        names = _placeholder_names(shape)
        return next((self.places[name] for name in names if name in self.places), EVERYWHERE)


def ground_of(package: zipfile.ZipFile, slide_path: str, known: dict[str, SlideGround]) -> SlideGround:
    """Return the ground of a slide; `known` keeps those of layouts."""
    layout = _related(package, slide_path, "slideLayout")
    if layout not in known:
        known[layout] = _read_ground(package, layout)
    return known[layout]


def _read_ground(package: zipfile.ZipFile, layout: str) -> SlideGround:
    master = _related(package, layout, "slideMaster")
    theme = _related(package, master, "theme")
    trees = [parse_xml(content) for path in (layout, master) if (content := read_entry(package, path))]
    content = read_entry(package, theme)
    colours = _theme_colours(parse_xml(content), trees) if content else {"bg1": WHITE, "lt1": WHITE}
    backgrounds = [one for tree in trees for one in tree.iter(f"{SLIDE_NAMESPACE} bg")]
    shapes = [placed for tree in reversed(trees) for group in tree.iter(_TREE) for placed in placed_shapes(group)]
    drawn = (drawn_area(shape, area, colours) for shape, area in shapes if not is_placeholder(shape))
    return SlideGround(
        background_colour(backgrounds[0], colours) if backgrounds else WHITE,
        colours,
        tuple(area for area in drawn if area is not None),
        any(is_placeholder(shape) and has_fill(shape) for shape, _ in shapes),
        _places(shapes),
    )


def _places(shapes: Sequence[tuple[Element, SlideArea]]) -> dict[str, SlideArea]:
    """Return the areas of placeholders, those of the master before those of the layout."""
    found: dict[str, SlideArea] = {}
    for shape, own in shapes:
        names = _placeholder_names(shape)
        area = own if own is not EVERYWHERE else next((found[name] for name in names if name in found), own)
        if area is not EVERYWHERE:
            found |= dict.fromkeys(names, area)
    return found


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


def _theme_colours(theme: Element, trees: list[Element]) -> dict[str, Colour]:
    """Return the theme's colours by their own names, and by those that the master gives them."""
    found: dict[str, Colour] = {}
    for scheme in theme.iter(f"{DRAWING_NAMESPACE} clrScheme"):
        for entry in scheme:
            colour = next((_plain_colour(one, {}) for one in entry), None)
            if colour is not None:
                found.setdefault(entry.tag.rpartition(" ")[2], colour)
    names = dict(_USUAL_NAMES)
    for tree in trees:
        for mapping in tree.iter(f"{SLIDE_NAMESPACE} clrMap"):
            names |= mapping.attrib
    return found | {name: found[target] for name, target in names.items() if target in found}


def background_colour(background: Element, theme: Mapping[str, Colour]) -> Colour | None:
    """Return the colour of a `p:bg`; None for one that is no plain colour."""
    for child in background:
        if child.tag == f"{SLIDE_NAMESPACE} bgRef":
            if child.get("idx") in _NO_FILL:
                return WHITE
            return _colour_in(child, theme) if child.get("idx") == _PLAIN_FILL else None
        fill = next((one for one in child if one.tag in FILLS), None)
        return WHITE if fill is None else fill_colour(fill, theme)
    return None


def fill_colour(fill: Element, theme: Mapping[str, Colour]) -> Colour | None:
    """Return the colour of a fill; None for one that is no plain colour."""
    return _colour_in(fill, theme) if fill.tag == FILLS[0] else None


def _colour_in(holder: Element, theme: Mapping[str, Colour]) -> Colour | None:
    return next((_plain_colour(child, theme) for child in holder), None)


def _plain_colour(element: Element, theme: Mapping[str, Colour]) -> Colour | None:
    """Return the colour that an element states, with its luminance; None for another shade of a colour."""
    kind, value = element.tag.rpartition(" ")[2], element.get("val", "")
    changes = {one.tag.rpartition(" ")[2]: _number(one.get("val", "")) / _PER_CENT for one in element}
    if not changes.keys() <= set(_LUMINANCE):
        return None
    if kind == "srgbClr":
        colour = colour_of(value)
    elif kind == "schemeClr":
        colour = theme.get(value)
    else:
        colour = colour_of(element.get("lastClr", "")) if kind == "sysClr" else _NAMED.get(value)
    if colour is None or not changes:
        return colour
    return with_luminance(colour, changes.get("lumMod", 1.0), changes.get("lumOff", 0.0))


def is_placeholder(shape: Element) -> bool:
    """Return whether the shape takes its place and its format from the layout."""
    return next(shape.iter(_PLACEHOLDER), None) is not None


def drawn_area(shape: Element, area: SlideArea, theme: Mapping[str, Colour]) -> DrawnArea | None:
    """Return the area that a shape fills; None for one that fills none."""
    if shape.tag in _DRAWN:
        return DrawnArea(area, None, conceals=False)
    if shape.tag != _SHAPE or not has_fill(shape):
        return None
    colour = shape_colour(shape, theme)
    geometries = (one for part in shape for one in part if one.tag.startswith(_GEOMETRY))
    geometry = next(geometries, None)
    is_full = geometry is None or geometry.get("prst") in _FULL_SHAPES
    return DrawnArea(area, colour, conceals=colour is not None and is_full)


def has_fill(shape: Element) -> bool:
    """Return whether the shape has a fill, of its own or of its style."""
    fill = own_fill(shape)
    if fill is not None:
        return fill.tag in FILLS
    return any(one.get("idx", "0") not in _NO_FILL for one in shape.iter(_FILL_REFERENCE))


def shape_colour(shape: Element, theme: Mapping[str, Colour]) -> Colour | None:
    """Return the colour of a shape that has a fill; None for one that is no plain colour."""
    fill = own_fill(shape)
    if fill is not None:
        return fill_colour(fill, theme)
    reference = next(shape.iter(_FILL_REFERENCE), None)
    return None if reference is None or reference.get("idx") != _FIRST_FILL else _colour_in(reference, theme)


def own_fill(shape: Element) -> Element | None:
    """Return the fill that the shape states, which may be that it has none."""
    tags = (*FILLS, f"{DRAWING_NAMESPACE} noFill")
    return next((one for part in _properties(shape) for one in part if one.tag in tags), None)


def _properties(shape: Element) -> Iterator[Element]:
    yield from (one for one in shape if one.tag == f"{SLIDE_NAMESPACE} spPr")


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _DIGITS_MAX else 0
