"""Removal of text of a slide that a person does not see: of the colour below it, without a fill, or too small."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final
from xml.etree.ElementTree import Element

from groundwire.adapters.parse.readers.office.presentations.slide_areas import (
    EVERYWHERE,
    DrawnArea,
    SlideArea,
    colours_below,
    placed_shapes,
)
from groundwire.adapters.parse.readers.office.presentations.slide_ground import (
    FILLS,
    SlideGround,
    drawn_area,
    fill_colour,
    has_fill,
    is_placeholder,
    own_fill,
    shape_colour,
)
from groundwire.adapters.parse.readers.office.presentations.slides import DRAWING_NAMESPACE, SLIDE_NAMESPACE
from groundwire.adapters.parse.readers.visibility import UNREADABLE_POINTS, Colour, look_same

_RUNS: Final = (f"{DRAWING_NAMESPACE} r", f"{DRAWING_NAMESPACE} fld")
_RUN_PROPERTIES: Final = f"{DRAWING_NAMESPACE} rPr"
_NO_FILL: Final = f"{DRAWING_NAMESPACE} noFill"
_CELL_PROPERTIES: Final = f"{DRAWING_NAMESPACE} tcPr"
_SHAPE: Final = f"{SLIDE_NAMESPACE} sp"
_FRAME: Final = f"{SLIDE_NAMESPACE} graphicFrame"
_UNCERTAIN: Final[set[Colour | None]] = {None}
_USUAL_HUNDREDTHS: Final = 1_800
"""Font size of most presentations, in hundredths of a point."""
_UNITS_PER_HUNDREDTH: Final = 127
_AREAS_MAX: Final = 1_000
"""Maximum number of areas that a text is compared with; beyond it, all texts count as seen."""
_FAINT: Final = 2_000
"""Maximum opacity at which text cannot be seen, in thousandths of a percent."""
_DIGITS_MAX: Final = 6


def remove_hidden_text(tree: Element, ground: SlideGround) -> bool:
    """Remove the text of a slide that a person does not see, and return whether there was any."""
    reader = _Slide(ground, ground.of_slide(tree), list(ground.drawn))
    return sum(reader.prune(shapes) for shapes in tree.iter(f"{SLIDE_NAMESPACE} spTree")) > 0


@dataclass(slots=True)
class _Slide:
    """A slide whose shapes are read from the lowest to the topmost; `drawn` are the areas filled so far."""

    ground: SlideGround
    background: Colour | None
    drawn: list[DrawnArea] = field(default_factory=list[DrawnArea])

    def prune(self, group: Element) -> bool:
        found = False
        for shape, own in placed_shapes(group):
            area = self.ground.placeholder_area(shape) if own is EVERYWHERE else own
            if shape.tag == _FRAME:
                found |= self._prune_cells(shape, area)
            else:
                below = self._below(shape, area) if shape.tag == _SHAPE else _UNCERTAIN
                found |= self._prune_runs(shape, below)
            drawn = drawn_area(shape, area, self.ground.theme)
            self.drawn += [] if drawn is None else [drawn]
        return found

    def _prune_cells(self, frame: Element, area: SlideArea) -> bool:
        """Remove the hidden text of a table's cells; those without a fill of their own may have one of its style."""
        found = False
        for cell in frame.iter(f"{DRAWING_NAMESPACE} tc"):
            fills = [
                one for part in cell if part.tag == _CELL_PROPERTIES for one in part if one.tag in (*FILLS, _NO_FILL)
            ]
            below = _UNCERTAIN
            if fills:
                is_filled = fills[0].tag in FILLS
                below = {fill_colour(fills[0], self.ground.theme)} if is_filled else self._colours_at(area)
            found |= self._prune_runs(cell, below)
        return found

    def _prune_runs(self, holder: Element, below: set[Colour | None]) -> bool:
        default = next((_colour_holder(one) for one in holder.iter(f"{DRAWING_NAMESPACE} lvl1pPr")), None)
        found = False
        for run in _runs(holder):
            if _text(run).strip() and not self._is_seen(run, default, below):
                found = True
                for part in run:
                    part.text = ""
        return found

    def _below(self, shape: Element, area: SlideArea) -> set[Colour | None]:
        """Return the colours below a shape's text; None is among them where one is not certain."""
        fill = own_fill(shape)
        if has_fill(shape):
            return {shape_colour(shape, self.ground.theme)}
        if fill is None and is_placeholder(shape) and self.ground.fills_placeholders:
            return _UNCERTAIN
        return self._colours_at(_with_size(area, shape))

    def _colours_at(self, area: SlideArea) -> set[Colour | None]:
        return _UNCERTAIN if len(self.drawn) > _AREAS_MAX else colours_below(area, self.drawn, self.background)

    def _is_seen(self, run: Element, default: Element | None, below: set[Colour | None]) -> bool:
        properties = next((one for one in run if one.tag == _RUN_PROPERTIES), None)
        if properties is not None and _hundredths(properties) < UNREADABLE_POINTS * 100:
            return False
        stated = [one for one in (properties, default) if one is not None]
        marks = (child for one in stated for child in one if child.tag == f"{DRAWING_NAMESPACE} highlight")
        if (mark := next(marks, None)) is not None:
            below = {fill_colour(mark, self.ground.theme)}
        if any(_is_outlined(one) for one in stated):
            return True
        fills = [child for one in stated for child in one if child.tag in (*FILLS, _NO_FILL)]
        if not fills:
            return True
        if fills[0].tag not in FILLS or _is_faint(fills[0]):
            return False
        colour = fill_colour(fills[0], self.ground.theme)
        return colour is None or any(one is None or not look_same(colour, one) for one in below)


def _with_size(area: SlideArea, shape: Element) -> SlideArea:
    """Return the area of a text whose box has no width or height: about the size of the text."""
    if area.right > area.left and area.bottom > area.top:
        return area
    lines = ["".join(_text(run) for run in _runs(line)) for line in shape.iter(f"{DRAWING_NAMESPACE} p")]
    size = (
        max((_hundredths(one) for one in shape.iter(_RUN_PROPERTIES)), default=_USUAL_HUNDREDTHS) * _UNITS_PER_HUNDREDTH
    )
    right = area.right if area.right > area.left else area.left + size * max(map(len, lines), default=1) // 2
    bottom = area.bottom if area.bottom > area.top else area.top + size * len(lines)
    return replace(area, right=right, bottom=bottom)


def _runs(shape: Element) -> Iterator[Element]:
    return (one for one in shape.iter() if one.tag in _RUNS)


def _text(run: Element) -> str:
    return "".join(one.text or "" for one in run if one.tag == f"{DRAWING_NAMESPACE} t")


def _colour_holder(level: Element) -> Element | None:
    return next((one for one in level if one.tag == f"{DRAWING_NAMESPACE} defRPr"), None)


def _hundredths(properties: Element) -> int:
    """Return the font size in hundredths of a point; a readable one where there is none."""
    size = properties.get("sz", "")
    return int(size) if size.isascii() and size.isdecimal() and len(size) <= _DIGITS_MAX else _USUAL_HUNDREDTHS


def _is_outlined(properties: Element) -> bool:
    lines = (one for one in properties if one.tag == f"{DRAWING_NAMESPACE} ln")
    return any(child.tag in FILLS for line in lines for child in line)


def _is_faint(fill: Element) -> bool:
    opacity = (one.get("val", "") for one in fill.iter(f"{DRAWING_NAMESPACE} alpha"))
    return any(
        text.isascii() and text.isdecimal() and len(text) <= _DIGITS_MAX and int(text) <= _FAINT for text in opacity
    )
