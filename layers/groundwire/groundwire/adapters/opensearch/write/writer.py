"""Changes of an index.

No service can change by query, so rows to delete or change are looked up first. The lookup misses recent rows that are
not visible yet. The check of every hit against the registry covers that time.

Where a writer may choose the ids, a row is overwritten under the id of its key. Elsewhere the changed row is appended
and the former one deleted. A service that refuses the first way gets the second one, from its first refusal on.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol
from uuid import uuid4

from groundwire.adapters.opensearch.connection.client import EngineClient, compact_json
from groundwire.adapters.opensearch.connection.errors import CustomIdsRefused, IndexMissing
from groundwire.adapters.opensearch.query.row_reader import RowReader, StoredRow, document_filters
from groundwire.adapters.opensearch.schema.rows import IndexRow, engine_id, stored_readers_fields
from groundwire.adapters.opensearch.service_rules import ServiceRules
from groundwire.adapters.opensearch.write.bulk import BulkAction, BulkWriter
from groundwire.adapters.opensearch.write.index_mapping import IndexMapping
from groundwire.domain.access.policy import Readers
from groundwire.ports import DocumentVersion

if TYPE_CHECKING:
    from groundwire.adapters.opensearch.schema.access_filter import Clause


class IndexWriter:
    """Writer of one index by the rules of its service."""

    def __init__(self, engine: EngineClient, rules: ServiceRules, index: str, mapping: IndexMapping) -> None:
        self._rules = rules
        self._index = index
        self._mapping = mapping
        self._reader = RowReader(engine, index)
        self._bulk = BulkWriter(engine, rules)

    def put(self, document: DocumentVersion, readers: Readers, rows: Mapping[str, IndexRow]) -> None:
        """Make the document's rows of this version exactly `rows`; does not rewrite rows of an earlier attempt."""
        self._write_with_ids_if_taken(partial(self._put, document, stored_readers_fields(readers), rows))

    def prune(self, doc_id: str, keep_version: int | None, below: int | None) -> int:
        """Delete the visible rows but those of `keep_version` and from `below` on; return the number of passages."""
        filters: list[Clause] = [{"term": {"doc_id": doc_id}}]
        if keep_version is not None:
            filters.append({"bool": {"must_not": [{"term": {"version": keep_version}}]}})
        if below is not None:
            filters.append({"range": {"version": {"lt": below}}})
        stored = self._reader.stored_rows(*filters)
        self._bulk.write(self._delete_action(each.id) for each in stored)
        # A service that assigns the ids may store a row twice.
        return len({each.key for each in stored if each.is_passage})

    def set_readers(self, doc_id: str, readers: Readers) -> None:
        """Give all visible rows of the document these readers."""
        self._write_with_ids_if_taken(partial(self._set_readers, doc_id, stored_readers_fields(readers)))

    def _write_with_ids_if_taken(self, write: "_Write") -> None:
        """Write with ids of this writer's choice, or without them where the service refuses them."""
        if self._mapping.takes_custom_ids:
            try:
                return write(custom_ids=True)
            except CustomIdsRefused:
                self._mapping.refuse_custom_ids()
        return write(custom_ids=False)

    def _put(
        self,
        document: DocumentVersion,
        readers_fields: Mapping[str, Any],
        rows: Mapping[str, IndexRow],
        *,
        custom_ids: bool,
    ) -> None:
        stored = self._visible_rows(document)
        # A visible row may have been overwritten since under its id; writing it again is safe.
        is_outdated = custom_ids and self._rules.visible_after_seconds
        unchanged = {} if is_outdated else _unchanged_ids(stored, rows, readers_fields["rule"])
        missing = [row for row in rows.values() if row.key not in unchanged]
        self._mapping.add_fields({name for row in missing for name in (*row.fields, *readers_fields)})
        # Before the former rows are deleted, so that no passage is missing in between.
        self._bulk.write(self._row_action(row, readers_fields, custom_ids=custom_ids) for row in missing)
        self._mapping.languages.add({row.fields["language"] for row in missing if "language" in row.fields})
        overwritten = {engine_id(row.key) for row in missing} if custom_ids else set[str]()
        kept = overwritten.union(unchanged.values())
        self._bulk.write(self._delete_action(each.id) for each in stored if each.id not in kept)

    def _set_readers(self, doc_id: str, readers_fields: Mapping[str, Any], *, custom_ids: bool) -> None:
        document: Clause = {"term": {"doc_id": doc_id}}
        other: Clause = {"bool": {"must_not": [{"term": {"rule": readers_fields["rule"]}}]}}
        self._mapping.add_fields(readers_fields.keys())
        if custom_ids:
            stored = self._reader.stored_rows(document, other)
            self._bulk.write(self._update_action(each.id, readers_fields) for each in stored)
        else:
            self._copy_with_readers(
                self._reader.stored_rows(document), self._reader.full_rows(document, other), readers_fields
            )

    def _copy_with_readers(
        self,
        stored: Sequence[StoredRow],
        outdated: Iterable[tuple[str, Mapping[str, Any]]],
        readers_fields: Mapping[str, Any],
    ) -> None:
        """Copy each row once with the readers, and delete all others.

        The copy precedes the deletion: an interruption leaves a row twice, and a repetition removes the surplus.
        """
        done = {each.key: each.id for each in stored if each.policy_digest == readers_fields["rule"]}
        wanted = {each.key: each.id for each in stored if each.key not in done}
        copied: set[str] = set()
        self._bulk.write(self._copy_actions(outdated, set(wanted.values()), readers_fields, copied))
        unchanged = set(done.values())
        self._bulk.write(
            self._delete_action(each.id)
            for each in stored
            if each.id not in unchanged and (each.key in done or wanted[each.key] in copied)
        )

    def _copy_actions(
        self,
        outdated: Iterable[tuple[str, Mapping[str, Any]]],
        wanted: Collection[str],
        readers_fields: Mapping[str, Any],
        copied: set[str],
    ) -> Iterator[BulkAction]:
        for id_, fields in outdated:
            if id_ in wanted:
                copied.add(id_)
                yield self._append_action({**fields, **readers_fields})

    def _visible_rows(self, document: DocumentVersion) -> list[StoredRow]:
        """Return the document's visible rows; none in an index so new that it can be written but not yet searched."""
        try:
            return self._reader.stored_rows(*document_filters(document))
        except IndexMissing:
            if self._rules.visible_after_seconds:
                return []
            raise

    def _row_action(self, row: IndexRow, readers_fields: Mapping[str, Any], *, custom_ids: bool) -> BulkAction:
        fields = {**row.fields, **readers_fields}
        if not custom_ids:
            return self._append_action(fields)
        return BulkAction(
            self._lines("index", {"_id": engine_id(row.key)}, fields), may_be_absent=False, repeatable=True
        )

    def _append_action(self, fields: Mapping[str, Any]) -> BulkAction:
        return BulkAction(
            self._lines("index", {}, {**fields, "written": uuid4().hex}), may_be_absent=False, repeatable=False
        )

    def _update_action(self, id_: str, fields: Mapping[str, Any]) -> BulkAction:
        return BulkAction(self._lines("update", {"_id": id_}, {"doc": fields}), may_be_absent=True, repeatable=True)

    def _delete_action(self, id_: str) -> BulkAction:
        line = compact_json({"delete": {"_index": self._index, "_id": id_}})
        return BulkAction(f"{line}\n", may_be_absent=True, repeatable=True)

    def _lines(self, action: str, id_: Mapping[str, str], body: Mapping[str, Any]) -> str:
        return f"{compact_json({action: {'_index': self._index, **id_}})}\n{compact_json(body)}\n"


class _Write(Protocol):
    """Operation that chooses the ids of rows, or appends rows and deletes the former ones."""

    def __call__(self, *, custom_ids: bool) -> None: ...


def _unchanged_ids(stored: Iterable[StoredRow], rows: Mapping[str, IndexRow], rule: str) -> dict[str, str]:
    """Return one id per key of the rows that need no change."""
    return {
        each.key: each.id
        for each in stored
        if each.key in rows and (each.content_digest, each.policy_digest) == (rows[each.key].digest, rule)
    }
