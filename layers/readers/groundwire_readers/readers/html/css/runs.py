"""Runs of a page that are raised, lowered, struck, glosses, or apart from others, by their element or their style."""

import re
from collections.abc import Mapping
from typing import Final

from groundwire_readers.readers.html.css.lengths import pixels_of
from groundwire_readers.readers.html.element_kinds import BLOCK_ELEMENTS
from groundwire_readers.text.runs import GAP, Mark

RUN_PROPERTIES: Final = (
    *("vertical-align", "text-decoration", "text-decoration-line", "font-variant-position", "font-feature-settings"),
)
_MARKS: Final[Mapping[str, str]] = {
    "sup": Mark.RAISED,
    "sub": Mark.LOWERED,
    "ruby": Mark.ANNOTATED,
    "rt": Mark.GLOSS,
    "rtc": Mark.GLOSS,
    **dict.fromkeys(("s", "strike", "del"), GAP),
}
_ROLES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("doc-noteref", "noteref", "superscript"), Mark.RAISED),
    "subscript": Mark.LOWERED,
    "deletion": GAP,
}
"""Marks by the role of an element: those of ARIA and DPUB-ARIA, and a type of EPUB."""
_ALIGNED: Final = {"super": Mark.RAISED, "sub": Mark.LOWERED}
_SMALL_ALIGNED: Final = {
    **dict.fromkeys(("top", "text-top"), Mark.RAISED),
    **dict.fromkeys(("bottom", "text-bottom"), Mark.LOWERED),
}
"""Marks of small text by its alignment with the line."""
_FEATURES: Final = (("sups", Mark.RAISED), ("subs", Mark.LOWERED), ("sinf", Mark.LOWERED))
"""Features of a font that raise or lower, by their names in OpenType."""
_RELATIVE: Final = re.compile(r"-?(?:\d*\.)?\d+(?:em|ex|%)")
"""Length by which only typography moves letters, whatever their size is."""
_LINE_PIXELS: Final = 19.0
_OFFSETS: Final = (("vertical-align", 1), ("bottom", 1), ("top", -1))
"""Properties that move a run, each with the direction in which positive lengths move it."""
_SMALL: Final = ("small", "font")
_MIN_OFFSET: Final = 2.0
"""Offset in pixels from which small text is raised or lowered."""
DIVIDING: Final = ("flex", "grid", "inline-flex", "inline-grid")
"""Values of `display` that set the children of an element apart."""
_SEPARATING: Final = (*DIVIDING, "block", "flow-root", "list-item", "table", "table-row", "table-cell", "inline-table")
"""Values of `display` that begin a line or a cell."""
_ROOM: Final = {"margin": 3.0, "padding": 6.0}
"""Pixels from which room is as wide as a blank; words of code often have a ground with less padding."""
_LETTER_PIXELS: Final = 16.0
_SIDES: Final = ("left", "right")


def mark_of(tag: str, role: str, style: Mapping[str, str], parent: str, *, is_smaller: bool) -> str:
    """Return the mark of an element's text; empty for an ordinary run.

    Args:
        tag: name of the element.
        role: its role, or its type in a book.
        style: its declarations.
        parent: mark of the element around it.
        is_smaller: whether its font is smaller than that around it.
    """
    own = _MARKS.get(tag) or _ROLES.get(role, "")
    if GAP in (own, parent) or any("line-through" in style.get(name, "") for name in RUN_PROPERTIES[1:3]):
        return GAP
    if style and not own and tag not in BLOCK_ELEMENTS:
        own = _position(style, is_smaller=is_smaller or tag in _SMALL)
    return own or parent


def _position(style: Mapping[str, str], *, is_smaller: bool) -> str:
    for name in ("vertical-align", "font-variant-position"):
        if (word := style.get(name, "")) in _ALIGNED:
            return _ALIGNED[word]
        if is_smaller and word in _SMALL_ALIGNED:
            return _SMALL_ALIGNED[word]
    for name, direction in _OFFSETS if is_smaller else _OFFSETS[:1]:
        if not is_smaller and _RELATIVE.fullmatch(style.get(name, "")) is None:
            continue
        offset = direction * (pixels_of(style.get(name, ""), _LINE_PIXELS) or 0.0)
        if abs(offset) >= _MIN_OFFSET:
            return Mark.RAISED if offset > 0 else Mark.LOWERED
    features = style.get("font-feature-settings", "")
    return next((mark for feature, mark in _FEATURES if feature in features), "")


def gaps_of(style: Mapping[str, str], *, is_initial: bool = False) -> tuple[str, str]:
    """Return what sets an inline element apart from the text before and behind it; nothing for a large initial."""
    if style.get("display") in _SEPARATING:
        return "\n", "\n"
    if not style or is_initial:
        return "", ""
    if style.get("float") in _SIDES or style.get("position") in ("absolute", "fixed"):
        return GAP, GAP
    before, after = (GAP if any(_has_room(style, kind, side) for kind in _ROOM) else "" for side in _SIDES)
    return before, after


def _has_room(style: Mapping[str, str], kind: str, side: str) -> bool:
    widths = style.get(kind, "").split() or ["0"]
    # One width is for all sides; of two and three the second is for left and right, of four the last for left.
    shared = widths[min(1, len(widths) - 1)] if side == "right" or len(widths) < len("trbl") else widths[-1]
    return (pixels_of(style.get(f"{kind}-{side}", shared), _LETTER_PIXELS) or 0.0) >= _ROOM[kind]
