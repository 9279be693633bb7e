"""Detection of hidden words of a text layer, by rendering mode, size, position, clipping, covering and colour."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.pdf.page_content import HiddenReason, PageBox, PageWord
from groundwire_readers.readers.pdf.pages.page_objects import Area, PageObjects
from groundwire_readers.readers.pdf.text_layer.glyph_codes import is_useless
from groundwire_readers.readers.pdf.text_layer.page_text import DrawnWord
from groundwire_readers.readers.pdf.text_layer.text_style import (
    INVISIBLE_MODES,
    MAX_INVISIBLE_OPACITY,
    STROKED_MODES,
    TextStyle,
)
from groundwire_readers.readers.visibility import UNREADABLE_POINTS, WHITE, look_same

_MIN_IMAGE_SHARE: Final = 0.7
"""Minimum share of the page that images cover on a scan."""
_MIN_INVISIBLE_SHARE: Final = 0.9
"""Minimum share of invisible words on a scan with an OCR layer."""
_MIN_VISIBLE_SHARE: Final = 0.1
"""Minimum visible share of a word's width and height within its clip: some programs draw a line in strips."""
_MAX_COMPARISONS: Final = 2_000_000
"""Maximum number of comparisons of words with areas on a page; beyond it, words count as visible."""


@dataclass(frozen=True, slots=True)
class VisibleWords:
    """Words of a page that a person sees, and the number of hidden words by reason.

    Attributes:
        is_unverified: whether the words are the invisible OCR layer of a scan.
        is_unmapped: whether too many characters are glyph codes without a Unicode map.
    """

    words: tuple[PageWord, ...]
    hidden: Counter[HiddenReason]
    is_unverified: bool
    is_unmapped: bool


def visible_words(drawn: Sequence[DrawnWord], objects: PageObjects, width: float, height: float) -> VisibleWords:
    """Return the words that a person sees; of a scan, its invisible OCR layer, marked as unverified."""
    check = _HiddenWordCheck(objects, width, height)
    reasons = [check.reason(item) for item in drawn]
    hidden = Counter(reason for reason in reasons if reason is not None)
    # OCR programs write their layer invisibly, or below the image.
    layer_reasons = (HiddenReason.INVISIBLE, HiddenReason.COVERED)
    layer_words = sum(hidden[reason] for reason in layer_reasons)
    if layer_words and layer_words >= _MIN_INVISIBLE_SHARE * len(drawn) and _is_scan(objects.areas, width, height):
        kept = [item for item, reason in zip(drawn, reasons, strict=True) if reason is None or reason in layer_reasons]
        for reason in layer_reasons:
            del hidden[reason]
        return _result(kept, hidden, is_unverified=True)
    kept = [item for item, reason in zip(drawn, reasons, strict=True) if reason is None]
    return _result(kept, hidden, is_unverified=False)


def _result(visible: Sequence[DrawnWord], hidden: Counter[HiddenReason], *, is_unverified: bool) -> VisibleWords:
    words = tuple(item.word for item in visible)
    is_unmapped = is_useless(sum(item.lost for item in visible), sum(len(word.text) for word in words))
    return VisibleWords(words, hidden, is_unverified, is_unmapped)


class _HiddenWordCheck:
    def __init__(self, objects: PageObjects, width: float, height: float) -> None:
        areas = self._areas = objects.areas
        self._order, self._clips = objects.text_order, objects.text_clips
        self._width, self._height = width, height
        self._covers = [area for area in areas if area.is_opaque]
        self._comparisons = 0

    def reason(self, item: DrawnWord) -> HiddenReason | None:
        """Return the reason why the word is hidden; None if it is visible."""
        style, box = item.style, item.word.box
        if style.mode in INVISIBLE_MODES or (
            style.opacity <= MAX_INVISIBLE_OPACITY and style.mode not in STROKED_MODES
        ):
            return HiddenReason.INVISIBLE
        if style.size < UNREADABLE_POINTS and box.bottom - box.top < UNREADABLE_POINTS:
            return HiddenReason.TINY
        x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        if not (0 <= x <= self._width and 0 <= y <= self._height):
            return HiddenReason.OFF_PAGE
        if self._is_clipped(style, box):
            return HiddenReason.CLIPPED
        if self._is_covered(style, box):
            return HiddenReason.COVERED
        return HiddenReason.SAME_COLOUR if self._has_colour_of_background(style, x, y) else None

    def _is_clipped(self, style: TextStyle, box: PageBox) -> bool:
        clip = self._clips.get(style.handle)
        if clip is None:
            return False
        visible = box.intersection(clip)
        width, height = visible.right - visible.left, visible.bottom - visible.top
        return width < _MIN_VISIBLE_SHARE * (box.right - box.left) or height < _MIN_VISIBLE_SHARE * (
            box.bottom - box.top
        )

    def _is_covered(self, style: TextStyle, box: PageBox) -> bool:
        order = self._order.get(style.handle)
        if order is None or not self._may_compare(len(self._covers)):
            return False
        return any(
            # Boxes of words extend above and below the letters: covering the middle half hides them.
            area.order > order
            and area.box.left <= box.left + 1
            and area.box.right >= box.right - 1
            and area.box.top <= box.top + (box.bottom - box.top) / 4
            and area.box.bottom >= box.bottom - (box.bottom - box.top) / 4
            for area in self._covers
        )

    def _has_colour_of_background(self, style: TextStyle, x: float, y: float) -> bool:
        if style.mode in STROKED_MODES:
            return False
        order = self._order.get(style.handle)
        if order is None:
            return False
        if not self._areas:
            return look_same(style.colour, WHITE)
        if not self._may_compare(len(self._areas)):
            return False
        for area in reversed(self._areas):
            box = area.box
            if area.order < order and box.left <= x <= box.right and box.top <= y <= box.bottom:
                return area.colour is not None and area.is_opaque and look_same(style.colour, area.colour)
        return look_same(style.colour, WHITE)

    def _may_compare(self, count: int) -> bool:
        self._comparisons += count
        return self._comparisons <= _MAX_COMPARISONS


def _is_scan(areas: Sequence[Area], width: float, height: float) -> bool:
    """Return whether images cover most of the page."""
    covered = 0.0
    for area in areas:
        if area.is_image:
            box = area.box
            visible_width = min(box.right, width) - max(box.left, 0.0)
            visible_height = min(box.bottom, height) - max(box.top, 0.0)
            covered += max(0.0, visible_width) * max(0.0, visible_height)
    return covered >= _MIN_IMAGE_SHARE * width * height
