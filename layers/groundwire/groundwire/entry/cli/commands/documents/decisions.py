"""`groundwire documents close` and `lift`: decisions about readers that last whatever is ingested afterwards."""

from typing import Final

from groundwire.entry.cli.commands.documents.deletions import IdArgument
from groundwire.entry.cli.console import Row, print_line
from groundwire.entry.cli.options import ReasonOption, TenantOption, examples
from groundwire.entry.cli.target import current_target

CLOSE_EXAMPLES: Final = examples("groundwire documents close $DOC --tenant acme --reason 'legal hold'")
LIFT_EXAMPLES: Final = examples("groundwire documents lift $DOC --tenant acme")


def close(doc_id: IdArgument, tenant: TenantOption, reason: ReasonOption = "") -> None:
    """Close a document: nobody reads it, whatever is ingested, until `documents lift` or `documents set-policy`."""
    _print_readers(current_target().tenant(tenant).documents.close(doc_id, reason))


def lift(doc_id: IdArgument, tenant: TenantOption, reason: ReasonOption = "") -> None:
    """End the ceiling of a document: its readers are those of the declared policy again."""
    _print_readers(current_target().tenant(tenant).documents.lift(doc_id, reason))


def _print_readers(record: Row) -> None:
    print_line(f"Readers of {record['file']}: {record['readers']}.")
