"""Repair of PDF tables without rules: the parser library joins their rows and reads the column names as a heading.

A row is recognised by its first word: an article's number, a code or a date of the same shape as the first row's.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from groundwire.adapters.parse.tables import table_text
from groundwire.domain.documents.parsed import Block, BlockKind

_MIN_ROWS: Final = 3
"""Minimum number of rows; fewer first words of one shape are a coincidence."""
_KEY_CHARACTERS: Final = 4
_PROSE_SHARE: Final = 0.2
"""Maximum share of words that begin with a small letter; in sentences most words do."""
_MIN_NAMES: Final = 3
_LAST_CELLS_WORDS: Final = 8
_DIGITS: Final = re.compile(r"\d+")
_CAPITAL: Final = re.compile(r"[^\W\d_a-z]")


def rebuild_borderless_tables(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with each such table as one block, a line per row."""
    found: list[Block] = []
    index = 0
    while index < len(blocks):
        block = blocks[index]
        names, rows = _column_names_and_rows(block)
        index += 1
        if not rows:
            found.append(block)
            continue
        if not names and found and _is_header_of(found[-1], block, rows):
            names = found.pop().text.split()
        while index < len(blocks) and _is_last_cells(blocks[index], block):
            rows[-1] += blocks[index].text.split()
            index += 1
        found.append(_table(names, rows, block))
    return found


def _column_names_and_rows(block: Block) -> tuple[list[str], list[list[str]]]:
    """Return the column names at the block's beginning, if any, and its rows; both empty when it is no table."""
    words = block.text.split() if block.kind is BlockKind.PARAGRAPH else []
    first = next((index for index, word in enumerate(words) if _is_key(word)), len(words))
    names, rows = words[:first], _rows(words[first:])
    return (names, rows) if rows and (not names or _are_names(names, rows)) else ([], [])


def _rows(words: Sequence[str]) -> list[list[str]]:
    """Return the words, split where a row begins."""
    if not words or _reads_as_prose(words):
        return []
    shape = _shape_of(words[0])
    starts = [index for index, word in enumerate(words) if _shape_of(word) == shape]
    rows = [list(words[start:end]) for start, end in pairwise([*starts, len(words)])]
    return rows if len(rows) >= _MIN_ROWS and all(len(row) > 1 for row in rows) else []


def _is_key(word: str) -> bool:
    digits = sum(map(str.isdigit, word))
    return len(word) >= _KEY_CHARACTERS and 0 < digits < len(word)


def _shape_of(word: str) -> str:
    return _CAPITAL.sub("A", _DIGITS.sub("9", word))


def _reads_as_prose(words: Sequence[str]) -> bool:
    small = sum(word[0].islower() for word in words)
    return small > _PROSE_SHARE * len(words) or any(word[-1] in ".;:,?!" for word in words)


def _is_header_of(block: Block, table: Block, rows: Sequence[Sequence[str]]) -> bool:
    is_line = block.kind in (BlockKind.HEADING, BlockKind.PARAGRAPH)
    return is_line and block.page == table.page and _are_names(block.text.split(), rows)


def _are_names(words: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the words name columns: at least as many as a row has, each of them a name."""
    is_wide = len(words) >= max(_MIN_NAMES, median(map(len, rows)))
    return is_wide and all(word[0].isupper() and not _DIGITS.search(word) for word in words)


def _is_last_cells(block: Block, table: Block) -> bool:
    """Return whether the block holds the last cells of the table's last row, set at some distance."""
    words = block.text.split()
    if block.kind is not BlockKind.PARAGRAPH or block.page != table.page or len(words) > _LAST_CELLS_WORDS:
        return False
    return any(map(str.isdigit, block.text)) and all(word.isupper() or not word[-1].isalpha() for word in words)


def _table(names: Sequence[str], rows: Sequence[Sequence[str]], source: Block) -> Block:
    """Return a table with columns if every row has all of them, else one with a line per row."""
    if names and all(len(row) == len(names) for row in rows):
        cells = (tuple(names), *(tuple(row) for row in rows))
        return Block(BlockKind.TABLE, table_text(cells), page=source.page, rows=cells)
    lines = [" ".join(row) for row in rows]
    if not names:
        return Block(BlockKind.PARAGRAPH, "\n".join(lines), page=source.page)
    cells = ((" ".join(names),), *((line,) for line in lines))
    return Block(BlockKind.TABLE, table_text(cells), page=source.page, rows=cells)
