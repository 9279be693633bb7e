"""Tables of CALS in several groups of columns, one below the other: their columns are aligned by their widths."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.html.grid import CellRow
from groundwire_readers.readers.xml.inline_text import attribute, name_of

_WIDTH: Final = re.compile(r"(\d{1,5}(?:\.\d{1,4})?)\s{0,4}(?:pt|mm|cm|in|px|pi|\*)?")
_SAME_EDGE: Final = 0.01
"""Distance of two edges, as a share of the table's width, at which they are one."""
_MAX_COLUMNS: Final = 200


def groups_of(table: Element) -> list[Element]:
    """Return the groups of columns of a table."""
    return [child for child in table if name_of(child) == "tgroup"]


def aligned_rows(groups: Sequence[Element], rows: Sequence[Sequence[CellRow]]) -> list[CellRow]:
    """Return the rows of all groups on common columns; as they are where a group does not give its widths.

    Groups before the last one without a number name the columns of those below.
    """
    headed = [*map(_named, rows[:-1]), *rows[-1:]]
    for number in range(1, len(headed) - 1):
        if not all(row.is_header for row in headed[number - 1]):
            headed[number] = rows[number]
    edges = [_edges(group) for group in groups]
    common = _common(edges)
    if not all(edges) or len(common) > _MAX_COLUMNS:
        return [row for group in headed for row in group]
    starts = [_starts(own, common) for own in edges]
    return [_on_columns(row, own) for group, own in zip(headed, starts, strict=True) for row in group]


def _named(rows: Sequence[CellRow]) -> list[CellRow]:
    has_value = any(cell.is_value for row in rows for cell in row.cells)
    return list(rows) if has_value else [replace(row, is_header=True) for row in rows]


def _edges(group: Element) -> list[float]:
    """Return the right edges of a group's columns as shares of its width; empty where they are not given."""
    specified = [child for child in group if name_of(child) == "colspec"]
    found = [_WIDTH.fullmatch(attribute(each, "colwidth").strip()) for each in specified]
    widths = [float(each[1]) for each in found if each is not None]
    total = sum(widths)
    return [edge / total for edge in accumulate(widths)] if widths and len(widths) == len(specified) and total else []


def _common(edges: Sequence[Sequence[float]]) -> list[float]:
    found: list[float] = []
    for edge in sorted(edge for own in edges for edge in own):
        if not found or edge - found[-1] > _SAME_EDGE:
            found.append(edge)
    return found


def _starts(own: Sequence[float], common: Sequence[float]) -> list[int]:
    """Return the common column at which each of a group's own columns starts, and the one after the last."""
    nearest = (min(range(len(common)), key=lambda column, edge=edge: abs(common[column] - edge)) for edge in own)
    return [0, *(column + 1 for column in nearest)]


def _on_columns(row: CellRow, starts: Sequence[int]) -> CellRow:
    """Return the row with cells over as many common columns as lie within their own."""
    cells = list(row.cells)
    position = 0
    for number, cell in enumerate(cells):
        last = min(position + cell.columns, len(starts) - 1)
        if position >= last:
            break
        cells[number] = replace(cell, columns=max(1, starts[last] - starts[position]))
        position = last
    return replace(row, cells=cells)
