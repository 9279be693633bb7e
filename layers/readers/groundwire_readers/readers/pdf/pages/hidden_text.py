"""Decision which words of a text layer a person sees: colour, size, place, and what is drawn over them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.pdf.page_content import HiddenReason, PageBox, PageWord
from groundwire_readers.readers.pdf.pages.glyph_codes import is_useless
from groundwire_readers.readers.pdf.pages.page_objects import Area, PageObjects
from groundwire_readers.readers.pdf.pages.page_text import DrawnWord
from groundwire_readers.readers.pdf.pages.text_style import FAINT, INVISIBLE_MODES, STROKED_MODES, TextStyle
from groundwire_readers.readers.visibility import UNREADABLE_POINTS, WHITE, look_same

_SCAN_SHARE: Final = 0.7
"""Minimum share of the page that the picture of a scan covers."""
_LAYER_SHARE: Final = 0.9
"""Minimum share of invisible words on the page of a scan with a text layer."""
_SHOWN_SHARE: Final = 0.1
"""Minimum share of a word's width, and of its height, within its clip: some programs draw a line in strips."""
_LOOK_UPS: Final = 2_000_000
"""Maximum number of comparisons of a word with an area on a page; beyond it, words are taken as visible."""


@dataclass(frozen=True, slots=True)
class VisibleWords:
    """The words that are kept, and the number of the others by reason.

    Attributes:
        is_unmapped: so many of their characters are codes of glyphs that they are no text.
    """

    words: tuple[PageWord, ...]
    hidden: Counter[HiddenReason]
    is_unverified: bool
    is_unmapped: bool


def visible_words(drawn: Sequence[DrawnWord], objects: PageObjects, width: float, height: float) -> VisibleWords:
    """Return the words that a person sees; on a scan with an invisible layer, the layer, marked as unverified."""
    judge = _Judge(objects, width, height)
    reasons = [judge.reason(item) for item in drawn]
    hidden = Counter(reason for reason in reasons if reason is not None)
    # Programs for scans write their layer without ink, or below the picture.
    of_layer = (HiddenReason.INVISIBLE, HiddenReason.COVERED)
    layer = sum(hidden[reason] for reason in of_layer)
    if layer and layer >= _LAYER_SHARE * len(drawn) and _is_scan(objects.areas, width, height):
        kept = [item for item, reason in zip(drawn, reasons, strict=True) if reason is None or reason in of_layer]
        for reason in of_layer:
            del hidden[reason]
        return _kept(kept, hidden, is_unverified=True)
    kept = [item for item, reason in zip(drawn, reasons, strict=True) if reason is None]
    return _kept(kept, hidden, is_unverified=False)


def _kept(kept: Sequence[DrawnWord], hidden: Counter[HiddenReason], *, is_unverified: bool) -> VisibleWords:
    words = tuple(item.word for item in kept)
    is_unmapped = is_useless(sum(item.lost for item in kept), sum(len(word.text) for word in words))
    return VisibleWords(words, hidden, is_unverified, is_unmapped)


class _Judge:
    def __init__(self, objects: PageObjects, width: float, height: float) -> None:
        areas = self._areas = objects.areas
        self._order, self._clips = objects.text_order, objects.text_clips
        self._width, self._height = width, height
        self._covers = [area for area in areas if area.is_opaque]
        self._look_ups = 0

    def reason(self, item: DrawnWord) -> HiddenReason | None:
        """Return the reason for which the word cannot be seen; None where it can."""
        style, box = item.style, item.word.box
        if style.mode in INVISIBLE_MODES or (style.opacity <= FAINT and style.mode not in STROKED_MODES):
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
        return HiddenReason.SAME_COLOUR if self._is_same_as_below(style, x, y) else None

    def _is_clipped(self, style: TextStyle, box: PageBox) -> bool:
        clip = self._clips.get(style.handle)
        if clip is None:
            return False
        shown = box.intersection(clip)
        across, down = shown.right - shown.left, shown.bottom - shown.top
        return across < _SHOWN_SHARE * (box.right - box.left) or down < _SHOWN_SHARE * (box.bottom - box.top)

    def _is_covered(self, style: TextStyle, box: PageBox) -> bool:
        order = self._order.get(style.handle)
        if order is None or not self._may_look_up(len(self._covers)):
            return False
        return any(
            # Boxes of words have room above and below the letters: a cover of the middle half hides them.
            area.order > order
            and area.box.left <= box.left + 1
            and area.box.right >= box.right - 1
            and area.box.top <= box.top + (box.bottom - box.top) / 4
            and area.box.bottom >= box.bottom - (box.bottom - box.top) / 4
            for area in self._covers
        )

    def _is_same_as_below(self, style: TextStyle, x: float, y: float) -> bool:
        if style.mode in STROKED_MODES:
            return False
        order = self._order.get(style.handle)
        if order is None:
            return False
        if not self._areas:
            return look_same(style.colour, WHITE)
        if not self._may_look_up(len(self._areas)):
            return False
        for area in reversed(self._areas):
            box = area.box
            if area.order < order and box.left <= x <= box.right and box.top <= y <= box.bottom:
                return area.colour is not None and area.is_opaque and look_same(style.colour, area.colour)
        return look_same(style.colour, WHITE)

    def _may_look_up(self, count: int) -> bool:
        self._look_ups += count
        return self._look_ups <= _LOOK_UPS


def _is_scan(areas: Sequence[Area], width: float, height: float) -> bool:
    """Return whether pictures cover most of the page."""
    covered = 0.0
    for area in areas:
        if area.is_picture:
            box = area.box
            across = min(box.right, width) - max(box.left, 0.0)
            down = min(box.bottom, height) - max(box.top, 0.0)
            covered += max(0.0, across) * max(0.0, down)
    return covered >= _SCAN_SHARE * width * height
