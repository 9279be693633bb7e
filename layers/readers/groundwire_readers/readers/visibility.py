"""Visibility of text by its colour, the colour below it, and its size."""

import colorsys
import re
from typing import Final

Colour = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""

WHITE: Final[Colour] = (255, 255, 255)
BLACK: Final[Colour] = (0, 0, 0)
UNREADABLE_POINTS: Final = 2.0
"""Font size below which text cannot be read."""
_SAME: Final = 12
"""Maximum distance of two colours in each channel at which they look the same."""
_LONG: Final = re.compile(r"#?([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})")
_SHORT: Final = re.compile(r"#([0-9a-fA-F])([0-9a-fA-F])([0-9a-fA-F])")


def colour_of(text: str) -> Colour | None:
    """Return the colour of a text such as "FFFFFF", "#ffffff" or "#fff"; None for any other."""
    if (found := _LONG.fullmatch(text)) is not None:
        red, green, blue = (int(part, 16) for part in found.groups())
    elif (found := _SHORT.fullmatch(text)) is not None:
        red, green, blue = (int(part * 2, 16) for part in found.groups())
    else:
        return None
    return red, green, blue


def look_same(first: Colour, second: Colour) -> bool:
    """Return whether a person cannot tell the colours apart."""
    return all(abs(one - other) <= _SAME for one, other in zip(first, second, strict=True))


def with_luminance(colour: Colour, factor: float, offset: float) -> Colour:
    """Return the colour with its luminance (HSL) multiplied, then increased; from 0 to 1 each."""
    hue, luminance, saturation = colorsys.rgb_to_hls(*(channel / 255 for channel in colour))
    changed = colorsys.hls_to_rgb(hue, min(1.0, max(0.0, luminance * factor + offset)), saturation)
    red, green, blue = (round(channel * 255) for channel in changed)
    return red, green, blue
