"""Format of text on slides, as far as it affects whether the text can be seen, and the place of text in its box."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.office.presentations.slide_areas import UNPLACED, SlideArea
from groundwire_readers.readers.office.presentations.slide_colours import (
    FILLS,
    NO_FILL,
    Paint,
    paint_in,
    paint_of,
    share_of_full,
)
from groundwire_readers.readers.office.presentations.slides import DRAWING_NAMESPACE
from groundwire_readers.readers.visibility import Colour

_USUAL_HUNDREDTHS: Final = 1_800
"""Font size of most presentations, in hundredths of a point."""
# DrawingML has 914,400 units per inch, so 12,700 per point.
_UNITS_PER_HUNDREDTH: Final = 127
_DIGITS_MAX: Final = 6
_WIDTH: Final = 0.5
"""Usual width of a character, as a share of the font size."""
_LINE: Final = 1.2
"""Usual distance of lines, as a share of the font size."""
_RUNS: Final = tuple(f"{DRAWING_NAMESPACE} {name}" for name in ("r", "fld"))
_LEVEL_START, _LEVEL_END = f"{DRAWING_NAMESPACE} lvl", "pPr"
_FRAME: Final = f"{DRAWING_NAMESPACE} bodyPr"


@dataclass(frozen=True, slots=True)
class LetterFormat:
    """Format of a run or of a level; None where it leaves a property to the format below.

    Attributes:
        hundredths: font size, in hundredths of a point. mark: the highlight. alignment: of the paragraph.
    """

    hundredths: int | None = None
    fill: Paint | None = None
    outline: Paint | None = None
    mark: Paint | None = None
    alignment: str | None = None

    def over(self, below: "LetterFormat") -> "LetterFormat":
        """Return this format, with the properties of `below` where it has none."""
        missing = {one.name: getattr(below, one.name) for one in fields(self) if getattr(self, one.name) is None}
        return replace(self, **missing) if missing else self

    @property
    def size(self) -> int:
        """The font size in hundredths of a point; a readable one where none is stated."""
        return _USUAL_HUNDREDTHS if self.hundredths is None else self.hundredths


Levels = Mapping[str, LetterFormat]
"""Formats by the level of a paragraph, "0" for the first."""
PLAIN: Final = LetterFormat()


def format_of(properties: Element | None, theme: Mapping[str, Colour]) -> LetterFormat:
    """Return what the properties of a run or of a level state."""
    found = PLAIN
    if properties is None:
        return found
    for child in properties:
        if child.tag in FILLS or child.tag == NO_FILL:
            found = replace(found, fill=paint_of(child, theme))
        elif child.tag == f"{DRAWING_NAMESPACE} highlight":
            found = replace(found, mark=paint_in(child, theme))
        elif child.tag == f"{DRAWING_NAMESPACE} ln":
            fills = (paint_of(one, theme) for one in child if one.tag in FILLS)
            found = replace(found, outline=next(fills, None))
    return replace(found, hundredths=_hundredths(properties.get("sz", "")))


def levels_of(styles: Element | None, theme: Mapping[str, Colour]) -> dict[str, LetterFormat]:
    """Return the levels of a list of styles, such as an `a:lstStyle`."""
    found: dict[str, LetterFormat] = {}
    for level in styles if styles is not None else ():
        number = level.tag.removeprefix(_LEVEL_START).removesuffix(_LEVEL_END)
        if len(number) == 1 and number.isdecimal():
            own = format_of(next((one for one in level if one.tag == f"{DRAWING_NAMESPACE} defRPr"), None), theme)
            found[str(int(number) - 1)] = replace(own, alignment=level.get("algn"))
    return found


def levels_over(levels: Levels, below: Levels) -> dict[str, LetterFormat]:
    """Return the levels, each over the one of the same number."""
    merged = {number: own.over(below.get(number, PLAIN)) for number, own in levels.items()}
    return {**below, **merged}


@dataclass(frozen=True, slots=True)
class FormattedRun:
    """A run of text, with the format that it has of its own, of its level and of its shape."""

    element: Element
    text: str
    format: LetterFormat


def formatted_lines(holder: Element, levels: Levels, theme: Mapping[str, Colour]) -> Iterator[list[FormattedRun]]:
    """Yield the runs of each paragraph of a shape or of a cell; a line break is no run."""
    scale = _font_scale(holder)
    for line in holder.iter(f"{DRAWING_NAMESPACE} p"):
        properties = next((one for one in line if one.tag == f"{DRAWING_NAMESPACE} pPr"), None)
        level = levels.get("0" if properties is None else properties.get("lvl", "0"), PLAIN)
        if properties is not None and properties.get("algn"):
            level = replace(level, alignment=properties.get("algn"))
        found: list[FormattedRun] = []
        for run in line:
            if run.tag in _RUNS:
                own = next((one for one in run if one.tag == f"{DRAWING_NAMESPACE} rPr"), None)
                whole = format_of(own, theme).over(level)
                whole = replace(whole, hundredths=round(whole.size * scale)) if scale < 1 else whole
                found.append(FormattedRun(run, _text(run), whole))
        yield found


def anchor_of(shape: Element) -> str | None:
    """Return where in its box a shape has its text: "t", "ctr" or "b"; None where the shape does not state it."""
    return next((one.get("anchor") for one in shape.iter(_FRAME)), None)


def text_area(box: SlideArea, lines: list[list[FormattedRun]], anchor: str) -> SlideArea:
    """Return about the area that a text takes in its box; it may exceed a box that is too small.

    A text in a box that is turned is taken to fill it. One in a box without a place has none either.
    """
    if box.turn or box is UNPLACED:
        return box
    width, height = box.right - box.left, box.bottom - box.top
    left, right, needed = box.right, box.left, 0.0
    for line in lines:
        size = max((run.format.size for run in line), default=0) * _UNITS_PER_HUNDREDTH
        length = sum(len(run.text) for run in line) * size * _WIDTH
        alignment = next((run.format.alignment for run in line), None)
        used = min(length, width) if width > 0 else length
        free = max(0.0, width - used)
        start = box.left + {"ctr": free / 2, "r": free}.get(alignment or "l", 0.0)
        left, right = min(left, start), max(right, start + used)
        needed += size * _LINE * max(1, math.ceil(length / width) if width > 0 else 1)
    if right <= left or needed <= 0:
        return box
    top = box.top + {"ctr": (height - needed) / 2, "b": height - needed}.get(anchor, 0.0)
    return SlideArea(left, top, right, top + needed)


def within(area: SlideArea, box: SlideArea) -> SlideArea:
    """Return the part of a text's area that is in its box; the text's own where the box has no width or height."""
    if box is UNPLACED:
        return box
    is_wide, is_high = box.right > box.left, box.bottom > box.top
    return replace(
        area,
        left=max(area.left, box.left) if is_wide else area.left,
        right=min(area.right, box.right) if is_wide else area.right,
        top=min(max(area.top, box.top), box.bottom) if is_high else area.top,
        bottom=max(min(area.bottom, box.bottom), box.top) if is_high else area.bottom,
    )


def _font_scale(holder: Element) -> float:
    """Return the share to which a program shrinks the text so that it fits its box."""
    frame = next(holder.iter(_FRAME), None)
    fits = (one for one in frame if one.tag == f"{DRAWING_NAMESPACE} normAutofit") if frame is not None else ()
    return min((share_of_full(one.get("fontScale", "")) for one in fits), default=1.0)


def _text(run: Element) -> str:
    return "".join(one.text or "" for one in run if one.tag == f"{DRAWING_NAMESPACE} t")


def _hundredths(size: str) -> int | None:
    return int(size) if size.isascii() and size.isdecimal() and len(size) <= _DIGITS_MAX else None
