"""`groundwire documents`: the registry's records, and changes that are in force on the next call."""

from typing import Annotated

import typer

from groundwire import wiring
from groundwire.domain.access import NOBODY
from groundwire.domain.documents import DEAD, DocumentState
from groundwire.domain.errors import Invalid, NotFound
from groundwire.entry.cli.collections import find_collection
from groundwire.entry.cli.console import JsonOption, Row, TenantOption, print_json, print_line, print_rows
from groundwire.entry.cli.document_rows import SEGMENT_COLUMNS, pair_row, record_lines
from groundwire.entry.cli.policy_options import (
    AllTagsOption,
    AnyTagsOption,
    PublicOption,
    UsersOption,
    policy_from,
)
from groundwire.entry.rows import describe, record_row, segment_row
from groundwire.ports import DocumentVersion

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
    services = wiring.current()
    found = services.tenant_care.find(tenant).tenant
    if collection is not None:
        find_collection(found, collection)
    rows = [record_row(document) for document in services.documents.all(found, collection)]
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
    services = wiring.current()
    found = services.tenant_care.find(tenant).tenant
    document = services.documents.read(found, [doc_id]).get(doc_id)
    if document is None or document.state in DEAD:
        raise NotFound(f"There is no document {doc_id!r}: `groundwire documents list` names them.")
    passages: list[Row] = []
    if segments and document.state is DocumentState.INDEXED:
        version = DocumentVersion(doc_id, document.version)
        passages = [segment_row(segment) for segment in services.indexes.of(found).segments(version)]
    if as_json:
        print_json(record_row(document) | ({"passages": passages} if segments else {}))
        return
    for line in record_lines(document):
        print_line(line)
    if segments:
        print_line("")
        print_rows(passages, SEGMENT_COLUMNS, as_json=False, empty="No passage.")


@app.command()
def duplicates(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List documents that say nearly the same; they are reported, never merged."""
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
    services = wiring.current()
    found = services.tenant_care.find(tenant).tenant
    document = services.document_care.set_policy(found, doc_id, policy or NOBODY)
    services.operator_audit("documents.set-policy", tenant=found, document=f"{doc_id}@{document.policy_version}")
    print_line(f"{document.source_file_name} may be read by: {describe(document.policy)}.")


@app.command()
def delete(
    doc_id: IdArgument,
    tenant: TenantOption,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete a document: it stops answering at once."""
    services = wiring.current()
    found = services.tenant_care.find(tenant).tenant
    if not yes:
        typer.confirm(f"Delete document {doc_id}?", abort=True)
    document = services.document_care.delete(found, doc_id)
    services.operator_audit("documents.delete", tenant=found, document=f"{doc_id}@{document.policy_version}")
    print_line(f"{document.source_file_name} is gone.")
