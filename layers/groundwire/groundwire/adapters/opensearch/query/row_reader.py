"""Stored rows of documents, read page by page."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundwire.adapters.opensearch.connection.client import EngineClient
from groundwire.adapters.opensearch.connection.deadline import SEARCH_SECONDS, Deadline
from groundwire.adapters.opensearch.schema.access_filter import Clause
from groundwire.adapters.opensearch.schema.metadata_terms import (
    FIELD_TYPE_TERMS,
    METADATA_FIELD,
    to_field_type,
    to_value,
    value_terms,
)
from groundwire.adapters.opensearch.schema.packed_segment import StoredSegment, stored_segment, to_segment
from groundwire.adapters.opensearch.schema.rows import NO_WINDOW, PASSAGE, WINDOW, row_key
from groundwire.adapters.opensearch.schema.vectors import stored_vector
from groundwire.domain.documents.indexed_fields import is_own_field
from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.field_types import FieldType
from groundwire.domain.passages.value_counts import ValueCounts
from groundwire.ports import DocumentVersion, ModelId, RowListing, SegmentVectors, Span

_NAMES_AT_ONCE: Final = 2_000
_SEGMENTS_AT_ONCE: Final = 500
_VECTORS_AT_ONCE: Final = 200
_BY_KEY: Final = ({"row": "asc"}, {"number": "asc"}, {"written": "asc"})
_BY_DOCUMENT: Final = ({"doc_id": "asc"}, {"version": "asc"}, {"ordinal": "asc"}, {"uid": "asc"})
_BY_ORDINAL: Final = ({"ordinal": "asc"}, *_BY_KEY)
"""Sort keys that are unique and never change, so that pages neither skip nor repeat a document."""
_EXACT_VALUES: Final = 10_000
"""Number of a shard's most frequent values of which a count takes account."""
_SEGMENT: Final[Mapping[str, Any]] = {
    "_source": False,
    "stored_fields": "_none_",
    "docvalue_fields": ["row", "packed_segment"],
}
_SEGMENT_FROM_SOURCE: Final[Mapping[str, Any]] = {"_source": ["segment"], "docvalue_fields": ["row"]}
_STORED_FIELDS: Final = ("row", "number", "digest", "rule")

PASSAGES: Final[Clause] = {"term": {"kind": PASSAGE}}
WINDOWS: Final[Clause] = {"term": {"kind": WINDOW}}


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A stored document of the engine.

    Attributes:
        id: the engine's id.
        key: key of `schema.rows`; where the service assigns the ids, several documents may have one key.
    """

    id: str
    key: str
    is_passage: bool
    content_digest: str
    policy_digest: str


class RowReader:
    """Reads the visible rows of one index."""

    def __init__(self, engine: EngineClient, index: str) -> None:
        self._engine = engine
        self._index = index

    def stored_rows(self, *filters: Clause) -> list[StoredRow]:
        """Return the stored rows that pass, windows included."""
        body = {"_source": False, "docvalue_fields": list(_STORED_FIELDS)}
        return [_stored(hit) for hit in self._hits(filters, _BY_KEY, _NAMES_AT_ONCE, body)]

    def full_rows(self, *filters: Clause) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield id and fields of every stored row that passes, vectors included."""
        for hit in self._hits(filters, _BY_KEY, _VECTORS_AT_ONCE, {"_source": True}):
            yield hit["_id"], hit["_source"]

    def segments(self, *filters: Clause) -> list[Segment]:
        """Return the segments that pass, by ordinal."""
        return self._unique_segments(self._hits((*filters, PASSAGES), _BY_ORDINAL, _SEGMENTS_AT_ONCE, _SEGMENT))

    def segments_for_each(self, several: Sequence[Sequence[Clause]]) -> list[list[Segment]]:
        """Return the segments that pass each of these filters, by one request unless very many pass one of them."""
        if not several:
            return []
        bodies = [_page_body((*filters, PASSAGES), _BY_ORDINAL, _SEGMENTS_AT_ONCE, _SEGMENT) for filters in several]
        answers = self._engine.multi_search(self._index, bodies, Deadline(SEARCH_SECONDS))
        pages = [answer["hits"]["hits"] for answer in answers]
        return [
            self._unique_segments(hits) if len(hits) < _SEGMENTS_AT_ONCE else self.segments(*filters)
            for hits, filters in zip(pages, several, strict=True)
        ]

    def documents_for_each(self, several: Sequence[Sequence[Clause]], most: int) -> list[list[str]]:
        """Return the ids of the first documents, at most `most`, with a passage that passes each of these filters.

        It takes one request.
        """
        if not several:
            return []
        names = {"_source": False, "collapse": {"field": "doc_id"}, "docvalue_fields": ["doc_id"]}
        bodies = [_page_body((*filters, PASSAGES), ({"doc_id": "asc"},), most, names) for filters in several]
        answers = self._engine.multi_search(self._index, bodies, Deadline(SEARCH_SECONDS))
        return [[hit["fields"]["doc_id"][0] for hit in answer["hits"]["hits"]] for answer in answers]

    def fields(self, filters: Sequence[Clause], most: int) -> dict[str, dict[FieldType, list[str]]]:
        """Return the metadata fields and their types of passages that pass, each with ids of at most `most` documents.

        It takes one request.
        """
        documents = {"documents": {"terms": {"field": "doc_id", "size": most, "order": {"_key": "asc"}}}}
        counted = self._count_terms(filters, {"field": METADATA_FIELD, **FIELD_TYPE_TERMS}, documents)
        found: dict[str, dict[FieldType, list[str]]] = {}
        for bucket in counted["buckets"]:
            name, field_type = to_field_type(bucket["key"])
            if not is_own_field(name):
                found.setdefault(name, {})[field_type] = [each["key"] for each in bucket["documents"]["buckets"]]
        return found

    def first_segments(self, filters: Sequence[Clause], most: int) -> RowListing:
        """Return the first segments that pass, at most `most`, and the number of all, by one request."""
        counted = {**_SEGMENT, "track_total_hits": True, "collapse": {"field": "row"}}
        answer = self._search(_page_body((*filters, PASSAGES), _BY_DOCUMENT, most, counted))
        segments = self._unique_segments(answer["hits"]["hits"])
        # The total counts each copy of a row, as the engine does not collapse it.
        return RowListing(segments, len(segments) if len(segments) < most else answer["hits"]["total"]["value"])

    def count_by_collection(self, filters: Sequence[Clause], most: int) -> dict[str, int]:
        """Return the number of passages that pass, by collection; at most `most` collections."""
        counted = self._count_terms(filters, {"field": "collection", "size": most})
        return {bucket["key"]: bucket["doc_count"] for bucket in counted["buckets"]}

    def count_values(self, filters: Sequence[Clause], field: str, most: int) -> ValueCounts:
        """Return the most frequent values of a field of passages that pass.

        The engine counts exactly up to `_EXACT_VALUES` different values of a shard.
        """
        chosen = {"field": METADATA_FIELD, **value_terms(field), "size": most, "shard_size": max(most, _EXACT_VALUES)}
        counted = self._count_terms(filters, chosen)
        counts = tuple((to_value(field, bucket["key"]), int(bucket["doc_count"])) for bucket in counted["buckets"])
        return ValueCounts(counts, counted["sum_other_doc_count"])

    def vectors(self, doc_id: str, model: ModelId) -> Mapping[str, SegmentVectors]:
        """Return the vectors of each segment's newest version, by uid."""
        passages: dict[str, tuple[int, bytes]] = {}
        windows: dict[tuple[str, int], dict[int, bytes]] = {}
        for _, fields in self.full_rows({"term": {"doc_id": doc_id}}):
            uid, version, vector = fields["uid"], fields["version"], stored_vector(fields, model)
            if fields["kind"] == WINDOW:
                windows.setdefault((uid, version), {})[fields["number"]] = vector
            elif uid not in passages or passages[uid][0] < version:
                passages[uid] = version, vector
        return {
            uid: SegmentVectors(vector, tuple(each for _, each in sorted(windows.get((uid, version), {}).items())))
            for uid, (version, vector) in passages.items()
        }

    def versions(self) -> dict[DocumentVersion, int]:
        """Return the number of passages of each version of each document; one that is stored twice counts once."""
        names = ["row", "doc_id", "version"]
        found: Counter[DocumentVersion] = Counter()
        before = None
        for hit in self._hits((PASSAGES,), _BY_KEY, _NAMES_AT_ONCE, {"_source": False, "docvalue_fields": names}):
            row, doc_id, version = (hit["fields"][name][0] for name in names)
            # The rows are sorted by key, so copies of one row follow each other.
            if row != before:
                found[DocumentVersion(doc_id, version)] += 1
            before = row
        return dict(found)

    def count(self, *filters: Clause) -> int:
        """Return the number of passages that pass."""
        query = {"query": {"bool": {"filter": [*filters, PASSAGES]}}}
        answer = self._engine.request("POST", f"/{self._index}/_count", query, Deadline(SEARCH_SECONDS))
        return int(answer["count"])

    def _search(self, body: Mapping[str, Any]) -> Any:
        """Return the answer to one search."""
        [answer] = self._engine.multi_search(self._index, [body], Deadline(SEARCH_SECONDS))
        return answer

    def _count_terms(
        self, filters: Sequence[Clause], terms: Mapping[str, Any], within: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the numbers of passages that pass, by term, with the aggregations of `within` for each term."""
        counted = {"terms": terms, **({} if within is None else {"aggs": within})}
        query = {"bool": {"filter": [*filters, PASSAGES]}}
        body = {"size": 0, "track_total_hits": False, "query": query, "aggs": {"counted": counted}}
        return self._search(body)["aggregations"]["counted"]

    def _unique_segments(self, hits: Iterable[Mapping[str, Any]]) -> list[Segment]:
        """Return the segments of the hits, without repetitions."""
        found = {row_of(hit): stored_segment(hit) for hit in hits}
        sources = self._sources([row for row, stored in found.items() if stored is None])
        stored = {row: each if each is not None else sources.get(row) for row, each in found.items()}
        return [to_segment(each) for each in stored.values() if each is not None]

    def _sources(self, rows: Sequence[str]) -> dict[str, StoredSegment]:
        """Read the segments of rows without a packed one."""
        found: dict[str, StoredSegment] = {}
        for start in range(0, len(rows), _SEGMENTS_AT_ONCE):
            some = {"terms": {"row": list(rows[start : start + _SEGMENTS_AT_ONCE])}}
            hits = self._hits((some, PASSAGES), _BY_KEY, _SEGMENTS_AT_ONCE, _SEGMENT_FROM_SOURCE)
            found |= {row_of(hit): stored for hit in hits if (stored := stored_segment(hit)) is not None}
        return found

    def _hits(
        self, filters: Sequence[Clause], order: Sequence[Mapping[str, str]], at_once: int, body: Mapping[str, Any]
    ) -> Iterator[dict[str, Any]]:
        request = _page_body(filters, order, at_once, body)
        while True:
            hits = self._search(request)["hits"]["hits"]
            yield from hits
            if len(hits) < at_once:
                return
            # By an offset the engine goes no further than 10,000 hits.
            request["search_after"] = hits[-1]["sort"]


def document_filters(document: DocumentVersion) -> tuple[Clause, Clause]:
    """Return the filters for rows of this version."""
    return {"term": {"doc_id": document.doc_id}}, {"term": {"version": document.version}}


def span_filters(span: Span) -> tuple[Clause, ...]:
    """Return the filters for rows of these segments."""
    return *document_filters(span.document), {"range": {"ordinal": {"gte": span.first, "lte": span.last}}}


def _page_body(
    filters: Sequence[Clause], order: Sequence[Mapping[str, str]], at_once: int, body: Mapping[str, Any]
) -> dict[str, Any]:
    query = {"bool": {"filter": list(filters)}}
    return {"size": at_once, "query": query, "sort": list(order), "track_total_hits": False, **body}


def row_of(hit: Mapping[str, Any]) -> str:
    """Return the key of the row that a hit is of."""
    return hit["fields"]["row"][0]


def _stored(hit: Mapping[str, Any]) -> StoredRow:
    row, number, digest, rule = (hit["fields"][name][0] for name in _STORED_FIELDS)
    return StoredRow(hit["_id"], row_key(row, number), number == NO_WINDOW, digest, rule)
