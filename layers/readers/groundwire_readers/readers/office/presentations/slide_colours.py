"""Colours and fills of DrawingML: explicit colours, theme colours, and their modifications (ISO/IEC 29500-1, 20.1)."""

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.html.css import colours
from groundwire_readers.readers.office.presentations.slides import DRAWING_NAMESPACE, SLIDE_NAMESPACE
from groundwire_readers.readers.visibility import Colour, colour_of, look_same, with_luminance

_SOLID, _GRADIENT, _PICTURE, _PATTERN, _GROUP_FILL, NO_FILL = (
    f"{DRAWING_NAMESPACE} {name}" for name in ("solidFill", "gradFill", "blipFill", "pattFill", "grpFill", "noFill")
)
FILLS: Final = (_SOLID, _GRADIENT, _PICTURE, _PATTERN, _GROUP_FILL)
_STOP: Final = f"{DRAWING_NAMESPACE} gs"
# The default colour map of a master: slides refer to bg1 and tx1, which themes define as lt1 and dk1.
_DEFAULT_COLOUR_MAP: Final = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}
_OPACITY_CHANGES: Final = ("alpha", "alphaMod", "alphaOff")
_MAX_INVISIBLE_OPACITY: Final = 0.02
"""Maximum opacity at which a fill is invisible."""
_MIN_OPAQUE_OPACITY: Final = 0.98
"""Minimum opacity at which a fill hides what is below it."""
_MAX_DIGITS: Final = 9
_UNITS_PER_WHOLE: Final = 100_000
_UNITS_PER_CIRCLE: Final = 360 * 60_000


@dataclass(frozen=True, slots=True)
class Paint:
    """Fill of an area or of letters; `colour` is None if it is no single known colour, `opacity` is from 0 to 1."""

    colour: Colour | None
    opacity: float = 1.0

    @property
    def is_visible(self) -> bool:
        """Return whether the fill is visible."""
        return self.opacity > _MAX_INVISIBLE_OPACITY

    @property
    def opaque_colour(self) -> Colour | None:
        """Return the displayed colour; None if it is unknown or depends on what is below."""
        return self.colour if self.opacity >= _MIN_OPAQUE_OPACITY else None


UNFILLED: Final = Paint(None, 0.0)


def paint_of(fill: Element, theme: Mapping[str, Colour]) -> Paint:
    """Return the paint of a fill element; a gradient or pattern of similar colours counts as one colour."""
    if fill.tag == NO_FILL:
        return UNFILLED
    if fill.tag == _GRADIENT:
        return _combined_paint([paint_in(stop, theme) for stop in fill.iter(_STOP)])
    if fill.tag == _PATTERN:
        return _combined_paint([paint_in(part, theme) for part in fill])
    return paint_in(fill, theme) if fill.tag == _SOLID else Paint(None)


def _combined_paint(paints: list[Paint]) -> Paint:
    if not paints:
        return Paint(None)
    first = paints[0].colour
    has_one_colour = first is not None and all(
        paint.colour is not None and look_same(paint.colour, first) for paint in paints
    )
    opacities = [paint.opacity for paint in paints]
    # The most opaque stop decides whether letters are visible, the least opaque one whether an area hides others.
    is_even = max(opacities) - min(opacities) <= _MAX_INVISIBLE_OPACITY
    return Paint(first if has_one_colour and is_even else None, max(opacities))


def paint_in(holder: Element, theme: Mapping[str, Colour]) -> Paint:
    """Return the paint of the first colour element within an element."""
    for child in holder:
        return Paint(_plain_colour(child, theme), _opacity(child))
    return Paint(None)


def theme_colours(theme: Element, trees: list[Element]) -> dict[str, Colour]:
    """Return the theme's colours by their names in the theme and by the names that the master maps to them."""
    colours: dict[str, Colour] = {}
    for scheme in theme.iter(f"{DRAWING_NAMESPACE} clrScheme"):
        for entry in scheme:
            colour = paint_in(entry, {}).colour
            if colour is not None:
                colours.setdefault(entry.tag.rpartition(" ")[2], colour)
    names = dict(_DEFAULT_COLOUR_MAP)
    for tree in trees:
        for mapping in tree.iter(f"{SLIDE_NAMESPACE} clrMap"):
            names |= mapping.attrib
    return colours | {name: colours[target] for name, target in names.items() if target in colours}


def _plain_colour(element: Element, theme: Mapping[str, Colour]) -> Colour | None:
    """Return the colour of a colour element with its modifications applied; None if it is unknown.

    Modifications of hue, saturation and gamma are ignored: they do not change white and black.
    """
    colour = _base_colour(element, theme)
    if colour is None:
        return None
    changes = {_name(child): _share(child.get("val", "")) for child in element}
    if "lum" in changes:
        colour = with_luminance(colour, 0.0, changes["lum"])
    if not changes.keys().isdisjoint(("lumMod", "lumOff")):
        colour = with_luminance(colour, changes.get("lumMod", 1.0), changes.get("lumOff", 0.0))
    if "shade" in changes:
        # `shade` is the share of the colour in a mix with black, `tint` its share in a mix with white.
        colour = _mixed_with_grey(colour, 0, changes["shade"])
    return _mixed_with_grey(colour, 255, changes["tint"]) if "tint" in changes else colour


def _base_colour(element: Element, theme: Mapping[str, Colour]) -> Colour | None:
    kind, value = _name(element), element.get("val", "")
    if kind == "srgbClr":
        return colour_of(value)
    if kind == "schemeClr":
        return theme.get(value)
    if kind == "sysClr":
        return colour_of(element.get("lastClr", ""))
    if kind == "prstClr":
        # Preset colours are named like those of CSS, in camel case, except abbreviations such as dkBlue.
        return colours.colour_of(value.lower())
    return _colour_of_components(kind, element)


def _colour_of_components(kind: str, element: Element) -> Colour | None:
    """Return a colour given as shares of red, green and blue, or as hue, saturation and luminance."""
    if kind == "scrgbClr":
        shares = [_share(element.get(name, "")) for name in ("r", "g", "b")]
    elif kind == "hslClr":
        hue = _number(element.get("hue", "")) % _UNITS_PER_CIRCLE / _UNITS_PER_CIRCLE
        shares = colorsys.hls_to_rgb(hue, _share(element.get("lum", "")), _share(element.get("sat", "")))
    else:
        return None
    red, green, blue = (round(255 * share) for share in shares)
    return red, green, blue


def _opacity(colour: Element) -> float:
    opacity = 1.0
    for change in colour:
        name = _name(change)
        if name in _OPACITY_CHANGES:
            share = _share(change.get("val", ""))
            opacity = {"alpha": share, "alphaMod": opacity * share, "alphaOff": opacity + share}[name]
    return min(1.0, max(0.0, opacity))


def _mixed_with_grey(colour: Colour, other: int, share: float) -> Colour:
    red, green, blue = (round(channel * share + other * (1 - share)) for channel in colour)
    return red, green, blue


def _name(element: Element) -> str:
    return element.tag.rpartition(" ")[2]


def _share(text: str) -> float:
    """Return a share from -1 to 1, given in thousandths of a percent or as a percentage such as "2.5%"."""
    integer, dot, decimals = text.removesuffix("%").partition(".")
    is_negative, number = integer.startswith("-"), _number(integer.removeprefix("-"))
    fraction = _number(decimals[:3].ljust(3, "0")) / 1_000 if dot else 0.0
    share = (number + fraction) / (100 if text.endswith("%") else _UNITS_PER_WHOLE)
    return min(1.0, share) * (-1 if is_negative else 1)


def share_of_full(text: str) -> float:
    """Return a share from 0 to 1, given in thousandths of a percent or as a percentage; 1 for an empty text."""
    return max(0.0, _share(text)) if text else 1.0


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS else 0
