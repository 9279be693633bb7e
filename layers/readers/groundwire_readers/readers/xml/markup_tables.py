"""Tables in XML: HTML and CALS tables, and those of vocabularies with the same names of rows and cells."""

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.contents.parsed import Block
from groundwire_readers.readers.html.grid import Cell, CellRow, grid_blocks, span_of
from groundwire_readers.readers.xml.column_groups import aligned_rows, groups_of
from groundwire_readers.readers.xml.inline_text import attribute, name_of, text_of

_ROWS: Final = frozenset(["tr", "row", "table-row"])
_CELLS: Final = frozenset(["td", "th", "entry", "cell", "entrytbl", "table-cell"])
_HEADS: Final = frozenset(["thead", "table-header", "table-header-rows"])
_GROUP: Final = "tgroup"
TABLES: Final = frozenset(["table", _GROUP, "informaltable"])
"""Names of elements that are tables if they contain rows with cells."""


def is_table(element: Element) -> bool:
    """Return whether the element is a table with rows of cells."""
    return name_of(element) in TABLES and _has_rows(element, is_in_group=name_of(element) == _GROUP)


def _has_rows(element: Element, *, is_in_group: bool) -> bool:
    """Return whether there is a row with a cell outside of nested tables; so each element is searched once."""
    return any(_is_row(child) or _holds_rows(child, is_in_group=is_in_group) for child in element)


def _is_row(element: Element) -> bool:
    return name_of(element) in _ROWS and any(name_of(each) in _CELLS for each in element)


def _holds_rows(part: Element, *, is_in_group: bool) -> bool:
    name = name_of(part)
    is_further_table = name in TABLES and (name != _GROUP or is_in_group)
    is_searched = name not in _ROWS and name not in _CELLS and not is_further_table
    return is_searched and _has_rows(part, is_in_group=is_in_group or name == _GROUP)


def table_of(element: Element, caption: tuple[str, ...] = ()) -> Iterator[Block]:
    """Yield the block of a table; a nested table is text of its cell."""
    groups = groups_of(element)
    if len(groups) > 1:
        return grid_blocks(aligned_rows(groups, [list(_rows(each, is_header=False)) for each in groups]), caption)
    return grid_blocks(list(_rows(element, is_header=False)), caption)


def _rows(element: Element, *, is_header: bool) -> Iterator[CellRow]:
    columns = _column_numbers(element)
    for child in element:
        name = name_of(child)
        if name in _ROWS:
            cells = [_cell(each, columns) for each in child if name_of(each) in _CELLS]
            if cells:
                yield CellRow(cells, is_header=is_header or attribute(child, "role") == "label")
        elif name not in _CELLS:
            yield from _rows(child, is_header=is_header or name in _HEADS)


def _column_numbers(element: Element) -> dict[str, int]:
    """Return the column numbers by name, as CALS declares them (`colspec`)."""
    specified = [child for child in element if name_of(child) == "colspec"]
    return {attribute(each, "colname"): number for number, each in enumerate(specified)}


def _cell(element: Element, columns: dict[str, int]) -> Cell:
    first, last = columns.get(attribute(element, "namest")), columns.get(attribute(element, "nameend"))
    more_rows = attribute(element, "morerows")
    return Cell(
        text_of(element),
        last - first + 1 if first is not None and last is not None and last > first else _columns(element),
        # CALS counts the further rows, HTML all rows of the cell.
        span_of(more_rows) + 1 if more_rows.strip("0 ") else span_of(_first(element, "rowspan", "rows")),
        is_header=name_of(element) == "th" or attribute(element, "role") == "label",
    )


def _columns(element: Element) -> int:
    return span_of(_first(element, "colspan", "cols", "number-columns-spanned"))


def _first(element: Element, *names: str) -> str:
    return next((value for name in names if (value := attribute(element, name))), "")
