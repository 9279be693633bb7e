"""Visibility of text in HTML: whether CSS declarations hide it, and its colour, background and size."""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from groundwire_readers.readers.html.css.colours import colour_of, is_transparent, text_colour_of
from groundwire_readers.readers.html.css.lengths import pixels_of
from groundwire_readers.readers.html.css.runs import RUN_PROPERTIES
from groundwire_readers.readers.html.css.shapes import is_made_invisible
from groundwire_readers.readers.visibility import BLACK, WHITE, Colour, look_same

Declarations = Mapping[str, str]
"""CSS values by property name, both in lower case."""

_READABLE_PIXELS: Final = 2.0
_READABLE_EMS: Final = 0.17
"""The same limit relative to ordinary text: 2 of 12 points."""
_READABLE: Final = {"pt": 2.0 * 96 / 72, "em": 16 * _READABLE_EMS, "rem": 16 * _READABLE_EMS, "%": 16 * _READABLE_EMS}
"""Minimum readable size in pixels, by the unit of the font size; `_READABLE_PIXELS` for other units."""
_UNIT: Final = re.compile(r"[a-z%]{1,4}\Z")
# In the shorthand, a number from 100 to 900 without a unit is the weight.
_FONT_SIZE: Final = re.compile(
    r"(?<![\w.%-])(?:\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})(?:[a-z]{2,4}|%|(?<![.\d][1-9]00)(?= ?/| [^ ]*\Z))(?= |/)"
)
_BOLD: Final = re.compile(r"bold|bolder|[6-9]\d{2}")
_MONOSPACED: Final = re.compile(r"mono|courier|consolas|menlo")
_BOLD_WITHIN: Final = re.compile(r"(?<![\w-])(?:bold|bolder|[6-9]00)(?![\w.%])")
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
"""Offsets in pixels up to which an element is off the page, by property."""
_FAR_RIGHT_PIXELS: Final = 5000.0
"""Offset to the right in pixels from which text is off the page."""
_RIGHT_OFFSETS: Final = ("left", "text-indent", "padding-left", "margin-left", "inset-inline-start")
_SIZES: Final = ("width", "height", "max-width", "max-height", "block-size", "inline-size", "max-block-size")
_INVISIBLE_PIXELS: Final = 2.0
_OVERFLOWS: Final = ("overflow", "overflow-x", "overflow-y")
_OVERLAPPING_PIXELS: Final = -8.0
"""Letter spacing in pixels up to which letters overlap illegibly."""
_BACKGROUNDS: Final = ("background", "background-color", "background-image")
_PREFIX: Final = "-webkit-"
_FILL: Final = "-webkit-text-fill-color"
_PREFIXED: Final = ("clip-path", "filter", "transform", "mask", "mask-image", "opacity", "background-clip")
_PROPERTIES: Final = frozenset(
    {*_OFF_PAGE, *_RIGHT_OFFSETS, *_SIZES, *_BACKGROUNDS, *RUN_PROPERTIES, "display", "opacity", "color", "font-size"}
    | {"visibility", "content-visibility", "font", "zoom", "mso-hide", _FILL, "letter-spacing"}
    | {*_OVERFLOWS, "line-height", "background-clip", "float", "position", "padding", "padding-right"}
    | {"font-weight", "font-family"}
    | {"list-style", "list-style-type", "counter-reset", "counter-increment", "counter-set"}
    | {"clip", "clip-path", "transform", "scale", "translate", "rotate", "filter", "mask", "mask-image"}
)
_CONTAINER_PIXELS: Final = 100.0
"""Assumed size of the containing block in pixels, to which percentages relate: small, so that they hide little."""
_HIDDEN: Final = ("hidden", "collapse")
_INVISIBLE_OPACITY: Final = 0.05
_IGNORED_VALUES: Final = ("inherit", "initial", "unset", "currentcolor", "none")
_IMPORTANT: Final = "!"
"""Suffix of the key that marks a property as declared `!important`."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """Computed style of the text in an element, which descendants inherit and can override.

    Attributes:
        colour: text colour; None if unknown.
        background: background colour; None if unknown, such as an image or an external style sheet.
        pixels: font size.
        is_tiny: whether the font size is too small to read.
        is_transparent: whether the text colour is transparent.
        is_hidden: whether `visibility` hides the text.
        is_bold: whether it is in bold type.
        is_monospaced: whether all its letters have one width, as those of code.
    """

    colour: Colour | None = BLACK
    background: Colour | None = WHITE
    pixels: float = 16.0
    is_tiny: bool = False
    is_transparent: bool = False
    is_hidden: bool = False
    is_bold: bool = False
    is_monospaced: bool = False

    @property
    def is_visible(self) -> bool:
        """Return whether the text is visible to a person."""
        if self.is_tiny or self.is_transparent or self.is_hidden:
            return False
        return self.colour is None or self.background is None or not look_same(self.colour, self.background)

    def inherited_with(self, style: Declarations) -> "Appearance":
        """Return the appearance of a child element with these declarations."""
        computed = self
        if (colour := style.get(_FILL, style.get("color"))) and colour not in _IGNORED_VALUES:
            computed = replace(computed, colour=text_colour_of(colour), is_transparent=is_transparent(colour))
        for name in _BACKGROUNDS:
            if background := style.get(name):
                parent_background = computed.colour if background == "currentcolor" else computed.background
                computed = replace(computed, background=_background(background, parent_background))
        if style.get("background-clip") == "text":  # the background gives the letters their colour
            computed = replace(computed, colour=computed.background, background=self.background, is_transparent=False)
        if (size := style.get("font-size")) and size not in _IGNORED_VALUES:
            pixels = pixels_of(size, computed.pixels, computed.pixels)
            computed = replace(computed, pixels=16.0 if pixels is None else pixels, is_tiny=_is_tiny(size, pixels))
        if (visibility := style.get("visibility")) and visibility not in _IGNORED_VALUES:
            computed = replace(computed, is_hidden=visibility in _HIDDEN)
        return replace(computed, **self._type(style.get("font-weight", "unset"), style.get("font-family", "unset")))

    def _type(self, weight: str, typeface: str) -> dict[str, bool]:
        is_bold = self.is_bold if weight in _IGNORED_VALUES else _BOLD.fullmatch(weight) is not None
        is_monospaced = self.is_monospaced if typeface in _IGNORED_VALUES else _MONOSPACED.search(typeface) is not None
        return {"is_bold": is_bold, "is_monospaced": is_monospaced}


def declarations_of(style: str) -> dict[str, str]:
    """Return the declarations of properties that are evaluated; the last declaration of each wins.

    A declaration that hides is never overridden: the later value may be invalid or less important.
    """
    declarations: dict[str, str] = {}
    for declaration in without_comments(style).lower().split(";"):
        name, _, text = declaration.partition(":")
        property_name = unescaped(name).strip()
        if property_name.startswith(_PREFIX) and property_name.removeprefix(_PREFIX) in _PREFIXED:
            property_name = property_name.removeprefix(_PREFIX)
        if property_name not in _PROPERTIES:
            continue
        value, _, priority = unescaped(text).lower().partition("!")
        value = " ".join(value.split())
        if property_name == "font":
            weight = "bold" if _BOLD_WITHIN.search(value) else "normal"
            declare(declarations, {"font-weight": weight})
            property_name, value = "font-size", _font_size(value)
        declare(
            declarations, {property_name: value} | ({property_name + _IMPORTANT: ""} if "important" in priority else {})
        )
    return declarations


def declare(style: dict[str, str], declarations: Declarations) -> None:
    """Add declarations to a style, except for properties that already hide or are `!important`."""
    for name, value in declarations.items():
        is_fixed = name + _IMPORTANT in style and name + _IMPORTANT not in declarations
        if not is_fixed and not _hides(name, style.get(name, "")):
            style[name] = value


def _font_size(font: str) -> str:
    """Return the font size in a `font` shorthand; "inherit" without one."""
    match = _FONT_SIZE.search(font)
    return match[0] if match is not None else "inherit"


def unescaped(text: str) -> str:
    """Return CSS with escapes replaced by their characters; U+FFFD for invalid code points."""
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
            return _number(value, 1) < _INVISIBLE_OPACITY
        case "zoom":
            return 0 <= _number(value, 1) < _INVISIBLE_OPACITY
        # Outlook alone knows this property, by which mails hide text.
        case "mso-hide":
            return value == "all"
        case _:
            return False


def hides_all(style: Declarations) -> bool:
    """Return whether a style hides an element with all its descendants, whatever their styles are."""
    return (
        any(_hides(name, value) for name, value in style.items() if name != "visibility")
        or any(_smallest_length(style.get(name, "")) <= limit for name, limit in _OFF_PAGE.items())
        or any(_number(style.get(name, ""), 0) >= _FAR_RIGHT_PIXELS for name in _RIGHT_OFFSETS)
        or (any(style.get(name, "visible") != "visible" for name in _OVERFLOWS) and has_no_area(style))
        or _number(style.get("letter-spacing", ""), 0) <= _OVERLAPPING_PIXELS
        or is_made_invisible(style)
    )


def has_no_area(style: Declarations) -> bool:
    """Return whether a style leaves an image or clipped content no visible area.

    A table cell with a width may have `max-width: 0` to end its text with an ellipsis, so that does not count. Neither
    do a percentage above 0 and a size with a minimum.
    """
    sizes = [
        name
        for name in _SIZES
        if (name != "max-width" or "width" not in style)
        and _number(style.get(f"min-{name}", ""), 0) < _INVISIBLE_PIXELS
        and not (style.get(name, "").endswith("%") and _number(style[name], _CONTAINER_PIXELS) >= 1)
    ]
    is_flat = _number(style.get("line-height", ""), 1) == 0
    return is_flat or any(0 <= _number(style.get(name, ""), _CONTAINER_PIXELS) < _INVISIBLE_PIXELS for name in sizes)


def _background(value: str, inherited: Colour | None) -> Colour | None:
    if value in _IGNORED_VALUES or is_transparent(value):
        return inherited
    colours = [colour for part in value.split(" ") if (colour := colour_of(part)) is not None]
    return colour_of(value) or (colours[0] if len(colours) == 1 and "(" not in value else None)


def _is_tiny(size: str, pixels: float | None) -> bool:
    if pixels is None:
        return False
    unit = _UNIT.search(size)
    return pixels < _READABLE.get(unit[0] if unit else "", _READABLE_PIXELS)


def _smallest_length(value: str) -> float:
    """Return the smallest of the lengths in a value, in pixels."""
    lengths = value.split(" ")[:4] if "(" not in value else [value]
    return min(_number(length, 0) for length in lengths)


def _number(value: str, default: float) -> float:
    if not value:
        return default
    reference = 1.0 if default == 1 else _CONTAINER_PIXELS
    pixels = pixels_of(value, reference)
    return default if pixels is None else pixels
