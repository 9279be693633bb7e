"""Run properties of Word files that decide how text is read: colour, shading, size, effects, position, strike."""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Final

from groundwire_readers.readers.visibility import BLACK, UNREADABLE_POINTS, WHITE, Colour, colour_of, look_same
from groundwire_readers.text.runs import GAP, Mark

AUTOMATIC: Final[Colour] = (-1_000, -1_000, -1_000)
"""Automatic colour: of text, a colour that Word chooses for contrast; of a background, none."""
UNKNOWN: Final[Colour] = (-2_000, -2_000, -2_000)
"""Background of several colours, or one that depends on a theme or an image."""
WHITE_OF_THEME: Final = ("background1", "light1", "bg1", "lt1")
"""Names of the theme colour of pages, which is white."""
_FALSE_VALUES: Final = ("0", "false", "off", "none")
_SIZE_FIELDS: Final = {"w:sz": "points", "w:szCs": "complex_points"}
_COMPLEX_SCRIPT_SWITCHES: Final = ("w:cs", "w:rtl")
"""Run properties that force complex script formatting, whatever the letters are."""
_STRIKES: Final = ("w:strike", "w:dstrike")
_ALIGNED: Final = {"superscript": 1, "subscript": -1}
_USUAL_POINTS: Final = 10.0
_MIN_RISE: Final = 2
_MIN_RISE_OF_FULL_SIZE: Final = 6
"""Rise in half points from which small text, and text of any size, is raised or lowered."""
_SWITCHES: Final = ("w:vanish", "w:outline", *_STRIKES, *_COMPLEX_SCRIPT_SWITCHES)
PROPERTIES: Final = frozenset(
    ["w:vertAlign", "w:position", "w:color", "w:highlight", "w:shd", *_SIZE_FIELDS, *_SWITCHES]
)
"""Run properties that are evaluated here."""
_COMPLEX_LETTERS: Final = re.compile("[\u0590-\u109f\u1780-\u18af\ufb1d-\ufdff\ufe70-\ufefc]")
"""Letters of complex scripts (Hebrew to Burmese, Khmer, Mongolian), which have separate font sizes."""
_MIN_INVISIBLE_TRANSPARENCY: Final = 98_000
"""Minimum transparency of invisible text, in thousandths of a percent."""
_HIGHLIGHT_COLOURS: Final = {
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
    """Properties of a run or a style; None for a property that is inherited.

    Attributes:
        is_hidden: whether the run is marked as hidden text (`w:vanish`).
        colour: text colour.
        fill: colour of highlight or shading behind the text.
        points, complex_points: font size, and font size of complex scripts.
        is_filled: whether the letters are filled; false for no or a transparent fill.
        is_outlined: whether the outline of the letters is drawn.
        is_complex: whether the run is formatted as complex script.
        is_struck: whether there is a line through the run.
        position: 1 for a superscript, -1 for a subscript, 0 for neither.
        rise: half points above the line; negative below it.
    """

    is_hidden: bool | None = None
    colour: Colour | None = None
    fill: Colour | None = None
    points: float | None = None
    is_filled: bool | None = None
    is_outlined: bool | None = None
    complex_points: float | None = None
    is_complex: bool | None = None
    is_struck: bool | None = None
    position: int | None = None
    rise: int | None = None

    def over(self, below: "RunAppearance") -> "RunAppearance":
        """Return these properties, with missing ones inherited from `below`."""
        missing = {one.name: getattr(below, one.name) for one in fields(self) if getattr(self, one.name) is None}
        return replace(self, **missing) if missing else self

    def with_property(self, name: str, attribute: Callable[[str], str]) -> "RunAppearance":
        """Return these properties with another run property, such as "w:color"; `attribute` looks up its attributes."""
        if name in _SWITCHES:
            return self._with_switch(name, is_on=attribute("val").lower() not in _FALSE_VALUES)
        if name == "w:color":
            return replace(self, colour=_text_colour(attribute))
        if name == "w:highlight":
            return replace(self, fill=_HIGHLIGHT_COLOURS.get(attribute("val"), UNKNOWN))
        # A highlight is drawn above the shading of the same run.
        if name == "w:shd" and self.fill is None:
            return replace(self, fill=shade_of(attribute))
        return self._with_number(name, attribute("val"))

    def _with_number(self, name: str, value: str) -> "RunAppearance":
        if name == "w:vertAlign":
            return replace(self, position=_ALIGNED.get(value, 0))
        if name == "w:position":
            return replace(self, rise=_signed(value))
        return replace(self, **{_SIZE_FIELDS[name]: _points(value)}) if name in _SIZE_FIELDS else self

    def _with_switch(self, name: str, *, is_on: bool) -> "RunAppearance":
        if name in _COMPLEX_SCRIPT_SWITCHES:
            return replace(self, is_complex=is_on or self.is_complex)
        if name in _STRIKES:
            return replace(self, is_struck=is_on or bool(self.is_struck))
        return replace(self, is_hidden=is_on) if name == "w:vanish" else replace(self, is_outlined=is_on)

    def with_effect(self, name: str, value: str) -> "RunAppearance":
        """Return these properties with a text effect, such as "w14:textFill/noFill"."""
        if name == "w14:textFill/noFill" or (
            name == "w14:textFill/alpha" and _number(value) >= _MIN_INVISIBLE_TRANSPARENCY
        ):
            return replace(self, is_filled=False)
        if name == "w14:textFill/srgbClr":
            return replace(self, colour=colour_of(value) or AUTOMATIC)
        if name == "w14:textFill/schemeClr":
            return replace(self, colour=WHITE if value in WHITE_OF_THEME else AUTOMATIC)
        if name in ("w14:textOutline/solidFill", "w14:textOutline/gradFill"):
            return replace(self, is_outlined=True)
        return self

    def mark_within(self, around: "RunAppearance") -> str:
        """Return the mark of a run among text of another appearance; empty for ordinary text."""
        if self.is_struck:
            return GAP
        is_small = self.points is not None and self.points < (around.points or _USUAL_POINTS)
        rise = self.rise or 0
        is_moved = abs(rise) >= (_MIN_RISE if is_small else _MIN_RISE_OF_FULL_SIZE)
        direction = self.position or (rise if is_moved else 0)
        return "" if direction == 0 else Mark.RAISED if direction > 0 else Mark.LOWERED

    def is_visible_on(self, background: Colour, text: str) -> bool:
        """Return whether the text is visible on this background."""
        points = self.complex_points if self.is_complex or _is_complex(text) else self.points
        if self.is_hidden or (points is not None and points < UNREADABLE_POINTS):
            return False
        if self.is_outlined:
            return True
        below = background if self.fill is None or self.fill == AUTOMATIC else self.fill
        colour = self.colour
        is_same = colour is not None and colour != AUTOMATIC and look_same(colour, below)
        return self.is_filled is not False and not is_same


def shade_of(attribute: Callable[[str], str]) -> Colour:
    """Return the colour of a shading (`w:shd`); AUTOMATIC for no shading, UNKNOWN for a pattern."""
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
    """Return whether all letters of a text are in complex scripts."""
    if _COMPLEX_LETTERS.search(text) is None:
        return False
    return not any(character.isalpha() for character in _COMPLEX_LETTERS.sub("", text))


def _text_colour(attribute: Callable[[str], str]) -> Colour:
    is_plain = not (attribute("themeTint") or attribute("themeShade"))
    if attribute("themeColor") in WHITE_OF_THEME and is_plain:
        return WHITE
    return colour_of(attribute("val")) or AUTOMATIC


def _points(half_points: str) -> float | None:
    return int(half_points) / 2 if half_points.isascii() and half_points.isdecimal() and len(half_points) < 6 else None  # noqa: PLR2004


def _signed(text: str) -> int:
    number = _number(text.removeprefix("-"))
    return -number if text.startswith("-") else number


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0  # noqa: PLR2004
