"""Removal of text that a person does not see on a slide: of the colour below it, transparent, too small, or off it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.office.presentations.letter_formats import (
    FormattedRun,
    LetterFormat,
    formatted_lines,
    levels_of,
    text_area,
    within,
)
from groundwire_readers.readers.office.presentations.slide_areas import (
    UNPLACED,
    Colours,
    DrawnArea,
    SlideArea,
    colours_below,
    placed_shapes,
)
from groundwire_readers.readers.office.presentations.slide_colours import FILLS, NO_FILL, Paint, paint_of
from groundwire_readers.readers.office.presentations.slide_ground import (
    PlaceholderFormat,
    SlideGround,
    covers,
    drawn_area,
)
from groundwire_readers.readers.office.presentations.slides import DRAWING_NAMESPACE, SLIDE_NAMESPACE
from groundwire_readers.readers.visibility import UNREADABLE_POINTS, Colour, look_same

_CELL_PROPERTIES: Final = f"{DRAWING_NAMESPACE} tcPr"
_SHAPE: Final = f"{SLIDE_NAMESPACE} sp"
_FRAME: Final = f"{SLIDE_NAMESPACE} graphicFrame"
_UNCERTAIN: Final[list[Colours]] = [frozenset([None])]
_COMPARISONS_MAX: Final = 2_000_000
"""Maximum number of areas that the texts of a slide are compared with.

Beyond it, the colour below a text is not known. Text of a stated colour then counts as not seen.
"""
_SEEN_SHARE: Final = 0.5
"""Least share of a text below which another colour must be: a small dark shape below it does not make it readable."""


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
    comparisons: int = 0

    def prune(self, group: Element) -> bool:
        found = False
        for shape, own in placed_shapes(group):
            style = self.ground.format_of(shape, own)
            if shape.tag == _FRAME:
                found |= self._prune_frame(shape, style.area)
            else:
                found |= self._prune_shape(shape, style)
            drawn = drawn_area(shape, style.area, self.ground.theme, style.fill)
            self.drawn += [] if drawn is None else [drawn]
        return found

    def _prune_frame(self, frame: Element, area: SlideArea) -> bool:
        """Remove a frame that is off the slide; of others the hidden text of a table's cells."""
        if self._is_off(area):
            frame.clear()
            return True
        return sum(self._prune_cell(cell, area) for cell in frame.iter(f"{DRAWING_NAMESPACE} tc")) > 0

    def _prune_cell(self, cell: Element, area: SlideArea) -> bool:
        """Remove a cell's hidden text; one without a fill of its own may have one of the table's style."""
        tags = (*FILLS, NO_FILL)
        fills = [one for part in cell if part.tag == _CELL_PROPERTIES for one in part if one.tag in tags]
        levels = levels_of(next(cell.iter(f"{DRAWING_NAMESPACE} lstStyle"), None), self.ground.theme)
        lines = list(formatted_lines(cell, levels, self.ground.theme))
        if not fills:
            return _prune_runs(lines, lambda: _UNCERTAIN)
        paint = paint_of(fills[0], self.ground.theme)
        return _prune_runs(lines, lambda: self._on(paint, area))

    def _prune_shape(self, shape: Element, style: PlaceholderFormat) -> bool:
        """Remove the hidden text of a shape; a picture's and a connector's has a background that is not known."""
        lines = list(formatted_lines(shape, style.levels, self.ground.theme))
        if not any(run.text.strip() for line in lines for run in line):
            return False
        area = text_area(style.area, lines, style.anchor or "t")
        if self._is_off(style.area) and self._is_off(area):
            return _remove(run for line in lines for run in line)
        if shape.tag != _SHAPE:
            return _prune_runs(lines, lambda: _UNCERTAIN)
        return _prune_runs(lines, lambda: self._on(style.fill, within(area, style.area)))

    def _is_off(self, area: SlideArea) -> bool:
        page = self.ground.page
        return page is not None and area is not UNPLACED and area.is_outside(page)

    def _on(self, fill: Paint | None, area: SlideArea) -> list[Colours]:
        """Return the colours below a text at each of its points, with this fill of its own shape; none if unknown."""
        if covers(fill):
            return [frozenset([fill.opaque_colour])]
        self.comparisons += len(self.drawn)
        if self.comparisons > _COMPARISONS_MAX:
            return []
        if area is UNPLACED:
            return [frozenset([self.background])]
        found, compared = colours_below(area, self.drawn, self.background)
        self.comparisons += compared
        return found


def _prune_runs(lines: list[list[FormattedRun]], below: Callable[[], list[Colours]]) -> bool:
    # All runs of a shape share the ground, which can cost thousands of comparisons.
    known = cache(below)
    return _remove(run for line in lines for run in line if not _is_seen(run.format, known))


def _remove(runs: Iterable[FormattedRun]) -> bool:
    """Remove the text of the runs, and return whether there was any."""
    found = False
    for run in runs:
        if run.text.strip():
            found = True
            for part in run.element:
                part.text = ""
    return found


def _is_seen(letters: LetterFormat, below: Callable[[], list[Colours]]) -> bool:
    if letters.size < UNREADABLE_POINTS * 100:
        return False
    if letters.fill is None:
        return True
    mark = letters.mark
    ground = (lambda: [frozenset([mark.opaque_colour])]) if mark is not None and covers(mark) else below
    paints = [one for one in (letters.fill, letters.outline) if one is not None and one.is_seen]
    return any(one.colour is None or _differs(one.colour, ground()) for one in paints)


def _differs(colour: Colour, below: list[Colours]) -> bool:
    """Return whether another colour is below most of a text."""
    different = sum(any(one is None or not look_same(colour, one) for one in colours) for colours in below)
    return bool(below) and different >= _SEEN_SHARE * len(below)
