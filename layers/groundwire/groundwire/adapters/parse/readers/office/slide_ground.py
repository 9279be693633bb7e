"""Ground of a slide: its background, the colours of its theme, and what its layout and its master draw on it."""

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from groundwire.adapters.parse.containers.xml_tree import parse_xml
from groundwire.adapters.parse.containers.zip_package import read_entry
from groundwire.adapters.parse.readers.office.package_parts import relationships
from groundwire.adapters.parse.readers.office.slides import DRAWING_NAMESPACE, SLIDE_NAMESPACE
from groundwire.adapters.parse.readers.visibility import BLACK, WHITE, Colour, colour_of

FILLS: Final = tuple(
    f"{DRAWING_NAMESPACE} {name}" for name in ("solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
)
_NAMED: Final = {"white": WHITE, "black": BLACK}
_PLAIN_FILL: Final = "1001"
"""Number of a theme's first background, which is of one colour."""
_NO_FILL: Final = ("0", "1000")
_DIGITS_MAX: Final = 15
_USUAL_NAMES: Final = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}
_DRAWN: Final = tuple(f"{SLIDE_NAMESPACE} {name}" for name in ("pic", "graphicFrame", "grpSp"))


@dataclass(frozen=True, slots=True)
class SlideArea:
    """Rectangle on a slide, in units of its file."""

    left: int
    top: int
    right: int
    bottom: int

    def meets(self, other: "SlideArea") -> bool:
        """Return whether the rectangles have a point in common."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


EVERYWHERE: Final = SlideArea(-(10**16), -(10**16), 10**16, 10**16)
"""SlideArea of a shape whose place depends on another part."""


@dataclass(frozen=True, slots=True)
class SlideGround:
    """Ground of the slides of one layout.

    Attributes:
        background: None where it is no plain colour. theme: colours by their names in the slides.
        drawn: areas that layout and master fill. fills_placeholders: one of them gives a fill to placeholders.
    """

    background: Colour | None
    theme: Mapping[str, Colour]
    drawn: tuple[SlideArea, ...]
    fills_placeholders: bool

    def of_slide(self, tree: Element) -> Colour | None:
        """Return the background of a slide, which may have one of its own."""
        own = next(tree.iter(f"{SLIDE_NAMESPACE} bg"), None)
        return self.background if own is None else background_colour(own, self.theme)


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
    shapes = [shape for tree in trees for shapes in tree.iter(f"{SLIDE_NAMESPACE} spTree") for shape in shapes]
    return SlideGround(
        background_colour(backgrounds[0], colours) if backgrounds else WHITE,
        colours,
        tuple(area_of(shape) for shape in shapes if is_drawn(shape) and not is_placeholder(shape)),
        any(is_placeholder(shape) and has_fill(shape) for shape in shapes),
    )


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
    """Return the colour that an element states; None for a shade of another colour."""
    kind, value = element.tag.rpartition(" ")[2], element.get("val", "")
    if len(element):
        return None
    if kind == "srgbClr":
        return colour_of(value)
    if kind == "schemeClr":
        return theme.get(value)
    return colour_of(element.get("lastClr", "")) if kind == "sysClr" else _NAMED.get(value)


def is_placeholder(shape: Element) -> bool:
    """Return whether the shape takes its place and its format from the layout."""
    return next(shape.iter(f"{SLIDE_NAMESPACE} ph"), None) is not None


def is_drawn(shape: Element) -> bool:
    """Return whether the shape covers what is below it."""
    return shape.tag in _DRAWN or has_fill(shape)


def has_fill(shape: Element) -> bool:
    """Return whether the shape has a fill, of its own or of its style."""
    fill = own_fill(shape)
    if fill is not None:
        return fill.tag in FILLS
    return any(one.get("idx", "0") not in _NO_FILL for one in shape.iter(f"{DRAWING_NAMESPACE} fillRef"))


def own_fill(shape: Element) -> Element | None:
    """Return the fill that the shape states, which may be that it has none."""
    tags = (*FILLS, f"{DRAWING_NAMESPACE} noFill")
    return next((one for part in _properties(shape) for one in part if one.tag in tags), None)


def area_of(shape: Element) -> SlideArea:
    """Return the place of a shape; EVERYWHERE without one of its own."""
    for properties in _properties(shape):
        for place in properties:
            if place.tag == f"{DRAWING_NAMESPACE} xfrm":
                numbers = {one.tag.rpartition(" ")[2]: one.attrib for one in place}
                left, top = (_number(numbers.get("off", {}).get(name, "")) for name in ("x", "y"))
                wide, high = (_number(numbers.get("ext", {}).get(name, "")) for name in ("cx", "cy"))
                return SlideArea(left, top, left + wide, top + high)
    return EVERYWHERE


def _properties(shape: Element) -> Iterator[Element]:
    yield from (one for one in shape if one.tag == f"{SLIDE_NAMESPACE} spPr")


def _number(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= _DIGITS_MAX):
        return 0
    return int(text)
