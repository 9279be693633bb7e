"""The changes of an index.

No service can change what a query finds, so what is to go or to change is looked up first: what was written just
before and is not visible yet is not met. The registry's word on every hit covers that time.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from groundwire.adapters.aws.opensearch.connection.client import EngineClient, compact_json
from groundwire.adapters.aws.opensearch.connection.errors import IndexMissing
from groundwire.adapters.aws.opensearch.query.row_reader import RowReader, StoredRow, document_filters
from groundwire.adapters.aws.opensearch.schema.mapping import text_fields
from groundwire.adapters.aws.opensearch.schema.rows import IndexRow, engine_id, stored_policy_fields
from groundwire.adapters.aws.opensearch.service_rules import ServiceRules
from groundwire.adapters.aws.opensearch.write.bulk import BulkAction, BulkWriter
from groundwire.adapters.aws.opensearch.write.index_mapping import IndexMapping
from groundwire.domain.access.policy import Policy
from groundwire.ports import DocumentVersion

if TYPE_CHECKING:
    from groundwire.adapters.aws.opensearch.schema.access_filter import Clause


class IndexWriter:
    """Writes one index by the rules of its service."""

    def __init__(self, engine: EngineClient, rules: ServiceRules, index: str, mapping: IndexMapping) -> None:
        self._rules = rules
        self._index = index
        self._mapping = mapping
        self._reader = RowReader(engine, index)
        self._bulk = BulkWriter(engine, rules)

    def put(self, document: DocumentVersion, policy: Policy, rows: Mapping[str, IndexRow]) -> None:
        """The document's rows of this version are exactly `rows`; what came through before is not written twice."""
        standing = stored_policy_fields(policy)
        there = self._visible_rows(document)
        kept = self._unchanged_ids(there, rows, standing["rule"])
        missing = [row for row in rows.values() if row.key not in kept]
        self._mapping.add_text_fields(text_fields(name for row in missing for name in row.fields))
        self._bulk.write(self._row_action(row, standing) for row in missing)
        rewritten = rows.keys() - kept.keys() if self._rules.custom_ids else set[str]()
        self._bulk.write(
            self._delete_action(each.id)
            for each in there
            if each.key not in rewritten and (each.key not in kept or kept[each.key] != each.id)
        )

    def prune(self, doc_id: str, keep_version: int | None, below: int | None) -> int:
        """Of what is visible of the document `keep_version` and all from `below` on remain; how many passages went."""
        gone: list[Clause] = [{"term": {"doc_id": doc_id}}]
        if keep_version is not None:
            gone.append({"bool": {"must_not": [{"term": {"version": keep_version}}]}})
        if below is not None:
            gone.append({"range": {"version": {"lt": below}}})
        there = self._reader.stored_rows(*gone)
        self._bulk.write(self._delete_action(each.id) for each in there)
        return len({each.key for each in there if each.is_passage})

    def set_policy(self, doc_id: str, policy: Policy) -> None:
        """All rows that are visible of the document stand under `policy`."""
        standing = stored_policy_fields(policy)
        document: Clause = {"term": {"doc_id": doc_id}}
        other: Clause = {"bool": {"must_not": [{"term": {"rule": standing["rule"]}}]}}
        if self._rules.custom_ids:
            there = self._reader.stored_rows(document, other)
            self._bulk.write(self._update_action(each.id, standing) for each in there)
        else:
            self._copy_under_policy(
                self._reader.stored_rows(document), self._reader.full_rows(document, other), standing
            )

    def _copy_under_policy(
        self, there: Sequence[StoredRow], outdated: Iterable[tuple[str, Mapping[str, Any]]], standing: Mapping[str, Any]
    ) -> None:
        """Of every key one row stands under the policy, and no other is there.

        Copied first and deleted then: cut off in between, a row is there twice, and repeating it ends that.
        """
        done = {each.key: each.id for each in there if each.policy_digest == standing["rule"]}
        wanted = {each.key: each.id for each in there if each.key not in done}
        copied: set[str] = set()
        self._bulk.write(self._copy_actions(outdated, set(wanted.values()), standing, copied))
        kept = set(done.values())
        self._bulk.write(
            self._delete_action(each.id)
            for each in there
            if each.id not in kept and (each.key in done or wanted[each.key] in copied)
        )

    def _copy_actions(
        self,
        outdated: Iterable[tuple[str, Mapping[str, Any]]],
        wanted: Collection[str],
        standing: Mapping[str, Any],
        copied: set[str],
    ) -> Iterator[BulkAction]:
        for id_, fields in outdated:
            if id_ in wanted:
                copied.add(id_)
                yield self._index_action("", {**fields, **standing})

    def _visible_rows(self, document: DocumentVersion) -> list[StoredRow]:
        """What is visible of it: nothing, in an index so new that it is not searched yet although it can be written."""
        try:
            return self._reader.stored_rows(*document_filters(document))
        except IndexMissing:
            if self._rules.visible_after_seconds:
                return []
            raise

    def _unchanged_ids(self, there: Iterable[StoredRow], rows: Mapping[str, IndexRow], rule: str) -> dict[str, str]:
        """Ids by key of what stands as it should, one for each."""
        if self._rules.custom_ids and self._rules.visible_after_seconds:
            # What is seen may have been overwritten since; writing it again is safe.
            return {}
        return {
            each.key: each.id
            for each in there
            if each.key in rows and (each.content_digest, each.policy_digest) == (rows[each.key].digest, rule)
        }

    def _row_action(self, row: IndexRow, standing: Mapping[str, Any]) -> BulkAction:
        return self._index_action(row.key, {**row.fields, **standing})

    def _index_action(self, key: str, fields: Mapping[str, Any]) -> BulkAction:
        if self._rules.custom_ids:
            return BulkAction(self._lines("index", {"_id": engine_id(key)}, fields), may_be_absent=False)
        return BulkAction(self._lines("index", {}, {**fields, "written": uuid4().hex}), may_be_absent=False)

    def _update_action(self, id_: str, fields: Mapping[str, Any]) -> BulkAction:
        return BulkAction(self._lines("update", {"_id": id_}, {"doc": fields}), may_be_absent=True)

    def _delete_action(self, id_: str) -> BulkAction:
        return BulkAction(compact_json({"delete": {"_index": self._index, "_id": id_}}) + "\n", may_be_absent=True)

    def _lines(self, action: str, id_: Mapping[str, str], body: Mapping[str, Any]) -> str:
        return f"{compact_json({action: {'_index': self._index, **id_}})}\n{compact_json(body)}\n"
