"""`groundwire documents`: the registry's records, and changes that are in force on the next call."""

from typing import Annotated

import typer

from groundwire import wiring
from groundwire.domain.access import NOBODY
from groundwire.domain.documents import Document, DocumentState
from groundwire.domain.errors import Invalid, NotFound
from groundwire.entry.cli.collections import find_collection
from groundwire.entry.cli.console import JsonOption, TenantOption, moment, print_json, print_line, print_rows
from groundwire.entry.cli.policy_options import (
    AllTagsOption,
    AnyTagsOption,
    PublicOption,
    UsersOption,
    describe,
    policy_from,
)

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
    rows = [_row(document) for document in services.documents.all(found, collection)]
    columns = ["doc_id", "collection", "file", "state", "segments", "readers"]
    print_rows(rows, columns, as_json=as_json, empty="No document yet: groundwire ingest PATH brings some in.")


@app.command()
def show(doc_id: IdArgument, tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """Show one document's record."""
    services = wiring.current()
    found = services.tenant_care.find(tenant).tenant
    document = services.documents.read(found, [doc_id]).get(doc_id)
    if document is None or document.state is DocumentState.DELETED:
        raise NotFound(f"There is no document {doc_id!r}: `groundwire documents list` names them.")
    row = _row(document)
    if as_json:
        print_json(row)
    else:
        del row["policy"]  # "readers" says the same in words
        for field, value in row.items():
            print_line(f"{field.replace('_', ' '):<20} {'-' if value is None else value}")


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


def _row(document: Document) -> dict[str, object]:
    policy = document.policy
    return {
        "doc_id": document.doc_id,
        "collection": document.collection,
        "file": document.source_file_name,
        "title": document.title,
        "type": document.source_file_type,
        "state": document.state.value,
        "reason": document.reason,
        "segments": document.segments,
        "pages": document.pages,
        "pages_without_text": document.pages_without_text,
        "version": document.version,
        "readers": describe(policy),
        "policy": {
            "public": policy.public,
            "users": sorted(policy.users),
            "any_tags": sorted(policy.any_tags),
            "all_tags": sorted(policy.all_tags),
        },
        "policy_version": document.policy_version,
        "source_path": document.source_path,
        "source_url": document.source_url,
        "content_hash": document.content_hash,
        "recipe": document.recipe,
        "size_bytes": document.size_bytes,
        "created_at": moment(document.created_at),
        "updated_at": moment(document.updated_at),
    }
