"""Visibility of text by colour, background colour and size; shared by the readers of all formats."""

import colorsys
import re
from typing import Final

Colour = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""

WHITE: Final[Colour] = (255, 255, 255)
BLACK: Final[Colour] = (0, 0, 0)
UNREADABLE_POINTS: Final = 2.0
"""Font size below which text cannot be read."""
_MAX_SAME_DISTANCE: Final = 12
"""Maximum distance of two colours in each channel at which they look the same."""
_SIX_DIGITS: Final = re.compile(r"#?([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})")
_THREE_DIGITS: Final = re.compile(r"#([0-9a-fA-F])([0-9a-fA-F])([0-9a-fA-F])")


def colour_of(text: str) -> Colour | None:
    """Return the colour of a text such as "FFFFFF", "#ffffff" or "#fff"; None for any other."""
    if (match := _SIX_DIGITS.fullmatch(text)) is not None:
        red, green, blue = (int(part, 16) for part in match.groups())
    elif (match := _THREE_DIGITS.fullmatch(text)) is not None:
        red, green, blue = (int(part * 2, 16) for part in match.groups())
    else:
        return None
    return red, green, blue


def look_same(first: Colour, second: Colour) -> bool:
    """Return whether a person cannot tell the colours apart."""
    return all(
        abs(channel - other_channel) <= _MAX_SAME_DISTANCE for channel, other_channel in zip(first, second, strict=True)
    )


def with_luminance(colour: Colour, factor: float, offset: float) -> Colour:
    """Return the colour with its HSL luminance multiplied by `factor`, then increased by `offset`."""
    hue, luminance, saturation = colorsys.rgb_to_hls(*(channel / 255 for channel in colour))
    changed = colorsys.hls_to_rgb(hue, min(1.0, max(0.0, luminance * factor + offset)), saturation)
    red, green, blue = (round(channel * 255) for channel in changed)
    return red, green, blue
