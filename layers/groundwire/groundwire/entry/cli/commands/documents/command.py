"""`groundwire documents`: the registry's records, and changes that apply from the next call."""

import json
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Final, cast

import typer

from groundwire import wiring
from groundwire.domain.documents import metadata
from groundwire.entry.cli.commands.documents.copies import copy_pairs
from groundwire.entry.cli.commands.documents.decisions import (
    CLOSE_EXAMPLES,
    DELETE_EXAMPLES,
    FORGET_EXAMPLES,
    LIFT_EXAMPLES,
    RESTORE_EXAMPLES,
    IdArgument,
    close,
    delete,
    forget,
    lift,
    restore,
)
from groundwire.entry.cli.commands.documents.listing import LIST_EXAMPLES, list_documents
from groundwire.entry.cli.commands.documents.policies import SET_POLICY_EXAMPLES, set_policy
from groundwire.entry.cli.console import Row, print_json, print_line, print_rows, print_table
from groundwire.entry.cli.options import JsonOption, TenantOption, examples
from groundwire.entry.cli.target import LocalTarget, current_target
from groundwire.entry.serialization.readers import describe_readers
from groundwire.services.documents.duplicates import DuplicatePair
from groundwire_readers.contents.parsed import ReadingDefect, defects_notice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SHOWN_PASSAGES: Final = 10
"""Number of passages that are read and printed without `--all`, at most that of a page of the REST API."""
_CELL: Final = " | "
_WINDOW_CHARACTERS: Final = 100
"""Length of a window's beginning that is printed."""


def record_lines(record: Row) -> list[str]:
    """Return a record as lines of text, one per field."""
    # "readers" describes the policy in words.
    row = {field: value for field, value in record.items() if field not in {"policy", "passages"}}
    values = metadata.from_json(json.dumps(record["metadata"]))
    timings = cast("Mapping[str, float]", record["timings"])
    defects = cast("Mapping[str, int]", record["defects"])
    row["defects"] = defects_notice({ReadingDefect(name): count for name, count in defects.items()})
    row["metadata"] = ", ".join(f"{name} = {_value_text(value)}" for name, value in values.items())
    row["timings"] = ", ".join(f"{step} {seconds:.2f} s" for step, seconds in timings.items())
    row["ceiling"] = _decision_text(cast("Row | None", record.get("ceiling")))
    return [f"{field.replace('_', ' '):<20} {'-' if value in (None, '') else value}" for field, value in row.items()]


def _decision_text(ceiling: Row | None) -> str:
    """Return who set the ceiling, when and why; its limit is part of the readers."""
    if ceiling is None:
        return ""
    key, reason = ceiling["decided_key"], ceiling["decision_reason"]
    who = f"{ceiling['decided_by'] or 'unknown'}{f' with the key {key}' if key else ''}"
    return f"set by {who} at {ceiling['decided_at']}{f': {reason}' if reason else ''}"


def pair_row(pair: DuplicatePair) -> Row:
    """Return a row that compares two documents."""
    return {
        "resemblance": round(pair.resemblance, 2),
        "file": pair.first.source_file_name,
        "doc_id": pair.first.doc_id,
        "collection": pair.first.collection,
        "readers": describe_readers(pair.first.readers),
        "other_file": pair.second.source_file_name,
        "other_doc_id": pair.second.doc_id,
        "other_collection": pair.second.collection,
        "other_readers": describe_readers(pair.second.readers),
    }


def _value_text(value: metadata.Value) -> str:
    """Return a metadata value in the form of a command-line option."""
    match value:
        case bool():
            return "true" if value else "false"
        case tuple():
            return f"[{', '.join(map(_value_text, value))}]"
        case _:
            return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


app = typer.Typer(no_args_is_help=True)

app.command("list", epilog=LIST_EXAMPLES)(list_documents)


@app.command(epilog=examples("groundwire documents show $DOC --tenant acme"))
def show(
    doc_id: IdArgument,
    tenant: TenantOption,
    *,
    every: Annotated[
        bool, typer.Option("--all", "--segments", help="Print all passages instead of the first ten.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a document: its record, and its passages as agents get them."""
    limit = None if as_json or every else _SHOWN_PASSAGES
    record = current_target().tenant(tenant).documents.show(doc_id, limit)
    if as_json:
        print_json(record)
        return
    for line in record_lines(record):
        print_line(line)
    passages = cast("Sequence[Row]", record["passages"])
    for passage in passages:
        _print_passage(passage)
    left = cast("int", record["segments"]) - len(passages) if passages and not every else 0
    if left > 0:
        print_line("")
        print_line(f"{left:,} more {'passage' if left == 1 else 'passages'}. Print all with --all.", style="dim")


def _print_passage(passage: Row) -> None:
    """Print a passage: its place, its text with tables drawn, its summary, and the beginnings of its windows."""
    pages = "" if passage["pages"] is None else f", page {passage['pages']}"
    print_line("")
    if passage["text"] is None:
        print_line(f"Passage {passage['ordinal']}{pages}", style="bold")
        print_line(
            "The passages are shown only to a key with the scope `search` whose user may read the document.",
            style="dim",
        )
        return
    print_line(f"Passage {passage['ordinal']}{pages}: {passage['headline']}", style="bold")
    if path := cast("Sequence[str]", passage["heading_path"]):
        print_line(" > ".join(path), style="dim")
    print_line(f"{passage['uid']}, {passage['language']}, summary: {passage['summary']}", style="dim")
    _print_text(str(passage["text"]))
    if values := cast("Sequence[str]", passage.get("raw_values", ())):
        print_line(f"raw values behind rounded figures: {', '.join(values)}", style="dim")
    for number, window in enumerate(cast("Sequence[str]", passage["windows"]), 1):
        beginning = window if len(window) <= _WINDOW_CHARACTERS else f"{window[: _WINDOW_CHARACTERS - 1]}…"
        print_line(f"window {number}: {beginning}", style="dim")


def _print_text(text: str) -> None:
    """Print the text; lines of cells become a table."""
    for is_table, lines in groupby(text.splitlines(), lambda line: _CELL in line):
        if is_table:
            print_table([line.split(_CELL) for line in lines])
        else:
            for line in lines:
                print_line(line)


@app.command(epilog=examples("groundwire documents duplicates --tenant acme"))
def duplicates(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List documents of nearly the same text, remotely those of the same content; they are never merged."""
    columns = ["resemblance", "file", "doc_id", "other_file", "other_doc_id"]
    # The sketches of texts are compared where they are: no answer would hold all of them.
    if not isinstance(current_target(), LocalTarget):
        pairs = copy_pairs(current_target().tenant(tenant).documents.all(None))
        print_rows(pairs, columns, as_json=as_json, empty_message="No two documents have the same content.")
        return
    services = wiring.local_services()
    tenant_id = services.administration.tenant_admin.find(tenant).tenant
    rows = [pair_row(pair) for pair in services.ingestion.duplicate_finder(tenant_id, None)]
    print_rows(rows, columns, as_json=as_json, empty_message="No two documents have nearly the same text.")


app.command("set-policy", epilog=SET_POLICY_EXAMPLES)(set_policy)
app.command(epilog=CLOSE_EXAMPLES)(close)
app.command(epilog=LIFT_EXAMPLES)(lift)
app.command(epilog=DELETE_EXAMPLES)(delete)
app.command(epilog=RESTORE_EXAMPLES)(restore)
app.command(epilog=FORGET_EXAMPLES)(forget)
