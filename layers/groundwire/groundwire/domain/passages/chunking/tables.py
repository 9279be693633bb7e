"""Division of tables into fragments: rows, each with the labels that its figures need in another chunk.

Labels are the caption, the header rows, and cells that span rows or columns. Repeated, they take at most a quarter of
a chunk of ordinary size: longer ones are shortened.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.passages.chunking.fragments import FRAGMENT_MAX_CHARACTERS, Fragment, join_up_to
from groundwire.domain.text.sentences import sentences
from groundwire_readers.contents.parsed import Block

_LABELS_MAX: Final = FRAGMENT_MAX_CHARACTERS // 4
_NAME_LENGTHS: Final = (60, 40, 30, 20, 15, 10, 7, 5, 4)
"""Lengths to which names of columns are shortened, the first that fits; in a table of more columns, each figure has
the name of its own."""
_CAPTION_SHARE: Final = 3
"""The caption's part of the labels is one in this many where both are shortened: the names of columns matter more."""
_COLUMN_NAME_MAX: Final = 80
_LABEL_LENGTHS: Final = (16, 120)
"""Smallest and largest length to which a label over several rows is shortened."""
_ROW_NAME_MAX: Final = 200
"""Length above which a first cell does not name its row."""


@dataclass(frozen=True, slots=True)
class _Row:
    """Texts below the header that make a row, and the labels that it needs.

    Attributes:
        cells: its texts.
        labelled: the same with the labels that span it from rows above.
        heading: the label over all columns under which it is; empty without one.
    """

    cells: Sequence[str]
    labelled: Sequence[str]
    heading: str
    raw_values: tuple[str, ...]

    @property
    def opening(self) -> str:
        """The text as first row of a chunk."""
        line = _line(self.labelled)
        return f"{self.heading}\n{line}" if self.heading else line


def split_table(block: Block, number: int) -> Iterator[Fragment]:
    """Yield the fragments of a table; `number` is its number among the blocks of the section."""
    header_rows = block.rows[: block.header_rows]
    caption, lines = block.caption.splitlines(), [*map(_line, header_rows)]
    header = "\n".join([*caption, *lines])
    repeated = _repeated_header(caption, header_rows)
    rows = list(_rows(block, _LABELS_MAX - len(repeated or "")))
    separator, pages = "\n\n", block.pages_between(0, 0)
    if header and not (rows and repeated == header and _fits(rows[0].cells, repeated)):
        # Otherwise the fragment of the first row has the header.
        parts = list(join_up_to(header.splitlines(keepends=True), FRAGMENT_MAX_CHARACTERS))
        # Rows in the same chunk need no shortened header below the full one.
        table = (number, 0) if len(parts) == 1 and rows and _fits(rows[0].cells, repeated) else None
        for part in parts:
            yield Fragment(part.rstrip(), pages, separator, table=table, is_header=table is not None)
            separator = "\n"
    names = _column_names(header_rows)
    for row_number, row in enumerate(rows, 1):
        if _fits(row.cells, repeated):
            yield _row_fragment(row, block, separator, repeated or "", (number, 0), is_last=row_number == len(rows))
            separator = "\n"
        else:
            fragments = _row_by_cells(row.labelled, names, pages, (number, row_number))
            yield from (replace(each, raw_values=row.raw_values) for each in fragments)
            separator = "\n\n"


def _row_fragment(
    row: _Row, block: Block, separator: str, header: str, table: tuple[int, int], *, is_last: bool
) -> Fragment:
    has_room = len(header) + 1 + len(row.opening) <= FRAGMENT_MAX_CHARACTERS
    return Fragment(
        _line(row.cells),
        block.pages_between(0, 0),
        separator,
        header,
        table,
        row.opening if block.labels and has_room else "",
        is_last_item=is_last,
        raw_values=row.raw_values,
    )


def _rows(block: Block, room: int) -> Iterator[_Row]:
    """Yield the rows below the header; `room` is the length of all labels of one."""
    starting: dict[int, list[tuple[int, int]]] = {}
    for start, column, end in block.labels:
        starting.setdefault(start, []).append((column, end))
    values = _values_by_row(block)
    spanning: dict[int, tuple[str, int]] = {}
    heading = ("", 0)
    for place, row in enumerate(block.rows):
        spanning = {column: label for column, label in spanning.items() if label[1] > place}
        heading = heading if heading[1] > place else ("", 0)
        if place >= block.header_rows:
            own, limit = heading[0], _label_limit(room, len(spanning) + bool(heading[0]))
            labelled = [
                text or _shortened(spanning[at][0], limit) if at in spanning else text for at, text in enumerate(row)
            ]
            yield _Row(row, labelled, _shortened(own, limit), values.get(place, ()))
        begins = starting.get(place, ())
        is_alone = bool(begins) and len(row) > 1 and sum(map(bool, row)) == 1
        for column, end in begins:
            if is_alone:
                # A text alone in its row is about the rows below, whatever columns they have.
                heading = (row[column], end)
            else:
                spanning[column] = (row[column], end)


def _values_by_row(block: Block) -> Mapping[int, tuple[str, ...]]:
    """Return the raw values by row; those of the header are with the first row below it."""
    values: dict[int, tuple[str, ...]] = {}
    for row, value in block.raw_values:
        place = max(row, min(block.header_rows, len(block.rows) - 1))
        values[place] = (*values.get(place, ()), value)
    return values


def _label_limit(room: int, count: int) -> int:
    shortest, longest = _LABEL_LENGTHS
    return min(longest, max(shortest, room // max(1, count)))


def _shortened(text: str, limit: int) -> str:
    """Return the text, cut between words where it is longer than the limit."""
    if len(text) <= limit:
        return text
    kept = text[: limit - 1]
    return f"{kept[: max(kept.rfind(' '), limit // 2)].rstrip()}…"


def _repeated_header(caption: Sequence[str], rows: Sequence[Sequence[str]]) -> str | None:
    """Return the lines above each part of a table, shortened if they are long; None if no shortening is enough."""
    full = "\n".join([*caption, *map(_line, rows)])
    if len(full) <= _LABELS_MAX:
        return full
    for length in _NAME_LENGTHS:
        names = "\n".join(_line([_shortened(name, length) for name in row]) for row in rows)
        room = _LABELS_MAX - len(names) - 1
        if room >= min(len("\n".join(caption)), _LABELS_MAX // _CAPTION_SHARE) - 1:
            above = _shortened(" · ".join(caption), room) if len("\n".join(caption)) > room else "\n".join(caption)
            return "\n".join(filter(None, [above, names])) if caption else names
    return None


def _column_names(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the name of each column: that of the last header row, after the names above it that span the column."""
    above: list[str] = []
    for row in rows[:-1]:
        spanned, text = list[str](), ""
        for column, name in enumerate(row):
            text = name or text
            spanned.append(" ".join(filter(None, [above[column] if column < len(above) else "", text])))
        above = spanned
    last = rows[-1] if rows else ()
    return [
        " ".join(filter(None, [above[column] if column < len(above) else "", name])) for column, name in enumerate(last)
    ]


def _row_by_cells(
    row: Sequence[str], names: Sequence[str], pages: tuple[int, ...], table: tuple[int, int]
) -> Iterator[Fragment]:
    """Yield a line per cell with the column's name; the first cell is the header of the others."""
    labelled = [(names[column] if column < len(names) else "", cell) for column, cell in enumerate(row) if cell]
    key = "".join(_cell(*labelled[0], FRAGMENT_MAX_CHARACTERS)) if len(labelled) > 1 else ""
    if len(key) > _ROW_NAME_MAX:
        key = ""
    separator = "\n\n"
    for name, cell in labelled[1:] if key else labelled:
        for text in _cell(name, cell, FRAGMENT_MAX_CHARACTERS - len(key) - 1):
            yield Fragment(text, pages, separator, key, table)
            separator = "\n"


def _cell(name: str, cell: str, max_characters: int) -> Iterator[str]:
    label = f"{name[:_COLUMN_NAME_MAX]}: " if name else ""
    for part in join_up_to(sentences(cell), max_characters - len(label)):
        yield (label + part).rstrip()


def _fits(row: Sequence[str], header: str | None) -> bool:
    """Return whether the row is one line of a fragment, below its header."""
    return header is not None and len(header) + 1 + len(_line(row)) <= FRAGMENT_MAX_CHARACTERS


def _line(cells: Sequence[str]) -> str:
    return " | ".join(cells)
