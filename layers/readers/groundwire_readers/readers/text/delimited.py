"""Reader of tables in text files: their rows are lines, their cells are apart by commas, semicolons, tabs or bars."""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from typing import Final

from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.contents.sheet_tables import sheet_table_blocks
from groundwire_readers.readers.encodings.decoding import decode_text
from groundwire_readers.text.normalisation import normalise

_SEPARATORS: Final = (",", ";", "\t", "|")
_STATED: Final = re.compile(r'"?sep=([^\r\n"])"?(?:\r\n|\r|\n|\Z)', re.IGNORECASE)
"""First line that declares the separator to Excel; no program shows it."""
_MAX_COLUMNS: Final = 16_384
"""Columns of a sheet in Excel; a file with more is no table."""
_SAMPLE_CHARACTERS: Final = 65_536
_FIELD_CHARACTERS: Final = 2**31 - 1
"""Limit of a cell in Python's module, whose default refuses cells that programs accept."""


def read(content: bytes) -> Contents:
    """Return the contents of the file; it has no pages."""
    csv.field_size_limit(_FIELD_CHARACTERS)
    text = decode_text(content)
    stated = _STATED.match(text)
    separator = _likely_separator(text) if stated is None else stated[1]
    rows = list(_rows(text if stated is None else text[stated.end() :], separator))
    if max(map(len, rows), default=0) > _MAX_COLUMNS:
        lines = (normalise(separator.join(row)) for row in rows)
        return Contents([Block(BlockKind.PARAGRAPH, line) for line in lines if line])
    cells = {
        number: {column: cell for column, cell in enumerate(row) if cell.strip()} for number, row in enumerate(rows)
    }
    return Contents(list(sheet_table_blocks(cells, None)))


def _rows(text: str, separator: str) -> Iterator[list[str]]:
    return csv.reader(StringIO(text, newline=""), delimiter=separator)


def _likely_separator(text: str) -> str:
    """Return the separator by which most lines have the same number of cells; of equal ones that with more cells."""
    sample = text[:_SAMPLE_CHARACTERS]
    # A line that the sample cuts would have fewer cells than it has.
    if len(text) > len(sample):
        sample = sample[: sample.rfind("\n") + 1] or sample
    # A decimal comma in each line is as regular as a separator, so the number of cells decides between equals.
    return max(_SEPARATORS, key=lambda separator: _regularity(sample, separator))


def _regularity(sample: str, separator: str) -> tuple[float, int]:
    lengths = Counter(len(row) for row in _rows(sample, separator) if row)
    cells, lines = max(
        ((length, count) for length, count in lengths.items() if length > 1),
        key=lambda each: (each[1], each[0]),
        default=(1, 0),
    )
    return lines / max(1, lengths.total()), cells
