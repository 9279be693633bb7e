"""Tables of plain text whose columns are aligned with blanks."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from groundwire_readers.contents.header_rows import is_value

_GAP: Final = re.compile(r"\S(?: {2,}|\t[ \t]*)\S")
_RULE: Final = re.compile(r"[-=\u2500 ]*[-=\u2500]{3}[-=\u2500 ]*")
"""Line under the names of columns: one rule, or one for each column."""
_OCCUPIED: Final = re.compile(r"\S(?: ?\S)*")
_MIN_ROWS: Final = 3
"""Minimum number of rows: two lines may be aligned by chance."""
_MAX_LINE: Final = 400
"""Maximum length of a line in characters; longer lines are data of programs."""
_MIN_FILLED: Final = 0.5
"""Share of its rows that each column fills at least."""


class AlignedTable(NamedTuple):
    """Table among lines: the number of its first line, that of the line after it, and the texts of its cells."""

    start: int
    end: int
    rows: list[list[str]]


def aligned_tables(lines: Sequence[str]) -> Iterator[AlignedTable]:
    """Yield the tables among adjacent lines.

    Their columns are divided by two blanks at least, at the same place of every line, and one column has values.
    """
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and _may_be_row(lines[end]):
            end += 1
        rows = _rows(lines[start:end])
        if rows is not None:
            yield AlignedTable(start, end, rows)
        start = end + 1


def _may_be_row(line: str) -> bool:
    return len(line) <= _MAX_LINE and (_GAP.search(line) is not None or _RULE.fullmatch(line) is not None)


def _rows(lines: Sequence[str]) -> list[list[str]] | None:
    """Return the cells of lines; None where they have no common columns, or no column of values."""
    texts = [line.expandtabs() for line in lines if _RULE.fullmatch(line) is None]
    if len(texts) < _MIN_ROWS:
        return None
    columns = _columns(texts)
    rows = [[text[start:end].strip() for start, end in columns] for text in texts]
    filled = [[cell for cell in column if cell] for column in zip(*rows, strict=True)]
    if len(columns) < 2 or any(len(cells) < _MIN_FILLED * len(rows) for cells in filled):  # noqa: PLR2004
        return None
    # The first row may be that of the names.
    is_data = any(2 * sum(map(is_value, cells[1:])) > len(cells[1:]) > 1 for cells in filled[1:])
    return rows if is_data else None


def _columns(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Return first place and end of each column: places that no line leaves blank belong to one, a single blank too."""
    occupied = [False] * max(map(len, texts))
    for text in texts:
        for word in re.finditer(r"\S+", text):
            occupied[word.start() : word.end()] = [True] * (word.end() - word.start())
    shown = "".join("x" if is_occupied else " " for is_occupied in occupied)
    starts = [found.start() for found in _OCCUPIED.finditer(shown)]
    return list(zip(starts, [*starts[1:], len(shown)], strict=True))
