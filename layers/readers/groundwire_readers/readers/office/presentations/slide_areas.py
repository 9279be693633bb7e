"""Positions of shapes on a slide, and the colours behind a text."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.office.alternatives import shown_children
from groundwire_readers.readers.office.presentations.slides import DRAWING_NAMESPACE, SLIDE_NAMESPACE, is_hidden_shape
from groundwire_readers.readers.visibility import Colour

_MAX_DIGITS: Final = 15
# DrawingML counts angles in 60,000ths of a degree (ISO/IEC 29500-1, 20.1.10.3).
_UNITS_PER_DEGREE: Final = 60_000
_SHAPE_PROPERTIES: Final = (f"{SLIDE_NAMESPACE} spPr", f"{SLIDE_NAMESPACE} grpSpPr")
_TRANSFORMS: Final = (f"{DRAWING_NAMESPACE} xfrm", f"{SLIDE_NAMESPACE} xfrm")
_COLUMNS: Final = 8
_ROWS: Final = 3
"""Number of sample points of an area, across and down."""

Point = tuple[float, float]
Colours = frozenset[Colour | None]
"""Colours that a point may have; None among them is an unknown colour."""


@dataclass(frozen=True, slots=True)
class SlideArea:
    """Rectangle on a slide in English metric units (EMU), rotated clockwise about its centre by `rotation` degrees."""

    left: float
    top: float
    right: float
    bottom: float
    rotation: float = 0.0

    @property
    def centre(self) -> Point:
        """The point in the middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def has(self, point: Point) -> bool:
        """Return whether the point is within the rotated rectangle."""
        x, y = _rotated(point, self.centre, -self.rotation) if self.rotation else point
        return self.left <= x < self.right and self.top <= y < self.bottom

    def points(self) -> list[Point]:
        """Return sample points that are evenly spread over the area."""
        column_width, row_height = (self.right - self.left) / _COLUMNS, (self.bottom - self.top) / _ROWS
        unrotated = [
            (self.left + column_width * (column + 0.5), self.top + row_height * (row + 0.5))
            for row in range(_ROWS)
            for column in range(_COLUMNS)
        ]
        return [_rotated(point, self.centre, self.rotation) for point in unrotated] if self.rotation else unrotated

    def bounds(self) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of the axis-aligned bounding box."""
        if not self.rotation:
            return self.left, self.top, self.right, self.bottom
        corners = [(x, y) for x in (self.left, self.right) for y in (self.top, self.bottom)]
        rotated = [_rotated(corner, self.centre, self.rotation) for corner in corners]
        xs, ys = [x for x, _ in rotated], [y for _, y in rotated]
        return min(xs), min(ys), max(xs), max(ys)

    def is_outside(self, page: "SlideArea") -> bool:
        """Return whether no part of this area is on the page, which is not rotated."""
        left, top, right, bottom = self.bounds()
        return right <= page.left or left >= page.right or bottom <= page.top or top >= page.bottom


UNPLACED: Final = SlideArea(0, 0, 0, 0)
"""Area of a shape without a position, of which programs draw nothing."""


@dataclass(frozen=True, slots=True)
class DrawnArea:
    """Area that a shape fills, entirely if `is_full`; `colour` is None if it is no single colour."""

    area: SlideArea
    colour: Colour | None
    is_full: bool


def colours_below(text: SlideArea, drawn: Sequence[DrawnArea], background: Colour | None) -> tuple[list[Colours], int]:
    """Return the possible background colours of each sample point of a text, and the number of comparisons made.

    Args:
        text: the area of the text.
        drawn: filled areas below the text, from the lowest to the topmost.
        background: the background of the slide.
    """
    left, top, right, bottom = text.bounds()
    finished: list[Colours] = []
    pending: list[tuple[Point, Colours]] = [(point, frozenset()) for point in text.points()]
    comparisons = 0
    for filled in reversed(drawn):
        area = filled.area
        is_beside = area.left > right or area.right <= left or area.top > bottom or area.bottom <= top
        # A rotated area extends beyond its own left and right edge.
        if is_beside and not area.rotation:
            continue
        comparisons += len(pending)
        hits = [area.has(point) for point, _ in pending]
        covered = [
            (point, colours | {filled.colour}) for (point, colours), hit in zip(pending, hits, strict=True) if hit
        ]
        uncovered = [pair for pair, hit in zip(pending, hits, strict=True) if not hit]
        # A shape such as a star does not fill its rectangle: what is below it may also be visible.
        finished += [colours for _, colours in covered] if filled.is_full else []
        pending = uncovered if filled.is_full else uncovered + covered
        if not pending:
            break
    return finished + [colours | {background} for _, colours in pending], comparisons


@dataclass(frozen=True, slots=True)
class _GroupTransform:
    """Transformation of a group: children are scaled, moved, rotated about its centre, then placed by `outer`."""

    width: float
    height: float
    left: float
    top: float
    area: SlideArea
    outer: "_GroupTransform | None"

    def apply(self, area: SlideArea) -> SlideArea:
        left, right = (self.left + self.width * value for value in (area.left, area.right))
        top, bottom = (self.top + self.height * value for value in (area.top, area.bottom))
        placed = SlideArea(left, top, right, bottom, area.rotation)
        if self.area.rotation:
            x, y = placed.centre
            centre = _rotated((x, y), self.area.centre, self.area.rotation)
            right_by, down_by = centre[0] - x, centre[1] - y
            placed = SlideArea(
                left + right_by, top + down_by, right + right_by, bottom + down_by, area.rotation + self.area.rotation
            )
        return placed if self.outer is None else self.outer.apply(placed)


def placed_shapes(group: Element, transform: _GroupTransform | None = None) -> Iterator[tuple[Element, SlideArea]]:
    """Yield each visible shape of a shape tree, groups included recursively, with its position on the slide."""
    for shape in shown_children(group):
        if is_hidden_shape(shape):
            continue
        if shape.tag == f"{SLIDE_NAMESPACE} grpSp":
            yield from placed_shapes(shape, _group_transform(shape, transform))
        else:
            area = _area_of(shape)
            yield shape, area if transform is None or area is UNPLACED else transform.apply(area)


def _area_of(shape: Element) -> SlideArea:
    """Return the position that a shape declares (`a:xfrm`); UNPLACED without one."""
    transform = _transform_of(shape)
    if transform is None:
        return UNPLACED
    left, top = _pair(transform, "off", ("x", "y"))
    width, height = _pair(transform, "ext", ("cx", "cy"))
    return SlideArea(left, top, left + width, top + height, _number(transform.get("rot", "")) / _UNITS_PER_DEGREE % 360)


def _group_transform(group: Element, outer: _GroupTransform | None) -> _GroupTransform | None:
    transform = _transform_of(group)
    if transform is None:
        return outer
    area = _area_of(group)
    inner_left, inner_top = _pair(transform, "chOff", ("x", "y"))
    inner_width, inner_height = _pair(transform, "chExt", ("cx", "cy"))
    x_scale = (area.right - area.left) / inner_width if inner_width else 1.0
    y_scale = (area.bottom - area.top) / inner_height if inner_height else 1.0
    return _GroupTransform(
        x_scale, y_scale, area.left - x_scale * inner_left, area.top - y_scale * inner_top, area, outer
    )


def _rotated(point: Point, centre: Point, degrees: float) -> Point:
    angle = math.radians(degrees)
    x, y = point[0] - centre[0], point[1] - centre[1]
    cosine, sine = math.cos(angle), math.sin(angle)
    return centre[0] + x * cosine - y * sine, centre[1] + x * sine + y * cosine


def _transform_of(shape: Element) -> Element | None:
    holders = (shape, *(element for element in shape if element.tag in _SHAPE_PROPERTIES))
    return next((element for holder in holders for element in holder if element.tag in _TRANSFORMS), None)


def _pair(transform: Element, name: str, attributes: tuple[str, str]) -> tuple[int, int]:
    element = next((child for child in transform if child.tag == f"{DRAWING_NAMESPACE} {name}"), None)
    first, second = (0 if element is None else _number(element.get(attribute, "")) for attribute in attributes)
    return first, second


def _number(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= _MAX_DIGITS):
        return 0
    return int(text)
