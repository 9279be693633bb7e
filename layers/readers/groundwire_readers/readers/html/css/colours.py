"""Parsing of CSS colours to red, green and blue; unknown colours give None."""

import colorsys
import re
from collections.abc import Iterable
from typing import Final

from groundwire_readers.readers.visibility import BLACK, WHITE, Colour

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
    "canvas": WHITE,
    "canvastext": BLACK,
    "seashell": (255, 245, 238),
    "aliceblue": (240, 248, 255),
    "lightyellow": (255, 255, 224),
    "lightcyan": (224, 255, 255),
    "lavenderblush": (255, 240, 245),
    "honeydew": (240, 255, 240),
    "cornsilk": (255, 248, 220),
    "linen": (250, 240, 230),
    "beige": (245, 245, 220),
    "oldlace": (253, 245, 230),
    "lavender": (230, 230, 250),
    "gainsboro": (220, 220, 220),
    "pink": (255, 192, 203),
    "silver": (192, 192, 192),
    "dimgray": (105, 105, 105),
    "dimgrey": (105, 105, 105),
    "orange": (255, 165, 0),
    "maroon": (128, 0, 0),
    "olive": (128, 128, 0),
    "lime": (0, 255, 0),
    "aqua": (0, 255, 255),
    "teal": (0, 128, 128),
    "cyan": (0, 255, 255),
    "fuchsia": (255, 0, 255),
    "magenta": (255, 0, 255),
    "purple": (128, 0, 128),
    "rebeccapurple": (102, 51, 153),
    "darkgrey": (169, 169, 169),
    "brown": (165, 42, 42),
    "gold": (255, 215, 0),
    "darkblue": (0, 0, 139),
    "darkred": (139, 0, 0),
    "darkgreen": (0, 100, 0),
    "midnightblue": (25, 25, 112),
    "tomato": (255, 99, 71),
    "crimson": (220, 20, 60),
    "indigo": (75, 0, 130),
    "steelblue": (70, 130, 180),
}
_HEX: Final = re.compile(r"#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_FUNCTION: Final = re.compile(r"(rgba?|hsla?|hwb|ok(?:lab|lch)|lab|lch|color)\(([^()]{1,80})\)")
_COLOR_MIX: Final = re.compile(r"color-mix\( ?in [a-z0-9 -]{1,40},([^(),]{1,40}),([^(),]{1,40})\)")
_NUMBER: Final = re.compile(r"(?<![\w.])(-?\d{0,6}\.?\d{1,6})(%|deg)?")
_SHARE: Final = re.compile(r"(\d{1,3})%")
_INVISIBLE_ALPHA: Final = 0.05


def colour_of(text: str) -> Colour | None:
    """Return the colour of a CSS value in lower case; None if it is unknown or not opaque."""
    return None if (_alpha(text) or 0.0) < 1 else text_colour_of(text)


def text_colour_of(text: str) -> Colour | None:
    """Return the colour of a CSS value in lower case; opacity is ignored, since it never adds contrast."""
    if text in _NAMED:
        return _NAMED[text]
    if found := _HEX.fullmatch(text):
        digits = found[1]
        pairs = [each * 2 for each in digits] if len(digits) <= 4 else re.findall("..", digits)  # noqa: PLR2004
        red, green, blue = (int(pair, 16) for pair in pairs[:3])
        return red, green, blue
    if found := _FUNCTION.fullmatch(text):
        return _colour_of_function(found[1], _NUMBER.findall(found[2]))
    if found := _COLOR_MIX.fullmatch(text):
        return _mixed_colour(found[1].split(), found[2].split())
    return None


def is_transparent(text: str) -> bool:
    """Return whether a CSS value in lower case is fully or nearly transparent."""
    alpha = _alpha(text)
    return text == "transparent" or (alpha is not None and alpha < _INVISIBLE_ALPHA)


def _alpha(text: str) -> float | None:
    """Return the opacity of a CSS value, from 0 to 1; None if it is no known colour."""
    if found := _HEX.fullmatch(text):
        digits = found[1]
        if len(digits) in (4, 8):
            return int(digits[-1] * 2 if len(digits) == 4 else digits[-2:], 16) / 255  # noqa: PLR2004
        return 1.0
    if found := _FUNCTION.fullmatch(text):
        parts = _NUMBER.findall(found[2])
        return _share(*parts[3]) if len(parts) > 3 else 1.0  # noqa: PLR2004
    return 1.0 if text in _NAMED or _COLOR_MIX.fullmatch(text) else None


def _colour_of_function(name: str, parts: list[tuple[str, str]]) -> Colour | None:
    if len(parts) < 3:  # noqa: PLR2004
        return None
    if name.startswith("rgb"):
        return _colour(_channel(*part) / 255 for part in parts[:3])
    # Wider colour spaces are taken as sRGB: the difference does not make text visible.
    if name == "color":
        return _colour(_share(*part) for part in parts[:3])
    first, second, third = (float(number) for number, _ in parts[:3])
    if name.startswith("hsl"):
        return _colour(colorsys.hls_to_rgb(first / 360 % 1, min(1.0, third / 100), min(1.0, second / 100)))
    if name == "hwb":
        # CSS Color 4: shares of white and black that exceed 100 % together make a grey.
        white, black = second / 100, third / 100
        total = max(1.0, white + black)
        pure = colorsys.hls_to_rgb(first / 360 % 1, 0.5, 1.0)
        return _colour(white / total + channel * (1 - (white + black) / total) for channel in pure)
    return _grey_of_lightness(name, *parts[0], is_grey=second == 0 and (third == 0 or name.endswith("lch")))


def _grey_of_lightness(name: str, number: str, unit: str, *, is_grey: bool) -> Colour | None:
    """Return the grey of `lab`, `lch`, `oklab` or `oklch`; None for chromatic colours, which are not converted."""
    lightness = float(number) / (1 if name.startswith("ok") and unit != "%" else 100)
    if not is_grey and 0 < lightness < 1:
        return None
    # For greys, OK lightness is the cube root of linear light; CIE lightness has an offset besides.
    linear = lightness**3 if name.startswith("ok") else max(0.0, (lightness * 100 + 16) / 116) ** 3
    # The transfer function of sRGB (IEC 61966-2-1).
    level = 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055  # noqa: PLR2004
    return _colour([level] * 3)


def _mixed_colour(first: list[str], second: list[str]) -> Colour | None:
    colours = [text_colour_of(operand[0]) for operand in (first, second) if operand]
    percentages = [_SHARE.fullmatch(operand[1]) if len(operand) > 1 else None for operand in (first, second)]
    shares = [None if share is None else float(share[1]) for share in percentages]
    match colours, shares:
        case [one, other], [share, rest] if one is not None and other is not None:
            weight = share if share is not None else (50.0 if rest is None else 100 - rest)
            return _colour((a * weight + b * (100 - weight)) / 25_500 for a, b in zip(one, other, strict=True))
        case _:
            return None


def _colour(channels: Iterable[float]) -> Colour:
    red, green, blue = (round(255 * min(1.0, max(0.0, channel))) for channel in channels)
    return red, green, blue


def _channel(number: str, unit: str) -> float:
    return float(number) * 2.55 if unit == "%" else float(number)


def _share(number: str, unit: str) -> float:
    return float(number) / 100 if unit == "%" else float(number)
