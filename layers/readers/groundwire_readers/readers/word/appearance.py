"""Format of text in Word files, as far as it affects whether the text can be seen."""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Final

from groundwire_readers.readers.visibility import (
    BLACK,
    UNREADABLE_POINTS,
    WHITE,
    Colour,
    colour_of,
    look_same,
)

AUTOMATIC: Final[Colour] = (-1_000, -1_000, -1_000)
"""Colour of text that Word chooses so that it can be seen; of a background: none, so that the one below shows."""
UNKNOWN: Final[Colour] = (-2_000, -2_000, -2_000)
"""Background of several colours, or one that depends on a theme or a picture."""
WHITE_OF_THEME: Final = ("background1", "light1", "bg1", "lt1")
"""Names of the colour of a theme that pages have, which is white."""
_OFF: Final = ("0", "false", "off", "none")
_SIZES: Final = {"w:sz": "points", "w:szCs": "complex_points"}
_COMPLEX: Final = ("w:cs", "w:rtl")
"""Properties of runs that are formatted as complex script, whatever their letters are."""
PROPERTIES: Final = frozenset(["w:vanish", "w:outline", "w:color", "w:highlight", "w:shd", *_SIZES, *_COMPLEX])
"""Properties of runs and styles that count here."""
_COMPLEX_LETTERS: Final = re.compile("[\u0590-\u109f\u1780-\u18af\ufb1d-\ufdff\ufe70-\ufefc]")
"""Letters that programs format as complex script by themselves: from Hebrew to Burmese, Khmer and Mongolian."""
_TRANSPARENT: Final = 98_000
"""Least transparency at which text cannot be seen, in thousandths of a percent."""
_HIGHLIGHTS: Final = {
    "black": BLACK,
    "white": WHITE,
    "yellow": (255, 255, 0),
    "green": (0, 255, 0),
    "cyan": (0, 255, 255),
    "magenta": (255, 0, 255),
    "blue": (0, 0, 255),
    "red": (255, 0, 0),
    "darkBlue": (0, 0, 128),
    "darkCyan": (0, 128, 128),
    "darkGreen": (0, 128, 0),
    "darkMagenta": (128, 0, 128),
    "darkRed": (128, 0, 0),
    "darkYellow": (128, 128, 0),
    "darkGray": (128, 128, 128),
    "lightGray": (192, 192, 192),
    "none": AUTOMATIC,
}


@dataclass(frozen=True, slots=True)
class RunAppearance:
    """Properties of a run or a style; None where it leaves them to the style below.

    Attributes:
        is_hidden: by the switch for hidden text. colour, fill: of the text and its background.
        points, complex_points: font size, and that of complex scripts. is_complex: the run is such a script.
        is_filled: the inside of the letters is drawn. is_outlined: their outline is drawn.
    """

    is_hidden: bool | None = None
    colour: Colour | None = None
    fill: Colour | None = None
    points: float | None = None
    is_filled: bool | None = None
    is_outlined: bool | None = None
    complex_points: float | None = None
    is_complex: bool | None = None

    def over(self, below: "RunAppearance") -> "RunAppearance":
        """Return these properties, completed by those of `below`."""
        missing = {one.name: getattr(below, one.name) for one in fields(self) if getattr(self, one.name) is None}
        return replace(self, **missing) if missing else self

    def with_property(self, name: str, attribute: Callable[[str], str]) -> "RunAppearance":
        """Return these properties with another of the file, such as "w:color"; `attribute` returns its attributes."""
        if name in ("w:vanish", "w:outline", *_COMPLEX):
            return self._with_switch(name, is_on=attribute("val").lower() not in _OFF)
        if name == "w:color":
            return replace(self, colour=_text_colour(attribute))
        if name == "w:highlight":
            return replace(self, fill=_HIGHLIGHTS.get(attribute("val"), UNKNOWN))
        # A highlight covers the shading of the same run.
        if name == "w:shd" and self.fill is None:
            return replace(self, fill=shade_of(attribute))
        return replace(self, **{_SIZES[name]: _points(attribute("val"))}) if name in _SIZES else self

    def _with_switch(self, name: str, *, is_on: bool) -> "RunAppearance":
        if name in _COMPLEX:
            return replace(self, is_complex=is_on or self.is_complex)
        return replace(self, is_hidden=is_on) if name == "w:vanish" else replace(self, is_outlined=is_on)

    def with_effect(self, name: str, value: str) -> "RunAppearance":
        """Return these properties with one of how the letters are filled or outlined, such as "w14:textFill/noFill"."""
        if name == "w14:textFill/noFill" or (name == "w14:textFill/alpha" and _number(value) >= _TRANSPARENT):
            return replace(self, is_filled=False)
        if name == "w14:textFill/srgbClr":
            return replace(self, colour=colour_of(value) or AUTOMATIC)
        if name == "w14:textFill/schemeClr":
            return replace(self, colour=WHITE if value in WHITE_OF_THEME else AUTOMATIC)
        if name in ("w14:textOutline/solidFill", "w14:textOutline/gradFill"):
            return replace(self, is_outlined=True)
        return self

    def is_seen_on(self, background: Colour, text: str) -> bool:
        """Return whether a person sees the text on this background."""
        points = self.complex_points if self.is_complex or _is_complex(text) else self.points
        if self.is_hidden or (points is not None and points < UNREADABLE_POINTS):
            return False
        if self.is_outlined:
            return True
        below = background if self.fill is None or self.fill == AUTOMATIC else self.fill
        own = self.colour
        is_same = own is not None and own != AUTOMATIC and look_same(own, below)
        return self.is_filled is not False and not is_same


def shade_of(attribute: Callable[[str], str]) -> Colour:
    """Return the colour of a shading; AUTOMATIC for none, UNKNOWN for a pattern."""
    pattern = attribute("val")
    if pattern == "nil":
        return AUTOMATIC
    if pattern == "solid":
        return colour_of(attribute("color")) or BLACK
    if pattern not in ("", "clear"):
        return UNKNOWN
    fill = attribute("fill")
    if fill in ("", "auto"):
        return UNKNOWN if attribute("themeFill") else AUTOMATIC
    return colour_of(fill) or UNKNOWN


def _is_complex(text: str) -> bool:
    """Return whether all letters of a text are of a complex script."""
    if _COMPLEX_LETTERS.search(text) is None:
        return False
    return not any(sign.isalpha() for sign in _COMPLEX_LETTERS.sub("", text))


def _text_colour(attribute: Callable[[str], str]) -> Colour:
    is_plain = not (attribute("themeTint") or attribute("themeShade"))
    if attribute("themeColor") in WHITE_OF_THEME and is_plain:
        return WHITE
    return colour_of(attribute("val")) or AUTOMATIC


def _points(half_points: str) -> float | None:
    return int(half_points) / 2 if half_points.isascii() and half_points.isdecimal() and len(half_points) < 6 else None  # noqa: PLR2004


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0  # noqa: PLR2004
