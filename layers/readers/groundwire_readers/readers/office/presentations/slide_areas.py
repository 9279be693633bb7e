"""Places of shapes on a slide, and the colours that are below a text."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.office.alternatives import shown_children
from groundwire_readers.readers.office.presentations.slides import (
    DRAWING_NAMESPACE,
    SLIDE_NAMESPACE,
    is_hidden_shape,
)
from groundwire_readers.readers.visibility import Colour

_DIGITS_MAX: Final = 15
# DrawingML counts angles in 60,000ths of a degree (ISO/IEC 29500-1, 20.1.10.3).
_DEGREE: Final = 60_000
_PROPERTIES: Final = (f"{SLIDE_NAMESPACE} spPr", f"{SLIDE_NAMESPACE} grpSpPr")
_PLACES: Final = (f"{DRAWING_NAMESPACE} xfrm", f"{SLIDE_NAMESPACE} xfrm")
_COLUMNS: Final = 8
_ROWS: Final = 3

Point = tuple[float, float]
Colours = frozenset[Colour | None]
"""Colours that may be at a point; None among them for one that is not certain."""


@dataclass(frozen=True, slots=True)
class SlideArea:
    """Rectangle on a slide, in units of its file, turned about its centre by `turn` degrees."""

    left: float
    top: float
    right: float
    bottom: float
    turn: float = 0.0

    @property
    def centre(self) -> Point:
        """The point in the middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def has(self, point: Point) -> bool:
        """Return whether the point is within the area."""
        x, y = _turned(point, self.centre, -self.turn) if self.turn else point
        return self.left <= x < self.right and self.top <= y < self.bottom

    def points(self) -> list[Point]:
        """Return points that are spread evenly over the area."""
        wide, high = (self.right - self.left) / _COLUMNS, (self.bottom - self.top) / _ROWS
        flat = [
            (self.left + wide * (column + 0.5), self.top + high * (row + 0.5))
            for row in range(_ROWS)
            for column in range(_COLUMNS)
        ]
        return [_turned(point, self.centre, self.turn) for point in flat] if self.turn else flat

    def bounds(self) -> tuple[float, float, float, float]:
        """Return the left, the top, the right and the bottom of the upright rectangle around the area."""
        if not self.turn:
            return self.left, self.top, self.right, self.bottom
        corners = [(x, y) for x in (self.left, self.right) for y in (self.top, self.bottom)]
        turned = [_turned(corner, self.centre, self.turn) for corner in corners]
        across, down = [x for x, _ in turned], [y for _, y in turned]
        return min(across), min(down), max(across), max(down)

    def is_outside(self, page: "SlideArea") -> bool:
        """Return whether no part of this area is on the page, which is not turned."""
        left, top, right, bottom = self.bounds()
        return right <= page.left or left >= page.right or bottom <= page.top or top >= page.bottom


UNPLACED: Final = SlideArea(0, 0, 0, 0)
"""Area of a shape that states no place; a program draws nothing of it."""


@dataclass(frozen=True, slots=True)
class DrawnArea:
    """Area that a shape fills; `colour` is None where it is no plain colour, `is_full` where it fills all of it."""

    area: SlideArea
    colour: Colour | None
    is_full: bool


def colours_below(text: SlideArea, drawn: Sequence[DrawnArea], background: Colour | None) -> tuple[list[Colours], int]:
    """Return the colours that may be below each point of a text, and with how many points areas were compared.

    Args:
        text: the area of the text.
        drawn: areas from the lowest to the topmost.
        background: that of the slide.
    """
    left, top, right, bottom = text.bounds()
    done: list[Colours] = []
    still: list[tuple[Point, Colours]] = [(point, frozenset()) for point in text.points()]
    compared = 0
    for one in reversed(drawn):
        area = one.area
        is_beside = area.left > right or area.right <= left or area.top > bottom or area.bottom <= top
        # A turned area reaches beyond its own left and right edge.
        if is_beside and not area.turn:
            continue
        compared += len(still)
        hits = [area.has(point) for point, _ in still]
        found = [(point, colours | {one.colour}) for (point, colours), hit in zip(still, hits, strict=True) if hit]
        missed = [pair for pair, hit in zip(still, hits, strict=True) if not hit]
        # A star or an arrow leaves part of its rectangle to what is below it.
        done += [colours for _, colours in found] if one.is_full else []
        still = missed if one.is_full else missed + found
        if not still:
            break
    return done + [colours | {background} for _, colours in still], compared


@dataclass(frozen=True, slots=True)
class _GroupPlace:
    """Place of a group: places within it are multiplied, moved, turned about its centre, then placed by `outer`."""

    width: float
    height: float
    left: float
    top: float
    area: SlideArea
    outer: "_GroupPlace | None"

    def applied(self, area: SlideArea) -> SlideArea:
        left, right = (self.left + self.width * value for value in (area.left, area.right))
        top, bottom = (self.top + self.height * value for value in (area.top, area.bottom))
        placed = SlideArea(left, top, right, bottom, area.turn)
        if self.area.turn:
            x, y = placed.centre
            centre = _turned((x, y), self.area.centre, self.area.turn)
            right_by, down_by = centre[0] - x, centre[1] - y
            placed = SlideArea(
                left + right_by, top + down_by, right + right_by, bottom + down_by, area.turn + self.area.turn
            )
        return placed if self.outer is None else self.outer.applied(placed)


def placed_shapes(group: Element, place: _GroupPlace | None = None) -> Iterator[tuple[Element, SlideArea]]:
    """Yield the visible shapes of a tree or a group, also of groups within it, and the place of each."""
    for shape in shown_children(group):
        if is_hidden_shape(shape):
            continue
        if shape.tag == f"{SLIDE_NAMESPACE} grpSp":
            yield from placed_shapes(shape, _place_of_group(shape, place))
        else:
            area = _area_of(shape)
            yield shape, area if place is None or area is UNPLACED else place.applied(area)


def _area_of(shape: Element) -> SlideArea:
    """Return the place that a shape states; UNPLACED without one."""
    place = _place(shape)
    if place is None:
        return UNPLACED
    left, top = _pair(place, "off", ("x", "y"))
    width, height = _pair(place, "ext", ("cx", "cy"))
    return SlideArea(left, top, left + width, top + height, _number(place.get("rot", "")) / _DEGREE % 360)


def _place_of_group(group: Element, outer: _GroupPlace | None) -> _GroupPlace | None:
    place = _place(group)
    if place is None:
        return outer
    area = _area_of(group)
    inner_left, inner_top = _pair(place, "chOff", ("x", "y"))
    inner_width, inner_height = _pair(place, "chExt", ("cx", "cy"))
    wide = (area.right - area.left) / inner_width if inner_width else 1.0
    high = (area.bottom - area.top) / inner_height if inner_height else 1.0
    return _GroupPlace(wide, high, area.left - wide * inner_left, area.top - high * inner_top, area, outer)


def _turned(point: Point, centre: Point, degrees: float) -> Point:
    angle = math.radians(degrees)
    x, y = point[0] - centre[0], point[1] - centre[1]
    cosine, sine = math.cos(angle), math.sin(angle)
    return centre[0] + x * cosine - y * sine, centre[1] + x * sine + y * cosine


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
