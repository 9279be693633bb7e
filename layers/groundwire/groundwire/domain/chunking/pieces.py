"""The smallest parts that a chunk is packed from: a short block, some sentences of a long one, a table row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.domain.documents import Block, BlockKind
from groundwire.domain.limits import SEGMENT_TARGET_CHARACTERS
from groundwire.domain.sentences import sentences

PIECE_MAX: Final = SEGMENT_TARGET_CHARACTERS
_HEADER_MAX: Final = PIECE_MAX // 2
"""A header row longer than this is not repeated: its parts would hold little else."""
_COLUMN_NAME_MAX: Final = 80
_ROW_NAME_MAX: Final = 200
"""A first cell longer than this is no name of its row."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part that is never cut again; at most `PIECE_MAX` characters with its header.

    Attributes:
        separator: what stands between it and the piece before, when both are in one chunk.
        header: the line that a part of a table needs above it in its chunk: the header row or, where a row is spelled
            out, the cell that names the row; empty for all else.
        table: number of the table among the section's blocks, and of the row that is spelled out, else 0; None
            outside tables.
        is_heading: a chunk does not end with one when something follows.
    """

    text: str
    page: int | None
    separator: str
    header: str = ""
    table: tuple[int, int] | None = None
    is_heading: bool = False


def pieces(blocks: Sequence[Block]) -> list[Piece]:
    """The pieces of a section, in order."""
    found: list[Piece] = []
    kind_before: BlockKind | None = None
    for number, block in enumerate(blocks):
        separator = "\n" if block.kind is kind_before is BlockKind.LIST_ITEM else "\n\n"
        found += _table(block, number) if block.rows else _prose(block, separator)
        kind_before = block.kind
    return found


def _prose(block: Block, separator: str) -> Iterator[Piece]:
    text = f"- {block.text}" if block.kind is BlockKind.LIST_ITEM and not _is_numbered(block.text) else block.text
    parts = _lines(text) if block.kind is BlockKind.CODE else _sentences(text)
    for part in bundled(parts, PIECE_MAX):
        yield Piece(part, block.page, separator, is_heading=block.kind is BlockKind.HEADING)
        separator = "\n" if block.kind is BlockKind.CODE else ""


def _is_numbered(text: str) -> bool:
    first = text.split(maxsplit=1)[0] if text else ""
    return first[:1] in "(0123456789" and first[-1:] in ".)"


def _sentences(text: str) -> list[str]:
    return [text] if len(text) <= PIECE_MAX else sentences(text)


def _lines(text: str) -> list[str]:
    return [text] if len(text) <= PIECE_MAX else text.splitlines(keepends=True)


def bundled(parts: Sequence[str], room: int) -> Iterator[str]:
    """`parts` joined into strings of at most `room` characters; a longer part is cut between words."""
    bundle = ""
    for short in (short for part in parts for short in _cut(part, room)):
        if len(bundle) + len(short) > room:
            yield bundle
            bundle = ""
        bundle += short
    if bundle:
        yield bundle


def _cut(text: str, room: int) -> Iterator[str]:
    start = 0
    while len(text) - start > room:
        space = text.rfind(" ", start + room // 2, start + room)
        end = space + 1 if space >= 0 else start + room
        yield text[start:end]
        start = end
    yield text[start:]


def _table(block: Block, number: int) -> Iterator[Piece]:
    names, *rows = block.rows
    header = _line(names)
    repeated = header if len(header) <= _HEADER_MAX else ""
    separator = "\n\n"
    if not rows or not _fits_a_line(rows[0], repeated):  # else the first row brings the header with it
        for part in bundled([header], PIECE_MAX):
            yield Piece(part, block.page, separator)
            separator = "\n"
    for at, row in enumerate(rows, 1):
        if _fits_a_line(row, repeated):
            yield Piece(_line(row), block.page, separator, repeated, (number, 0))
            separator = "\n"
        else:
            yield from _spelled_out(row, names, block.page, (number, at))
            separator = "\n\n"


def _spelled_out(row: Sequence[str], names: Sequence[str], page: int | None, table: tuple[int, int]) -> Iterator[Piece]:
    """A line per cell with the column's name; the first cell stands above each part that it is cut into."""
    labelled = [(names[column] if column < len(names) else "", cell) for column, cell in enumerate(row) if cell]
    key = "".join(_cell(*labelled[0], PIECE_MAX)) if len(labelled) > 1 else ""
    if len(key) > _ROW_NAME_MAX:
        key = ""
    separator = "\n\n"
    for name, cell in labelled[1:] if key else labelled:
        for text in _cell(name, cell, PIECE_MAX - len(key) - 1):
            yield Piece(text, page, separator, key, table)
            separator = "\n"


def _fits_a_line(row: Sequence[str], header: str) -> bool:
    return bool(header) and len(header) + 1 + len(_line(row)) <= PIECE_MAX


def _cell(name: str, cell: str, room: int) -> Iterator[str]:
    label = f"{name[:_COLUMN_NAME_MAX]}: " if name else ""
    for part in bundled(sentences(cell), room - len(label)):
        yield (label + part).rstrip()


def _line(cells: Sequence[str]) -> str:
    return " | ".join(cells)
