"""`groundwire collection`: parts of a tenant's documents, each with its own fusion weight."""

from typing import Annotated, Literal

import typer

from groundwire.domain.documents.collection import PolicyAuthority
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.entry.cli.console import print_json, print_line, print_rows
from groundwire.entry.cli.options import JsonOption, ReasonOption, TenantOption, examples
from groundwire.entry.cli.target import current_target
from groundwire.services.collections.admin import FITTED_FLOOR

app = typer.Typer(no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(help="Name of the collection.")]


@app.command("list", epilog=examples("groundwire collection list --tenant acme"))
def list_collections(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List the collections with their number of documents."""
    rows = current_target().tenant(tenant).collections.all()
    print_rows(
        rows,
        ["name", "documents", "bm25_weight", "language", "description"],
        as_json=as_json,
        empty_message="There are no collections yet.",
    )


@app.command(epilog=examples("groundwire collection show handbook --tenant acme"))
def show(name: NameArgument, tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """Show the properties of a collection."""
    row = current_target().tenant(tenant).collections.find(name)
    if as_json:
        print_json(row)
    else:
        for field, value in row.items():
            print_line(f"{field.replace('_', ' '):<12} {'-' if value is None else value}")


@app.command(
    "set",
    epilog=examples(
        "groundwire collection set handbook --tenant acme --bm25-weight 0.25",
        "groundwire collection set prices --tenant acme --language en --floor auto",
        "groundwire collection set prices --tenant acme --policy-authority files",
        "groundwire collection set prices --tenant acme --no-originals",
    ),
)
def set_collection(
    name: NameArgument,
    tenant: TenantOption,
    bm25_weight: Annotated[
        float | None, typer.Option(help="Weight of keyword search (BM25) in the ranking, 0 to 1.")
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="Language of its documents, such as `de`; `auto`: detected in each document.")
    ] = None,
    floor: Annotated[
        str | None,
        typer.Option(help="Least relevance of the passages of an answer, 0 to 1; 0: none; `auto`: the fitted one."),
    ] = None,
    policy_authority: Annotated[
        PolicyAuthority | None,
        typer.Option(
            help="Who names readers: `people` can limit what is declared; with `files` only files and options do."
        ),
    ] = None,
    originals: Annotated[
        bool | None,
        typer.Option(
            "--originals/--no-originals",
            help="Links give the original file, or show its passages alone.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Create a collection, or change its settings. Options that you leave out change nothing."""
    target = current_target().tenant(tenant)
    settings = {"bm25_weight": bm25_weight, "language": language, "floor": _floor(floor)}
    # Services of earlier releases do not know the members.
    chosen: dict[str, object] = {} if policy_authority is None else {"policy_authority": policy_authority.value}
    if originals is not None:
        chosen["no_originals"] = not originals
    changed = target.collections.set(name, settings | chosen)
    print_line(f"Collection {name} of {target.title} has the BM25 weight {changed['bm25_weight']:g}.")
    if policy_authority is not None:
        print_line(f"Its readers are named by {policy_authority.value}.")
    if originals is not None:
        print_line(f"Links to its documents {'give the original file' if originals else 'show passages alone'}.")
    if language is not None:
        print_line("Run `groundwire ingest` on its files again to read its documents in this language.")


@app.command(
    epilog=examples(
        'groundwire collection describe handbook --tenant acme "Rules on travel, leave and expenses."',
        "groundwire collection describe handbook --tenant acme --propose",
    )
)
def describe(
    name: NameArgument,
    tenant: TenantOption,
    text: Annotated[
        str | None, typer.Argument(help="What the collection contains, as agents read it: at most 300 characters.")
    ] = None,
    *,
    clear: Annotated[bool, typer.Option("--clear", help="Remove the description.")] = False,
    propose: Annotated[
        bool,
        typer.Option("--propose", help="Print a description proposed from public documents, and change nothing."),
    ] = False,
) -> None:
    """Set the description of a collection; agents whose users can read in it get the text."""
    if [bool(text), clear, propose].count(True) != 1:
        raise InvalidInput("Give a description, --clear or --propose.")
    target = current_target().tenant(tenant)
    if propose:
        proposal = target.collections.propose_description(name)
        if proposal is None:
            raise NotFound(
                f"Collection {name} has no public document from which a description could be proposed.", "document"
            )
        print_line(proposal)
        return
    row = target.collections.describe(name, text or "")
    if row["description"] is None:
        print_line(f"Collection {name} of {target.title} has no description.")
    else:
        print_line(f"Collection {name} of {target.title}: {row['description']}")


@app.command(epilog=examples("groundwire collection delete prices --tenant acme --yes"))
def delete(
    name: NameArgument,
    tenant: TenantOption,
    reason: ReasonOption = "",
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")] = False,
) -> None:
    """Delete a collection and all its documents; no ingestion creates it again.

    `groundwire collection set` creates it again, and so does `groundwire ingest --restore`.
    """
    target = current_target().tenant(tenant)
    # Before the question: nobody should confirm the deletion of what does not exist.
    target.collections.find(name)
    if not yes:
        typer.confirm(f"Delete collection {name} of {target.title} and all its documents?", abort=True)
    count = target.collections.delete(name, reason)
    print_line(f"Deleted collection {name} and its documents ({count}).")


def _floor(text: str | None) -> float | Literal["auto"] | None:
    if text is None:
        return None
    if text == FITTED_FLOOR:
        return FITTED_FLOOR
    try:
        return float(text)
    except ValueError:
        raise InvalidInput(f"A floor is a number from 0 to 1 or `{FITTED_FLOOR}`, not {text!r}.") from None
