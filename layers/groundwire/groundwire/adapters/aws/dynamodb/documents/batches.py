"""Changes of documents, split into as few transactions as DynamoDB allows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from groundwire.adapters.aws.dynamodb.documents.items import DocumentItem, item_bytes, to_item
from groundwire.adapters.aws.dynamodb.documents.transaction import MAX_BYTES, MAX_WRITES, becomes_child, pointer_ids
from groundwire.domain.documents.record import Document

Expected = TypeVar("Expected", Document, Document | None)

_WRITES: Final = MAX_WRITES - 10
"""Writes per transaction; the margin is for records that have moved since they were read, which take one write more."""
_BYTES: Final = MAX_BYTES * 3 // 4
"""Bytes per transaction; the margin is for the record of a parent, which is written with its children."""


@dataclass
class _TransactionRoom:
    """Capacity that a transaction has left.

    Attributes:
        parents: ids of parents that the transaction writes already, because of their children.
    """

    writes: int = _WRITES
    size: int = _BYTES
    parents: frozenset[str] = frozenset()

    def reserve(self, tenant: str, document: Document, expected: Document | None) -> bool:
        """Reserve capacity for the change; return False when there is not enough."""
        parents = self.parents
        if document.parent is not None and becomes_child(expected, document):
            parents |= {document.parent}
        writes = self.writes - _write_count(document, expected)
        size = self.size - item_bytes(to_item(tenant, document.doc_id, DocumentItem(document, frozenset(), None)))
        if min(writes - len(parents), size) < 0:
            return False
        self.writes, self.size, self.parents = writes, size, parents
        return True


def split_into_transactions(
    tenant: str, changes: Sequence[tuple[Document, Expected]]
) -> list[Sequence[tuple[Document, Expected]]]:
    """Split the changes, in their order, where a transaction is full.

    Raises:
        InvalidInput: a record is too large.
    """
    starts, room = [0], _TransactionRoom()
    for position, (document, expected) in enumerate(changes):
        if not room.reserve(tenant, document, expected):
            starts.append(position)
            room = _TransactionRoom()
            room.reserve(tenant, document, expected)
    ends = [*starts[1:], len(changes)]
    return [changes[start:end] for start, end in zip(starts, ends, strict=True) if start < end]


def _write_count(document: Document, expected: Document | None) -> int:
    """Count the document's own item, and the items that find it."""
    return 1 + len(pointer_ids(expected) ^ pointer_ids(document))
