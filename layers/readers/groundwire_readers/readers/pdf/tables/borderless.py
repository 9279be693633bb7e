"""Reading of tables without drawn grid lines: the lines of a region become rows, by their column positions."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundwire_readers.contents.letterheads import MAX_LINES, are_letterhead
from groundwire_readers.readers.pdf.page_content import PageBox, PageWord
from groundwire_readers.readers.pdf.tables.columns import Columns, find_columns, is_aligned, with_joined_currencies
from groundwire_readers.readers.pdf.tables.found_table import FoundTable
from groundwire_readers.readers.pdf.tables.headers import header_of
from groundwire_readers.readers.pdf.tables.non_tables import is_no_table
from groundwire_readers.readers.pdf.tables.visual_lines import (
    Part,
    VisualLine,
    bounds,
    is_opening_sign,
    is_value,
    joined,
    part_of,
)

Row = list[str]

_CAPTION: Final = re.compile(r"(Table|Figure|Fig\.|Example|Listing|Exhibit)\s+[A-Z]?\d", re.IGNORECASE)
_MIN_TEXT_SHARE: Final = 0.7
"""Minimum share of parts with a letter, digit or mark; others are glyphs of a symbol font."""
_MIN_COLUMNS: Final = 2
_MAX_COLUMNS: Final = 200
"""Number of columns above which no person would read the table."""
_MIN_VALUE_SHARE: Final = 0.3
"""Minimum share of values in a region with uncertain columns for it to be kept as aligned text."""
_MAX_COLLISION_SHARE: Final = 0.15
"""Share of lines with two parts in one column above which the columns are uncertain."""


def borderless_tables(lines: Sequence[VisualLine], rules: Sequence[PageBox]) -> Sequence[FoundTable]:
    """Return the table of a region; nothing for other text.

    Each block of a letterhead is a table of one cell, so that it is read apart from the blocks beside it.
    """
    table = borderless_table(lines, rules)
    if table is None:
        return ()
    blocks = _letterhead_blocks(lines)
    cells = [FoundTable(bounds(block), ((_text_of(block),),), 0, "", is_aligned_text=False) for block in blocks]
    return cells or (table,)


def _letterhead_blocks(lines: Sequence[VisualLine]) -> list[list[VisualLine]]:
    """Return the blocks of a letterhead, each as lines of one part; nothing for other text."""
    if len(lines) < 2 or len(lines) > MAX_LINES:  # noqa: PLR2004 - one line
        return []
    columns = find_columns(lines, sorted(line.size for line in lines)[len(lines) // 2])
    placed = [(columns.of_part(part), replace(line, parts=(part,))) for line in lines for part in line.parts]
    if any(first != last for (first, last), _ in placed):
        return []
    blocks = [[line for place, line in placed if place == (column, column)] for column in range(columns.count)]
    return blocks if are_letterhead([[line.parts[0].text for line in block] for block in blocks]) else []


def _text_of(block: Sequence[VisualLine]) -> str:
    return " ".join(line.parts[0].text for line in block)


def borderless_table(lines: Sequence[VisualLine], rules: Sequence[PageBox]) -> FoundTable | None:
    """Return the table in a region; None if the region is text in columns, a list or a table of contents."""
    region = lines
    caption = joined(lines[0].words)
    caption_match = _CAPTION.match(caption)
    if caption_match is not None:
        lines = lines[1:]
    if (caption_match is not None and caption_match[1].lower() != "table") or len(lines) < 2 or not _has_words(lines):  # noqa: PLR2004 - one row
        return None
    size = sorted(line.size for line in lines)[len(lines) // 2]
    lines, columns = with_joined_currencies(lines, find_columns(lines, size))
    if not _MIN_COLUMNS <= columns.count <= _MAX_COLUMNS or not is_aligned(lines, columns, size):
        return None
    if is_no_table(lines, columns):
        return None
    box = bounds(region)
    table_caption = caption if caption_match is not None else ""
    values = sum(part.is_value for line in lines for part in line.parts)
    if _collisions(lines, columns) > _MAX_COLLISION_SHARE * len(lines):
        if values < _MIN_VALUE_SHARE * sum(len(line.parts) for line in lines):
            return None
        return FoundTable(
            box,
            tuple(tuple(part.text for part in line.parts) for line in lines),
            0,
            table_caption,
            is_aligned_text=True,
        )
    header = header_of(lines, columns, rules)
    rows = [*header.rows, *body_rows(lines[header.lines :], columns, size)]
    return FoundTable(box, tuple(map(tuple, rows)), len(header.rows), table_caption, is_aligned_text=False)


def _has_words(lines: Sequence[VisualLine]) -> bool:
    parts = [part for line in lines for part in line.parts]
    return sum(part.is_value or any(map(str.isalnum, part.text)) for part in parts) >= _MIN_TEXT_SHARE * len(parts)


def _collisions(lines: Sequence[VisualLine], columns: Columns) -> int:
    """Return the number of lines that have two parts in one column."""
    count = 0
    for line in lines:
        places = [columns.of_part(part)[0] for part in line.parts]
        count += len(set(places)) < len(places)
    return count


def body_rows(lines: Sequence[VisualLine], columns: Columns, size: float) -> list[Row]:
    """Return the rows below the header; a label or a cell that is wrapped over several lines is joined."""
    rows: list[Row] = []
    label_lines: list[VisualLine] = []
    for position, line in enumerate(lines):
        row = cells_of(line, columns)
        if _is_label_only(row) and _label_continues(line, lines, position, columns, size):
            label_lines.append(line)
            continue
        if label_lines:
            row[0] = " ".join([*(joined(each.words) for each in label_lines), *filter(None, [row[0]])])
            label_lines = []
        if rows and _continues_row(rows[-1], row, lines[position - 1], line, size):
            rows[-1] = [" ".join(filter(None, pair)) for pair in zip(rows[-1], row, strict=True)]
        else:
            rows.append(row)
    return rows


def cells_of(line: VisualLine, columns: Columns) -> Row:
    """Return the cells of a line; a part over several columns is split where a column starts."""
    cells = [""] * columns.count
    for part in line.parts:
        for column, text in _split_by_column(part, columns):
            cells[column] = f"{cells[column]} {text}".strip()
    return cells


def _split_by_column(part: Part, columns: Columns) -> list[tuple[int, str]]:
    """Return the texts of a part by column; a label that overflows into the next column is not split."""
    first, last = columns.of_part(part)
    if first in (last, 0):
        columns_of_words = [columns.at((word.box.left + word.box.right) / 2) for word in part.words]
        if first == last or not all(
            part_of([word]).is_value for word, column in zip(part.words, columns_of_words, strict=True) if column
        ):
            return [(first, part.text)]
    pieces: list[tuple[int, list[PageWord]]] = []
    opening_signs: list[PageWord] = []
    for word in part.words:
        column = columns.at((word.box.left + word.box.right) / 2)
        # A currency sign is often far left of its number, in the column before.
        if is_opening_sign(word.text) and word is not part.words[-1]:
            opening_signs.append(word)
            continue
        if pieces and pieces[-1][0] == column:
            pieces[-1][1].extend([*opening_signs, word])
        else:
            pieces.append((column, [*opening_signs, word]))
        opening_signs = []
    return [(column, joined(words)) for column, words in pieces]


def _is_label_only(row: Row) -> bool:
    return bool(row[0]) and not any(row[1:])


def _label_continues(
    line: VisualLine, lines: Sequence[VisualLine], position: int, columns: Columns, size: float
) -> bool:
    """Return whether the label continues on the next line, by distance, wording and indentation."""
    if position + 1 >= len(lines):
        return False
    below = lines[position + 1]
    row = cells_of(below, columns)
    text = joined(line.words)
    if not row[0] or text.endswith((":", ".")) or below.top - line.bottom > 0.7 * size:
        return False
    starts_in_lower_case = row[0][:1].islower() or row[0][:1] in "(&/"
    is_indented = below.left > line.left + 0.4 * size and line.right > 0.5 * (
        columns.boundaries[0] if columns.boundaries else 0
    )
    return (starts_in_lower_case or is_indented or text.endswith((",", " and", " of", " or", "-", "/", "("))) and (
        line.is_bold == below.is_bold
    )


def _continues_row(row_before: Row, row: Row, line_before: VisualLine, line: VisualLine, size: float) -> bool:
    """Return whether the line continues wrapped cells of the row above."""
    if line.top - line_before.bottom > 0.7 * size or (row[0] and not row[0][:1].islower()):
        return False
    if row[0] and _is_label_only(row):
        return any(row_before[1:])
    if row[0] and not (row_before[0][:1].isupper() and any(map(is_value, row_before[1:]))):
        return False
    texts = [part for part in line.parts if not part.is_value]
    return len(texts) == len(line.parts) and all(
        above for above, text in zip(row_before[1:], row[1:], strict=True) if text
    )
