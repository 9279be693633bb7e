"""Copies of a document: others with the same bytes, which a change of the document leaves as they are."""

from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from groundwire.entry.cli.console import Row, print_line, warn
from groundwire.entry.cli.ingest.report import first_names

CopiesOption = Annotated[
    bool, typer.Option("--copies", help="Change the other documents with the same content in the same way.")
]


def change_copies(copies: Sequence[Row], change: Callable[[str], str], *, takes_copies: bool, verb: str) -> None:
    """Change the copies in the same way, or name those that stay as they are.

    Args:
        copies: other documents with the same bytes.
        change: changes the document of an id, and returns a line on it.
        takes_copies: whether the copies are changed.
        verb: what `--copies` does, such as `deletes them`.
    """
    # An attachment changes with its mail alone.
    own = [row for row in copies if row["parent"] is None]
    attached = [row for row in copies if row["parent"] is not None]
    if takes_copies:
        for row in own:
            print_line(change(str(row["doc_id"])))
    elif own:
        warn(
            f"The same content is in {_count(own)}: {first_names([_place(row) for row in own])}. "
            f"`--copies` {verb}, too."
        )
    if attached:
        named = first_names([f"{_place(row)} of {row['parent']}" for row in attached])
        warn(f"The same content is attached to another document: {named}. Change that document.")


def name_copies(copies: Sequence[Row], question: str) -> str:
    """Return the question with the number of copies that are changed as well."""
    own = [row for row in copies if row["parent"] is None]
    return f"{question} and {_count(own)} with the same content?" if own else f"{question}?"


def copy_pairs(documents: Sequence[Row]) -> list[Row]:
    """Return each document beside the first one with the same bytes, in the form of `documents duplicates`."""
    first: dict[str, Row] = {}
    pairs: list[Row] = []
    for row in documents:
        digest = str(row["content_hash"])
        if row["state"] != "indexed" or not digest:
            continue
        other = first.setdefault(digest, row)
        if other is not row:
            pairs.append({"resemblance": 1.0, **_half(other, ""), **_half(row, "other_")})
    return pairs


def _half(row: Row, prefix: str) -> Row:
    return {f"{prefix}{name}": row[name] for name in ("file", "doc_id", "collection", "readers")}


def _count(rows: Sequence[Row]) -> str:
    return f"{len(rows)} other {'document' if len(rows) == 1 else 'documents'}"


def _place(row: Row) -> str:
    return f"{row['file']} ({row['doc_id']}, collection {row['collection']})"
