"""Bands of a table: its words between the edges of shaded areas and of horizontal rules."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox, PageContent
from groundwire_readers.readers.pdf.tables.columns import Columns
from groundwire_readers.readers.pdf.tables.visual_lines import VisualLine, part_of

_MIN_WIDTH: Final = 150.0
"""Minimum width of a band, in points."""
_TOUCH_DISTANCE: Final = 4.0
"""Distance within which two edges are one, and within which two pieces of a band touch, in points."""
_MAX_RULE_THICKNESS: Final = 3.0
_MIN_OPEN_EDGES: Final = 4
"""Number of rules from which another row may follow the last one."""
_MAX_EDGES: Final = 200
"""Maximum number of edges on a page; more are a drawing."""
_MAX_OPEN_DISTANCE: Final = 0.8
"""Maximum distance between two lines of one row without an edge below it, in font sizes."""
_MAX_GAP: Final = 4.0
"""Maximum distance between two rows without an edge between them, in font sizes."""
LONG_PART: Final = 0.6
"""Width of running text, as a share of the table's."""


@dataclass(frozen=True, slots=True)
class Band:
    """Words between two edges.

    Attributes:
        is_shaded: whether it has a colour.
        is_bar: whether its colour is dark, as that of column heads is.
        is_open: whether it is below the last edge.
    """

    lines: Sequence[VisualLine]
    is_shaded: bool = False
    is_bar: bool = False
    is_open: bool = False

    @property
    def is_bold(self) -> bool:
        """Return whether all of its words are bold."""
        return all(line.is_bold for line in self.lines)


def stacks_of(page: PageContent) -> Iterator[tuple[tuple[float, float], list[float]]]:
    """Yield left and right edge of the bands that are above each other, and the heights of their edges."""
    rules = [rule for rule in page.rules if rule.bottom - rule.top <= _MAX_RULE_THICKNESS < rule.right - rule.left]
    pieces = [*_merged(page.areas), *_merged(rules)]
    edges = sorted(
        (y, piece.left, piece.right)
        for piece in pieces
        if piece.right - piece.left >= _MIN_WIDTH
        for y in ({piece.top, piece.bottom} if piece.bottom - piece.top > _MAX_RULE_THICKNESS else {piece.top})
    )
    if len(edges) > _MAX_EDGES:
        return
    groups: list[tuple[tuple[float, float], list[float]]] = []
    for y, left, right in edges:
        for (first, last), places in groups:
            if abs(first - left) <= 2 * _TOUCH_DISTANCE and abs(last - right) <= 2 * _TOUCH_DISTANCE:
                if y - places[-1] > _TOUCH_DISTANCE:
                    places.append(y)
                break
        else:
            groups.append(((left, right), [y]))
    yield from (group for group in groups if len(group[1]) > 1)


def divided_lines(lines: Sequence[VisualLine], rules: Sequence[PageBox]) -> list[VisualLine]:
    """Return the lines, with their parts divided at vertical rules."""
    vertical = sorted(
        (rule for rule in rules if rule.right - rule.left <= _MAX_RULE_THICKNESS < rule.bottom - rule.top),
        key=lambda rule: rule.left,
    )
    divided: list[VisualLine] = []
    for line in lines:
        middle = (line.top + line.bottom) / 2
        columns = Columns(tuple(rule.left for rule in vertical if rule.top <= middle <= rule.bottom))
        cells = (
            part_of([*words])
            for part in line.parts
            for _, words in groupby(part.words, key=lambda word: columns.at((word.box.left + word.box.right) / 2))
        )
        divided.append(replace(line, parts=tuple(cells)) if columns.boundaries else line)
    return divided


def _merged(boxes: Iterable[PageBox]) -> list[PageBox]:
    """Return the boxes, those of one height that touch as one: many programs shade and rule each cell alone."""
    merged: list[PageBox] = []
    for box in sorted(boxes, key=lambda box: (round(box.top), round(box.bottom), box.left)):
        last = merged[-1] if merged else None
        is_one = last is not None and max(abs(last.top - box.top), abs(last.bottom - box.bottom)) <= 1
        if last is not None and is_one and box.left - last.right <= _TOUCH_DISTANCE:
            merged[-1] = PageBox(last.left, last.top, max(last.right, box.right), last.bottom)
        else:
            merged.append(box)
    return merged


def bands_of(
    lines: Sequence[VisualLine], edges: Sequence[float], page: PageContent, extent: tuple[float, float]
) -> list[Band]:
    """Return the bands from top to bottom, with the rows below the last edge, which may be unshaded."""
    bands: list[Band] = []
    for top, bottom in pairwise(edges):
        inside = [line for line in lines if top <= (line.top + line.bottom) / 2 < bottom]
        middle = PageBox(extent[0] + _TOUCH_DISTANCE, top, extent[0] + 2 * _TOUCH_DISTANCE, bottom)
        if inside:
            shades = (any(area.contains_centre_of(middle) for area in areas) for areas in (page.areas, page.bars))
            bands.append(Band(inside, *shades))
    above = [line for line in lines if (line.top + line.bottom) / 2 < edges[0]]
    heads: list[VisualLine] = []
    for line in reversed(above):
        lowest = heads[0].top if heads else edges[0]
        if not line.is_bold or lowest - line.bottom > _MAX_OPEN_DISTANCE * line.size:
            break
        heads.insert(0, line)
    if any(len(line.parts) > 1 for line in heads):
        bands.insert(0, Band(heads))
    if not any(band.is_shaded for band in bands) and len(edges) < _MIN_OPEN_EDGES:
        return bands
    return [*bands, *_open_bands(lines, edges[-1], extent[1] - extent[0])]


def _open_bands(lines: Sequence[VisualLine], top: float, width: float) -> Iterator[Band]:
    """Yield the rows below the last edge, divided by distance, until running text follows."""
    row: list[VisualLine] = []
    bottom = top
    for line in lines:
        if (line.top + line.bottom) / 2 < top:
            continue
        is_text = len(line.parts) == 1 and line.right - line.left >= LONG_PART * width
        if is_text or line.top - bottom > _MAX_GAP * line.size:
            break
        if row and line.top - bottom > _MAX_OPEN_DISTANCE * line.size:
            yield Band(row, is_open=True)
            row = []
        row.append(line)
        bottom = max(bottom, line.bottom)
    if row:
        yield Band(row, is_open=True)


def connected(rules: Sequence[PageBox], distance: float) -> list[list[PageBox]]:
    """Return the groups of rules that touch each other, directly or through other rules (union-find)."""
    ordered = sorted(rules, key=lambda rule: rule.top)
    parents = list(range(len(ordered)))

    def root(index: int) -> int:
        while parents[index] != index:
            # Path halving keeps the trees of this union-find flat.
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    active: list[int] = []
    for index, rule in enumerate(ordered):
        active = [each for each in active if ordered[each].bottom + distance >= rule.top]
        for each in active:
            other = ordered[each]
            if other.left - distance <= rule.right and rule.left - distance <= other.right:
                parents[root(each)] = root(index)
        active.append(index)
    groups: dict[int, list[PageBox]] = {}
    for index, rule in enumerate(ordered):
        groups.setdefault(root(index), []).append(rule)
    return list(groups.values())
