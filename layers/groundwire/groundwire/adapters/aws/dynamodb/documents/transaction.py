"""Transaction that changes documents: rows read, rows to write, and the write requests between them.

Beside the documents' own items there is one item per document and path, and one per tombstone and remembered content.
They find a document from the moment of its record on: a secondary index of the table is updated a moment later.
"""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NotRequired, TypedDict

from groundwire.adapters.aws.dynamodb.client.attributes import text
from groundwire.adapters.aws.dynamodb.documents.items import PREFIX, DocumentItem, is_living, item_bytes, to_item
from groundwire.domain import errors
from groundwire.domain.documents.record import Document, names_digest

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import TransactWriteItemTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

    class _WriteCondition(TypedDict):
        TableName: str
        ConditionExpression: str
        ExpressionAttributeValues: NotRequired[Item]


MAX_WRITES: Final = 100
"""DynamoDB's limit for a transaction."""
MAX_BYTES: Final = 4 * 1024 * 1024
"""DynamoDB's limit for the items of a transaction together."""


def source_prefix(collection: str, source_path: str, parent: str | None) -> str:
    """Return the id prefix of the items that name the documents ingested from this path."""
    return _source_item_prefix(names_digest(collection, source_path, parent))


def content_prefix(content_mark: str) -> str:
    """Return the id prefix of the items that name the records with this mark."""
    return f"deleted-content#{content_mark}#"


def pointer_ids(document: Document | None) -> frozenset[str]:
    """Return the ids of the items that find the document: by its path, and by the mark of a content."""
    if document is None:
        return frozenset()
    # A tombstone after a deletion by a person keeps its path, as its file stays and may come again.
    digest, mark = document.deletion.source_digest, document.deletion.content_mark
    if is_living(document):
        path = document.source_path
        digest = "" if path is None else names_digest(document.collection, path, document.parent)
    prefixes = (*((_source_item_prefix(digest),) if digest else ()), *((content_prefix(mark),) if mark else ()))
    return frozenset(prefix + document.doc_id for prefix in prefixes)


class DocumentTransaction:
    """Rows as they were read, and as the transaction will write them."""

    def __init__(self, rows: Mapping[str, DocumentItem]) -> None:
        self._before = rows
        self._after: dict[str, DocumentItem] = {}
        self._required_unchanged: set[str] = set()

    def record(self, doc_id: str) -> Document | None:
        """Return the record with the changes made so far; None if it is missing."""
        return self._row(doc_id).document

    def attachment_ids(self, doc_id: str) -> frozenset[str]:
        """Return the ids of all documents ever ingested as attachments of this one."""
        return self._row(doc_id).attachment_ids

    def put(self, document: Document) -> None:
        """Write this record."""
        before = self.record(document.doc_id)
        self._set(document.doc_id, replace(self._row(document.doc_id), document=document))
        if document.parent is not None and becomes_child(before, document):
            # Written even if it does not change: a concurrent change of the parent has to start again.
            parent = self._row(document.parent)
            self._set(document.parent, replace(parent, attachment_ids=parent.attachment_ids | {document.doc_id}))

    def require_unchanged(self, doc_id: str) -> None:
        """Require that the record is unchanged when the others are written."""
        self._required_unchanged.add(doc_id)

    def remove(self, doc_id: str) -> None:
        """Remove the record."""
        self._set(doc_id, replace(self._row(doc_id), document=None))

    def keep_attachments(self, doc_id: str, attachment_ids: frozenset[str]) -> None:
        """Keep only these attachment ids, of a document that is written anyway."""
        if doc_id in self._after:
            self._set(doc_id, replace(self._row(doc_id), attachment_ids=attachment_ids))

    def write_requests(self, tenant: str, table: str) -> "list[TransactWriteItemTypeDef]":
        """Return the requests of one transaction, empty where nothing is written.

        Raises:
            InvalidInput: they exceed a transaction's limits.
        """
        if not self._after:
            return []
        writes = [self._write(tenant, table, doc_id, row) for doc_id, row in self._after.items()]
        writes += [
            self._unchanged_check(tenant, table, doc_id) for doc_id in self._required_unchanged - self._after.keys()
        ]
        for doc_id, row in self._after.items():
            writes += _pointer_writes(tenant, table, self._before[doc_id].document, row.document)
        sizes = [item_bytes(to_item(tenant, doc_id, row)) for doc_id, row in self._after.items()]
        if len(writes) > MAX_WRITES or sum(sizes) > MAX_BYTES:
            raise errors.InvalidInput("More records than can be written in one step: write fewer of them together.")
        return writes

    def _row(self, doc_id: str) -> DocumentItem:
        return self._after.get(doc_id) or self._before[doc_id]

    def _set(self, doc_id: str, row: DocumentItem) -> None:
        self._after[doc_id] = row

    def _unchanged_check(self, tenant: str, table: str, doc_id: str) -> "TransactWriteItemTypeDef":
        unwritten = _unchanged_since(self._before[doc_id], table)
        return {"ConditionCheck": {"Key": _key(tenant, PREFIX + doc_id), **unwritten}}

    def _write(self, tenant: str, table: str, doc_id: str, row: DocumentItem) -> "TransactWriteItemTypeDef":
        unwritten = _unchanged_since(self._before[doc_id], table)
        if row.is_empty:
            return {"Delete": {"Key": _key(tenant, PREFIX + doc_id), **unwritten}}
        # No counter: it would restart with an item that was deleted and created again.
        fresh = replace(row, write_token=secrets.token_hex(8))
        return {"Put": {"Item": to_item(tenant, doc_id, fresh), **unwritten}}


def _source_item_prefix(path_digest: str) -> str:
    return f"source#{path_digest}#"


def becomes_child(before: Document | None, after: Document) -> bool:
    """Return whether a living document gets a parent that it did not have before."""
    if after.parent is None or not is_living(after):
        return False
    return before is None or not is_living(before) or before.parent != after.parent


def _key(tenant: str, item_id: str) -> "Item":
    return {"tenant": text(tenant), "id": text(item_id)}


def _unchanged_since(row: DocumentItem, table: str) -> "_WriteCondition":
    """Return the condition that nobody has written the item since it was read."""
    if row.write_token is None:
        return {"TableName": table, "ConditionExpression": "attribute_not_exists(id)"}
    return {
        "TableName": table,
        "ConditionExpression": "written = :written",
        "ExpressionAttributeValues": {":written": text(row.write_token)},
    }


def _pointer_writes(
    tenant: str, table: str, before: Document | None, after: Document | None
) -> "list[TransactWriteItemTypeDef]":
    old, new = pointer_ids(before), pointer_ids(after)
    removed: list[TransactWriteItemTypeDef] = [
        {"Delete": {"TableName": table, "Key": _key(tenant, each)}} for each in sorted(old - new)
    ]
    added: list[TransactWriteItemTypeDef] = [
        {"Put": {"TableName": table, "Item": _key(tenant, each)}} for each in sorted(new - old)
    ]
    return [*removed, *added]
