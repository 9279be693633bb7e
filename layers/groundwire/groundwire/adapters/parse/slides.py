"""A presentation's paragraphs as slides: titles as headings, lines of cells as tables, a group per slide."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from groundwire.adapters.parse.tables import table_block
from groundwire.domain.documents import Block, BlockKind

_TITLE_MAX: Final = 150
_NOTES: Final = "Notes:"


def slides(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with their slide as group; the library tells neither titles nor whole tables apart."""
    found: list[Block] = []
    for page, members in groupby(blocks, key=lambda block: block.page):
        slide = [block for width, run in groupby(members, key=_width) for block in _whole(width, list(run))]
        if slide and _is_title(slide[0]):
            slide[0] = replace(slide[0], kind=BlockKind.HEADING, level=1)
        found += [replace(block, group=page) for block in slide]
    return found


def _width(block: Block) -> int:
    """Cells of a table row; 0 for all else."""
    return len(block.rows[0]) if block.rows else 0


def _whole(width: int, run: Sequence[Block]) -> Iterator[Block]:
    """Rows of equal width in a row as one table; a single one is a line with tabs in it."""
    rows = [row for block in run for row in block.rows]
    if width == 0:
        yield from run
    elif len(rows) == 1:
        yield Block(BlockKind.PARAGRAPH, " ".join(cell for cell in rows[0] if cell), page=run[0].page)
    else:
        yield from table_block(rows, run[0].page)


def _is_title(block: Block) -> bool:
    return block.kind is BlockKind.PARAGRAPH and len(block.text) <= _TITLE_MAX and block.text != _NOTES
