"""Output of the command line: tables for people, exact JSON on request, one line for an error."""

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

Row = Mapping[str, object]

# Texts are printed as they are: no markup, no names of emoji, no colours for what looks like a number.
OUT = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
ERR = Console(stderr=True, markup=False, emoji=False, highlight=False, soft_wrap=True)
_WRAPPED_COLUMNS: Final = frozenset(
    {
        *("call", "collections", "file", "headline", "max_tags", "name", "other_file", "outcome", "path"),
        *("ranked by", "readers", "reason", "scopes", "tags", "user"),
    }
)
"""Columns that a narrow terminal may wrap; ids, numbers and times stay whole, to be copied."""
_MIN_WRAPPED_WIDTH: Final = 10
"""Minimum characters of a wrapped column; with fewer it is hard to read."""
_COLUMN_GAP: Final = 2
_SHORT_ID_LENGTH: Final = 9
_UNLIMITED_WIDTH: Final = 10_000
"""Width of a table that is not shown on a terminal: each row stays one line, for grep and awk."""


def print_rows(
    rows: Sequence[Row],
    columns: Sequence[str],
    *,
    as_json: bool,
    empty_message: str,
    shortened_column: str | None = None,
    row_styles: Sequence[str | None] | None = None,
) -> None:
    """Print the rows as a table of `columns`, or whole as a JSON array.

    Nothing is cut off on a terminal that is too narrow for the table: each row becomes a block of lines instead.
    If that makes the table fit, the ids of the column `shortened_column` are shortened to their first characters.
    `row_styles` has a colour or None for each row.
    """
    if as_json:
        print_json(list(rows))
        return
    if not rows:
        OUT.print(empty_message, style="dim")
        return
    # Texts come from documents and callers: none may steer the terminal or break a row.
    cells = [
        [_escape_control_characters(_cell(row[column])).replace("\n", r"\n") for column in columns] for row in rows
    ]
    styles = row_styles or [None] * len(rows)
    if not OUT.is_terminal:
        Console(width=_UNLIMITED_WIDTH).print(_table(columns, cells, styles))
    elif _fits(columns, cells):
        OUT.print(_table(columns, cells, styles))
    elif shortened_column is not None and _fits(columns, short := _shorten(cells, columns.index(shortened_column))):
        OUT.print(_table(columns, short, styles))
    else:
        _print_blocks(columns, cells, styles)


def _table(columns: Sequence[str], cells: Sequence[Sequence[str]], styles: Sequence[str | None]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column.replace("_", " "), no_wrap=column not in _WRAPPED_COLUMNS, overflow="fold")
    for row, style in zip(cells, styles, strict=True):
        # As `Text`, in which rich reads no markup.
        table.add_row(*map(Text, row), style=style)
    return table


def _fits(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> bool:
    """Return whether the terminal is wide enough for the table, with wrapped columns at their minimum width."""
    widths = [max(cell_len(column), *(cell_len(row[index]) for row in cells)) for index, column in enumerate(columns)]
    min_widths = [
        min(width, _MIN_WRAPPED_WIDTH) if column in _WRAPPED_COLUMNS else width
        for column, width in zip(columns, widths, strict=True)
    ]
    return sum(min_widths) + _COLUMN_GAP * (len(columns) - 1) <= OUT.width


def _shorten(cells: Sequence[Sequence[str]], index: int) -> list[list[str]]:
    return [[*row[:index], _short(row[index]), *row[index + 1 :]] for row in cells]


def _short(text: str) -> str:
    return text if len(text) <= _SHORT_ID_LENGTH else f"{text[: _SHORT_ID_LENGTH - 1]}…"


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print cells as a table with rules and without names of columns; wide cells are wrapped on a terminal."""
    table = Table(show_header=False, show_lines=False, style="dim")
    for _ in range(max(map(len, rows), default=0)):
        table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*(Text(_escape_control_characters(cell)) for cell in row))
    console = OUT if OUT.is_terminal else Console(width=_UNLIMITED_WIDTH)
    console.print(table)


def _print_blocks(columns: Sequence[str], cells: Sequence[Sequence[str]], styles: Sequence[str | None]) -> None:
    labels = [column.replace("_", " ") for column in columns]
    width = max(map(len, labels))
    for number, (row, style) in enumerate(zip(cells, styles, strict=True)):
        if number:
            OUT.print()
        for label, cell in zip(labels, row, strict=True):
            OUT.print(Text.assemble((f"{label:<{width}}  ", "bold"), (cell, style or "")))


def print_json(value: object) -> None:
    """Print one JSON document on standard output, and nothing else."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    typer.echo("".join(letter if _is_printable(letter) else json.dumps(letter)[1:-1] for letter in text))


def print_line(text: str, style: str | None = None) -> None:
    """Print plain text; markup, names of emoji and control characters in it have no effect."""
    OUT.print(_escape_control_characters(text), style=style)


def warn(text: str, style: str = "yellow") -> None:
    """Print one line on standard error; markup, names of emoji and control characters in it have no effect."""
    ERR.print(_escape_control_characters(" ".join(text.split())), style=style)


def _escape_control_characters(text: str) -> str:
    """Return the text with control and invisible characters escaped: a document's text could steer a terminal."""
    if text.isprintable():
        return text
    return "".join(letter if _is_printable(letter) else letter.encode("unicode_escape").decode() for letter in text)


def _is_printable(letter: str) -> bool:
    # Python counts all spaces but U+0020 as not printable.
    return letter.isprintable() or letter in "\n\t" or unicodedata.category(letter) == "Zs"


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(str(item) for item in cast("Iterable[object]", value)) or "-"
    return str(value)
