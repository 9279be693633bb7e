"""Removal of text of a slide that a person does not see: of the colour below it, without a fill, or too small."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.etree.ElementTree import Element

from groundwire.adapters.parse.readers.office.alternatives import shown_children
from groundwire.adapters.parse.readers.office.slide_ground import (
    EVERYWHERE,
    FILLS,
    SlideArea,
    SlideGround,
    area_of,
    fill_colour,
    has_fill,
    is_drawn,
    is_placeholder,
    own_fill,
)
from groundwire.adapters.parse.readers.office.slides import (
    DRAWING_NAMESPACE,
    SLIDE_NAMESPACE,
    is_hidden_shape,
)
from groundwire.adapters.parse.readers.visibility import UNREADABLE_POINTS, Colour, look_same

_RUNS: Final = (f"{DRAWING_NAMESPACE} r", f"{DRAWING_NAMESPACE} fld")
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
    drawn: list[SlideArea] = field(default_factory=list[SlideArea])

    def prune(self, group: Element, *, is_grouped: bool = False) -> bool:
        found = False
        for shape in shown_children(group):
            if is_hidden_shape(shape):
                continue
            if shape.tag == f"{SLIDE_NAMESPACE} grpSp":
                found |= self.prune(shape, is_grouped=True)
            else:
                area = EVERYWHERE if is_grouped else area_of(shape)
                found |= self._prune_shape(shape, area)
                if is_drawn(shape):
                    self.drawn.append(area)
        return found

    def _prune_shape(self, shape: Element, area: SlideArea) -> bool:
        below = self._below(shape, area)
        default = next((_colour_holder(one) for one in shape.iter(f"{DRAWING_NAMESPACE} lvl1pPr")), None)
        found = False
        for run in _runs(shape):
            if _text(run).strip() and not self._is_seen(run, default, below):
                found = True
                for part in run:
                    part.text = ""
        return found

    def _below(self, shape: Element, area: SlideArea) -> Colour | None:
        """Return the colour below a shape's text; None where it is not certain."""
        if shape.tag != f"{SLIDE_NAMESPACE} sp":
            return None
        fill = own_fill(shape)
        if fill is not None and fill.tag in FILLS:
            return fill_colour(fill, self.ground.theme)
        if has_fill(shape) or (fill is None and is_placeholder(shape) and self.ground.fills_placeholders):
            return None
        if len(self.drawn) > _AREAS_MAX or any(area.meets(other) for other in self.drawn):
            return None
        return self.background

    def _is_seen(self, run: Element, default: Element | None, below: Colour | None) -> bool:
        properties = next((one for one in run if one.tag == f"{DRAWING_NAMESPACE} rPr"), None)
        if properties is not None and _hundredths(properties) < UNREADABLE_POINTS * 100:
            return False
        stated = [one for one in (properties, default) if one is not None]
        marks = (child for one in stated for child in one if child.tag == f"{DRAWING_NAMESPACE} highlight")
        if (mark := next(marks, None)) is not None:
            below = fill_colour(mark, self.ground.theme)
        if any(_is_outlined(one) for one in stated):
            return True
        fills = [child for one in stated for child in one if child.tag in (*FILLS, f"{DRAWING_NAMESPACE} noFill")]
        if not fills:
            return True
        if fills[0].tag not in FILLS or _is_faint(fills[0]):
            return False
        colour = fill_colour(fills[0], self.ground.theme)
        return colour is None or below is None or not look_same(colour, below)


def _runs(shape: Element) -> Iterator[Element]:
    return (one for one in shape.iter() if one.tag in _RUNS)


def _text(run: Element) -> str:
    return "".join(one.text or "" for one in run if one.tag == f"{DRAWING_NAMESPACE} t")


def _colour_holder(level: Element) -> Element | None:
    return next((one for one in level if one.tag == f"{DRAWING_NAMESPACE} defRPr"), None)


def _hundredths(properties: Element) -> int:
    """Return the font size in hundredths of a point; a readable one where there is none."""
    size = properties.get("sz", "")
    return int(size) if size.isascii() and size.isdecimal() and len(size) <= _DIGITS_MAX else 1_800


def _is_outlined(properties: Element) -> bool:
    lines = (one for one in properties if one.tag == f"{DRAWING_NAMESPACE} ln")
    return any(child.tag in FILLS for line in lines for child in line)


def _is_faint(fill: Element) -> bool:
    opacity = (one.get("val", "") for one in fill.iter(f"{DRAWING_NAMESPACE} alpha"))
    return any(
        text.isascii() and text.isdecimal() and len(text) <= _DIGITS_MAX and int(text) <= _FAINT for text in opacity
    )
