"""`groundwire documents list`: all documents, those with a ceiling, and deleted ones."""

from collections.abc import Sequence
from typing import Annotated, Final, cast

import typer

from groundwire.domain.documents.record import DocumentState
from groundwire.entry.cli.commands.documents.decisions import print_deleted
from groundwire.entry.cli.commands.documents.policies import matches_name
from groundwire.entry.cli.console import Row, print_rows, warn
from groundwire.entry.cli.options import JsonOption, TenantOption, examples
from groundwire.entry.cli.target import current_target
from groundwire.entry.cli.target.document_operations import DocumentOperations
from groundwire.entry.serialization.readers import describe_policy, readers_from_json

CeilingsOption = Annotated[
    bool, typer.Option("--ceilings", help="List the documents whose readers a person limited, with both policies.")
]
PolicyDiffersOption = Annotated[
    bool, typer.Option("--policy-differs", help="List those whose declared policy admits somebody beyond the ceiling.")
]
_CEILING_COLUMNS: Final = ["doc_id", "file", "declared", "at_most", "decided_by", "decided_at", "decision_reason"]
LIST_EXAMPLES: Final = examples(
    "groundwire documents list --tenant acme --collection handbook",
    "groundwire documents list --tenant acme --name '*.pdf' --state indexed --limit 20",
    "groundwire documents list --tenant acme --policy-differs",
)


def list_documents(
    tenant: TenantOption,
    collection: Annotated[
        str | None, typer.Option("--collection", "-c", help="Only documents of this collection.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Only files whose name or path matches, such as '*.pdf' or '*/hr/*'.")
    ] = None,
    state: Annotated[DocumentState | None, typer.Option(help="Only documents in this state.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Print at most this number of documents.")] = None,
    *,
    deleted: Annotated[
        bool, typer.Option("--deleted", help="List the deleted documents that no ingestion restores.")
    ] = False,
    ceilings: CeilingsOption = False,
    policy_differs: PolicyDiffersOption = False,
    as_json: JsonOption = False,
) -> None:
    """List the documents of a tenant."""
    if deleted:
        print_deleted(current_target().tenant(tenant).documents, collection, as_json=as_json)
        return
    documents = current_target().tenant(tenant).documents
    if ceilings or policy_differs:
        print_ceilings(documents, collection, ceilings=ceilings, policy_differs=policy_differs, as_json=as_json)
        return
    # Every page is read: a pattern of a shell is no condition of the service.
    every = documents.all(collection)
    found = [row for row in every if _matches(row, name, state)]
    shown = found[:limit]
    print_rows(
        # People know passages; `segments` is their name in stored forms.
        shown if as_json else [{**row, "passages": row["segments"], "path": row["source_path"]} for row in shown],
        _columns(shown),
        as_json=as_json,
        empty_message="No document matches."
        if every
        else "There are no documents yet. Add some with `groundwire ingest PATH`.",
    )
    if len(shown) < len(found):
        warn(f"{len(found) - len(shown):,} more documents match.", style="dim")


def _matches(row: Row, name: str | None, state: DocumentState | None) -> bool:
    if state is not None and row["state"] != state.value:
        return False
    return matches_name(row, name)


def _columns(rows: Sequence[Row]) -> list[str]:
    """Return the columns of a list: with the path where two files have one name."""
    names = [row["file"] for row in rows]
    path = ["path"] if len(set(names)) < len(names) else []
    return ["doc_id", "collection", "file", *path, "state", "passages", "readers"]


def print_ceilings(
    documents: DocumentOperations, collection: str | None, *, ceilings: bool, policy_differs: bool, as_json: bool
) -> None:
    """Print the documents with a ceiling, each with the declared readers and the limit in words.

    Args:
        documents: of the tenant.
        collection: only documents of this one; None: of all.
        ceilings: list each document with a ceiling.
        policy_differs: list only those whose declared policy admits somebody beyond it.
        as_json: print the records.
    """
    conditions = [name for name, chosen in (("ceilings", ceilings), ("policy_differs", policy_differs)) if chosen]
    rows = documents.all(collection, *conditions)
    print_rows(
        rows if as_json else [{**row, **_limit_row(row)} for row in rows],
        _CEILING_COLUMNS,
        as_json=as_json,
        empty_message="No document has a ceiling that differs from its declared policy."
        if policy_differs
        else "No document has a ceiling.",
    )


def _limit_row(row: Row) -> Row:
    readers = readers_from_json(row)
    decision = cast("Row", row["ceiling"] or {})
    return {
        "declared": describe_policy(readers.declared),
        "at_most": "-" if readers.ceiling is None else describe_policy(readers.ceiling),
        **{name: decision.get(name) for name in ("decided_by", "decided_at", "decision_reason")},
    }
