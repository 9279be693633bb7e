"""Alignment of CALS tables with several column groups (`tgroup`) below each other, by their column widths."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.contents.header_rows import is_value
from groundwire_readers.readers.html.grid import CellRow
from groundwire_readers.readers.xml.inline_text import attribute, name_of

_WIDTH: Final = re.compile(r"(\d{1,5}(?:\.\d{1,4})?)\s{0,4}(?:pt|mm|cm|in|px|pi|\*)?")
_EDGE_TOLERANCE: Final = 0.01
"""Maximum distance of two edges that count as one, as a share of the table's width."""
_MAX_COLUMNS: Final = 200


def groups_of(table: Element) -> list[Element]:
    """Return the column groups of a table."""
    return [child for child in table if name_of(child) == "tgroup"]


def aligned_rows(groups: Sequence[Element], rows: Sequence[Sequence[CellRow]]) -> list[CellRow]:
    """Return the rows of all groups with aligned columns; unaligned if a group does not declare its widths.

    Groups without a number, before the last group, are header rows.
    """
    headed = [*map(_as_header, rows[:-1]), *rows[-1:]]
    for number in range(1, len(headed) - 1):
        if not all(row.is_header for row in headed[number - 1]):
            headed[number] = rows[number]
    edges = [_edges(group) for group in groups]
    common = _common_edges(edges)
    if not all(edges) or len(common) > _MAX_COLUMNS:
        return [row for group in headed for row in group]
    starts = [_starts(own, common) for own in edges]
    return [_aligned_row(row, own) for group, own in zip(headed, starts, strict=True) for row in group]


def _as_header(rows: Sequence[CellRow]) -> list[CellRow]:
    has_value = any(is_value(cell.text) for row in rows for cell in row.cells)
    return list(rows) if has_value else [replace(row, is_header=True) for row in rows]


def _edges(group: Element) -> list[float]:
    """Return the right edges of a group's columns as shares of its width; empty if widths are not declared."""
    specified = [child for child in group if name_of(child) == "colspec"]
    matches = [_WIDTH.fullmatch(attribute(each, "colwidth").strip()) for each in specified]
    widths = [float(each[1]) for each in matches if each is not None]
    total = sum(widths)
    return [edge / total for edge in accumulate(widths)] if widths and len(widths) == len(specified) and total else []


def _common_edges(edges: Sequence[Sequence[float]]) -> list[float]:
    common: list[float] = []
    for edge in sorted(edge for own in edges for edge in own):
        if not common or edge - common[-1] > _EDGE_TOLERANCE:
            common.append(edge)
    return common


def _starts(own: Sequence[float], common: Sequence[float]) -> list[int]:
    """Return the aligned column at which each column of a group starts, and the end of the last."""
    nearest = (min(range(len(common)), key=lambda column, edge=edge: abs(common[column] - edge)) for edge in own)
    return [0, *(column + 1 for column in nearest)]


def _aligned_row(row: CellRow, starts: Sequence[int]) -> CellRow:
    """Return the row with each cell spanning the aligned columns that it covers."""
    cells = list(row.cells)
    position = 0
    for number, cell in enumerate(cells):
        last = min(position + cell.columns, len(starts) - 1)
        if position >= last:
            break
        cells[number] = replace(cell, columns=max(1, starts[last] - starts[position]))
        position = last
    return replace(row, cells=cells)
