"""The searches that one search consists of.

Access rule, collections and filter stand inside each, so that they choose before the best are taken. Nothing is read
but what scores: of a hit its row, its collection, and how many windows it has or which one it is.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from groundwire.adapters.aws.opensearch.query.row_reader import PASSAGES, WINDOWS
from groundwire.adapters.aws.opensearch.schema.access_filter import Clause, readable_by
from groundwire.adapters.aws.opensearch.schema.mapping import TEXT_FIELD_PREFIX
from groundwire.adapters.aws.opensearch.schema.metadata_filter import filter_clause
from groundwire.domain.access.policy import Principal
from groundwire.domain.filters.expression import Filter

MAX_HITS: Final = 10_000
"""Hits of one search: more the engine refuses."""

_MIN_NEIGHBOURS: Final = 100
"""An approximate search that looks for few finds fewer of the nearest."""

_WINDOWS_A_PASSAGE: Final = 5
"""So many of the nearest windows may be of one passage, which needs but one."""

_HITS: Final[dict[str, Any]] = {"_source": False, "stored_fields": "_none_", "track_total_hits": False}
_PASSAGE_FIELDS: Final = ["row", "collection", "windows"]
_WINDOW_FIELDS: Final = ["row", "collection", "number"]
_BEST_FIRST: Final[list[Any]] = ["_score", {"row": "asc"}]
_BEST_WINDOW_FIRST: Final[list[Any]] = [*_BEST_FIRST, {"number": "asc"}]
"""Of equal ones the same are chosen every time."""

_WORD: Final = re.compile(
    r"[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]|\w+"
)
"""Or a character of a script whose words stand without spaces."""


def scope_filters(principal: Principal, collections: Sequence[str], where: Filter | None) -> list[Clause]:
    """What every row that may be found passes."""
    clauses: list[Clause] = [readable_by(principal), {"terms": {"collection": sorted(set(collections))}}]
    if where is not None:
        clauses.append(filter_clause(where))
    return clauses


def lexical_search(text: str, filters: Sequence[Clause], size: int) -> dict[str, Any]:
    """Passages by BM25, each in the one field of its language."""
    matching = {"multi_match": {"query": text, "type": "most_fields", "fields": [f"{TEXT_FIELD_PREFIX}*"]}}
    query = {"bool": {"must": [matching], "filter": [PASSAGES, *filters]}}
    return {**_HITS, "size": size, "query": query, "sort": _BEST_FIRST, "docvalue_fields": _PASSAGE_FIELDS}


def semantic_search(vector: Sequence[float], filters: Sequence[Clause], size: int) -> dict[str, Any]:
    """Passages by nearness."""
    query = _knn_query(vector, max(size, _MIN_NEIGHBOURS), [PASSAGES, *filters])
    return {**_HITS, "size": size, "query": query, "sort": _BEST_FIRST, "docvalue_fields": _PASSAGE_FIELDS}


def window_search(vector: Sequence[float], filters: Sequence[Clause], size: int, windows: int | None) -> dict[str, Any]:
    """Of each passage its nearest window; `windows`: how many there can be, None: it is not known."""
    near = max(size * _WINDOWS_A_PASSAGE, _MIN_NEIGHBOURS) if windows is None else windows
    return {
        **_HITS,
        "size": size,
        "query": _knn_query(vector, near, [WINDOWS, *filters]),
        "sort": _BEST_WINDOW_FIRST,
        "collapse": {"field": "row"},
        "docvalue_fields": _WINDOW_FIELDS,
    }


def segments_search(rows: Sequence[str]) -> dict[str, Any]:
    """The segments of these passages, each once though it may be there twice."""
    return {
        "size": len(rows),
        "query": {"bool": {"filter": [PASSAGES, rows_filter(rows)]}},
        "collapse": {"field": "row"},
        "_source": ["segment"],
        "docvalue_fields": ["row"],
        "track_total_hits": False,
    }


def rows_filter(rows: Sequence[str]) -> Clause:
    """Passages and windows of these rows."""
    return {"terms": {"row": list(rows)}}


def truncate_words(text: str, most: int) -> str:
    """A phrase as far as its first `most` different words; of scripts without spaces each character may be one."""
    # Half of a pair of surrogates is no character, and no engine takes it.
    clean = text.encode(errors="replace").decode()
    seen: set[str] = set()
    for found in _WORD.finditer(clean):
        seen.add(found[0])
        if len(seen) > most:
            return clean[: found.start()]
    return clean


def _knn_query(vector: Sequence[float], number: int, filters: list[Clause]) -> dict[str, Any]:
    return {
        "knn": {
            "vector": {
                "vector": vector,
                "k": min(number, MAX_HITS),
                "filter": {"bool": {"filter": filters}},
            }
        }
    }
