"""Blocks of the flow of a Word file."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from groundwire_readers.contents.document_titles import is_image_name
from groundwire_readers.contents.notes import notes_beside
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.html.grid import Cell, CellRow, grid_blocks
from groundwire_readers.readers.word.flow.items import Item, Note, Paragraph, Table, TableCell, TableRow, flattened
from groundwire_readers.readers.word.styles import WordStyles
from groundwire_readers.text.normalisation import normalise
from groundwire_readers.text.runs import note_label, notes_of

_LEADER: Final = re.compile(r"(?<!\s)(?:\s*+\.){4,}")
"""Dots between a name and its figure.

A run of spaces is matched only from its start: from each of its characters, it would take quadratic time.
"""


def blocks_of_flow(items: Iterable[Item], notes: Sequence[Note], styles: WordStyles) -> list[Block]:
    """Return the blocks of the items, with notes behind the blocks that they belong to."""
    noted = {note.label: list(_note_blocks(note)) for note in notes if note.label}
    marked = list(_marked_blocks(items, styles))
    marked += (([], list(_note_blocks(note))) for note in notes if not note.label)
    return notes_beside(marked, noted)


def _note_blocks(note: Note) -> Iterator[Block]:
    text = _text_of(note.items)
    label = f"{note_label(note.label)} " if note.label else ""
    if shown := normalise(label + text):
        yield Block(BlockKind.PARAGRAPH, shown)


def _marked_blocks(items: Iterable[Item], styles: WordStyles) -> Iterator[tuple[list[str], list[Block]]]:
    """Yield the blocks of each item, with the labels of the notes whose marks are in it."""
    for item in items:
        blocks = list(_descriptions([item]))
        if isinstance(item, Table):
            if caption := normalise(item.caption):
                blocks.append(Block(BlockKind.PARAGRAPH, caption))
            texts = [_text_of(cell.items) for row in item.rows for cell in row.cells]
            yield notes_of("".join(texts)), [*blocks, *_table_blocks(item)]
        elif isinstance(item, Paragraph):
            yield notes_of(item.own_text), [*blocks, *text_block(item, styles)]
        else:
            yield [], [item]


def _descriptions(items: Iterable[Item]) -> Iterator[Block]:
    """Yield the descriptions of pictures, before the paragraph or the table with them."""
    for item in flattened(items):
        for picture in item.pictures if isinstance(item, Paragraph) else ():
            text = normalise(picture.description)
            if text and not is_image_name(text):
                yield Block(BlockKind.PARAGRAPH, text)


def text_block(paragraph: Paragraph, styles: WordStyles) -> Iterator[Block]:
    """Yield the block of a paragraph, unless it is empty."""
    text = normalise(paragraph.text)
    if not text:
        return
    level = styles.heading_level(paragraph.style)
    if level is not None:
        yield Block(BlockKind.HEADING, text, level=level)
    else:
        yield Block(BlockKind.PARAGRAPH if paragraph.label == "" else BlockKind.LIST_ITEM, text)


def _table_blocks(table: Table) -> Iterator[Block]:
    spans = _spans_of_rows(table.rows)
    rows: list[CellRow] = []
    for row in table.rows:
        shown = (cell for cell in row.cells if id(cell) in spans)
        cells = [Cell(_LEADER.sub(" …", _text_of(cell.items)), cell.columns, spans[id(cell)]) for cell in shown]
        rows.append(CellRow(cells, is_header=row.is_header))
    return grid_blocks(rows, names_first=True)


def _spans_of_rows(rows: Iterable[TableRow]) -> dict[int, int]:
    """Return the number of rows that each cell spans by its identity; a cell that continues another has none."""
    spans: dict[int, int] = {}
    merged: dict[int, TableCell] = {}
    for row in rows:
        column = 0
        for cell in row.cells:
            above = merged.get(column)
            if cell.is_continued and above is not None:
                spans[id(above)] += 1
            else:
                spans[id(cell)] = 1
                merged.pop(column, None)
                if cell.is_merged:
                    merged[column] = cell
            column += cell.columns
    return spans


def _text_of(items: Iterable[Item]) -> str:
    texts = (
        item.text if isinstance(item, Paragraph) else " ".join(cell for row in item.rows for cell in row) or item.text
        for item in flattened(items)
    )
    return "\n".join(texts)
