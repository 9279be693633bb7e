"""Colours of CSS as red, green and blue; those that are not known have none."""

import re
from typing import Final

from groundwire.adapters.parse.readers.visibility import BLACK, WHITE, Colour

_NAMED: Final[dict[str, Colour]] = {
    "white": WHITE,
    "black": BLACK,
    "snow": (255, 250, 250),
    "ghostwhite": (248, 248, 255),
    "whitesmoke": (245, 245, 245),
    "floralwhite": (255, 250, 240),
    "ivory": (255, 255, 240),
    "azure": (240, 255, 255),
    "mintcream": (245, 255, 250),
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "lightgray": (211, 211, 211),
    "lightgrey": (211, 211, 211),
    "darkgray": (169, 169, 169),
    "navy": (0, 0, 128),
}
_HEX: Final = re.compile(r"#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_HEX_TRANSPARENT: Final = re.compile(r"#(?:[0-9a-f]{3}0|[0-9a-f]{6}0[0-9a-c])")
"""Colour whose last digits, its opacity, are below `_UNSEEN_ALPHA` of 255."""
_FUNCTION: Final = re.compile(r"(rgba?|hsla?)\(([^()]{1,80})\)")
_NUMBER: Final = re.compile(r"(-?\d{0,6}\.?\d{1,6})(%|deg)?")
_UNSEEN_ALPHA: Final = 0.05


def colour_of(text: str) -> Colour | None:
    """Return the colour of a value in lower case; None where it is unknown or lets other colours through."""
    if text in _NAMED:
        return _NAMED[text]
    if found := _HEX.fullmatch(text):
        return _of_hex(found[1])
    if found := _FUNCTION.fullmatch(text):
        return _of_function(found[1], found[2])
    return None


def is_transparent(text: str) -> bool:
    """Return whether a value in lower case has no colour at all."""
    if found := _FUNCTION.fullmatch(text):
        parts = _NUMBER.findall(found[2])
        return len(parts) > 3 and _share(*parts[3]) < _UNSEEN_ALPHA  # noqa: PLR2004
    return text == "transparent" or _HEX_TRANSPARENT.fullmatch(text) is not None


def _of_hex(digits: str) -> Colour | None:
    short = len(digits) <= 4  # noqa: PLR2004
    pairs = [digit * 2 for digit in digits] if short else [digits[at : at + 2] for at in range(0, len(digits), 2)]
    red, green, blue, *alpha = (int(pair, 16) for pair in pairs)
    return None if alpha and alpha[0] < WHITE[0] else (red, green, blue)


def _of_function(name: str, arguments: str) -> Colour | None:
    parts = _NUMBER.findall(arguments)
    if len(parts) < 3 or (len(parts) > 3 and _share(*parts[3]) < 1):  # noqa: PLR2004
        return None
    if name.startswith("rgb"):
        red, green, blue = (round(_channel(*part)) for part in parts[:3])
        return red, green, blue
    saturation, lightness = (float(number) for number, _ in parts[1:3])
    level = round(255 * lightness / 100)
    return (level, level, level) if saturation == 0 or lightness in (0, 100) else None


def _channel(number: str, unit: str) -> float:
    return float(number) * 2.55 if unit == "%" else float(number)


def _share(number: str, unit: str) -> float:
    return float(number) / 100 if unit == "%" else float(number)
