"""`groundwire documents`: the registry's records, and changes that are in force on the next call."""

from typing import TYPE_CHECKING, Annotated, cast

import typer

from groundwire import wiring
from groundwire.domain.access import NOBODY
from groundwire.domain.errors import Invalid
from groundwire.entry.cli.console import JsonOption, Row, TenantOption, print_json, print_line, print_rows
from groundwire.entry.cli.document_rows import SEGMENT_COLUMNS, pair_row, record_lines
from groundwire.entry.cli.place import here
from groundwire.entry.cli.policy_options import (
    AllTagsOption,
    AnyTagsOption,
    PublicOption,
    UsersOption,
    policy_from,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

app = typer.Typer(no_args_is_help=True)

IdArgument = Annotated[str, typer.Argument(help="Id of the document.")]


@app.command("list")
def list_documents(
    tenant: TenantOption,
    collection: Annotated[str | None, typer.Option("--collection", "-c", help="Only of this collection.")] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """List the documents that are in."""
    rows = here().tenant(tenant).documents.all(collection)
    columns = ["doc_id", "collection", "file", "state", "segments", "readers"]
    print_rows(rows, columns, as_json=as_json, empty="No document yet: groundwire ingest PATH brings some in.")


@app.command()
def show(
    doc_id: IdArgument,
    tenant: TenantOption,
    *,
    segments: Annotated[bool, typer.Option("--segments", help="List its passages, too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show one document's record."""
    record = here().tenant(tenant).documents.show(doc_id, segments=segments)
    if as_json:
        print_json(record)
        return
    for line in record_lines(record):
        print_line(line)
    if segments:
        print_line("")
        passages = cast("Sequence[Row]", record["passages"])
        print_rows(passages, SEGMENT_COLUMNS, as_json=False, empty="No passage.")


@app.command()
def duplicates(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List documents that say nearly the same; they are reported, never merged."""
    if not here().names_tenants:
        raise Invalid("Duplicates are looked for on the server's own machine: leave --url out there.")
    services = wiring.current()
    found = services.tenant_care.find(tenant).tenant
    rows = [pair_row(pair) for pair in services.duplicates(found, None)]
    columns = ["resemblance", "file", "doc_id", "other_file", "other_doc_id"]
    print_rows(rows, columns, as_json=as_json, empty="No two documents say nearly the same.")


@app.command("set-policy")
def set_policy(
    doc_id: IdArgument,
    tenant: TenantOption,
    user: UsersOption = [],
    any_tag: AnyTagsOption = [],
    all_tag: AllTagsOption = [],
    *,
    public: PublicOption = False,
    nobody: Annotated[bool, typer.Option("--nobody", help="Nobody may read it.")] = False,
) -> None:
    """Say anew who may read a document."""
    policy = policy_from(public=public, users=user, any_tags=any_tag, all_tags=all_tag)
    if (policy is None) != nobody:
        raise Invalid("Say who may read (--public, --user, --any-tag, --all-tag), or --nobody.")
    record = here().tenant(tenant).documents.set_policy(doc_id, policy or NOBODY)
    print_line(f"{record['file']} may be read by: {record['readers']}.")


@app.command()
def delete(
    doc_id: IdArgument,
    tenant: TenantOption,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete a document: it stops answering at once."""
    documents = here().tenant(tenant).documents
    if not yes:
        typer.confirm(f"Delete document {doc_id}?", abort=True)
    print_line(f"{documents.delete(doc_id)['file']} is gone.")
