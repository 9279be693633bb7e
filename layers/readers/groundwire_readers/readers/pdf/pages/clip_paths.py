"""Clipping of page objects: the box outside of which nothing of an object is drawn (ISO 32000-1, 8.5.4)."""

import ctypes
from typing import Final

from groundwire_readers.readers.pdf import pdfium
from groundwire_readers.readers.pdf.page_content import PageBox
from groundwire_readers.readers.pdf.transform import Transform

_MAX_PATHS: Final = 64
"""Maximum number of clipping paths that are read of an object."""
_MAX_SEGMENTS: Final = 300_000
"""Maximum number of segments of clipping paths that are read of a page."""


class ClipPaths:
    """Reader of the clipping paths of one page's objects, with limits on the work."""

    def __init__(self) -> None:
        self._library = pdfium.load_library()
        self._segments = 0
        self._x, self._y = ctypes.c_float(), ctypes.c_float()
        self._refs = ctypes.byref(self._x), ctypes.byref(self._y)

    def box(self, handle: int, to_display: Transform, within: PageBox | None) -> PageBox | None:
        """Return the intersection of `within` and the bounding boxes of the object's clipping paths; None if unclipped.

        A curve counts with its control points, so the box never excludes a visible part of the object.
        """
        clip = self._library.FPDFPageObj_GetClipPath(handle)
        if clip is None:
            return within
        path_count = int(self._library.FPDFClipPath_CountPaths(clip))
        clipped = within
        # The last paths are the innermost, which clip most.
        for path in range(max(0, path_count - _MAX_PATHS), path_count):
            box = self._box_of(clip, path, to_display)
            if box is not None:
                clipped = box if clipped is None else clipped.intersection(box)
        return clipped

    def _box_of(self, clip: int, path: int, to_display: Transform) -> PageBox | None:
        segment_count = int(self._library.FPDFClipPath_CountPathSegments(clip, path))
        self._segments += max(segment_count, 1)
        if segment_count <= 0 or self._segments > _MAX_SEGMENTS:
            return None
        points = [self._point(clip, path, index, to_display) for index in range(segment_count)]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return PageBox(min(xs), min(ys), max(xs), max(ys))

    def _point(self, clip: int, path: int, index: int, to_display: Transform) -> tuple[float, float]:
        segment = self._library.FPDFClipPath_GetPathSegment(clip, path, index)
        self._library.FPDFPathSegment_GetPoint(segment, *self._refs)
        return to_display.apply(self._x.value, self._y.value)
