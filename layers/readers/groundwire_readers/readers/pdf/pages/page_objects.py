"""Objects that a page draws besides its text: rules, filled areas and pictures, in drawing order."""

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox
from groundwire_readers.readers.pdf.pages import pdfium
from groundwire_readers.readers.pdf.pages.clip_paths import ClipPaths
from groundwire_readers.readers.pdf.pages.page_map import Map
from groundwire_readers.readers.visibility import Colour

_OBJECTS: Final = 200_000
"""Maximum number of a page's objects that are looked at."""
_SEGMENTS: Final = 300_000
"""Maximum number of a page's path segments that are looked at."""
_AREAS: Final = 5_000
_RULES: Final = 20_000
_FORM_DEPTH: Final = 6
_SIMPLE_PATH: Final = 16
"""Maximum number of segments of a path that is taken as its own bounding box."""
_THIN: Final = 3.0
"""Maximum thickness of a filled rectangle that is a rule, in points."""
_STRAIGHT: Final = 0.7
"""Maximum deviation of a rule from a horizontal or vertical line, in points."""


@dataclass(frozen=True, slots=True)
class Area:
    """A filled shape or a picture.

    Attributes:
        order: its place in the drawing order. colour: None where it is not one colour.
        is_opaque: nothing below it can be seen, within `box`.
    """

    order: int
    box: PageBox
    colour: Colour | None
    is_picture: bool
    is_opaque: bool


@dataclass(slots=True)
class PageObjects:
    """Rules and areas of a page; of its text objects, by their handles, the drawing order and the clip."""

    rules: list[PageBox] = field(default_factory=list[PageBox])
    areas: list[Area] = field(default_factory=list[Area])
    text_order: dict[int, int] = field(default_factory=dict[int, int])
    text_clips: dict[int, PageBox] = field(default_factory=dict[int, PageBox])


def read_page_objects(page: int, to_shown: Map, *, has_masks: bool) -> PageObjects:
    """Return the page's objects, places as shown.

    Args:
        page: handle of the page.
        to_shown: map of its coordinates to places as shown.
        has_masks: the file's pictures may be transparent in parts.
    """
    reader = _ObjectReader(PageObjects(), has_masks=has_masks)
    library = pdfium.load_library()
    count = int(library.FPDFPage_CountObjects(page))
    for index in range(min(count, _OBJECTS)):
        reader.read(library.FPDFPage_GetObject(page, index), to_shown, 0)
    return reader.found


class _ObjectReader:
    """Walk over a page's objects, with the bounds on their number."""

    def __init__(self, found: PageObjects, *, has_masks: bool) -> None:
        self.found = found
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

    def read(self, handle: int | None, to_shown: Map, depth: int, within: PageBox | None = None) -> None:
        """Add the object, and those within it; nothing outside `within` is drawn."""
        if handle is None or self._order >= _OBJECTS:
            return
        self._order += 1
        self._within = within
        kind = self._library.FPDFPageObj_GetType(handle)
        if kind == pdfium.OBJECT_TEXT:
            self.found.text_order[handle] = self._order
            clip = self._clips.box(handle, to_shown, within)
            self.found.text_clips |= {} if clip is None else {handle: clip}
        elif kind == pdfium.OBJECT_PATH:
            self._read_path(handle, to_shown)
        elif kind in (pdfium.OBJECT_IMAGE, pdfium.OBJECT_SHADING):
            self._add_area(handle, to_shown, None, is_picture=kind == pdfium.OBJECT_IMAGE)
        elif kind == pdfium.OBJECT_FORM and depth < _FORM_DEPTH:
            clip = self._clips.box(handle, to_shown, within)
            inner = to_shown.after(self._matrix(handle))
            for index in range(min(int(self._library.FPDFFormObj_CountObjects(handle)), _OBJECTS)):
                self.read(self._library.FPDFFormObj_GetObject(handle, index), inner, depth + 1, clip)

    def _matrix(self, handle: int) -> Map:
        matrix = pdfium.Matrix()
        if not self._library.FPDFPageObj_GetMatrix(handle, ctypes.byref(matrix)):
            return Map(1, 0, 0, 1, 0, 0)
        return Map(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)

    def _bounds(self, handle: int, to_shown: Map) -> PageBox | None:
        if not self._library.FPDFPageObj_GetBounds(handle, *self._corner_refs):
            return None
        left, bottom, right, top = (corner.value for corner in self._corners)
        return to_shown.box(left, bottom, right, top)

    def _add_area(
        self, handle: int, to_shown: Map, colour: Colour | None, *, is_picture: bool, simple: bool = True
    ) -> None:
        box = self._bounds(handle, to_shown)
        if box is not None:
            self._add_box(handle, to_shown, box, colour, is_picture=is_picture, simple=simple)

    def _add_box(
        self,
        handle: int,
        to_shown: Map,
        box: PageBox,
        colour: Colour | None,
        *,
        is_picture: bool = False,
        simple: bool = True,
    ) -> None:
        if len(self.found.areas) >= _AREAS:
            return
        is_opaque = simple and (is_picture or colour is not None) and not (is_picture and self._has_masks)
        is_opaque = is_opaque and not self._library.FPDFPageObj_HasTransparency(handle)
        clip = self._clips.box(handle, to_shown, self._within)
        if clip is not None:
            box = box.intersection(clip)
            if box.right <= box.left or box.bottom <= box.top:
                return
        self.found.areas.append(Area(self._order, box, colour if simple else None, is_picture, is_opaque))

    def _point(self, segment: int | None) -> tuple[float, float]:
        self._library.FPDFPathSegment_GetPoint(segment, *self._corner_refs[:2])
        return self._corners[0].value, self._corners[1].value

    def _read_path(self, handle: int, to_shown: Map) -> None:
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        self._library.FPDFPath_GetDrawMode(handle, ctypes.byref(fill), ctypes.byref(stroke))
        if not fill.value and not stroke.value:
            return
        count = int(self._library.FPDFPath_CountSegments(handle))
        box = self._bounds(handle, to_shown)
        if box is None:
            return
        if fill.value and min(box.right - box.left, box.bottom - box.top) > _THIN:
            colour = self._colour(handle)
            self._add_area(handle, to_shown, colour, is_picture=False, simple=count <= _SIMPLE_PATH)
        # Many programs draw a rule as a thin filled rectangle.
        elif fill.value and not stroke.value and count <= _SIMPLE_PATH:
            self._add_rule(box)
            return
        self._segments += count
        if self._segments > _SEGMENTS:
            return
        matrix = to_shown.after(self._matrix(handle))
        width = self._stroke_width(handle, matrix) if stroke.value else 0.0
        for rule in self._straight_lines(handle, count, matrix, is_stroked=bool(stroke.value)):
            self._add_rule(rule)
            if width > _THIN and count <= _SIMPLE_PATH:
                self._add_stroke(handle, to_shown, rule, width)

    def _stroke_width(self, handle: int, matrix: Map) -> float:
        width = self._corners[0]
        if not self._library.FPDFPageObj_GetStrokeWidth(handle, self._corner_refs[0]):
            return 0.0
        # The root of the determinant is the mean scale of a map.
        return width.value * math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))

    def _add_stroke(self, handle: int, to_shown: Map, line: PageBox, width: float) -> None:
        """Add the area of a straight line of this width; its ends are flat."""
        across = 0.0 if line.right - line.left >= line.bottom - line.top else width / 2
        down = 0.0 if across else width / 2
        box = PageBox(line.left - across, line.top - down, line.right + across, line.bottom + down)
        self._add_box(handle, to_shown, box, self._colour(handle, "FPDFPageObj_GetStrokeColor"))

    def _colour(self, handle: int, of: str = "FPDFPageObj_GetFillColor") -> Colour | None:
        """Return the colour of the filling or the stroke, as this function gives it; None for none."""
        if not getattr(self._library, of)(handle, *self._channel_refs):
            return None
        red, green, blue, alpha = (channel.value for channel in self._channels)
        return (red, green, blue) if alpha else None

    def _add_rule(self, box: PageBox) -> None:
        if len(self.found.rules) < _RULES:
            self.found.rules.append(box)

    def _straight_lines(self, handle: int, count: int, to_shown: Map, *, is_stroked: bool) -> Iterator[PageBox]:
        """Yield the path's horizontal and vertical lines; of a filled path, its thin rectangles."""
        subpath: list[tuple[float, float]] = []
        for index in range(count):
            segment = self._library.FPDFPath_GetPathSegment(handle, index)
            kind = self._library.FPDFPathSegment_GetType(segment)
            point = to_shown.apply(*self._point(segment))
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
    if min(box.right - box.left, box.bottom - box.top) <= _THIN:
        if max(box.right - box.left, box.bottom - box.top) > _THIN:
            yield box
        return
    if not is_stroked:
        return
    for (x1, y1), (x2, y2) in pairwise(points):
        if abs(x1 - x2) <= _STRAIGHT or abs(y1 - y2) <= _STRAIGHT:
            yield PageBox(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
