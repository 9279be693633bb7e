"""Tables without a grid of rules: lines in columns become rows."""

import re
from collections.abc import Sequence
from typing import Final

from groundwire_readers.readers.pdf.page_content import PageBox, PageWord
from groundwire_readers.readers.pdf.tables.columns import Columns, find_columns, is_aligned
from groundwire_readers.readers.pdf.tables.found_table import FoundTable
from groundwire_readers.readers.pdf.tables.headers import header_of
from groundwire_readers.readers.pdf.tables.non_tables import is_no_table
from groundwire_readers.readers.pdf.tables.visual_lines import (
    OPENING_SIGNS,
    Part,
    VisualLine,
    bounds,
    joined,
    part_of,
)

Row = list[str]

_CAPTION: Final = re.compile(r"(Table|Figure|Fig\.|Example|Listing|Exhibit)\s+[A-Z]?\d", re.IGNORECASE)
_NAMED_SHARE: Final = 0.7
"""Share of the parts with a letter, a digit or a mark; others are signs of a font that is not known."""
_MIN_COLUMNS: Final = 2
_MAX_COLUMNS: Final = 200
"""More columns are no table that a person reads."""
_VALUE_SHARE: Final = 0.3
"""Share of values from which lines in uncertain columns are given as aligned text; others are text."""
_COLLISIONS: Final = 0.15
"""Share of lines with two parts in one column above which the columns are not certain."""


def borderless_table(lines: Sequence[VisualLine], rules: Sequence[PageBox]) -> FoundTable | None:
    """Return the table of a region's lines; None where they are text in columns, a list or a table of contents."""
    whole = lines
    caption = joined(lines[0].words)
    kind = _CAPTION.match(caption)
    if kind is not None:
        lines = lines[1:]
    if (kind is not None and kind[1].lower() != "table") or len(lines) < 2 or not _has_words(lines):  # noqa: PLR2004 - one row
        return None
    size = sorted(line.size for line in lines)[len(lines) // 2]
    columns = find_columns(lines, size)
    if not _MIN_COLUMNS <= columns.count <= _MAX_COLUMNS or not is_aligned(lines, columns, size):
        return None
    if is_no_table(lines, columns):
        return None
    box = bounds(whole)
    stated = caption if kind is not None else ""
    values = sum(part.is_value for line in lines for part in line.parts)
    if _collisions(lines, columns) > _COLLISIONS * len(lines):
        if values < _VALUE_SHARE * sum(len(line.parts) for line in lines):
            return None
        return FoundTable(
            box, tuple(tuple(part.text for part in line.parts) for line in lines), 0, stated, is_aligned_text=True
        )
    header = header_of(lines, columns, rules)
    rows = [*header.rows, *body_rows(lines[header.lines :], columns, size)]
    return FoundTable(box, tuple(map(tuple, rows)), len(header.rows), stated, is_aligned_text=False)


def _has_words(lines: Sequence[VisualLine]) -> bool:
    parts = [part for line in lines for part in line.parts]
    return sum(part.is_value or any(map(str.isalnum, part.text)) for part in parts) >= _NAMED_SHARE * len(parts)


def _collisions(lines: Sequence[VisualLine], columns: Columns) -> int:
    """Return the number of lines two parts of which are in one column."""
    found = 0
    for line in lines:
        places = [columns.of_part(part)[0] for part in line.parts]
        found += len(set(places)) < len(places)
    return found


def body_rows(lines: Sequence[VisualLine], columns: Columns, size: float) -> list[Row]:
    """Return the rows of the lines below the header; lines of one label or of one cell are joined."""
    rows: list[Row] = []
    waiting: list[VisualLine] = []
    for position, line in enumerate(lines):
        row = cells_of(line, columns)
        if _is_label_only(row) and _leads_on(line, lines, position, columns, size):
            waiting.append(line)
            continue
        if waiting:
            row[0] = " ".join([*(joined(each.words) for each in waiting), *filter(None, [row[0]])])
            waiting = []
        if rows and _continues_row(rows[-1], row, lines[position - 1], line, size):
            rows[-1] = [" ".join(filter(None, pair)) for pair in zip(rows[-1], row, strict=True)]
        else:
            rows.append(row)
    return rows


def cells_of(line: VisualLine, columns: Columns) -> Row:
    """Return the cells of a line; a part that covers several columns is divided where a column begins."""
    cells = [""] * columns.count
    for part in line.parts:
        for column, text in _pieces(part, columns):
            cells[column] = f"{cells[column]} {text}".strip()
    return cells


def _pieces(part: Part, columns: Columns) -> list[tuple[int, str]]:
    """Return the texts of a part by column; text that runs over into the next column stays whole."""
    first, last = columns.of_part(part)
    if first in (last, 0):
        values = [columns.at((word.box.left + word.box.right) / 2) for word in part.words]
        if first == last or not all(
            part_of([word]).is_value for word, at in zip(part.words, values, strict=True) if at
        ):
            return [(first, part.text)]
    pieces: list[tuple[int, list[PageWord]]] = []
    signs: list[PageWord] = []
    for word in part.words:
        at = columns.at((word.box.left + word.box.right) / 2)
        # The sign of a currency is often set far left of its number, in the column before.
        if word.text in OPENING_SIGNS and word is not part.words[-1]:
            signs.append(word)
            continue
        if pieces and pieces[-1][0] == at:
            pieces[-1][1].extend([*signs, word])
        else:
            pieces.append((at, [*signs, word]))
        signs = []
    return [(at, joined(words)) for at, words in pieces]


def _is_label_only(row: Row) -> bool:
    return bool(row[0]) and not any(row[1:])


def _leads_on(line: VisualLine, lines: Sequence[VisualLine], position: int, columns: Columns, size: float) -> bool:
    """Return whether a label goes on in the next line: that one is closer by than a new row, and is its rest."""
    if position + 1 >= len(lines):
        return False
    below = lines[position + 1]
    row = cells_of(below, columns)
    text = joined(line.words)
    if not row[0] or text.endswith((":", ".")) or below.top - line.bottom > 0.7 * size:
        return False
    starts_low = row[0][:1].islower() or row[0][:1] in "(&/"
    is_indented = below.left > line.left + 0.4 * size and line.right > 0.5 * (columns.edges[0] if columns.edges else 0)
    return (starts_low or is_indented or text.endswith((",", " and", " of", " or", "-", "/", "("))) and (
        line.is_bold == below.is_bold
    )


def _continues_row(before: Row, row: Row, line_before: VisualLine, line: VisualLine, size: float) -> bool:
    """Return whether a line without a label is the rest of cells of text of the row above."""
    if row[0]:
        return bool(
            _is_label_only(row)
            and row[0][:1].islower()
            and any(before[1:])
            and line.top - line_before.bottom <= 0.7 * size
        )
    if line.top - line_before.bottom > 0.7 * size:
        return False
    texts = [part for part in line.parts if not part.is_value]
    return len(texts) == len(line.parts) and all(above for above, text in zip(before[1:], row[1:], strict=True) if text)
