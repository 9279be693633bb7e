"""Colours and fills of slides: what elements state, and the theme's colours that they refer to."""

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.html.css import colours
from groundwire_readers.readers.office.presentations.slides import DRAWING_NAMESPACE, SLIDE_NAMESPACE
from groundwire_readers.readers.visibility import Colour, colour_of, look_same, with_luminance

_SOLID, _GRADIENT, _PICTURE, _PATTERN, _OF_GROUP, NO_FILL = (
    f"{DRAWING_NAMESPACE} {name}" for name in ("solidFill", "gradFill", "blipFill", "pattFill", "grpFill", "noFill")
)
FILLS: Final = (_SOLID, _GRADIENT, _PICTURE, _PATTERN, _OF_GROUP)
_STOP: Final = f"{DRAWING_NAMESPACE} gs"
# The usual colour map of a master: slides say bg1 and tx1 where themes say lt1 and dk1.
_USUAL_NAMES: Final = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}
_OPACITIES: Final = ("alpha", "alphaMod", "alphaOff")
_FAINT: Final = 0.02
"""Maximum opacity at which nothing of a fill can be seen."""
_OPAQUE: Final = 0.98
_DIGITS_MAX: Final = 9
_PER_CENT: Final = 100_000
_DEGREES: Final = 360 * 60_000


@dataclass(frozen=True, slots=True)
class Paint:
    """Fill of an area or of letters; `colour` is None where it is no plain colour, `opacity` is from 0 to 1."""

    colour: Colour | None
    opacity: float = 1.0

    @property
    def is_seen(self) -> bool:
        """Return whether the fill is more than faint."""
        return self.opacity > _FAINT

    @property
    def opaque_colour(self) -> Colour | None:
        """Return the colour that a person sees; None where it depends on what is below."""
        return self.colour if self.opacity >= _OPAQUE else None


UNFILLED: Final = Paint(None, 0.0)


def paint_of(fill: Element, theme: Mapping[str, Colour]) -> Paint:
    """Return what a fill draws; a gradient or a pattern whose colours look the same is a plain colour."""
    if fill.tag == NO_FILL:
        return UNFILLED
    if fill.tag == _GRADIENT:
        return _mixture([paint_in(stop, theme) for stop in fill.iter(_STOP)])
    if fill.tag == _PATTERN:
        return _mixture([paint_in(part, theme) for part in fill])
    return paint_in(fill, theme) if fill.tag == _SOLID else Paint(None)


def _mixture(paints: list[Paint]) -> Paint:
    if not paints:
        return Paint(None)
    first = paints[0].colour
    is_plain = first is not None and all(one.colour is not None and look_same(one.colour, first) for one in paints)
    opacities = [one.opacity for one in paints]
    # The most opaque part decides whether letters are seen, the least opaque one whether an area covers what is below.
    is_even = max(opacities) - min(opacities) <= _FAINT
    return Paint(first if is_plain and is_even else None, max(opacities))


def paint_in(holder: Element, theme: Mapping[str, Colour]) -> Paint:
    """Return the colour that is within an element, with its opacity."""
    for child in holder:
        return Paint(_plain_colour(child, theme), _opacity(child))
    return Paint(None)


def theme_colours(theme: Element, trees: list[Element]) -> dict[str, Colour]:
    """Return the theme's colours by their own names, and by those that the master gives them."""
    found: dict[str, Colour] = {}
    for scheme in theme.iter(f"{DRAWING_NAMESPACE} clrScheme"):
        for entry in scheme:
            colour = paint_in(entry, {}).colour
            if colour is not None:
                found.setdefault(entry.tag.rpartition(" ")[2], colour)
    names = dict(_USUAL_NAMES)
    for tree in trees:
        for mapping in tree.iter(f"{SLIDE_NAMESPACE} clrMap"):
            names |= mapping.attrib
    return found | {name: found[target] for name, target in names.items() if target in found}


def _plain_colour(element: Element, theme: Mapping[str, Colour]) -> Colour | None:
    """Return the colour that an element states, in the shade that it gives; None for one that is not known.

    Changes of hue, saturation and gamma are not evaluated: they leave white and black as they are.
    """
    colour = _base_colour(element, theme)
    if colour is None:
        return None
    changes = {_name(one): _share(one.get("val", "")) for one in element}
    if "lum" in changes:
        colour = with_luminance(colour, 0.0, changes["lum"])
    if not changes.keys().isdisjoint(("lumMod", "lumOff")):
        colour = with_luminance(colour, changes.get("lumMod", 1.0), changes.get("lumOff", 0.0))
    if "shade" in changes:
        # `shade` is the share that stays of a colour beside black, `tint` the one beside white.
        colour = _mixed(colour, 0, changes["shade"])
    return _mixed(colour, 255, changes["tint"]) if "tint" in changes else colour


def _base_colour(element: Element, theme: Mapping[str, Colour]) -> Colour | None:
    kind, value = _name(element), element.get("val", "")
    if kind == "srgbClr":
        return colour_of(value)
    if kind == "schemeClr":
        return theme.get(value)
    if kind == "sysClr":
        return colour_of(element.get("lastClr", ""))
    if kind == "prstClr":
        # Preset colours have the names of CSS in camel case, except abbreviations such as dkBlue.
        return colours.colour_of(value.lower())
    return _of_shares(kind, element)


def _of_shares(kind: str, element: Element) -> Colour | None:
    """Return a colour that is stated by the shares of red, green and blue, or by hue, saturation and luminance."""
    if kind == "scrgbClr":
        shares = [_share(element.get(name, "")) for name in ("r", "g", "b")]
    elif kind == "hslClr":
        hue = _number(element.get("hue", "")) % _DEGREES / _DEGREES
        shares = colorsys.hls_to_rgb(hue, _share(element.get("lum", "")), _share(element.get("sat", "")))
    else:
        return None
    red, green, blue = (round(255 * share) for share in shares)
    return red, green, blue


def _opacity(colour: Element) -> float:
    opacity = 1.0
    for change in colour:
        name = _name(change)
        if name in _OPACITIES:
            share = _share(change.get("val", ""))
            opacity = {"alpha": share, "alphaMod": opacity * share, "alphaOff": opacity + share}[name]
    return min(1.0, max(0.0, opacity))


def _mixed(colour: Colour, other: int, share: float) -> Colour:
    red, green, blue = (round(channel * share + other * (1 - share)) for channel in colour)
    return red, green, blue


def _name(element: Element) -> str:
    return element.tag.rpartition(" ")[2]


def _share(text: str) -> float:
    """Return the number from -1 to 1 of a text in thousandths of a percent, or in percent such as "2.5%"."""
    whole, dot, part = text.removesuffix("%").partition(".")
    is_negative, number = whole.startswith("-"), _number(whole.removeprefix("-"))
    fraction = _number(part[:3].ljust(3, "0")) / 1_000 if dot else 0.0
    share = (number + fraction) / (100 if text.endswith("%") else _PER_CENT)
    return min(1.0, share) * (-1 if is_negative else 1)


def share_of_full(text: str) -> float:
    """Return the number from 0 to 1 of a text in thousandths of a percent, or in percent; 1 without one."""
    return max(0.0, _share(text)) if text else 1.0


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _DIGITS_MAX else 0
