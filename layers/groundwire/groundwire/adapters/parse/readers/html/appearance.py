"""Appearance of text in HTML: what its style leaves of it to be seen."""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from groundwire.adapters.parse.readers.html.colours import colour_of, is_transparent
from groundwire.adapters.parse.readers.visibility import BLACK, WHITE, Colour, look_same

Declarations = Mapping[str, str]
"""Values of CSS by the names of their properties, both in lower case."""

_READABLE_POINTS: Final = 2.0
_READABLE_PIXELS: Final = 2.0
_READABLE_EMS: Final = 0.17
"""2 of the 12 points of ordinary text."""
_LEAST_SIZES: Final = {
    "pt": _READABLE_POINTS,
    "px": _READABLE_PIXELS,
    "em": _READABLE_EMS,
    "rem": _READABLE_EMS,
    "%": 100 * _READABLE_EMS,
    "mm": 0.7,
    "cm": 0.07,
    "in": 0.03,
    "": 1.0,
}
_LENGTH: Final = re.compile(r"([-+]?\d{0,9}(?:\.\d{0,9})?)(pt|px|em|rem|%|mm|cm|in|vw|vh|)")
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|([^\n]))")
_COMMENT_OR_TEXT: Final = re.compile(
    r"""\\.|"(?:\\.|[^"\\\n])*+"|'(?:\\.|[^'\\\n])*+'|(/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z))""", re.DOTALL
)
_CLIPPED: Final = re.compile(r"rect\( ?0|inset\( ?(?:50|100)%")
_OFF_PAGE: Final = {"left": -100.0, "top": -100.0, "right": -100.0, "text-indent": -100.0, "margin-left": -1000.0}
"""Distances in pixels from which an element is off the page, by property."""
_MOVED: Final = re.compile(r"scale\(0(?:\.0+)?\)|translate[xy]?\(-\d{4}")
_SIZES: Final = ("width", "height", "max-width", "max-height")
_CLIPS: Final = ("clip", "clip-path")
_BACKGROUNDS: Final = ("background", "background-color", "background-image")
_PROPERTIES: Final = frozenset(
    {*_OFF_PAGE, *_SIZES, *_CLIPS, *_BACKGROUNDS, "display", "opacity", "transform", "color", "font-size", "visibility"}
    | {"content-visibility"}
)
_HIDDEN: Final = ("hidden", "collapse")
_UNSEEN_OPACITY: Final = 0.05
_UNSET: Final = ("inherit", "initial", "unset", "currentcolor", "none")


@dataclass(frozen=True, slots=True)
class Appearance:
    """Appearance that an element gives to the text in it, and that an element within can change.

    Attributes:
        background: None where it is not known, such as that of a picture or of a style sheet elsewhere.
        is_hidden: its `visibility` hides it; a colour does not change that.
    """

    colour: Colour | None = BLACK
    background: Colour | None = WHITE
    is_tiny: bool = False
    is_transparent: bool = False
    is_hidden: bool = False

    @property
    def is_seen(self) -> bool:
        """Return whether a person can see the text."""
        if self.is_tiny or self.is_transparent or self.is_hidden:
            return False
        return self.colour is None or self.background is None or not look_same(self.colour, self.background)

    def within(self, style: Declarations) -> "Appearance":
        """Return the appearance of an element with this style."""
        found = self
        if (colour := style.get("color")) and colour not in _UNSET:
            found = replace(found, colour=colour_of(colour), is_transparent=is_transparent(colour))
        for name in _BACKGROUNDS:
            if background := style.get(name):
                found = replace(found, background=_background(background, found.background))
        if size := style.get("font-size"):
            found = replace(found, is_tiny=_is_tiny(size, is_tiny=found.is_tiny))
        if (visibility := style.get("visibility")) and visibility not in _UNSET:
            found = replace(found, is_hidden=visibility in _HIDDEN)
        return found


def declarations_of(style: str) -> dict[str, str]:
    """Return what a style declares of the properties that can hide text; the last declaration of each counts.

    A declaration that hides stays: a later one may be no valid value, or less important.
    """
    found: dict[str, str] = {}
    for declaration in without_comments(style).lower().split(";"):
        name, _, value = declaration.partition(":")
        if (known := unescaped(name).strip()) in _PROPERTIES:
            declare(found, {known: " ".join(unescaped(value).lower().partition("!")[0].split())})
    return found


def declare(style: dict[str, str], declarations: Declarations) -> None:
    """Add declarations to a style, except to a property that hides already."""
    for name, value in declarations.items():
        if not _hides(name, style.get(name, "")):
            style[name] = value


def unescaped(text: str) -> str:
    """Return CSS with its escapes replaced by their characters; U+FFFD for codes that there are not."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[2]
    code = int(escape[1], 16)
    is_character = 0 < code <= sys.maxunicode and not 0xD800 <= code <= 0xDFFF  # noqa: PLR2004
    return chr(code) if is_character else "\ufffd"


def without_comments(text: str) -> str:
    """Return CSS without its comments; `/*` in a string or after an escape begins none."""
    return _COMMENT_OR_TEXT.sub(lambda found: "" if found[1] else found[0], text)


def _hides(name: str, value: str) -> bool:
    match name:
        case "display":
            return value == "none"
        case "visibility" | "content-visibility":
            return value in _HIDDEN
        case "opacity":
            return _number(value, 1) < _UNSEEN_OPACITY
        case _:
            return False


def hides_all(style: Declarations) -> bool:
    """Return whether a style hides an element and all within it, whatever their own styles are."""
    return (
        any(_hides(name, style.get(name, "")) for name in ("display", "content-visibility", "opacity"))
        or any(_number(style.get(name, ""), 0) <= least for name, least in _OFF_PAGE.items())
        or any(_number(style.get(name, ""), 1) == 0 for name in _SIZES)
        or any(_CLIPPED.match(style.get(name, "")) is not None for name in _CLIPS)
        or _MOVED.search(style.get("transform", "")) is not None
    )


def _background(value: str, behind: Colour | None) -> Colour | None:
    if value in _UNSET or is_transparent(value):
        return behind
    known = [colour for part in value.split(" ") if (colour := colour_of(part)) is not None]
    return colour_of(value) or (known[0] if len(known) == 1 and "(" not in value else None)


def _is_tiny(size: str, *, is_tiny: bool) -> bool:
    if size in _UNSET:
        return is_tiny
    length = _length(size)
    if length is None:
        return False
    number, unit = length
    is_relative = unit in ("em", "%")
    return number < _LEAST_SIZES.get(unit, 0.0) or (is_tiny and is_relative)


def _number(value: str, default: float) -> float:
    length = _length(value)
    return default if length is None else length[0]


def _length(value: str) -> tuple[float, str] | None:
    found = _LENGTH.fullmatch(value)
    if found is None or not any(map(str.isdigit, found[1])):
        return None
    return float(found[1]), found[2]
