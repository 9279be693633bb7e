"""Bodies of the engine searches that make up one search, but those that count (`statistics`).

Each contains the access rule, the collections, the documents and the filter, so that they apply before the best are
chosen. Of a hit only its row, its collection, and its number of windows or its window number are read.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from groundwire.adapters.lexical.analyzer import tokenize
from groundwire.adapters.opensearch.query.row_reader import PASSAGES, WINDOWS
from groundwire.adapters.opensearch.query.statistics import EARLIER_ROWS
from groundwire.adapters.opensearch.schema.access_filter import Clause, readable_by
from groundwire.adapters.opensearch.schema.mapping import TEXT_FIELD_PREFIX
from groundwire.adapters.opensearch.schema.terms import weighted_term
from groundwire.adapters.opensearch.schema.vectors import FieldVector
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.search.request import ALL_DOCUMENTS
from groundwire.ports import IndexQuery, RowSelection

MAX_HITS: Final = 10_000
"""Maximum number of hits of one search that the engine allows."""

_MIN_NEIGHBOURS: Final = 100
"""Minimum `k` of an approximate search: with a smaller one it misses more of the nearest."""

_WINDOWS_A_PASSAGE: Final = 5
"""Number of the nearest windows that may belong to one passage, of which only the best is used."""

_HITS: Final[dict[str, Any]] = {"_source": False, "stored_fields": "_none_", "track_total_hits": False}
_PASSAGE_FIELDS: Final = ["row", "collection", "windows", "language"]
_WINDOW_FIELDS: Final = ["row", "collection", "number"]
_BEST_FIRST: Final[list[Any]] = ["_score", {"row": "asc"}]
_BEST_WINDOW_FIRST: Final[list[Any]] = [*_BEST_FIRST, {"number": "asc"}]
"""Sort order in which equal scores are ordered the same every time."""

_MAX_TERMS: Final = 900
_MAX_CLAUSES: Final = 1_000
"""Terms in one search, and clauses with those of its filters: an engine takes 1,024 clauses in all."""

_EARLIER_WORDS: Final = 24
"""Words of a phrase that are searched in rows of an earlier release, each in the fields of up to 34 languages."""

_WORD: Final = re.compile(
    r"[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]|\w+"
)
"""A word, or a character of a script without spaces between words."""


def scope_filters(query: IndexQuery | RowSelection) -> list[Clause]:
    """Return the filters that every found row passes: access rule, collections, documents, metadata."""
    clauses: list[Clause] = [readable_by(query.principal), {"terms": {"collection": sorted(set(query.collections))}}]
    if query.documents != ALL_DOCUMENTS:
        clauses.append({"terms": {"doc_id": sorted(query.documents)}})
    if query.where is not None:
        # Not before: a cold start without a filter does without the compiler.
        from groundwire.adapters.opensearch.schema.metadata_filter import filter_clause

        clauses.append(filter_clause(query.where))
    return clauses


def documents_excluded(doc_ids: Collection[str]) -> list[Clause]:
    """Return the filters for rows of other documents; none where no document is excluded."""
    return [{"bool": {"must_not": [{"terms": {"doc_id": sorted(doc_ids)}}]}}] if doc_ids else []


def rights_filters(query: IndexQuery) -> list[Clause]:
    """Return the filters for rows that the caller may read, whatever the search narrows: policy and key."""
    clauses: list[Clause] = [readable_by(query.principal)]
    if query.granted != ALL_COLLECTIONS:
        clauses.append({"terms": {"collection": sorted(query.granted)}})
    return clauses


def lexical_search(terms: Sequence[tuple[int, float]], filters: Sequence[Clause], size: int) -> dict[str, Any]:
    """Return the search for the passages with the highest sum of weighted terms.

    Args:
        terms: ids, each with the factor of its weight in a passage.
        filters: filters that a passage passes; their clauses leave room for fewer terms, of which the rarest stay.
        size: number of passages.
    """
    most = min(_MAX_TERMS, _MAX_CLAUSES - sum(map(_count_leaves, filters)))
    rarest = sorted(terms, key=lambda each: -each[1])[:most]
    clauses = [weighted_term(term, factor) for term, factor in rarest]
    matching = {"bool": {"should": clauses, "minimum_should_match": 1}}
    return _passage_search({"bool": {"must": [matching], "filter": [PASSAGES, *filters]}}, size)


def _count_leaves(clause: Clause) -> int:
    """Return the number of leaf clauses."""
    parts: Mapping[str, Any] = clause.get("bool", {})
    listed = [part for kind in ("filter", "should", "must", "must_not") for part in parts.get(kind, ())]
    return sum(map(_count_leaves, listed)) if parts else 1


def earlier_rows_search(text: str, filters: Sequence[Clause], size: int) -> dict[str, Any]:
    """Return the search for passages of an earlier release, by how many words of the phrase they have.

    Such rows have a text field per language instead of terms. The engine's own score of a text counts closed rows, so
    each word scores 1.
    """
    words = list(islice(dict.fromkeys(tokenize(text)), _EARLIER_WORDS))
    fields = [f"{TEXT_FIELD_PREFIX}*"]
    clauses = [{"constant_score": {"filter": {"multi_match": {"query": word, "fields": fields}}}} for word in words]
    matching = {"bool": {"should": clauses, "minimum_should_match": 1}}
    return _passage_search({"bool": {"must": [matching], "filter": [PASSAGES, EARLIER_ROWS, *filters]}}, size)


def semantic_search(vector: FieldVector, filters: Sequence[Clause], size: int) -> dict[str, Any]:
    """Return the search for the nearest passages."""
    query = _knn_query(vector, max(size, _MIN_NEIGHBOURS), [PASSAGES, *filters])
    return {**_HITS, "size": size, "query": query, "sort": _BEST_FIRST, "docvalue_fields": _PASSAGE_FIELDS}


def window_search(vector: FieldVector, filters: Sequence[Clause], size: int, windows: int | None) -> dict[str, Any]:
    """Return the search for the nearest window of each passage.

    Args:
        vector: vector of the phrase.
        filters: filters that a window passes.
        size: number of passages.
        windows: number of windows that pass the filters; None: unknown.
    """
    # A search for all windows that pass is exact.
    near = max(size * _WINDOWS_A_PASSAGE, _MIN_NEIGHBOURS) if windows is None else windows
    return {
        **_HITS,
        "size": size,
        "query": _knn_query(vector, near, [WINDOWS, *filters]),
        "sort": _BEST_WINDOW_FIRST,
        "collapse": {"field": "row"},
        "docvalue_fields": _WINDOW_FIELDS,
    }


def with_segments(body: dict[str, Any]) -> dict[str, Any]:
    """Return a search for passages that also reads their packed segments."""
    return {**body, "docvalue_fields": [*body["docvalue_fields"], "packed_segment"]}


def segments_search(rows: Sequence[str], *, from_source: bool) -> dict[str, Any]:
    """Return the search for the segments of these passages, each once, even where it is stored twice.

    Args:
        rows: the passages.
        from_source: read them from the source, which each row has; else the packed ones, much faster.
    """
    body = {
        "size": len(rows),
        "query": {"bool": {"filter": [PASSAGES, rows_filter(rows)]}},
        "collapse": {"field": "row"},
        "track_total_hits": False,
    }
    if from_source:
        return {**body, "_source": ["segment"], "docvalue_fields": ["row"]}
    return with_segments({**body, **_HITS, "docvalue_fields": ["row"]})


def rows_filter(rows: Sequence[str]) -> Clause:
    """Return the filter for passages and windows of these rows."""
    return {"terms": {"row": list(rows)}}


def truncate_words(text: str, most: int) -> str:
    """Return a phrase up to its first `most` different words; in scripts without spaces each character may be one."""
    # Half of a pair of surrogates is no character, and no engine takes it.
    clean = text.encode(errors="replace").decode()
    seen: set[str] = set()
    for found in _WORD.finditer(clean):
        seen.add(found[0])
        if len(seen) > most:
            return clean[: found.start()]
    return clean


def _passage_search(query: Clause, size: int) -> dict[str, Any]:
    return {**_HITS, "size": size, "query": query, "sort": _BEST_FIRST, "docvalue_fields": _PASSAGE_FIELDS}


def _knn_query(vector: FieldVector, number: int, filters: list[Clause]) -> dict[str, Any]:
    return {
        "knn": {
            vector.field: {
                "vector": vector.numbers,
                # The engine refuses a larger `k`.
                "k": min(number, MAX_HITS),
                "filter": {"bool": {"filter": filters}},
            }
        }
    }
