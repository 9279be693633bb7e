"""Fragments from which chunks are packed: a short block, some sentences of a long one, a table row."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.limits import SEGMENT_TARGET_CHARACTERS
from groundwire.domain.text.sentences import sentences
from groundwire_readers.contents.parsed import Block, BlockKind

FRAGMENT_MAX_CHARACTERS: Final = SEGMENT_TARGET_CHARACTERS
_HEADER_MAX: Final = FRAGMENT_MAX_CHARACTERS // 2
"""Length above which a header row is not repeated: its parts would contain little else."""
_COLUMN_NAME_MAX: Final = 80
_INTRODUCTION_MAX: Final = 200
_LABEL_MAX: Final = 120
"""Length above which a label is shortened where a later passage repeats it."""
_ROW_NAME_MAX: Final = 200
"""Length above which a first cell does not name its row."""
_PRINTED_BULLET: Final = re.compile(r"[•◦▪▫‣●➢➤❖◆►▶·∙\u2043\u2013\u2014*-]\s+(?=\S)")
"""A bullet as a page prints it; boxes to tick are content."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """Part that is never split again; at most `FRAGMENT_MAX_CHARACTERS` characters with its header.

    Attributes:
        separator: text between it and the previous fragment, when both are in one chunk.
        header: the lines that part of a table needs above it in its chunk: caption and header rows; in a row with one
            line per cell, the cell that names the row; empty for all else.
        table: number of the table among the section's blocks, and of its row where that has one line per cell, else 0;
            None outside tables.
        opening: the text as first row of a chunk, with the labels that span it from rows above; empty for rows of a
            table without labels.
        is_heading: it is a heading.
        leads_on: a chunk does not end with it when something follows: a heading, or the line that introduces a list.
        is_last_item: a list or table is not cut before it.
        has_column_names: its table has a header row.
        is_unverified: text of an invisible layer over a picture.
    """

    text: str
    page: int | None
    separator: str
    header: str = ""
    table: tuple[int, int] | None = None
    opening: str = ""
    is_heading: bool = False
    leads_on: bool = False
    is_last_item: bool = False
    has_column_names: bool = True
    is_unverified: bool = False


def split_section(blocks: Sequence[Block]) -> list[Fragment]:
    """Split a section into fragments, in order."""
    found: list[Fragment] = []
    previous_kind: BlockKind | None = None
    for number, block in enumerate(blocks):
        following = blocks[number + 1] if number + 1 < len(blocks) else None
        separator = "\n" if block.kind is previous_kind is BlockKind.LIST_ITEM else "\n\n"
        fragments = _split_table(block, number) if block.rows else _split_prose(block, separator, following)
        has_names = block.header_rows > 0
        found += (replace(each, has_column_names=has_names, is_unverified=block.is_unverified) for each in fragments)
        previous_kind = block.kind
    return found


def _split_prose(block: Block, separator: str, following: Block | None) -> Iterator[Fragment]:
    text = _item_text(block.text) if block.kind is BlockKind.LIST_ITEM else block.text
    parts = _lines(text) if block.kind is BlockKind.CODE else _sentences(text)
    is_heading = block.kind is BlockKind.HEADING
    is_last_item = block.kind is BlockKind.LIST_ITEM and (
        following is None or following.kind is not BlockKind.LIST_ITEM
    )
    leads_on = is_heading or (following is not None and _introduces(block, following))
    for part in join_up_to(parts, FRAGMENT_MAX_CHARACTERS):
        yield Fragment(part, block.page, separator, is_heading=is_heading, leads_on=leads_on, is_last_item=is_last_item)
        # Sentences keep the space that follows them.
        separator = "\n" if block.kind is BlockKind.CODE else ""


def _introduces(block: Block, following: Block) -> bool:
    """Return whether a short block is the beginning of what follows: its line, or a label without a full stop."""
    if block.kind is not BlockKind.PARAGRAPH or len(block.text) > _INTRODUCTION_MAX:
        return False
    return block.text.endswith(":") or (following.kind is BlockKind.TABLE and not block.text.endswith((".", "!", "?")))


def _item_text(text: str) -> str:
    """Return an item with the one mark of all lists, or with its own number."""
    return text if _is_numbered(text) else f"- {_PRINTED_BULLET.sub('', text)}"


def _is_numbered(text: str) -> bool:
    first = text.split(maxsplit=1)[0] if text else ""
    return first[:1] in "(0123456789" and first[-1:] in ".)"


def _sentences(text: str) -> list[str]:
    # As one fragment a short block is never cut between two chunks.
    return [text] if len(text) <= FRAGMENT_MAX_CHARACTERS else sentences(text)


def _lines(text: str) -> list[str]:
    return [text] if len(text) <= FRAGMENT_MAX_CHARACTERS else text.splitlines(keepends=True)


def join_up_to(parts: Sequence[str], max_characters: int) -> Iterator[str]:
    """Yield `parts` joined into strings of at most `max_characters` characters; a longer part is cut between words."""
    bundle = ""
    for short in (short for part in parts for short in _split_long_text(part, max_characters)):
        if len(bundle) + len(short) > max_characters:
            yield bundle
            bundle = ""
        bundle += short
    if bundle:
        yield bundle


def _split_long_text(text: str, max_characters: int) -> Iterator[str]:
    start = 0
    while len(text) - start > max_characters:
        # A cut in the first half would leave a part of less than half the size.
        space = text.rfind(" ", start + max_characters // 2, start + max_characters)
        end = space + 1 if space >= 0 else start + max_characters
        yield text[start:end]
        start = end
    yield text[start:]


def _split_table(block: Block, number: int) -> Iterator[Fragment]:
    header_rows, rows = block.rows[: block.header_rows], block.rows[block.header_rows :]
    names = header_rows[-1] if header_rows else ()
    caption, lines = block.caption.splitlines(), [*map(_line, header_rows)]
    header = "\n".join([*caption, *lines])
    repeated = _repeated_header(caption, lines)
    separator = "\n\n"
    is_stated = bool(rows) and _fits_a_line(rows[0], repeated) and repeated == header
    if header and not is_stated:  # otherwise the fragment of the first row has the header
        stated = header if not rows or not _fits_a_line(rows[0], repeated) else "\n".join(caption)
        for part in join_up_to(stated.splitlines(keepends=True), FRAGMENT_MAX_CHARACTERS):
            yield Fragment(part.rstrip(), block.page, separator)
            separator = "\n"
    for row_number, (row, labelled) in enumerate(_with_labels(block), 1):
        if _fits_a_line(row, repeated):
            is_last = row_number == len(rows)
            opening = _line(labelled) if block.labels and _fits_a_line(labelled, repeated) else ""
            yield Fragment(
                _line(row), block.page, separator, repeated or "", (number, 0), opening, is_last_item=is_last
            )
            separator = "\n"
        else:
            yield from _row_by_cells(labelled, names, block.page, (number, row_number))
            separator = "\n\n"


def _with_labels(block: Block) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield each row below the header, and the same row with the labels that span it from a row above."""
    starting: dict[int, list[tuple[int, int]]] = {}
    for start, column, end in block.labels:
        starting.setdefault(start, []).append((column, end))
    spanning: dict[int, tuple[str, int]] = {}
    for place, row in enumerate(block.rows):
        spanning = {column: label for column, label in spanning.items() if label[1] > place}
        labelled = list(row)
        for column, (text, _) in spanning.items():
            labelled[column] = labelled[column] or text
        if place >= block.header_rows:
            yield row, labelled
        spanning |= {column: (_short_label(row[column]), end) for column, end in starting.get(place, ())}


def _short_label(text: str) -> str:
    return text if len(text) <= _LABEL_MAX else f"{text[:_LABEL_MAX].rsplit(' ', 1)[0]} …"


def _repeated_header(caption: Sequence[str], lines: Sequence[str]) -> str | None:
    """Return the lines above each part of a table: caption and header, or the header alone; None if too long."""
    for candidate in ("\n".join([*caption, *lines]), "\n".join(lines)):
        if len(candidate) <= _HEADER_MAX:
            return candidate
    return None


def _row_by_cells(
    row: Sequence[str], names: Sequence[str], page: int | None, table: tuple[int, int]
) -> Iterator[Fragment]:
    """Yield a line per cell with the column's name; the first cell is the header of the others."""
    labelled = [(names[column] if column < len(names) else "", cell) for column, cell in enumerate(row) if cell]
    key = "".join(_cell(*labelled[0], FRAGMENT_MAX_CHARACTERS)) if len(labelled) > 1 else ""
    if len(key) > _ROW_NAME_MAX:
        key = ""
    separator = "\n\n"
    for name, cell in labelled[1:] if key else labelled:
        for text in _cell(name, cell, FRAGMENT_MAX_CHARACTERS - len(key) - 1):
            yield Fragment(text, page, separator, key, table)
            separator = "\n"


def _fits_a_line(row: Sequence[str], header: str | None) -> bool:
    return header is not None and len(header) + 1 + len(_line(row)) <= FRAGMENT_MAX_CHARACTERS


def _cell(name: str, cell: str, max_characters: int) -> Iterator[str]:
    label = f"{name[:_COLUMN_NAME_MAX]}: " if name else ""
    for part in join_up_to(sentences(cell), max_characters - len(label)):
        yield (label + part).rstrip()


def _line(cells: Sequence[str]) -> str:
    return " | ".join(cells)
