"""Appearance of text in HTML: what its style leaves of it to be seen."""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from groundwire_readers.readers.html.css.colours import colour_of, is_transparent, text_colour_of
from groundwire_readers.readers.html.css.lengths import pixels_of
from groundwire_readers.readers.html.css.shapes import is_shaped_away
from groundwire_readers.readers.visibility import BLACK, WHITE, Colour, look_same

Declarations = Mapping[str, str]
"""Values of CSS by the names of their properties, both in lower case."""

_READABLE_PIXELS: Final = 2.0
_READABLE_EMS: Final = 0.17
"""2 of the 12 points of ordinary text."""
_READABLE: Final = {"pt": 2.0 * 96 / 72, "em": 16 * _READABLE_EMS, "rem": 16 * _READABLE_EMS, "%": 16 * _READABLE_EMS}
"""Pixels from which text can be read, by the unit of its size; `_READABLE_PIXELS` for any other."""
_UNIT: Final = re.compile(r"[a-z%]{1,4}\Z")
# In the shorthand, a number from 100 to 900 without a unit is the weight.
_FONT_SIZE: Final = re.compile(
    r"(?<![\w.%-])(?:\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})(?:[a-z]{2,4}|%|(?<![.\d][1-9]00)(?= ?/| [^ ]*\Z))(?= |/)"
)
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|([^\n]))")
_COMMENT_OR_TEXT: Final = re.compile(
    r"""\\.|"(?:\\.|[^"\\\n])*+"|'(?:\\.|[^'\\\n])*+'|(/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z))""", re.DOTALL
)
_OFF_PAGE: Final = {
    **dict.fromkeys(("left", "top", "right", "bottom", "inset"), -100.0),
    "text-indent": -200.0,
    **dict.fromkeys(("inset-inline-start", "inset-inline-end"), -100.0),
    **dict.fromkeys(("margin-left", "margin-top", "margin-right", "margin-inline-start", "margin"), -1000.0),
}
"""Distances in pixels from which an element is off the page, by property."""
_FAR: Final = 5000.0
"""Distance in pixels to the right from which text is off the page."""
_FAR_RIGHT: Final = ("left", "text-indent", "padding-left", "margin-left", "inset-inline-start")
_SIZES: Final = ("width", "height", "max-width", "max-height", "block-size", "inline-size", "max-block-size")
_UNSEEN_PIXELS: Final = 2.0
_OVERFLOWS: Final = ("overflow", "overflow-x", "overflow-y")
_HEAPED: Final = -8.0
"""Distance in pixels at which letters lie on each other."""
_BACKGROUNDS: Final = ("background", "background-color", "background-image")
_PREFIX: Final = "-webkit-"
_FILL: Final = "-webkit-text-fill-color"
_PREFIXED: Final = ("clip-path", "filter", "transform", "mask", "mask-image", "opacity", "background-clip")
_PROPERTIES: Final = frozenset(
    {*_OFF_PAGE, *_FAR_RIGHT, *_SIZES, *_BACKGROUNDS, "display", "opacity", "color", "font-size"}
    | {"visibility", "content-visibility", "font", "zoom", "mso-hide", _FILL, "letter-spacing"}
    | {*_OVERFLOWS, "line-height", "background-clip"}
    | {"clip", "clip-path", "transform", "scale", "translate", "rotate", "filter", "mask", "mask-image"}
)
_WINDOW: Final = 100.0
"""Pixels of 100 %: distances in shares of what is around are taken as small."""
_HIDDEN: Final = ("hidden", "collapse")
_UNSEEN_OPACITY: Final = 0.05
_UNSET: Final = ("inherit", "initial", "unset", "currentcolor", "none")
_IMPORTANT: Final = "!"
"""Mark behind the name of a property whose declaration is important."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """Look that an element gives to the text in it, and that an element within can change.

    Attributes:
        background: None where it is not known, such as that of a picture or of a style sheet elsewhere.
        is_hidden: its `visibility` hides it; a colour does not change that.
    """

    colour: Colour | None = BLACK
    background: Colour | None = WHITE
    pixels: float = 16.0
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
        if (colour := style.get(_FILL, style.get("color"))) and colour not in _UNSET:
            found = replace(found, colour=text_colour_of(colour), is_transparent=is_transparent(colour))
        for name in _BACKGROUNDS:
            if background := style.get(name):
                behind = found.colour if background == "currentcolor" else found.background
                found = replace(found, background=_background(background, behind))
        if style.get("background-clip") == "text":  # the background gives the letters their colour
            found = replace(found, colour=found.background, background=self.background, is_transparent=False)
        if (size := style.get("font-size")) and size not in _UNSET:
            pixels = pixels_of(size, found.pixels, found.pixels)
            found = replace(found, pixels=16.0 if pixels is None else pixels, is_tiny=_is_tiny(size, pixels))
        if (visibility := style.get("visibility")) and visibility not in _UNSET:
            found = replace(found, is_hidden=visibility in _HIDDEN)
        return found


def declarations_of(style: str) -> dict[str, str]:
    """Return what a style declares of the properties that can hide text; the last declaration of each counts.

    A declaration that hides stays: a later one may be no valid value, or less important.
    """
    found: dict[str, str] = {}
    for declaration in without_comments(style).lower().split(";"):
        name, _, text = declaration.partition(":")
        known = unescaped(name).strip()
        if known.startswith(_PREFIX) and known.removeprefix(_PREFIX) in _PREFIXED:
            known = known.removeprefix(_PREFIX)
        if known not in _PROPERTIES:
            continue
        value, _, priority = unescaped(text).lower().partition("!")
        value = " ".join(value.split())
        if known == "font":
            known, value = "font-size", _font_size(value)
        declare(found, {known: value} | ({known + _IMPORTANT: ""} if "important" in priority else {}))
    return found


def declare(style: dict[str, str], declarations: Declarations) -> None:
    """Add declarations to a style, except to a property that hides already or is important."""
    for name, value in declarations.items():
        is_fixed = name + _IMPORTANT in style and name + _IMPORTANT not in declarations
        if not is_fixed and not _hides(name, style.get(name, "")):
            style[name] = value


def _font_size(font: str) -> str:
    """Return the size that the shorthand `font` gives."""
    found = _FONT_SIZE.search(font)
    return found[0] if found is not None else "inherit"


def unescaped(text: str) -> str:
    """Return CSS with its escapes replaced by their characters; U+FFFD for codes that there are not."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[2]
    code = int(escape[1], 16)
    # CSS Syntax 3, 4.3.7: zero, surrogates and codes beyond Unicode become U+FFFD.
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
        case "zoom":
            return 0 <= _number(value, 1) < _UNSEEN_OPACITY
        # Outlook alone knows this property, by which mails hide text.
        case "mso-hide":
            return value == "all"
        case _:
            return False


def hides_all(style: Declarations) -> bool:
    """Return whether a style hides an element and all within it, whatever their own styles are."""
    return (
        any(_hides(name, value) for name, value in style.items() if name != "visibility")
        or any(_least(style.get(name, "")) <= least for name, least in _OFF_PAGE.items())
        or any(_number(style.get(name, ""), 0) >= _FAR for name in _FAR_RIGHT)
        or (any(style.get(name, "visible") != "visible" for name in _OVERFLOWS) and has_no_area(style))
        or _number(style.get("letter-spacing", ""), 0) <= _HEAPED
        or is_shaped_away(style)
    )


def has_no_area(style: Declarations) -> bool:
    """Return whether nothing is left to be seen of a picture, or of text of which what does not fit is cut off.

    A cell of a table with a width can have a greatest width of 0, which ends its text with dots. A share above 0, and a
    size with a least one, are not that small.
    """
    sizes = [
        name
        for name in _SIZES
        if (name != "max-width" or "width" not in style)
        and _number(style.get(f"min-{name}", ""), 0) < _UNSEEN_PIXELS
        and not (style.get(name, "").endswith("%") and _number(style[name], _WINDOW) >= 1)
    ]
    is_flat = _number(style.get("line-height", ""), 1) == 0
    return is_flat or any(0 <= _number(style.get(name, ""), _WINDOW) < _UNSEEN_PIXELS for name in sizes)


def _background(value: str, behind: Colour | None) -> Colour | None:
    if value in _UNSET or is_transparent(value):
        return behind
    known = [colour for part in value.split(" ") if (colour := colour_of(part)) is not None]
    return colour_of(value) or (known[0] if len(known) == 1 and "(" not in value else None)


def _is_tiny(size: str, pixels: float | None) -> bool:
    if pixels is None:
        return False
    unit = _UNIT.search(size)
    return pixels < _READABLE.get(unit[0] if unit else "", _READABLE_PIXELS)


def _least(value: str) -> float:
    """Return the least of the lengths of a value; percentages are of a window."""
    lengths = value.split(" ")[:4] if "(" not in value else [value]
    return min(_number(length, 0) for length in lengths)


def _number(value: str, default: float) -> float:
    if not value:
        return default
    whole = 1.0 if default == 1 else _WINDOW
    found = pixels_of(value, whole)
    return default if found is None else found
