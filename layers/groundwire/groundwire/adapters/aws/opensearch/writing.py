"""The changes of an index.

No service can change what a query finds, so what is to go or to change is looked up first: what was written just
before and is not visible yet is not met. The registry's word on every hit covers that time.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from groundwire.adapters.aws.opensearch.bulk import Bulk, Write
from groundwire.adapters.aws.opensearch.engine import Engine, encoded
from groundwire.adapters.aws.opensearch.faults import IndexAbsent
from groundwire.adapters.aws.opensearch.index_mapping import IndexMapping
from groundwire.adapters.aws.opensearch.mapping import text_fields
from groundwire.adapters.aws.opensearch.reading import Reader, Stored, of_document
from groundwire.adapters.aws.opensearch.rows import Row, id_of, standing_under
from groundwire.adapters.aws.opensearch.services import ServiceRules
from groundwire.domain.access import Policy
from groundwire.ports import DocumentVersion

if TYPE_CHECKING:
    from groundwire.adapters.aws.opensearch.access_filter import Clause


class Writer:
    """Writes one index by the rules of its service."""

    def __init__(self, engine: Engine, rules: ServiceRules, index: str, mapping: IndexMapping) -> None:
        self._rules = rules
        self._index = index
        self._mapping = mapping
        self._reader = Reader(engine, index)
        self._bulk = Bulk(engine, rules)

    def put(self, document: DocumentVersion, policy: Policy, rows: Mapping[str, Row]) -> None:
        """The document's rows of this version are exactly `rows`; what came through before is not written twice."""
        standing = standing_under(policy)
        there = self._before(document)
        kept = self._kept(there, rows, standing["rule"])
        missing = [row for row in rows.values() if row.key not in kept]
        self._mapping.add_text_fields(text_fields(name for row in missing for name in row.fields))
        self._bulk.write(self._written(row, standing) for row in missing)
        rewritten = rows.keys() - kept.keys() if self._rules.custom_ids else set[str]()
        self._bulk.write(
            self._deleted(each.id)
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
        there = self._reader.stored(*gone)
        self._bulk.write(self._deleted(each.id) for each in there)
        return len({each.key for each in there if each.is_passage})

    def set_policy(self, doc_id: str, policy: Policy) -> None:
        """All rows that are visible of the document stand under `policy`."""
        standing = standing_under(policy)
        document: Clause = {"term": {"doc_id": doc_id}}
        other: Clause = {"bool": {"must_not": [{"term": {"rule": standing["rule"]}}]}}
        if self._rules.custom_ids:
            there = self._reader.stored(document, other)
            self._bulk.write(self._changed(each.id, standing) for each in there)
        else:
            self._copy(self._reader.stored(document), self._reader.whole(document, other), standing)

    def _copy(
        self, there: Sequence[Stored], outdated: Iterable[tuple[str, Mapping[str, Any]]], standing: Mapping[str, Any]
    ) -> None:
        """Of every key one row stands under the policy, and no other is there.

        Copied first and deleted then: cut off in between, a row is there twice, and repeating it ends that.
        """
        done = {each.key: each.id for each in there if each.rule == standing["rule"]}
        wanted = {each.key: each.id for each in there if each.key not in done}
        copied: set[str] = set()
        self._bulk.write(self._copies(outdated, set(wanted.values()), standing, copied))
        kept = set(done.values())
        self._bulk.write(
            self._deleted(each.id)
            for each in there
            if each.id not in kept and (each.key in done or wanted[each.key] in copied)
        )

    def _copies(
        self,
        outdated: Iterable[tuple[str, Mapping[str, Any]]],
        wanted: Collection[str],
        standing: Mapping[str, Any],
        copied: set[str],
    ) -> Iterator[Write]:
        for id_, fields in outdated:
            if id_ in wanted:
                copied.add(id_)
                yield self._indexed("", {**fields, **standing})

    def _before(self, document: DocumentVersion) -> list[Stored]:
        """What is visible of it: nothing, in an index so new that it is not searched yet although it can be written."""
        try:
            return self._reader.stored(*of_document(document))
        except IndexAbsent:
            if self._rules.visible_after_seconds:
                return []
            raise

    def _kept(self, there: Iterable[Stored], rows: Mapping[str, Row], rule: str) -> dict[str, str]:
        """Ids by key of what stands as it should, one for each."""
        if self._rules.custom_ids and self._rules.visible_after_seconds:
            # What is seen may have been overwritten since; writing it again is safe.
            return {}
        return {
            each.key: each.id
            for each in there
            if each.key in rows and (each.digest, each.rule) == (rows[each.key].digest, rule)
        }

    def _written(self, row: Row, standing: Mapping[str, Any]) -> Write:
        return self._indexed(row.key, {**row.fields, **standing})

    def _indexed(self, key: str, fields: Mapping[str, Any]) -> Write:
        if self._rules.custom_ids:
            return Write(self._lines("index", {"_id": id_of(key)}, fields), may_be_gone=False)
        return Write(self._lines("index", {}, {**fields, "written": uuid4().hex}), may_be_gone=False)

    def _changed(self, id_: str, fields: Mapping[str, Any]) -> Write:
        return Write(self._lines("update", {"_id": id_}, {"doc": fields}), may_be_gone=True)

    def _deleted(self, id_: str) -> Write:
        return Write(encoded({"delete": {"_index": self._index, "_id": id_}}) + "\n", may_be_gone=True)

    def _lines(self, action: str, id_: Mapping[str, str], body: Mapping[str, Any]) -> str:
        return f"{encoded({action: {'_index': self._index, **id_}})}\n{encoded(body)}\n"
