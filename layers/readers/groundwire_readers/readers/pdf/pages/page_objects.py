"""Reading of a page's drawn objects: rules (lines), filled areas and images, and the drawing order of its text."""

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from operator import mul
from typing import Final

from groundwire_readers.readers.pdf import pdfium
from groundwire_readers.readers.pdf.page_content import PageBox
from groundwire_readers.readers.pdf.pages.clip_paths import ClipPaths
from groundwire_readers.readers.pdf.transform import Transform
from groundwire_readers.readers.visibility import Colour

_MAX_OBJECTS: Final = 200_000
"""Maximum number of objects that are read of a page."""
_MAX_SEGMENTS: Final = 300_000
"""Maximum number of path segments that are read of a page."""
_MAX_AREAS: Final = 5_000
"""Maximum number of areas that are kept of a page."""
_MAX_RULES: Final = 20_000
"""Maximum number of rules that are kept of a page."""
_MAX_FORM_DEPTH: Final = 6
"""Maximum nesting depth of form XObjects."""
_MAX_SIMPLE_SEGMENTS: Final = 16
"""Maximum number of segments of a path that counts as a rectangle equal to its bounding box."""
_MAX_RULE_THICKNESS: Final = 3.0
"""Maximum thickness of a filled rectangle that is a rule, in points."""
_LUMINANCE: Final = (0.2126, 0.7152, 0.0722)
"""Weights of red, green and blue in the brightness of a colour (ITU-R BT.709)."""
_MIN_DOT, _MAX_DOT = 1.0, 8.0
"""Range of the sides of a dot, in points."""
_MAX_DOTS: Final = 2_000
"""Maximum number of dots that are kept of a page."""
_MAX_DEVIATION: Final = 0.7
"""Maximum deviation of a line from horizontal or vertical, in points."""


@dataclass(frozen=True, slots=True)
class Area:
    """A filled shape or an image.

    Attributes:
        order: position in the drawing order.
        colour: fill colour; None if it is not a single known colour.
        is_opaque: whether it hides everything drawn earlier within `box`.
    """

    order: int
    box: PageBox
    colour: Colour | None
    is_image: bool
    is_opaque: bool


@dataclass(slots=True)
class PageObjects:
    """Rules, areas and dots of a page, and drawing order and clip box of each text object by its PDFium handle."""

    rules: list[PageBox] = field(default_factory=list[PageBox])
    areas: list[Area] = field(default_factory=list[Area])
    dots: list[PageBox] = field(default_factory=list[PageBox])
    text_order: dict[int, int] = field(default_factory=dict[int, int])
    text_clips: dict[int, PageBox] = field(default_factory=dict[int, PageBox])

    def shaded(self, brightest: float) -> tuple[PageBox, ...]:
        """Return the areas of one colour that is at most as bright: 0 is black, and 255 is white."""
        areas = ((area.box, area.colour) for area in self.areas if not area.is_image and area.colour is not None)
        return tuple(box for box, colour in areas if sum(map(mul, colour, _LUMINANCE)) <= brightest)


def read_page_objects(page: int, to_display: Transform, *, has_masks: bool) -> PageObjects:
    """Return the page's objects in displayed positions.

    Args:
        page: PDFium's handle of the page.
        to_display: transformation of page coordinates to displayed positions.
        has_masks: whether images of the file may be transparent in parts.
    """
    reader = _ObjectReader(PageObjects(), has_masks=has_masks)
    library = pdfium.load_library()
    count = int(library.FPDFPage_CountObjects(page))
    for index in range(min(count, _MAX_OBJECTS)):
        reader.read(library.FPDFPage_GetObject(page, index), to_display, 0)
    return reader.objects


class _ObjectReader:
    """Recursive reader of a page's objects, with limits on their number."""

    def __init__(self, objects: PageObjects, *, has_masks: bool) -> None:
        self.objects = objects
        self._library = pdfium.load_library()
        self._has_masks = has_masks
        self._order = 0
        self._segments = 0
        self._clips = ClipPaths()
        self._within: PageBox | None = None
        self._corners = tuple(ctypes.c_float() for _ in range(4))
        self._corner_refs = tuple(map(ctypes.byref, self._corners))
        self._channels = tuple(ctypes.c_uint() for _ in range(4))
        self._channel_refs = tuple(map(ctypes.byref, self._channels))

    def read(self, handle: int | None, to_display: Transform, depth: int, within: PageBox | None = None) -> None:
        """Read the object and, for a form XObject, its content; `within` is the clip box of the enclosing forms."""
        if handle is None or self._order >= _MAX_OBJECTS:
            return
        self._order += 1
        self._within = within
        kind = self._library.FPDFPageObj_GetType(handle)
        if kind == pdfium.OBJECT_TEXT:
            self.objects.text_order[handle] = self._order
            clip = self._clips.box(handle, to_display, within)
            self.objects.text_clips |= {} if clip is None else {handle: clip}
        elif kind == pdfium.OBJECT_PATH:
            self._read_path(handle, to_display)
        elif kind in (pdfium.OBJECT_IMAGE, pdfium.OBJECT_SHADING):
            self._add_area(handle, to_display, None, is_image=kind == pdfium.OBJECT_IMAGE)
        elif kind == pdfium.OBJECT_FORM and depth < _MAX_FORM_DEPTH:
            clip = self._clips.box(handle, to_display, within)
            inner = to_display.after(self._matrix(handle))
            for index in range(min(int(self._library.FPDFFormObj_CountObjects(handle)), _MAX_OBJECTS)):
                self.read(self._library.FPDFFormObj_GetObject(handle, index), inner, depth + 1, clip)

    def _matrix(self, handle: int) -> Transform:
        matrix = pdfium.Matrix()
        if not self._library.FPDFPageObj_GetMatrix(handle, ctypes.byref(matrix)):
            return Transform(1, 0, 0, 1, 0, 0)
        return Transform(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)

    def _bounds(self, handle: int, to_display: Transform) -> PageBox | None:
        if not self._library.FPDFPageObj_GetBounds(handle, *self._corner_refs):
            return None
        left, bottom, right, top = (corner.value for corner in self._corners)
        return to_display.box(left, bottom, right, top)

    def _add_area(
        self, handle: int, to_display: Transform, colour: Colour | None, *, is_image: bool, simple: bool = True
    ) -> None:
        box = self._bounds(handle, to_display)
        if box is not None:
            self._add_box(handle, to_display, box, colour, is_image=is_image, simple=simple)

    def _add_box(
        self,
        handle: int,
        to_display: Transform,
        box: PageBox,
        colour: Colour | None,
        *,
        is_image: bool = False,
        simple: bool = True,
    ) -> None:
        if len(self.objects.areas) >= _MAX_AREAS:
            return
        is_opaque = simple and (is_image or colour is not None) and not (is_image and self._has_masks)
        is_opaque = is_opaque and not self._library.FPDFPageObj_HasTransparency(handle)
        clip = self._clips.box(handle, to_display, self._within)
        if clip is not None:
            box = box.intersection(clip)
            if box.right <= box.left or box.bottom <= box.top:
                return
        self.objects.areas.append(Area(self._order, box, colour if simple else None, is_image, is_opaque))

    def _point(self, segment: int | None) -> tuple[float, float]:
        self._library.FPDFPathSegment_GetPoint(segment, *self._corner_refs[:2])
        return self._corners[0].value, self._corners[1].value

    def _read_path(self, handle: int, to_display: Transform) -> None:
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        self._library.FPDFPath_GetDrawMode(handle, ctypes.byref(fill), ctypes.byref(stroke))
        if not fill.value and not stroke.value:
            return
        count = int(self._library.FPDFPath_CountSegments(handle))
        box = self._bounds(handle, to_display)
        if box is None:
            return
        sides = (box.right - box.left, box.bottom - box.top)
        self._add_dot(box, sides)
        if fill.value and min(sides) > _MAX_RULE_THICKNESS:
            colour = self._colour(handle)
            self._add_area(handle, to_display, colour, is_image=False, simple=count <= _MAX_SIMPLE_SEGMENTS)
        # Many programs draw a rule as a thin filled rectangle.
        elif fill.value and not stroke.value and count <= _MAX_SIMPLE_SEGMENTS:
            self._add_rule(box)
            return
        self._segments += count
        if self._segments > _MAX_SEGMENTS:
            return
        matrix = to_display.after(self._matrix(handle))
        width = self._stroke_width(handle, matrix) if stroke.value else 0.0
        for rule in self._straight_lines(handle, count, matrix, is_stroked=bool(stroke.value)):
            self._add_rule(rule)
            if width > _MAX_RULE_THICKNESS and count <= _MAX_SIMPLE_SEGMENTS:
                self._add_stroke(handle, to_display, rule, width)

    def _stroke_width(self, handle: int, matrix: Transform) -> float:
        width = self._corners[0]
        if not self._library.FPDFPageObj_GetStrokeWidth(handle, self._corner_refs[0]):
            return 0.0
        # The square root of the determinant is the mean scale of a transformation.
        return width.value * math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))

    def _add_stroke(self, handle: int, to_display: Transform, line: PageBox, width: float) -> None:
        """Add the area of a straight line of this width with flat ends (butt caps)."""
        half_width = 0.0 if line.right - line.left >= line.bottom - line.top else width / 2
        half_height = 0.0 if half_width else width / 2
        box = PageBox(
            line.left - half_width, line.top - half_height, line.right + half_width, line.bottom + half_height
        )
        self._add_box(handle, to_display, box, self._colour(handle, "FPDFPageObj_GetStrokeColor"))

    def _colour(self, handle: int, function: str = "FPDFPageObj_GetFillColor") -> Colour | None:
        """Return the fill or stroke colour, by the PDFium function of this name; None if it paints nothing."""
        if not getattr(self._library, function)(handle, *self._channel_refs):
            return None
        red, green, blue, alpha = (channel.value for channel in self._channels)
        return (red, green, blue) if alpha else None

    def _add_dot(self, box: PageBox, sides: tuple[float, float]) -> None:
        if _MIN_DOT <= min(sides) <= max(sides) <= _MAX_DOT and len(self.objects.dots) < _MAX_DOTS:
            self.objects.dots.append(box)

    def _add_rule(self, box: PageBox) -> None:
        if len(self.objects.rules) < _MAX_RULES:
            self.objects.rules.append(box)

    def _straight_lines(self, handle: int, count: int, to_display: Transform, *, is_stroked: bool) -> Iterator[PageBox]:
        """Yield the horizontal and vertical lines of a stroked path, and the thin rectangles of a filled one."""
        subpath: list[tuple[float, float]] = []
        for index in range(count):
            segment = self._library.FPDFPath_GetPathSegment(handle, index)
            kind = self._library.FPDFPathSegment_GetType(segment)
            point = to_display.apply(*self._point(segment))
            if kind == pdfium.SEGMENT_MOVE:
                yield from _lines_of(subpath, is_stroked=is_stroked)
                subpath = [point]
            elif kind == pdfium.SEGMENT_LINE:
                subpath.append(point)
                if self._library.FPDFPathSegment_GetClose(segment) and subpath:
                    subpath.append(subpath[0])
            else:
                yield from _lines_of(subpath, is_stroked=is_stroked)
                subpath = [point]
        yield from _lines_of(subpath, is_stroked=is_stroked)


def _lines_of(points: list[tuple[float, float]], *, is_stroked: bool) -> Iterator[PageBox]:
    if len(points) < 2:  # noqa: PLR2004 - a point is no line
        return
    xs, ys = [x for x, _ in points], [y for _, y in points]
    box = PageBox(min(xs), min(ys), max(xs), max(ys))
    if min(box.right - box.left, box.bottom - box.top) <= _MAX_RULE_THICKNESS:
        if max(box.right - box.left, box.bottom - box.top) > _MAX_RULE_THICKNESS:
            yield box
        return
    if not is_stroked:
        return
    for (x1, y1), (x2, y2) in pairwise(points):
        if abs(x1 - x2) <= _MAX_DEVIATION or abs(y1 - y2) <= _MAX_DEVIATION:
            yield PageBox(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
