"""Runs of a page that are raised, lowered, struck or glosses, by their element or their style."""

from collections.abc import Mapping
from typing import Final

from groundwire_readers.readers.html.css.lengths import pixels_of
from groundwire_readers.readers.html.element_kinds import BLOCK_ELEMENTS
from groundwire_readers.text.runs import GAP, Mark

RUN_PROPERTIES: Final = ("vertical-align", "text-decoration", "text-decoration-line", "font-variant-position")
_MARKS: Final[Mapping[str, str]] = {
    "sup": Mark.RAISED,
    "sub": Mark.LOWERED,
    "ruby": Mark.ANNOTATED,
    "rt": Mark.GLOSS,
    "rtc": Mark.GLOSS,
    **dict.fromkeys(("s", "strike", "del"), GAP),
}
_ALIGNED: Final = {"super": Mark.RAISED, "sub": Mark.LOWERED}
_OFFSETS: Final = (("vertical-align", 1), ("bottom", 1), ("top", -1))
"""Properties that move a run, each with the direction in which positive lengths move it."""
_SMALL: Final = ("small", "font")
_MIN_OFFSET: Final = 2.0
"""Offset in pixels from which small text is raised or lowered."""


def mark_of(tag: str, style: Mapping[str, str], parent: str, *, is_smaller: bool) -> str:
    """Return the mark of an element's text; empty for an ordinary run.

    Args:
        tag: name of the element.
        style: its declarations.
        parent: mark of the element around it.
        is_smaller: whether its font is smaller than that around it.
    """
    own = _MARKS.get(tag, "")
    if GAP in (own, parent) or any("line-through" in style.get(name, "") for name in RUN_PROPERTIES[1:3]):
        return GAP
    if style and not own and tag not in BLOCK_ELEMENTS:
        own = _position(style, is_smaller=is_smaller or tag in _SMALL)
    return own or parent


def _position(style: Mapping[str, str], *, is_smaller: bool) -> str:
    for name in ("vertical-align", "font-variant-position"):
        if (word := style.get(name, "")) in _ALIGNED:
            return _ALIGNED[word]
    for name, direction in _OFFSETS if is_smaller else ():
        offset = direction * (pixels_of(style.get(name, ""), 1.0) or 0.0)
        if abs(offset) >= _MIN_OFFSET:
            return Mark.RAISED if offset > 0 else Mark.LOWERED
    return ""
