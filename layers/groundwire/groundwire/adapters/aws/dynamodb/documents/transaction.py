"""A step that changes documents: what is there, what is to be there, and the writes that lead from one to the other.

Beside the documents' own items there is one per document and path, so that a document is found by its path
from the moment of its record on: an index of the table learns of an item a moment later.
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
    """How ids of the items begin that name the documents ingested from this path."""
    return _source_item_prefix(names_digest(collection, source_path, parent))


def source_item_id(document: Document | None) -> str | None:
    """Id of the item by which the document is found from its path; None for one that nobody may find so."""
    if document is None:
        return None
    if not is_living(document):
        # What was deleted by hand keeps it, for news of the file that is late.
        return (
            _source_item_prefix(document.deleted_source_digest) + document.doc_id
            if document.deleted_source_digest
            else None
        )
    if document.source_path is None:
        return None
    return source_prefix(document.collection, document.source_path, document.parent) + document.doc_id


class DocumentTransaction:
    """Rows as they were read, and as they are to be."""

    def __init__(self, rows: Mapping[str, DocumentItem]) -> None:
        self._before = rows
        self._after: dict[str, DocumentItem] = {}
        self._required_unchanged: set[str] = set()

    def record(self, doc_id: str) -> Document | None:
        """As it will be, so far."""
        return self._row(doc_id).document

    def attachment_ids(self, doc_id: str) -> frozenset[str]:
        """All that ever came with the document."""
        return self._row(doc_id).attachment_ids

    def put(self, document: Document) -> None:
        """The record is to be this one."""
        before = self.record(document.doc_id)
        self._set(document.doc_id, replace(self._row(document.doc_id), document=document))
        if document.parent is not None and becomes_child(before, document):
            # Written even where nothing is new in it: whoever is changing the parent has to look again.
            parent = self._row(document.parent)
            self._set(document.parent, replace(parent, attachment_ids=parent.attachment_ids | {document.doc_id}))

    def require_unchanged(self, doc_id: str) -> None:
        """The record is to stay what it is until all others are written."""
        self._required_unchanged.add(doc_id)

    def remove(self, doc_id: str) -> None:
        """There is to be no record."""
        self._set(doc_id, replace(self._row(doc_id), document=None))

    def keep_attachments(self, doc_id: str, attachment_ids: frozenset[str]) -> None:
        """Of what came with a document that is to be written, nothing else is remembered any more."""
        if doc_id in self._after:
            self._set(doc_id, replace(self._row(doc_id), attachment_ids=attachment_ids))

    def write_requests(self, tenant: str, table: str) -> "list[TransactWriteItemTypeDef]":
        """One transaction, empty where nothing is to be written; Raises Invalid when that cannot hold it."""
        if not self._after:
            return []
        writes = [self._write(tenant, table, doc_id, row) for doc_id, row in self._after.items()]
        writes += [
            self._unchanged_check(tenant, table, doc_id) for doc_id in self._required_unchanged - self._after.keys()
        ]
        for doc_id, row in self._after.items():
            writes += _source_writes(tenant, table, self._before[doc_id].document, row.document)
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
        # Not a number that counts: it would begin anew with an item that was deleted and is made again.
        fresh = replace(row, write_token=secrets.token_hex(8))
        return {"Put": {"Item": to_item(tenant, doc_id, fresh), **unwritten}}


def _source_item_prefix(path_digest: str) -> str:
    return f"source#{path_digest}#"


def becomes_child(before: Document | None, after: Document) -> bool:
    """Whether a living document is carried now by one that did not carry it before."""
    if after.parent is None or not is_living(after):
        return False
    return before is None or not is_living(before) or before.parent != after.parent


def _key(tenant: str, item_id: str) -> "Item":
    return {"tenant": text(tenant), "id": text(item_id)}


def _unchanged_since(row: DocumentItem, table: str) -> "_WriteCondition":
    """Nobody has written the item after it was read."""
    if row.write_token is None:
        return {"TableName": table, "ConditionExpression": "attribute_not_exists(id)"}
    return {
        "TableName": table,
        "ConditionExpression": "written = :written",
        "ExpressionAttributeValues": {":written": text(row.write_token)},
    }


def _source_writes(
    tenant: str, table: str, before: Document | None, after: Document | None
) -> "list[TransactWriteItemTypeDef]":
    old, new = source_item_id(before), source_item_id(after)
    writes: list[TransactWriteItemTypeDef] = []
    if old is not None and old != new:
        writes.append({"Delete": {"TableName": table, "Key": _key(tenant, old)}})
    if new is not None and old != new:
        writes.append({"Put": {"TableName": table, "Item": _key(tenant, new)}})
    return writes
