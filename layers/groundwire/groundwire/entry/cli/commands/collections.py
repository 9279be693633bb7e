"""`groundwire collection`: parts of a tenant's documents, each with its own fusion weight."""

from typing import Annotated, Literal

import typer

from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.entry.cli.console import print_json, print_line, print_rows
from groundwire.entry.cli.options import JsonOption, TenantOption
from groundwire.entry.cli.target import current_target
from groundwire.services.collections.admin import FITTED_FLOOR

app = typer.Typer(no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(help="Name of the collection.")]


@app.command("list")
def list_collections(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List the collections with how many documents each has."""
    rows = current_target().tenant(tenant).collections.all()
    print_rows(
        rows,
        ["name", "documents", "bm25_weight", "language", "description"],
        as_json=as_json,
        empty_message="No collection yet.",
    )


@app.command()
def show(name: NameArgument, tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """Show one collection."""
    row = current_target().tenant(tenant).collections.find(name)
    if as_json:
        print_json(row)
    else:
        for field, value in row.items():
            print_line(f"{field.replace('_', ' '):<12} {'-' if value is None else value}")


@app.command("set")
def set_collection(
    name: NameArgument,
    tenant: TenantOption,
    bm25_weight: Annotated[float | None, typer.Option(help="Share of exact words in the ranking, 0 to 1.")] = None,
    language: Annotated[
        str | None, typer.Option(help="Of its documents, as `de`; `auto`: detected in each of them.")
    ] = None,
    floor: Annotated[
        str | None,
        typer.Option(help="Least relevance of an answer's best passage, 0 to 1; 0: none; `auto`: as fitted."),
    ] = None,
) -> None:
    """Make a collection, or change its weight, language or floor; what is not said stays as it is."""
    target = current_target().tenant(tenant)
    changed = target.collections.set(name, bm25_weight, language, _floor(floor))
    print_line(f"Collection {name} of {target.title} ranks with BM25 weight {changed['bm25_weight']:g}.")
    if language is not None:
        print_line("Its documents are read again, in this language, by the next `groundwire ingest` of their files.")


@app.command()
def describe(
    name: NameArgument,
    tenant: TenantOption,
    text: Annotated[
        str | None, typer.Argument(help="What the collection holds, for agents: at most 300 characters.")
    ] = None,
    *,
    clear: Annotated[bool, typer.Option("--clear", help="Remove the description.")] = False,
    propose: Annotated[
        bool, typer.Option("--propose", help="Print a proposal made from public documents, and change nothing.")
    ] = False,
) -> None:
    """Describe what a collection holds, for agents of users who can read something in it."""
    if [bool(text), clear, propose].count(True) != 1:
        raise InvalidInput("Say what the collection holds, or give --clear or --propose.")
    target = current_target().tenant(tenant)
    if propose:
        proposal = target.collections.propose_description(name)
        if proposal is None:
            raise NotFound(f"Collection {name} has no public document to propose a description from.", "document")
        print_line(proposal)
        return
    row = target.collections.describe(name, text or "")
    if row["description"] is None:
        print_line(f"Collection {name} of {target.title} has no description.")
    else:
        print_line(f"Collection {name} of {target.title}: {row['description']}")


@app.command()
def delete(
    name: NameArgument,
    tenant: TenantOption,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete a collection with its documents."""
    target = current_target().tenant(tenant)
    target.collections.find(name)
    if not yes:
        typer.confirm(f"Delete collection {name} of {target.title} with all its documents?", abort=True)
    count = target.collections.delete(name)
    print_line(f"Collection {name} is gone with {count} documents.")


def _floor(text: str | None) -> float | Literal["auto"] | None:
    if text is None:
        return None
    if text == FITTED_FLOOR:
        return FITTED_FLOOR
    try:
        return float(text)
    except ValueError:
        raise InvalidInput(f"A floor is a number from 0 to 1, or `{FITTED_FLOOR}`, not {text!r}.") from None
