"""Reading of tables whose rows are shaded bands or areas between horizontal rules, so that their cells may wrap."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from statistics import mean
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox, PageContent, PageWord
from groundwire_readers.readers.pdf.tables.bands import LONG_PART, Band, bands_of, divided_lines, stacks_of
from groundwire_readers.readers.pdf.tables.columns import Columns, find_columns
from groundwire_readers.readers.pdf.tables.found_table import FoundTable
from groundwire_readers.readers.pdf.tables.headers import named_rows
from groundwire_readers.readers.pdf.tables.visual_lines import (
    VisualLine,
    bounds,
    is_value,
    joined,
    part_of,
    visual_lines,
)

_MAX_COLUMNS: Final = 20
_MIN_ROWS: Final = 3
"""Minimum number of rows of a table without column heads; two may be text between a page's rules."""
_MAX_LINES: Final = 30
"""Maximum number of lines of a row."""
_MIN_FULL_SHARE: Final = 0.6
"""Minimum share of rows with several cells, and of cells that are within one column."""
_MIN_WRAPPED_SHARE: Final = 0.5
"""Minimum share of rows with a wrapped cell in a table without a bar."""
_VALUES_OF_HEADS: Final = 0.2
"""Share of values below which a first band may name columns; the rows below have far more."""
_MAX_UNDIVIDED_SHARE: Final = 0.25
"""Maximum share of bands that contain several rows."""


def banded_tables(page: PageContent, taken: Sequence[PageBox]) -> Iterator[FoundTable]:
    """Yield the tables with bands of several lines; words in the boxes that are `taken` belong to other tables."""
    boxes = list(taken)
    for extent, edges in stacks_of(page):
        within = [
            word
            for word in page.words
            if extent[0] <= (word.box.left + word.box.right) / 2 <= extent[1]
            and not any(box.contains_centre_of(word.box) for box in boxes)
        ]
        lines = divided_lines(visual_lines(within), page.rules)
        for bands in _tables(bands_of(lines, edges, page, extent), extent[1] - extent[0]):
            table = _table(bands)
            if table is not None:
                boxes.append(table.box)
                yield table


def _tables(bands: Sequence[Band], width: float) -> Iterator[Sequence[Band]]:
    """Yield the runs of bands with columns; running text between two tables is in neither."""
    run: list[Band] = []
    for whole in bands:
        band = whole if whole.is_shaded else _below_text(whole)
        if band is not whole:
            yield run
            run = []
        if not band.lines:
            continue
        has_columns = any(len(line.parts) > 1 for line in band.lines)
        widest = max(line.right - line.left for line in band.lines)
        is_label = run and len(band.lines) == 1 and widest < LONG_PART * width
        if not has_columns and not is_label:
            yield run
            run = []
            continue
        if run and band.is_bar and not run[-1].is_bar:
            yield run
            run = []
        run.append(band)
    yield run


def _below_text(band: Band) -> Band:
    """Return the band without running text and what is above it: so heads of a second table are left."""
    if not any(_crosses(line, band.lines) for line in band.lines):
        return band
    heads = [*takewhile(lambda line: len(line.parts) > 1, reversed(band.lines))]
    return replace(band, lines=heads[::-1])


def _crosses(line: VisualLine, lines: Sequence[VisualLine]) -> bool:
    """Return whether a line of one part reaches from the first part of another line into its second one."""
    return len(line.parts) == 1 and any(
        line.left < other.parts[0].right and other.parts[1].left < line.right for other in lines if len(other.parts) > 1
    )


def _table(bands: Sequence[Band]) -> FoundTable | None:
    while bands and not any(len(line.parts) > 1 for line in bands[-1].lines):
        bands = bands[:-1]
    if not bands:
        return None
    heads = _count_heads(bands)
    size = min(line.size for band in bands for line in band.lines)
    columns = find_columns([*map(_as_one_line, bands[heads:] or bands)], size)
    # Text below a table fills few of its columns.
    while bands[-1].is_open and sum(map(bool, _cells_of(bands[-1], columns))) <= columns.count / 2:
        bands = bands[:-1]
    rows, lines = bands[heads:], [line for band in bands for line in band.lines]
    if len(rows) < (2 if heads else _MIN_ROWS) or not 1 < columns.count <= _MAX_COLUMNS:
        return None
    cells = [_cells_of(band, columns) for band in rows]
    wrapped = sum(any(len(visual_lines(words)) > 1 for words in row) for row in cells)
    if max(len(band.lines) for band in rows) > _MAX_LINES:
        return None
    is_wrapped = wrapped >= (1 if bands[0].is_bar else max(2, _MIN_WRAPPED_SHARE * len(rows)))
    if not is_wrapped or not _is_tabular(rows, cells, columns):
        return None
    header = named_rows([line for band in bands[:heads] for line in band.lines], lines, columns)
    texts = [[joined(word for line in visual_lines(words) for word in line.words) for words in row] for row in cells]
    whole = tuple(map(tuple, [*header, *texts]))
    return FoundTable(bounds(lines), whole, len(header), "", is_aligned_text=False)


def _count_heads(bands: Sequence[Band]) -> int:
    """Return the number of bands that name the columns: bars, else a first band that alone is bold or no value."""
    count = next((place for place, band in enumerate(bands) if not band.is_bar), len(bands))
    if count or len(bands) == 1:
        return count
    shares = [mean(is_value(part.text) for line in band.lines for part in line.parts) for band in bands]
    if bands[0].is_shaded and len(bands) > 2 and not any(band.is_shaded for band in bands[1:]):  # noqa: PLR2004
        return 1
    is_named = shares[0] < _VALUES_OF_HEADS and mean(shares[1:]) > 2 * _VALUES_OF_HEADS
    return int(is_named or (bands[0].is_bold and not bands[1].is_bold))


def _as_one_line(band: Band) -> VisualLine:
    """Return the band as one line: its parts are the strips that its words cover."""
    parts = sorted((part for line in band.lines for part in line.parts), key=lambda part: part.left)
    strips: list[list[PageWord]] = []
    right = float("-inf")
    for part in parts:
        if part.left > right:
            strips.append([])
        strips[-1].extend(part.words)
        right = max(right, part.right)
    ordered = [sorted(strip, key=lambda word: word.box.left) for strip in strips]
    return VisualLine(
        tuple(map(part_of, ordered)),
        min(line.top for line in band.lines),
        max(line.bottom for line in band.lines),
        max(line.size for line in band.lines),
    )


def _cells_of(band: Band, columns: Columns) -> list[list[PageWord]]:
    """Return the words of each cell; a text over several columns is in the first of them."""
    cells: list[list[PageWord]] = [[] for _ in range(columns.count)]
    for line in band.lines:
        for part in line.parts:
            first, _ = columns.of_part(part)
            cells[first].extend(part.words)
    return cells


def _is_tabular(rows: Sequence[Band], cells: Sequence[Sequence[Sequence[PageWord]]], columns: Columns) -> bool:
    """Return whether most rows have several cells, most parts are in one column, and few bands have several rows."""
    parts = [columns.of_part(part) for band in rows for line in band.lines for part in line.parts]
    full = sum(sum(map(bool, row)) > 1 for row in cells)
    undivided = sum(map(_has_several_rows, cells))
    return (
        full >= _MIN_FULL_SHARE * len(rows)
        and sum(first == last for first, last in parts) >= (1 + _MIN_FULL_SHARE) / 2 * len(parts)
        and undivided <= _MAX_UNDIVIDED_SHARE * len(rows)
    )


def _has_several_rows(cells: Sequence[Sequence[PageWord]]) -> bool:
    """Return whether a band has values below each other, which are of several rows."""
    counts = [len(lines) for lines in map(visual_lines, cells) if all(is_value(joined(line.words)) for line in lines)]
    return max(counts, default=0) > 2 or sum(count > 1 for count in counts) > 1  # noqa: PLR2004 - a value and its deviation
