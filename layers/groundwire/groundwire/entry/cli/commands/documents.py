"""`groundwire documents`: the registry's records, and changes that apply from the next call."""

import json
from typing import TYPE_CHECKING, Annotated, Final, cast

import typer

from groundwire import wiring
from groundwire.domain.access.policy import NO_READERS
from groundwire.domain.documents import metadata
from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.console import Row, print_json, print_line, print_rows
from groundwire.entry.cli.options import (
    AllTagsOption,
    AnyTagsOption,
    JsonOption,
    PublicOption,
    TenantOption,
    UsersOption,
    policy_from_options,
)
from groundwire.entry.cli.target import current_target
from groundwire.entry.serialization.entities import describe_policy
from groundwire.services.documents.duplicates import DuplicatePair

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SEGMENT_COLUMNS: Final = ("ordinal", "pages", "headline", "uid")


def record_lines(record: Row) -> list[str]:
    """Return a record as lines of text, one per field."""
    # "readers" describes the policy in words.
    row = {field: value for field, value in record.items() if field not in {"policy", "passages"}}
    values = metadata.from_json(json.dumps(record["metadata"]))
    timings = cast("Mapping[str, float]", record["timings"])
    row["metadata"] = ", ".join(f"{name} = {_value_text(value)}" for name, value in values.items())
    row["timings"] = ", ".join(f"{step} {seconds:.2f} s" for step, seconds in timings.items())
    return [f"{field.replace('_', ' '):<20} {'-' if value in (None, '') else value}" for field, value in row.items()]


def pair_row(pair: DuplicatePair) -> Row:
    """Return a row that compares two documents."""
    return {
        "resemblance": round(pair.resemblance, 2),
        "file": pair.first.source_file_name,
        "doc_id": pair.first.doc_id,
        "collection": pair.first.collection,
        "readers": describe_policy(pair.first.policy),
        "other_file": pair.second.source_file_name,
        "other_doc_id": pair.second.doc_id,
        "other_collection": pair.second.collection,
        "other_readers": describe_policy(pair.second.policy),
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

IdArgument = Annotated[str, typer.Argument(help="Id of the document.")]


@app.command("list")
def list_documents(
    tenant: TenantOption,
    collection: Annotated[str | None, typer.Option("--collection", "-c", help="Only of this collection.")] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """List the documents that are in."""
    rows = current_target().tenant(tenant).documents.all(collection)
    columns = ["doc_id", "collection", "file", "state", "segments", "readers"]
    print_rows(rows, columns, as_json=as_json, empty_message="No document yet: groundwire ingest PATH brings some in.")


@app.command()
def show(
    doc_id: IdArgument,
    tenant: TenantOption,
    *,
    segments: Annotated[bool, typer.Option("--segments", help="List its passages, too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show one document's record."""
    record = current_target().tenant(tenant).documents.show(doc_id, segments=segments)
    if as_json:
        print_json(record)
        return
    for line in record_lines(record):
        print_line(line)
    if segments:
        print_line("")
        passages = cast("Sequence[Row]", record["passages"])
        print_rows(passages, SEGMENT_COLUMNS, as_json=False, empty_message="No passage.")


@app.command()
def duplicates(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List documents that say nearly the same; they are reported, never merged."""
    if not current_target().requires_tenant:
        raise InvalidInput("Duplicates are looked for on the server's own machine: leave --url out there.")
    services = wiring.local_services()
    tenant_id = services.tenant_admin.find(tenant).tenant
    rows = [pair_row(pair) for pair in services.duplicate_finder(tenant_id, None)]
    columns = ["resemblance", "file", "doc_id", "other_file", "other_doc_id"]
    print_rows(rows, columns, as_json=as_json, empty_message="No two documents say nearly the same.")


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
    policy = policy_from_options(public=public, users=user, any_tags=any_tag, all_tags=all_tag)
    if (policy is None) != nobody:
        raise InvalidInput("Say who may read (--public, --user, --any-tag, --all-tag), or --nobody.")
    record = current_target().tenant(tenant).documents.set_policy(doc_id, policy or NO_READERS)
    print_line(f"{record['file']} may be read by: {record['readers']}.")


@app.command()
def delete(
    doc_id: IdArgument,
    tenant: TenantOption,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete a document: it stops answering at once."""
    documents = current_target().tenant(tenant).documents
    if not yes:
        typer.confirm(f"Delete document {doc_id}?", abort=True)
    print_line(f"{documents.delete(doc_id)['file']} is gone.")
