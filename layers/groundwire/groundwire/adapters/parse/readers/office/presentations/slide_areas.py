"""Places of shapes on a slide, and the colours that are below a text."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from groundwire.adapters.parse.readers.office.alternatives import shown_children
from groundwire.adapters.parse.readers.office.presentations.slides import (
    DRAWING_NAMESPACE,
    SLIDE_NAMESPACE,
    is_hidden_shape,
)
from groundwire.adapters.parse.readers.visibility import Colour

_LEGIBLE: Final = 5 * 12_700
"""Least width and height of a part of a text in which a person recognises a character: 5 points."""
_DIGITS_MAX: Final = 15
_DEGREE: Final = 60_000
_TOLERANCE: Final = 2
"""Maximum difference of an angle from a right one, in degrees, at which a shape counts as upright."""
_PROPERTIES: Final = (f"{SLIDE_NAMESPACE} spPr", f"{SLIDE_NAMESPACE} grpSpPr")
_PLACES: Final = (f"{DRAWING_NAMESPACE} xfrm", f"{SLIDE_NAMESPACE} xfrm")


@dataclass(frozen=True, slots=True)
class SlideArea:
    """Rectangle on a slide, in units of its file; `is_exact` unless it is the box around a turned shape."""

    left: int
    top: int
    right: int
    bottom: int
    is_exact: bool = True

    def shows_part_of(self, text: "SlideArea") -> bool:
        """Return whether this area is below a part of the text that is large enough to be read."""
        if self.right <= self.left or self.bottom <= self.top:
            return False
        width = min(self.right, text.right) - max(self.left, text.left)
        height = min(self.bottom, text.bottom) - max(self.top, text.top)
        return width >= min(_LEGIBLE, text.right - text.left) and height >= min(_LEGIBLE, text.bottom - text.top)

    def contains(self, other: "SlideArea") -> bool:
        """Return whether the other rectangle is within this one."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )


EVERYWHERE: Final = SlideArea(-(10**16), -(10**16), 10**16, 10**16, is_exact=False)
"""SlideArea of a shape whose place is not known."""


@dataclass(frozen=True, slots=True)
class DrawnArea:
    """Area that a shape fills; `colour` is None where it is no plain colour, `conceals` where nothing below is seen."""

    area: SlideArea
    colour: Colour | None
    conceals: bool


def colours_below(text: SlideArea, drawn: Sequence[DrawnArea], background: Colour | None) -> set[Colour | None]:
    """Return the colours that are below parts of a text; None for one that is not certain.

    Args:
        text: the area of the text.
        drawn: areas from the lowest to the topmost.
        background: that of the slide.
    """
    found: set[Colour | None] = set()
    for one in reversed(drawn):
        if one.area.shows_part_of(text):
            found.add(one.colour)
            if one.conceals and one.area.is_exact and one.area.contains(text):
                return found
    return found | {background}


@dataclass(frozen=True, slots=True)
class _Scale:
    """Places within a group: each is multiplied, then moved; None where the group is turned."""

    width: float = 1.0
    height: float = 1.0
    left: float = 0.0
    top: float = 0.0
    is_known: bool = True

    def applied(self, area: SlideArea) -> SlideArea:
        if not self.is_known or area is EVERYWHERE:
            return EVERYWHERE
        left, right = (int(self.left + self.width * value) for value in (area.left, area.right))
        top, bottom = (int(self.top + self.height * value) for value in (area.top, area.bottom))
        return SlideArea(left, top, right, bottom, area.is_exact)


def placed_shapes(group: Element, scale: _Scale | None = None) -> Iterator[tuple[Element, SlideArea]]:
    """Yield the visible shapes of a tree or a group, also of groups within it, and the place of each."""
    scale = scale or _Scale()
    for shape in shown_children(group):
        if is_hidden_shape(shape):
            continue
        if shape.tag == f"{SLIDE_NAMESPACE} grpSp":
            yield from placed_shapes(shape, _scale_within(shape, scale))
        else:
            yield shape, scale.applied(_area_of(shape))


def _area_of(shape: Element) -> SlideArea:
    """Return the place that a shape states; EVERYWHERE without one."""
    place = _place(shape)
    if place is None:
        return EVERYWHERE
    left, top = _pair(place, "off", ("x", "y"))
    width, height = _pair(place, "ext", ("cx", "cy"))
    angle = _number(place.get("rot", "")) / _DEGREE % 180
    if min(angle, 180 - angle) <= _TOLERANCE:
        return SlideArea(left, top, left + width, top + height)
    centre = (left + width // 2, top + height // 2)
    if abs(angle - 90) <= _TOLERANCE:
        half_width, half_height, is_exact = height // 2, width // 2, True
    else:
        half_width = half_height = int(math.hypot(width, height) / 2)
        is_exact = False
    return SlideArea(
        centre[0] - half_width, centre[1] - half_height, centre[0] + half_width, centre[1] + half_height, is_exact
    )


def _scale_within(group: Element, outer: _Scale) -> _Scale:
    place = _place(group)
    if place is None:
        return outer
    left, top = _pair(place, "off", ("x", "y"))
    width, height = _pair(place, "ext", ("cx", "cy"))
    inner_left, inner_top = _pair(place, "chOff", ("x", "y"))
    inner_width, inner_height = _pair(place, "chExt", ("cx", "cy"))
    wide = width / inner_width if inner_width else 1.0
    high = height / inner_height if inner_height else 1.0
    return _Scale(
        outer.width * wide,
        outer.height * high,
        outer.left + outer.width * (left - wide * inner_left),
        outer.top + outer.height * (top - high * inner_top),
        outer.is_known and not _number(place.get("rot", "")) % (360 * _DEGREE),
    )


def _place(shape: Element) -> Element | None:
    holders = (shape, *(one for one in shape if one.tag in _PROPERTIES))
    return next((one for holder in holders for one in holder if one.tag in _PLACES), None)


def _pair(place: Element, name: str, attributes: tuple[str, str]) -> tuple[int, int]:
    found = next((one for one in place if one.tag == f"{DRAWING_NAMESPACE} {name}"), None)
    first, second = (0 if found is None else _number(found.get(attribute, "")) for attribute in attributes)
    return first, second


def _number(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= _DIGITS_MAX):
        return 0
    return int(text)
