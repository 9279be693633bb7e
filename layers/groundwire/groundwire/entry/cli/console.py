"""What the command prints: tables for people, exact JSON on request, one line for an error."""

import json
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Annotated, Final, cast

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire.entry.cli.place import here
from groundwire.entry.cli.place.nouns import Row

OUT = Console(highlight=False, soft_wrap=True)
ERR = Console(stderr=True, highlight=False, soft_wrap=True)
_LONG: Final = frozenset({"file", "name", "other_file", "readers", "reason", "scopes", "tags", "user"})
"""Columns that a narrow terminal may break; ids and moments stay whole, to be copied."""
_PIPE_WIDTH: Final = 10_000
"""Columns of a table that no terminal shows: a row stays one line, for grep and awk."""

JsonOption = Annotated[bool, typer.Option("--json", help="Print exact JSON instead of a table.")]


def _named(context: typer.Context, tenant: str) -> str:
    if not tenant and here().names_tenants and not context.resilient_parsing:
        raise typer.BadParameter("Missing option '--tenant' / '-t'.")
    return tenant


TenantOption = Annotated[
    str,
    typer.Option(
        "--tenant",
        "-t",
        default_factory=str,
        show_default=False,
        callback=_named,
        help="Name or id of the tenant; with --url it is that of the key.",
    ),
]


def print_rows(rows: Sequence[Row], columns: Sequence[str], *, as_json: bool, empty: str) -> None:
    """The rows as a table of `columns`, or whole as a JSON array."""
    if as_json:
        print_json(list(rows))
        return
    if not rows:
        OUT.print(empty, style="dim", markup=False)
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column.replace("_", " "), no_wrap=column not in _LONG, overflow="fold")
    for row in rows:
        table.add_row(*(Text(_harmless(_cell(row[column])).replace("\n", r"\n")) for column in columns))
    (OUT if OUT.is_terminal else Console(width=_PIPE_WIDTH)).print(table)


def print_json(value: object) -> None:
    """One JSON document on standard output, nothing else."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    typer.echo("".join(letter if _is_plain(letter) else json.dumps(letter)[1:-1] for letter in text))


def print_line(text: str, style: str | None = None) -> None:
    """Plain text, with nothing in it taken for markup or for an order to the terminal."""
    OUT.print(_harmless(text), markup=False, style=style)


def warn(text: str, style: str = "yellow") -> None:
    """One line on standard error, whatever the text holds."""
    ERR.print(_harmless(" ".join(text.split())), markup=False, style=style)


def _harmless(text: str) -> str:
    """Names and texts of documents are strangers' words: what would steer a terminal, or only be unseen, is shown."""
    if text.isprintable():
        return text
    return "".join(letter if _is_plain(letter) else letter.encode("unicode_escape").decode() for letter in text)


def _is_plain(letter: str) -> bool:
    return letter.isprintable() or letter in "\n\t" or unicodedata.category(letter) == "Zs"


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(str(item) for item in cast("Iterable[object]", value)) or "-"
    return str(value)
