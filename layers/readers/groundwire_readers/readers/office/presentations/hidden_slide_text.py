"""Removal of hidden text from slides: text in the colour of its background, transparent, too small or off the slide."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.office.presentations.slide_areas import (
    UNPLACED,
    Colours,
    DrawnArea,
    SlideArea,
    colours_below,
    placed_shapes,
)
from groundwire_readers.readers.office.presentations.slide_colours import FILLS, NO_FILL, Paint, paint_of
from groundwire_readers.readers.office.presentations.slide_defaults import (
    PlaceholderFormat,
    SlideDefaults,
    covers,
    drawn_area,
)
from groundwire_readers.readers.office.presentations.slides import DRAWING_NAMESPACE, SLIDE_NAMESPACE
from groundwire_readers.readers.office.presentations.text_formats import (
    FormattedRun,
    TextFormat,
    formatted_lines,
    levels_of,
    text_area,
    within,
)
from groundwire_readers.readers.visibility import UNREADABLE_POINTS, Colour, look_same

_CELL_PROPERTIES: Final = f"{DRAWING_NAMESPACE} tcPr"
_SHAPE: Final = f"{SLIDE_NAMESPACE} sp"
_FRAME: Final = f"{SLIDE_NAMESPACE} graphicFrame"
_UNKNOWN_BACKGROUND: Final[list[Colours]] = [frozenset([None])]
_MAX_COMPARISONS: Final = 2_000_000
"""Maximum number of comparisons of text positions with filled areas on one slide.

Beyond it, the background is unknown, and text with an explicit colour counts as hidden.
"""
_MIN_CONTRAST_SHARE: Final = 0.5
"""Minimum share of a text's area with a contrasting background: a small dark shape does not make it readable."""


def remove_hidden_text(tree: Element, defaults: SlideDefaults) -> bool:
    """Remove the hidden text of a slide in place, and return whether there was any."""
    slide = _Slide(defaults, defaults.of_slide(tree), list(defaults.drawn))
    return sum(slide.prune(shapes) for shapes in tree.iter(f"{SLIDE_NAMESPACE} spTree")) > 0


@dataclass(slots=True)
class _Slide:
    """A slide whose shapes are processed in drawing order, the lowest first; `drawn` has the areas filled so far."""

    defaults: SlideDefaults
    background: Colour | None
    drawn: list[DrawnArea] = field(default_factory=list[DrawnArea])
    comparisons: int = 0

    def prune(self, group: Element) -> bool:
        is_removed = False
        for shape, place in placed_shapes(group):
            style = self.defaults.format_of(shape, place)
            if shape.tag == _FRAME:
                is_removed |= self._prune_frame(shape, style.area)
            else:
                is_removed |= self._prune_shape(shape, style)
            drawn = drawn_area(shape, style.area, self.defaults.theme, style.fill)
            self.drawn += [] if drawn is None else [drawn]
        return is_removed

    def _prune_frame(self, frame: Element, area: SlideArea) -> bool:
        """Remove a frame that is off the slide, else the hidden text of the cells of its table."""
        if self._is_off_slide(area):
            frame.clear()
            return True
        return sum(self._prune_cell(cell, area) for cell in frame.iter(f"{DRAWING_NAMESPACE} tc")) > 0

    def _prune_cell(self, cell: Element, area: SlideArea) -> bool:
        """Remove the hidden text of a cell; without an explicit fill, a table style may set its background."""
        tags = (*FILLS, NO_FILL)
        fills = [element for part in cell if part.tag == _CELL_PROPERTIES for element in part if element.tag in tags]
        levels = levels_of(next(cell.iter(f"{DRAWING_NAMESPACE} lstStyle"), None), self.defaults.theme)
        lines = list(formatted_lines(cell, levels, self.defaults.theme))
        if not fills:
            return _prune_runs(lines, lambda: _UNKNOWN_BACKGROUND)
        paint = paint_of(fills[0], self.defaults.theme)
        return _prune_runs(lines, lambda: self._background_colours(paint, area))

    def _prune_shape(self, shape: Element, style: PlaceholderFormat) -> bool:
        """Remove the hidden text of a shape; the background of an image or a connector is unknown."""
        lines = list(formatted_lines(shape, style.levels, self.defaults.theme))
        if not any(run.text.strip() for line in lines for run in line):
            return False
        area = text_area(style.area, lines, style.anchor or "t")
        if self._is_off_slide(style.area) and self._is_off_slide(area):
            return _remove(run for line in lines for run in line)
        if shape.tag != _SHAPE:
            return _prune_runs(lines, lambda: _UNKNOWN_BACKGROUND)
        return _prune_runs(lines, lambda: self._background_colours(style.fill, within(area, style.area)))

    def _is_off_slide(self, area: SlideArea) -> bool:
        page = self.defaults.page
        return page is not None and area is not UNPLACED and area.is_outside(page)

    def _background_colours(self, fill: Paint | None, area: SlideArea) -> list[Colours]:
        """Return the possible background colours at each sample point of a text; empty if unknown.

        `fill` is the fill of the text's own shape, which lies directly below it.
        """
        if covers(fill):
            return [frozenset([fill.opaque_colour])]
        self.comparisons += len(self.drawn)
        if self.comparisons > _MAX_COMPARISONS:
            return []
        if area is UNPLACED:
            return [frozenset([self.background])]
        found, compared = colours_below(area, self.drawn, self.background)
        self.comparisons += compared
        return found


def _prune_runs(lines: list[list[FormattedRun]], below: Callable[[], list[Colours]]) -> bool:
    # All runs of a shape share the background, which can cost thousands of comparisons.
    cached_below = cache(below)
    return _remove(run for line in lines for run in line if not _is_visible(run.format, cached_below))


def _remove(runs: Iterable[FormattedRun]) -> bool:
    """Remove the text of the runs, and return whether there was any."""
    is_removed = False
    for run in runs:
        if run.text.strip():
            is_removed = True
            for part in run.element:
                part.text = ""
    return is_removed


def _is_visible(run_format: TextFormat, below: Callable[[], list[Colours]]) -> bool:
    if run_format.size < UNREADABLE_POINTS * 100:
        return False
    if run_format.fill is None:
        return True
    highlight = run_format.highlight
    background = (
        (lambda: [frozenset([highlight.opaque_colour])]) if highlight is not None and covers(highlight) else below
    )
    paints = [paint for paint in (run_format.fill, run_format.outline) if paint is not None and paint.is_visible]
    return any(paint.colour is None or _differs(paint.colour, background()) for paint in paints)


def _differs(colour: Colour, below: list[Colours]) -> bool:
    """Return whether the background differs from the colour for enough of a text."""
    different = sum(any(other is None or not look_same(colour, other) for other in colours) for colours in below)
    return bool(below) and different >= _MIN_CONTRAST_SHARE * len(below)
