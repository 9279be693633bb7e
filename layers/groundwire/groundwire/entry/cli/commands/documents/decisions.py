"""`groundwire documents close|lift|delete|restore|forget`: decisions of persons that no ingestion undoes."""

from collections.abc import Callable
from typing import Annotated, Final

import typer

from groundwire.entry.cli.commands.documents.copies import CopiesOption, change_copies, name_copies
from groundwire.entry.cli.console import Row, print_line, print_rows
from groundwire.entry.cli.options import ReasonOption, TenantOption, examples
from groundwire.entry.cli.target import current_target
from groundwire.entry.cli.target.document_operations import DocumentOperations

IdArgument = Annotated[str, typer.Argument(help="Id of the document.")]
_COLUMNS: Final = ["doc_id", "collection", "file", "decided_by", "decided_at", "decision_reason"]
DELETE_EXAMPLES: Final = examples("groundwire documents delete $DOC --tenant acme --yes --reason 'contract ended'")
RESTORE_EXAMPLES: Final = examples("groundwire documents restore $DOC --tenant acme")
CLOSE_EXAMPLES: Final = examples("groundwire documents close $DOC --tenant acme --reason 'legal hold'")
LIFT_EXAMPLES: Final = examples("groundwire documents lift $DOC --tenant acme")
FORGET_EXAMPLES: Final = examples("groundwire documents forget $DOC --tenant acme --yes")


def delete(
    doc_id: IdArgument,
    tenant: TenantOption,
    reason: ReasonOption = "",
    *,
    copies: CopiesOption = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")] = False,
) -> None:
    """Delete a document; no answer contains it from now on, and no ingestion restores it.

    The deletion holds for the path of its file, and for the same content at any path of its collection, until somebody
    restores it. Other documents with the same content are named.
    """
    documents = current_target().tenant(tenant).documents
    # Before the question, which would otherwise be about nothing.
    others = documents.copies(doc_id)
    if not yes:
        typer.confirm(name_copies(others if copies else [], f"Delete document {doc_id}"), abort=True)

    def change(each: str) -> str:
        return f"Deleted {documents.delete(each, reason)['file']}."

    print_line(change(doc_id))
    change_copies(others, change, takes_copies=copies, verb="deletes them")


def restore(doc_id: IdArgument, tenant: TenantOption, reason: ReasonOption = "") -> None:
    """End the deletion of a document: it returns with the next ingestion of its file, under its id."""
    row = current_target().tenant(tenant).documents.restore(doc_id, reason)
    print_line(f"Restored {row['file']}: ingest its file again.")


def forget(
    doc_id: IdArgument,
    tenant: TenantOption,
    reason: ReasonOption = "",
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")] = False,
) -> None:
    """Forget which file and content a deleted document had; the next ingestion can take them in again."""
    documents = current_target().tenant(tenant).documents
    if not yes:
        typer.confirm(f"Forget which file the deleted document {doc_id} had?", abort=True)
    documents.forget(doc_id, reason)
    print_line(f"Forgot the file of {doc_id}.")


def print_deleted(documents: DocumentOperations, collection: str | None, *, as_json: bool) -> None:
    """Print the deleted documents, with who decided so, when and why."""
    rows: list[Row] = documents.deleted(collection)
    print_rows(rows, _COLUMNS, as_json=as_json, empty_message="No deletion is in force.")


def close(doc_id: IdArgument, tenant: TenantOption, reason: ReasonOption = "", *, copies: CopiesOption = False) -> None:
    """Close a document: nobody reads it, whatever is ingested, until `documents lift` or `documents set-policy`."""
    documents = current_target().tenant(tenant).documents
    _decide(documents, doc_id, lambda each: documents.close(each, reason), takes_copies=copies, verb="closes them")


def lift(doc_id: IdArgument, tenant: TenantOption, reason: ReasonOption = "", *, copies: CopiesOption = False) -> None:
    """End the ceiling of a document: its readers are those of the declared policy again."""
    documents = current_target().tenant(tenant).documents
    _decide(documents, doc_id, lambda each: documents.lift(each, reason), takes_copies=copies, verb="lifts theirs")


def _decide(
    documents: DocumentOperations, doc_id: str, decide: Callable[[str], Row], *, takes_copies: bool, verb: str
) -> None:
    def change(each: str) -> str:
        record = decide(each)
        return f"Readers of {record['file']}: {record['readers']}."

    # Read first: the question whether to change the copies needs their names.
    others = documents.copies(doc_id)
    print_line(change(doc_id))
    change_copies(others, change, takes_copies=takes_copies, verb=verb)
