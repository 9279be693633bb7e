"""Format of text on slides (size, fill, outline, highlight), and an estimate of the area that text covers."""

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

_DEFAULT_HUNDREDTHS: Final = 1_800
"""Default font size of DrawingML, in hundredths of a point."""
# DrawingML has 914,400 English metric units (EMU) per inch, so 12,700 per point.
_EMU_PER_HUNDREDTH: Final = 127
_MAX_DIGITS: Final = 6
_CHARACTER_WIDTH: Final = 0.5
"""Estimated width of a character, in font sizes."""
_LEADING: Final = 1.2
"""Estimated baseline distance, in font sizes."""
_RUN_ELEMENTS: Final = tuple(f"{DRAWING_NAMESPACE} {name}" for name in ("r", "fld"))
_LEVEL_START, _LEVEL_END = f"{DRAWING_NAMESPACE} lvl", "pPr"
_BODY_PROPERTIES: Final = f"{DRAWING_NAMESPACE} bodyPr"


@dataclass(frozen=True, slots=True)
class TextFormat:
    """Format of a text run or of a list level; None for a property that is inherited.

    Attributes:
        hundredths: font size, in hundredths of a point.
        fill, outline: paint of the letters.
        mark: paint of the highlight behind the text.
        alignment: alignment of the paragraph.
    """

    hundredths: int | None = None
    fill: Paint | None = None
    outline: Paint | None = None
    highlight: Paint | None = None
    alignment: str | None = None

    def over(self, below: "TextFormat") -> "TextFormat":
        """Return this format with missing properties inherited from `below`."""
        missing = {one.name: getattr(below, one.name) for one in fields(self) if getattr(self, one.name) is None}
        return replace(self, **missing) if missing else self

    @property
    def size(self) -> int:
        """The font size in hundredths of a point; the default size where none is declared."""
        return _DEFAULT_HUNDREDTHS if self.hundredths is None else self.hundredths


Levels = Mapping[str, TextFormat]
"""Formats by the level of a paragraph, "0" for the first."""
PLAIN: Final = TextFormat()


def format_of(properties: Element | None, theme: Mapping[str, Colour]) -> TextFormat:
    """Return the format that run properties (`a:rPr`, `a:defRPr`) declare."""
    result = PLAIN
    if properties is None:
        return result
    for child in properties:
        if child.tag in FILLS or child.tag == NO_FILL:
            result = replace(result, fill=paint_of(child, theme))
        elif child.tag == f"{DRAWING_NAMESPACE} highlight":
            result = replace(result, highlight=paint_in(child, theme))
        elif child.tag == f"{DRAWING_NAMESPACE} ln":
            fills = (paint_of(element, theme) for element in child if element.tag in FILLS)
            result = replace(result, outline=next(fills, None))
    return replace(result, hundredths=_hundredths(properties.get("sz", "")))


def levels_of(styles: Element | None, theme: Mapping[str, Colour]) -> dict[str, TextFormat]:
    """Return the formats that a list style such as `a:lstStyle` declares, by level."""
    formats: dict[str, TextFormat] = {}
    for level in styles if styles is not None else ():
        number = level.tag.removeprefix(_LEVEL_START).removesuffix(_LEVEL_END)
        if len(number) == 1 and number.isdecimal():
            level_format = format_of(
                next((element for element in level if element.tag == f"{DRAWING_NAMESPACE} defRPr"), None), theme
            )
            formats[str(int(number) - 1)] = replace(level_format, alignment=level.get("algn"))
    return formats


def levels_over(levels: Levels, below: Levels) -> dict[str, TextFormat]:
    """Return the formats by level, with missing properties inherited from `below`."""
    inherited = {number: level_format.over(below.get(number, PLAIN)) for number, level_format in levels.items()}
    return {**below, **inherited}


@dataclass(frozen=True, slots=True)
class FormattedRun:
    """A text run with its resolved format: its own, then that of its level and of its shape."""

    element: Element
    text: str
    format: TextFormat


def formatted_lines(holder: Element, levels: Levels, theme: Mapping[str, Colour]) -> Iterator[list[FormattedRun]]:
    """Yield the runs of each paragraph of a shape or of a cell, with resolved formats."""
    scale = _font_scale(holder)
    for paragraph in holder.iter(f"{DRAWING_NAMESPACE} p"):
        properties = next((element for element in paragraph if element.tag == f"{DRAWING_NAMESPACE} pPr"), None)
        level = levels.get("0" if properties is None else properties.get("lvl", "0"), PLAIN)
        if properties is not None and properties.get("algn"):
            level = replace(level, alignment=properties.get("algn"))
        runs: list[FormattedRun] = []
        for run in paragraph:
            if run.tag in _RUN_ELEMENTS:
                run_properties = next((element for element in run if element.tag == f"{DRAWING_NAMESPACE} rPr"), None)
                resolved = format_of(run_properties, theme).over(level)
                resolved = replace(resolved, hundredths=round(resolved.size * scale)) if scale < 1 else resolved
                runs.append(FormattedRun(run, _text(run), resolved))
        yield runs


def anchor_of(shape: Element) -> str | None:
    """Return the vertical anchor of a shape's text: "t", "ctr" or "b"; None if it is not declared."""
    return next((element.get("anchor") for element in shape.iter(_BODY_PROPERTIES)), None)


def text_area(box: SlideArea, lines: list[list[FormattedRun]], anchor: str) -> SlideArea:
    """Return an estimate of the area that a text covers in its box; it may exceed a box that is too small.

    Text in a rotated box counts as filling it. Text in an unplaced box is unplaced.
    """
    if box.rotation or box is UNPLACED:
        return box
    width, height = box.right - box.left, box.bottom - box.top
    left, right, text_height = box.right, box.left, 0.0
    for line in lines:
        size = max((run.format.size for run in line), default=0) * _EMU_PER_HUNDREDTH
        length = sum(len(run.text) for run in line) * size * _CHARACTER_WIDTH
        alignment = next((run.format.alignment for run in line), None)
        line_width = min(length, width) if width > 0 else length
        free_width = max(0.0, width - line_width)
        start = box.left + {"ctr": free_width / 2, "r": free_width}.get(alignment or "l", 0.0)
        left, right = min(left, start), max(right, start + line_width)
        text_height += size * _LEADING * max(1, math.ceil(length / width) if width > 0 else 1)
    if right <= left or text_height <= 0:
        return box
    top = box.top + {"ctr": (height - text_height) / 2, "b": height - text_height}.get(anchor, 0.0)
    return SlideArea(left, top, right, top + text_height)


def within(area: SlideArea, box: SlideArea) -> SlideArea:
    """Return the area of a text clipped to its box, in the dimensions in which the box has an extent."""
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
    """Return the scale by which a program shrinks the text to fit its box (`a:normAutofit`)."""
    body = next(holder.iter(_BODY_PROPERTIES), None)
    autofits = (
        (element for element in body if element.tag == f"{DRAWING_NAMESPACE} normAutofit") if body is not None else ()
    )
    return min((share_of_full(element.get("fontScale", "")) for element in autofits), default=1.0)


def _text(run: Element) -> str:
    return "".join(element.text or "" for element in run if element.tag == f"{DRAWING_NAMESPACE} t")


def _hundredths(size: str) -> int | None:
    return int(size) if size.isascii() and size.isdecimal() and len(size) <= _MAX_DIGITS else None
