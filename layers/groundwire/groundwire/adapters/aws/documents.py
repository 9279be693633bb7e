"""The document registry in DynamoDB.

Every answer is made of strongly consistent reads of the items. What is found through an index of the table (by
content, the pages of a collection, what is stale) may for a moment lack what was written just before.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from groundwire.adapters.aws.attribute_values import read_text
from groundwire.adapters.aws.document_changes import Change, source_prefix
from groundwire.adapters.aws.document_items import (
    CONTENT,
    LISTED,
    PREFIX,
    STALE,
    doc_id_of,
    from_item,
    is_living,
    listed_in,
    with_content,
)
from groundwire.adapters.aws.document_steps import in_steps
from groundwire.adapters.aws.document_table import DocumentTable, attempts
from groundwire.domain import errors
from groundwire.domain.documents import DEAD, Document, DocumentState

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

    from groundwire.adapters.aws.attribute_values import Item

_DEAD: Final[Mapping[str, Any]] = {f":{state.value}": {"S": state.value} for state in sorted(DEAD)}
_LIVING: Final = f"attribute_exists(#version) AND NOT #state IN ({', '.join(_DEAD)})"

_BEHIND_EVERY_DOCUMENT: Final = PREFIX[:-1] + chr(ord(PREFIX[-1]) + 1)

_NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})
_NO_VALUES: Final[Mapping[str, Any]] = MappingProxyType({})


class DynamoDocuments:
    """Implements `ports.Documents` on the documents table."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DocumentTable(client, table)

    def read(self, tenant: str, doc_ids: Sequence[str]) -> Mapping[str, Document]:
        """One request for up to 100 ids."""
        rows = self._table.rows(tenant, doc_ids)
        return {doc_id: row.document for doc_id, row in rows.items() if row.document is not None}

    def write(self, tenant: str, document: Document, expected: Document | None) -> None:
        """Raises Conflict as the port says, Invalid for a record larger than an item may be."""

        def put(change: Change) -> None:
            if not _stands(change.record(document.doc_id), expected):
                raise _changed()
            change.put(document)

        self._commit(tenant, [document], put)

    def write_all(self, tenant: str, changes: Sequence[tuple[Document, Document]]) -> None:
        """One transaction; Raises Invalid for more than it can hold."""
        self._commit(tenant, [document for document, _ in changes], lambda change: _apply(change, changes))

    def write_family(self, tenant: str, changes: Sequence[tuple[Document, Document]]) -> None:
        """One transaction for up to about 90 records that stay where they are, or half as many that go."""
        family = frozenset(document.doc_id for document, _ in changes)

        def put(some: Sequence[tuple[Document, Document]], change: Change) -> None:
            _apply(change, some)
            for document, _ in some:
                living = self._living_children(tenant, document.doc_id, change.carries(document.doc_id))
                if not living.keys() <= family:
                    raise _changed()
                change.forget_all_but(document.doc_id, frozenset(living))

        # What is carried goes before what carries it: until the last step is done, the first document stands as it was.
        steps = in_steps(tenant, changes[::-1])
        if len(steps) > 1:
            # What would fail should do so before anything is written.
            put(changes, self._begun(tenant, [document for document, _ in changes]))
        for step in steps:
            self._commit(tenant, [document for document, _ in step], lambda change, step=step: put(step, change))

    def queue(self, tenant: str, documents: Sequence[Document]) -> None:
        """A transaction for every 45 or so."""

        def put(some: Sequence[Document], change: Change) -> None:
            for document in some:
                if change.record(document.doc_id) is None:
                    change.put(document)

        for step in in_steps(tenant, [(document, None) for document in documents]):
            some = [document for document, _ in step]
            self._commit(tenant, some, lambda change, some=some: put(some, change))

    def withdraw(self, tenant: str, doc_id: str) -> None:
        """Removes the record itself: there was nothing that a tombstone could tell of."""

        def remove(change: Change) -> None:
            document = change.record(doc_id)
            if document is not None and is_living(document) and document.version == 0:
                change.remove(doc_id)

        self._decide(tenant, [doc_id], remove)

    def by_source_path(
        self, tenant: str, collection: str, source_path: str, parent: str | None = None
    ) -> Document | None:
        """The living document ingested from this path; of several, the one changed last."""
        place = (collection, source_path, parent)
        came = filter(is_living, self._from(tenant, *place))
        found = [each for each in came if (each.collection, each.source_path, each.parent) == place]
        return min(found, key=lambda each: (-each.updated_at, each.doc_id), default=None)

    def deleted_at(self, tenant: str, collection: str, source_path: str) -> float:
        """Of the tombstones that are found from this path, the latest time."""
        came = self._from(tenant, collection, source_path, None)
        return max((each.deleted_at for each in came if not is_living(each)), default=0.0)

    def by_content(self, tenant: str, collection: str, content_hash: str) -> list[Document]:
        """The living documents with this content, oldest first."""
        ids = self._indexed("by-content", CONTENT, with_content(tenant, collection, content_hash))
        found = [
            each
            for each in self._living(tenant, ids)
            if (each.collection, each.content_hash) == (collection, content_hash)
        ]
        return sorted(found, key=_by_age)

    def children(self, tenant: str, parent: str) -> list[Document]:
        """The living documents that this one carries, oldest first."""
        carried = self._table.rows(tenant, [parent])[parent].carries
        return sorted(self._living_children(tenant, parent, carried).values(), key=_by_age)

    def all(self, tenant: str, collection: str | None) -> list[Document]:
        """Living documents by name; reads the whole tenant, whichever of its collections is asked for."""
        condition, values = _LIVING, dict(_DEAD)
        names = {"#version": "version", "#state": "state"}
        if collection is not None:
            condition += " AND #collection = :collection"
            names["#collection"] = "collection"
            values[":collection"] = {"S": collection}
        items = self._query(tenant, PREFIX, names, values, FilterExpression=condition)
        found = [row.document for row in map(from_item, items) if row.document is not None]
        return sorted(found, key=lambda each: (each.source_file_name, each.doc_id))

    def page(self, tenant: str, collection: str, after: str | None, limit: int) -> list[Document]:
        """A stretch of an index that holds nothing else, beginning where the last page ended."""
        ids = self._indexed("by-collection", LISTED, listed_in(tenant, collection), after, limit)
        found: list[Document] = []
        while len(found) < limit and (some := list(islice(ids, limit - len(found)))):
            rows = self.read(tenant, some)
            # The index may still name what has left the collection.
            found += [rows[each] for each in some if each in rows and _is_listed(rows[each], collection)]
        return found

    def living(self, tenant: str, after: str | None, limit: int) -> list[Document]:
        """A stretch of the items themselves, so that it lacks nothing."""
        items = self._table.query(
            ConsistentRead=True,
            KeyConditionExpression="#tenant = :tenant AND #id BETWEEN :from AND :to",
            ExpressionAttributeNames={"#tenant": "tenant", "#id": "id", "#version": "version", "#state": "state"},
            ExpressionAttributeValues={
                ":tenant": {"S": tenant},
                ":from": {"S": PREFIX + (after or "")},
                ":to": {"S": _BEHIND_EVERY_DOCUMENT},
                **_DEAD,
            },
            FilterExpression=_LIVING,
        )
        found = (row.document for row in map(from_item, items) if row.document is not None)
        return list(islice((each for each in found if each.doc_id != after), limit))

    def sketches(self, tenant: str) -> list[tuple[str, bytes]]:
        """Without the rest of the records, as there may be very many."""
        items = self._query(
            tenant,
            PREFIX,
            {"#state": "state", "#sketch": "sketch", "#created": "created_at"},
            {":indexed": {"S": DocumentState.INDEXED.value}, ":none": {"N": "0"}},
            FilterExpression="#state = :indexed AND size(#sketch) > :none",
            ProjectionExpression="#id, #sketch, #created",
        )
        aged = [(float(each["created_at"].get("N", "0")), doc_id_of(each), each) for each in items]
        return [(doc_id, each["sketch"].get("B", b"")) for _, doc_id, each in sorted(aged, key=lambda one: one[:2])]

    def stale(self, tenant: str) -> list[Document]:
        """Tombstones included, the longest waiting first."""
        found = self.read(tenant, list(self._indexed("stale", STALE, tenant))).values()
        return sorted((each for each in found if each.index_stale), key=lambda each: (each.updated_at, each.doc_id))

    def unsettled(self) -> list[str]:
        """Reads the index of what is stale, which holds nothing else."""
        return sorted({read_text(item, STALE) for item in self._table.scan(STALE)})

    def _commit(self, tenant: str, documents: Iterable[Document], decide: Callable[[Change], None]) -> None:
        self._decide(tenant, _concerned(documents), decide)

    def _decide(self, tenant: str, doc_ids: Sequence[str], decide: Callable[[Change], None]) -> None:
        """What is decided on the rows as they are is written, unless they have changed by then: then once more."""
        for _ in attempts(self._table.name):
            change = Change(self._table.rows(tenant, doc_ids))
            decide(change)
            writes = change.writes(tenant, self._table.name)
            if not writes or self._table.transact(writes):
                return

    def _begun(self, tenant: str, documents: Iterable[Document]) -> Change:
        return Change(self._table.rows(tenant, _concerned(documents)))

    def _living(self, tenant: str, doc_ids: Iterable[str]) -> list[Document]:
        return [document for document in self.read(tenant, list(doc_ids)).values() if is_living(document)]

    def _from(self, tenant: str, collection: str, source_path: str, parent: str | None) -> list[Document]:
        prefix = source_prefix(collection, source_path, parent)
        items = self._query(tenant, prefix, ProjectionExpression="#id")
        return list(self.read(tenant, [item["id"].get("S", "").removeprefix(prefix) for item in items]).values())

    def _living_children(self, tenant: str, parent: str, carried: Iterable[str]) -> dict[str, Document]:
        found = self._living(tenant, sorted(carried))
        return {each.doc_id: each for each in found if each.parent == parent}

    def _query(
        self,
        tenant: str,
        prefix: str,
        names: Mapping[str, str] = _NO_NAMES,
        values: Mapping[str, Any] = _NO_VALUES,
        **more: str,
    ) -> "Iterator[Item]":
        """The tenant's items whose ids begin so, as they are now."""
        return self._table.query(
            ConsistentRead=True,
            KeyConditionExpression="#tenant = :tenant AND begins_with(#id, :prefix)",
            ExpressionAttributeNames={"#tenant": "tenant", "#id": "id", **names},
            ExpressionAttributeValues={":tenant": {"S": tenant}, ":prefix": {"S": prefix}, **values},
            **more,
        )

    def _indexed(
        self, index: str, attribute: str, key: str, after: str | None = None, limit: int | None = None
    ) -> Iterator[str]:
        """Ids that an index has under the key, in their order, `limit` to a request."""
        items = self._table.query(
            IndexName=index,
            KeyConditionExpression="#key = :key AND #id > :after",
            ExpressionAttributeNames={"#key": attribute, "#id": "id"},
            ExpressionAttributeValues={":key": {"S": key}, ":after": {"S": PREFIX + (after or "")}},
            PaginationConfig={"PageSize": limit},
        )
        return map(doc_id_of, items)


def _concerned(documents: Iterable[Document]) -> list[str]:
    """The documents, and those that carry them."""
    return [each for document in documents for each in (document.doc_id, document.parent) if each is not None]


def _apply(change: Change, changes: Iterable[tuple[Document, Document]]) -> None:
    for document, expected in changes:
        if not _stands(change.record(document.doc_id), expected):
            raise _changed()
        if document == expected:
            change.hold(document.doc_id)
        else:
            change.put(document)


def _stands(stored: Document | None, expected: Document | None) -> bool:
    if stored is None or expected is None:
        return stored is expected
    return stored.stand == expected.stand


def _is_listed(document: Document, collection: str) -> bool:
    return document.state is DocumentState.INDEXED and document.collection == collection


def _by_age(document: Document) -> tuple[float, str]:
    return document.created_at, document.doc_id


def _changed() -> errors.Conflict:
    return errors.Conflict("The document has changed in the meantime: read it again and repeat.")
