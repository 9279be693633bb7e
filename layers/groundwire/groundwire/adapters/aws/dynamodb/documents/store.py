"""Document registry in DynamoDB.

Every answer comes from strongly consistent reads of the items. Results of a secondary index (by content, pages of a
collection, stale documents) may lack the latest writes for a moment.
"""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import read_text, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed, TransactionConflict
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.adapters.aws.dynamodb.documents import queries
from groundwire.adapters.aws.dynamodb.documents.batches import split_into_transactions
from groundwire.adapters.aws.dynamodb.documents.items import (
    ABSENT_ITEM,
    COLLECTION_INDEX_KEY,
    CONTENT_INDEX_KEY,
    PREFIX,
    STALE_INDEX_KEY,
    DocumentItem,
    collection_index_key,
    content_index_key,
    doc_id_of,
    from_item,
    is_living,
)
from groundwire.adapters.aws.dynamodb.documents.transaction import DocumentTransaction, content_prefix, source_prefix
from groundwire.domain import errors
from groundwire.domain.documents.record import Document, DocumentState, names_digest
from groundwire.ports import SourceRecords
from groundwire.retry import Backoff, RetryPolicy, retry_on

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import QueryInputTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

_MAX_KEY_BYTES: Final = 1_024
_CONTENDED: Final = RetryPolicy(10, Backoff(time.sleep, random.random, first_s=0.01, longest_s=0.2))


class DynamoDocuments:
    """Implements `ports.Documents` on the documents table."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DynamoTable(client, table)

    def read(self, tenant: str, doc_ids: Sequence[str]) -> Mapping[str, Document]:
        """Return the records that exist; one request for up to 100 ids."""
        rows = self._items(tenant, doc_ids)
        return {doc_id: row.document for doc_id, row in rows.items() if row.document is not None}

    def write(self, tenant: str, document: Document, expected: Document | None) -> None:
        """Write a record; raises Conflict unless `expected` is stored, InvalidInput when it is larger than an item."""

        def put(change: DocumentTransaction) -> None:
            if not _has_expected_token(change.record(document.doc_id), expected):
                raise _conflict()
            change.put(document)

        # The condition of its own write finds a record that exists, so a new one is looked up only after a failure.
        if expected is not None or document.parent is not None or not self._create(tenant, document):
            self._commit(tenant, [document], put)

    def write_all(self, tenant: str, changes: Sequence[tuple[Document, Document]]) -> None:
        """Write the changes in one transaction; raises InvalidInput when they exceed it."""
        self._commit(tenant, [document for document, _ in changes], lambda change: _apply(change, changes))

    def write_attachment_tree(self, tenant: str, changes: Sequence[tuple[Document, Document]]) -> None:
        """Write an attachment tree; one transaction for about 90 records, or half as many that are moved or deleted."""
        tree_ids = frozenset(document.doc_id for document, _ in changes)

        def put(some: Sequence[tuple[Document, Document]], change: DocumentTransaction) -> None:
            _apply(change, some)
            for document, _ in some:
                living = self._living_children(tenant, document.doc_id, change.attachment_ids(document.doc_id))
                if not living.keys() <= tree_ids:
                    raise _conflict()
                # A tombstone keeps the ids: its restoration concerns its attachments, too.
                if is_living(document):
                    change.keep_attachments(document.doc_id, frozenset(living))

        # Attachments are written before their parent: until the last step, the root document is unchanged.
        steps = split_into_transactions(tenant, changes[::-1])
        if len(steps) > 1:
            # A change that will fail must fail before anything is written.
            put(changes, DocumentTransaction(self._items(tenant, _involved_ids(document for document, _ in changes))))
        for step in steps:
            self._commit(tenant, [document for document, _ in step], lambda change, step=step: put(step, change))

    def add_queued(self, tenant: str, documents: Sequence[Document]) -> None:
        """Add the records that do not exist, about 45 per transaction."""

        def put(some: Sequence[Document], change: DocumentTransaction) -> None:
            for document in some:
                if change.record(document.doc_id) is None:
                    change.put(document)

        for step in split_into_transactions(tenant, [(document, None) for document in documents]):
            some = [document for document, _ in step]
            self._commit(tenant, some, lambda change, some=some: put(some, change))

    def delete_unindexed(self, tenant: str, document: Document) -> None:
        """Remove the record of a document that was never indexed; it needs no tombstone."""

        def remove(change: DocumentTransaction) -> None:
            stored = change.record(document.doc_id)
            if stored is None or not is_living(stored):
                return
            if (stored.version, stored.policy_version) == (0, document.policy_version):
                change.remove(document.doc_id)

        self._transact(tenant, [document.doc_id], remove)

    def from_source(self, tenant: str, collection: str, source_path: str, parent: str | None = None) -> SourceRecords:
        """Return the living document ingested from this path, and the deletions of others."""
        source = (collection, source_path, parent)
        records = self._by_pointer(tenant, source_prefix(*source))
        found = [
            each for each in records if is_living(each) and (each.collection, each.source_path, each.parent) == source
        ]
        living = min(found, key=lambda each: (-each.updated_at, each.doc_id), default=None)
        digest = names_digest(*source)
        deletions = [each for each in records if not is_living(each) and each.deletion.source_digest == digest]
        deletions.sort(key=lambda each: (-each.deletion.deleted_at, each.doc_id))
        return SourceRecords(living, tuple(deletions))

    def marked_with_content(self, tenant: str, content_mark: str) -> list[Document]:
        """Return the records with this mark, by id."""
        found = self._by_pointer(tenant, content_prefix(content_mark))
        marked = [each for each in found if each.deletion.content_mark == content_mark]
        return sorted(marked, key=lambda each: each.doc_id)

    def page_deletions(self, tenant: str, after: str | None, limit: int) -> list[Document]:
        """Return the next page of the items themselves, which is complete."""
        return self._page(queries.deletions_from(self._table.name, tenant, after), after, limit)

    def deleted_children(self, tenant: str, parent: str) -> list[Document]:
        """Return the tombstones of the document's attachments, by id."""
        attachment_ids = self._items(tenant, [parent])[parent].attachment_ids
        found = self.read(tenant, sorted(attachment_ids)).values()
        return sorted((each for each in found if not is_living(each)), key=lambda each: each.doc_id)

    def by_content(self, tenant: str, collection: str, content_hash: str) -> list[Document]:
        """Return the living documents with this content, oldest first."""
        ids = self._ids_from_index("by-content", CONTENT_INDEX_KEY, content_index_key(tenant, collection, content_hash))
        found = [
            each
            for each in self._living(tenant, ids)
            if (each.collection, each.content_hash) == (collection, content_hash)
        ]
        return sorted(found, key=_by_age)

    def children(self, tenant: str, parent: str) -> list[Document]:
        """Return the document's living attachments, oldest first."""
        attachment_ids = self._items(tenant, [parent])[parent].attachment_ids
        return sorted(self._living_children(tenant, parent, attachment_ids).values(), key=_by_age)

    def all(self, tenant: str, collection: str | None) -> list[Document]:
        """Return the living documents by name; reads the whole tenant, even for one collection."""
        items = self._table.select(queries.living_documents(self._table.name, tenant, collection))
        found = [row.document for row in map(from_item, items) if row.document is not None]
        return sorted(found, key=lambda each: (each.source_file_name, each.doc_id))

    def page_indexed(self, tenant: str, collection: str, after: str | None, limit: int) -> list[Document]:
        """Return the next page of a secondary index that holds only indexed documents."""
        ids = self._ids_from_index(
            "by-collection", COLLECTION_INDEX_KEY, collection_index_key(tenant, collection), after, limit
        )
        found: list[Document] = []
        while len(found) < limit and (some := list(islice(ids, limit - len(found)))):
            rows = self.read(tenant, some)
            # The index may still name documents that have left the collection.
            found += [rows[each] for each in some if each in rows and _is_listed(rows[each], collection)]
        return found

    def page_live(self, tenant: str, after: str | None, limit: int) -> list[Document]:
        """Return the next page of the items themselves, which is complete."""
        return self._page(queries.living_documents_from(self._table.name, tenant, after), after, limit)

    def page_records(self, tenant: str, after: str | None, limit: int) -> list[Document]:
        """Return the next page of the items themselves, which is complete."""
        return self._page(queries.records_from(self._table.name, tenant, after), after, limit)

    def sketches(self, tenant: str) -> list[tuple[str, bytes]]:
        """Return ids and sketches only, because the records may be very many."""
        items = self._table.select(queries.sketches(self._table.name, tenant))
        aged = [(float(each["created_at"].get("N", "0")), doc_id_of(each), each) for each in items]
        return [(doc_id, each["sketch"].get("B", b"")) for _, doc_id, each in sorted(aged, key=lambda one: one[:2])]

    def stale_documents(self, tenant: str) -> list[Document]:
        """Return the documents with a stale index, tombstones included, the longest waiting first."""
        found = self.read(tenant, list(self._ids_from_index("stale", STALE_INDEX_KEY, tenant))).values()
        return sorted((each for each in found if each.sync.is_stale), key=lambda each: (each.updated_at, each.doc_id))

    def tenants_with_stale_documents(self) -> list[str]:
        """Return their tenants, from the index of stale documents, which holds nothing else."""
        return sorted({read_text(item, STALE_INDEX_KEY) for item in self._table.scan_index(STALE_INDEX_KEY)})

    def _commit(
        self, tenant: str, documents: Iterable[Document], decide: Callable[[DocumentTransaction], None]
    ) -> None:
        self._transact(tenant, _involved_ids(documents), decide)

    def _create(self, tenant: str, document: Document) -> bool:
        """Write a record whose item does not exist; return False where it may exist."""
        change = DocumentTransaction({document.doc_id: ABSENT_ITEM})
        change.put(document)
        with suppress(ConditionFailed, TransactionConflict):
            self._table.transact_once(change.write_requests(tenant, self._table.name))
            return True
        return False

    def _transact(self, tenant: str, doc_ids: Sequence[str], decide: Callable[[DocumentTransaction], None]) -> None:
        """Apply `decide` to the current rows and write the result; repeat when the rows have changed meanwhile."""

        def write() -> None:
            change = DocumentTransaction(self._items(tenant, doc_ids))
            decide(change)
            if writes := change.write_requests(tenant, self._table.name):
                self._table.transact_once(writes)

        try:
            retry_on((ConditionFailed, TransactionConflict), write, _CONTENDED)
        except (ConditionFailed, TransactionConflict) as error:
            raise errors.Unavailable(
                f"Too many processes write to the table {self._table.name}. Try again soon.", retry_after_s=1
            ) from error

    def _items(self, tenant: str, doc_ids: Iterable[str]) -> dict[str, DocumentItem]:
        """Return the current rows of all these documents; `ABSENT_ITEM` for a missing one."""
        requested = list(dict.fromkeys(doc_ids))
        ids = [PREFIX + each for each in requested]
        # A longer id cannot be stored, and DynamoDB refuses a request that names one.
        keys: list[Item] = [
            {"tenant": text(tenant), "id": text(each)} for each in ids if len(each.encode()) <= _MAX_KEY_BYTES
        ]
        found = {doc_id_of(item): from_item(item) for item in self._table.get_all(keys)}
        return {**dict.fromkeys(requested, ABSENT_ITEM), **found}

    def _page(self, query: "QueryInputTypeDef", after: str | None, limit: int) -> list[Document]:
        found = (row.document for row in map(from_item, self._table.select(query)) if row.document is not None)
        return list(islice((each for each in found if each.doc_id != after), limit))

    def _living(self, tenant: str, doc_ids: Iterable[str]) -> list[Document]:
        return [document for document in self.read(tenant, list(doc_ids)).values() if is_living(document)]

    def _by_pointer(self, tenant: str, prefix: str) -> list[Document]:
        items = self._table.select(queries.ids_by_prefix(self._table.name, tenant, prefix))
        return list(self.read(tenant, [item["id"].get("S", "").removeprefix(prefix) for item in items]).values())

    def _living_children(self, tenant: str, parent: str, attachment_ids: Iterable[str]) -> dict[str, Document]:
        found = self._living(tenant, sorted(attachment_ids))
        return {each.doc_id: each for each in found if each.parent == parent}

    def _ids_from_index(
        self, index: str, attribute: str, key: str, after: str | None = None, limit: int | None = None
    ) -> Iterator[str]:
        """Return the ids of an index under the key, in order, `limit` per request."""
        request = queries.index_entries(self._table.name, index, attribute, key, after, limit)
        return map(doc_id_of, self._table.select(request))


def _involved_ids(documents: Iterable[Document]) -> list[str]:
    """Return the ids of the documents and of their parents."""
    return [each for document in documents for each in (document.doc_id, document.parent) if each is not None]


def _apply(change: DocumentTransaction, changes: Iterable[tuple[Document, Document]]) -> None:
    for document, expected in changes:
        if not _has_expected_token(change.record(document.doc_id), expected):
            raise _conflict()
        if document == expected:
            change.require_unchanged(document.doc_id)
        else:
            change.put(document)


def _has_expected_token(stored: Document | None, expected: Document | None) -> bool:
    if stored is None or expected is None:
        return stored is expected
    return stored.version_token == expected.version_token


def _is_listed(document: Document, collection: str) -> bool:
    return document.state is DocumentState.INDEXED and document.collection == collection


def _by_age(document: Document) -> tuple[float, str]:
    return document.created_at, document.doc_id


def _conflict() -> errors.Conflict:
    return errors.Conflict("The document has changed in the meantime: read its current state, then try again.")
