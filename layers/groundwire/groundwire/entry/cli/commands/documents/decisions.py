"""`groundwire documents close` and `lift`: decisions about readers that last whatever is ingested afterwards."""

from collections.abc import Callable
from typing import Final

from groundwire.entry.cli.commands.documents.copies import CopiesOption, change_copies
from groundwire.entry.cli.commands.documents.deletions import IdArgument
from groundwire.entry.cli.console import Row, print_line
from groundwire.entry.cli.options import ReasonOption, TenantOption, examples
from groundwire.entry.cli.target import current_target
from groundwire.entry.cli.target.operations import DocumentOperations

CLOSE_EXAMPLES: Final = examples("groundwire documents close $DOC --tenant acme --reason 'legal hold'")
LIFT_EXAMPLES: Final = examples("groundwire documents lift $DOC --tenant acme")


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

    others = documents.copies(doc_id)
    print_line(change(doc_id))
    change_copies(others, change, takes_copies=takes_copies, verb=verb)
