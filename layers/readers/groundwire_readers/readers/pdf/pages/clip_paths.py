"""Clip of a page's objects: the box outside of which nothing of an object is drawn (ISO 32000-1, 8.5.4)."""

import ctypes
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox
from groundwire_readers.readers.pdf.pages import pdfium
from groundwire_readers.readers.pdf.pages.page_map import Map

_PATHS: Final = 64
"""Maximum number of clip paths of an object that are read."""
_SEGMENTS: Final = 300_000
"""Maximum number of segments of clip paths that are read of a page."""


class ClipPaths:
    """Reader of the clip paths of a page's objects, with a bound on their number."""

    def __init__(self) -> None:
        self._library = pdfium.load_library()
        self._segments = 0
        self._x, self._y = ctypes.c_float(), ctypes.c_float()
        self._refs = ctypes.byref(self._x), ctypes.byref(self._y)

    def box(self, handle: int, to_shown: Map, within: PageBox | None) -> PageBox | None:
        """Return the intersection of the bounding boxes of the object's clip paths and of `within`; None without any.

        The box of curves is that of their control points, so a visible part of an object is never outside.
        """
        clip = self._library.FPDFPageObj_GetClipPath(handle)
        if clip is None:
            return within
        paths = int(self._library.FPDFClipPath_CountPaths(clip))
        found = within
        # The last paths are the innermost ones, which limit most.
        for path in range(max(0, paths - _PATHS), paths):
            box = self._box_of(clip, path, to_shown)
            if box is not None:
                found = box if found is None else found.intersection(box)
        return found

    def _box_of(self, clip: int, path: int, to_shown: Map) -> PageBox | None:
        count = int(self._library.FPDFClipPath_CountPathSegments(clip, path))
        self._segments += max(count, 1)
        if count <= 0 or self._segments > _SEGMENTS:
            return None
        points = [self._point(clip, path, index, to_shown) for index in range(count)]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return PageBox(min(xs), min(ys), max(xs), max(ys))

    def _point(self, clip: int, path: int, index: int, to_shown: Map) -> tuple[float, float]:
        segment = self._library.FPDFClipPath_GetPathSegment(clip, path, index)
        self._library.FPDFPathSegment_GetPoint(segment, *self._refs)
        return to_shown.apply(self._x.value, self._y.value)
