"""Tables of a PDF without rules: the library runs their rows together and takes the names of columns for a heading.

A row is known by its beginning: an article's number, a code or a date of the form that the first row's has.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from groundwire.adapters.parse.tables import table_text
from groundwire.domain.documents.parsed import Block, BlockKind

_MIN_ROWS: Final = 3
"""Fewer beginnings of one form are a coincidence."""
_KEY_CHARACTERS: Final = 4
_PROSE_SHARE: Final = 0.2
"""The share of words that begin with a small letter; in sentences it is most of them."""
_NAMES: Final = 3
_REST_WORDS: Final = 8
_DIGITS: Final = re.compile(r"\d+")
_CAPITAL: Final = re.compile(r"[^\W\d_a-z]")


def rebuild_borderless_tables(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with each such table as one block, a line per row."""
    found: list[Block] = []
    at = 0
    while at < len(blocks):
        block = blocks[at]
        names, rows = _column_names_and_rows(block)
        at += 1
        if not rows:
            found.append(block)
            continue
        if not names and found and _is_header_of(found[-1], block, rows):
            names = found.pop().text.split()
        while at < len(blocks) and _is_last_cells(blocks[at], block):
            rows[-1] += blocks[at].text.split()
            at += 1
        found.append(_table(names, rows, block))
    return found


def _column_names_and_rows(block: Block) -> tuple[list[str], list[list[str]]]:
    """The columns' names if it begins with them, and its rows; nothing where it holds no cells."""
    words = block.text.split() if block.kind is BlockKind.PARAGRAPH else []
    first = next((at for at, word in enumerate(words) if _is_key(word)), len(words))
    names, rows = words[:first], _rows(words[first:])
    return (names, rows) if rows and (not names or _are_names(names, rows)) else ([], [])


def _rows(words: Sequence[str]) -> list[list[str]]:
    """The words, parted where a row begins."""
    if not words or _reads_as_prose(words):
        return []
    form = _shape_of(words[0])
    starts = [at for at, word in enumerate(words) if _shape_of(word) == form]
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
    """Whether they name columns: as many words as a row has, each of them a name."""
    is_wide = len(words) >= max(_NAMES, median(map(len, rows)))
    return is_wide and all(word[0].isupper() and not _DIGITS.search(word) for word in words)


def _is_last_cells(block: Block, table: Block) -> bool:
    """Whether it is the last cells of a table, set a little apart."""
    words = block.text.split()
    if block.kind is not BlockKind.PARAGRAPH or block.page != table.page or len(words) > _REST_WORDS:
        return False
    return any(map(str.isdigit, block.text)) and all(word.isupper() or not word[-1].isalpha() for word in words)


def _table(names: Sequence[str], rows: Sequence[Sequence[str]], source: Block) -> Block:
    """Columns where every row has each of them, else a line per row, as which cells are empty is not known."""
    if names and all(len(row) == len(names) for row in rows):
        cells = (tuple(names), *(tuple(row) for row in rows))
        return Block(BlockKind.TABLE, table_text(cells), page=source.page, rows=cells)
    lines = [" ".join(row) for row in rows]
    if not names:
        return Block(BlockKind.PARAGRAPH, "\n".join(lines), page=source.page)
    cells = ((" ".join(names),), *((line,) for line in lines))
    return Block(BlockKind.TABLE, table_text(cells), page=source.page, rows=cells)
