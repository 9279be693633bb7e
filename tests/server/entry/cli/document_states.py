"""States of a tenant's documents, as the command lists them."""

from tests.support.entry.command import Command


def document_ids(groundwire: Command, tenant: str, state: str = "indexed") -> set[str]:
    """Return the ids of the documents in this state."""
    return {row["doc_id"] for row in groundwire.json("documents", "list", "-t", tenant) if row["state"] == state}


def has_come_to(groundwire: Command, tenant: str, number: int) -> bool:
    """Return whether the run reads this file, counted from one, and has indexed all before it."""
    counts = [len(document_ids(groundwire, tenant, state)) for state in ("indexed", "parsing")]
    return counts == [number - 1, 1]
