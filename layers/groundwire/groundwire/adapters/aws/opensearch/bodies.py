"""The searches that one search consists of.

Access rule, collections and filter stand inside each, so that they choose before the best are taken. Nothing is read
but what scores: of a hit its row, its collection, and how many windows it has or which one it is.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from groundwire.adapters.aws.opensearch.access_filter import Clause, readable_by
from groundwire.adapters.aws.opensearch.mapping import TEXT
from groundwire.adapters.aws.opensearch.metadata_filter import admitted_by
from groundwire.adapters.aws.opensearch.reading import PASSAGES, WINDOWS
from groundwire.domain.access import Principal
from groundwire.domain.filters import Filter

MAX_ASKED: Final = 10_000
"""Hits of one search: more the engine refuses."""

_LEAST_NEAR: Final = 100
"""An approximate search that looks for few finds fewer of the nearest."""

_WINDOWS_A_PASSAGE: Final = 5
"""So many of the nearest windows may be of one passage, which needs but one."""

_HITS: Final[dict[str, Any]] = {"_source": False, "stored_fields": "_none_", "track_total_hits": False}
_PASSAGE_FIELDS: Final = ["row", "collection", "windows"]
_WINDOW_FIELDS: Final = ["row", "collection", "number"]
_BEST: Final[list[Any]] = ["_score", {"row": "asc"}]
_BEST_WINDOW: Final[list[Any]] = [*_BEST, {"number": "asc"}]
"""Of equal ones the same are chosen every time."""

_WORD: Final = re.compile(
    r"[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]|\w+"
)
"""Or a character of a script whose words stand without spaces."""


def scope(principal: Principal, collections: Sequence[str], where: Filter | None) -> list[Clause]:
    """What every row that may be found passes."""
    clauses: list[Clause] = [readable_by(principal), {"terms": {"collection": sorted(set(collections))}}]
    if where is not None:
        clauses.append(admitted_by(where))
    return clauses


def by_words(text: str, filters: Sequence[Clause], size: int) -> dict[str, Any]:
    """Passages by BM25, each in the one field of its language."""
    matching = {"multi_match": {"query": text, "type": "most_fields", "fields": [f"{TEXT}*"]}}
    query = {"bool": {"must": [matching], "filter": [PASSAGES, *filters]}}
    return {**_HITS, "size": size, "query": query, "sort": _BEST, "docvalue_fields": _PASSAGE_FIELDS}


def by_meaning(vector: Sequence[float], filters: Sequence[Clause], size: int) -> dict[str, Any]:
    """Passages by nearness."""
    query = _near(vector, max(size, _LEAST_NEAR), [PASSAGES, *filters])
    return {**_HITS, "size": size, "query": query, "sort": _BEST, "docvalue_fields": _PASSAGE_FIELDS}


def by_windows(vector: Sequence[float], filters: Sequence[Clause], size: int, windows: int | None) -> dict[str, Any]:
    """Of each passage its nearest window; `windows`: how many there can be, None: it is not known."""
    near = max(size * _WINDOWS_A_PASSAGE, _LEAST_NEAR) if windows is None else windows
    return {
        **_HITS,
        "size": size,
        "query": _near(vector, near, [WINDOWS, *filters]),
        "sort": _BEST_WINDOW,
        "collapse": {"field": "row"},
        "docvalue_fields": _WINDOW_FIELDS,
    }


def sources(rows: Sequence[str]) -> dict[str, Any]:
    """The segments of these passages, each once though it may be there twice."""
    return {
        "size": len(rows),
        "query": {"bool": {"filter": [PASSAGES, among(rows)]}},
        "collapse": {"field": "row"},
        "_source": ["segment"],
        "docvalue_fields": ["row"],
        "track_total_hits": False,
    }


def among(rows: Sequence[str]) -> Clause:
    """Passages and windows of these rows."""
    return {"terms": {"row": list(rows)}}


def first_words(text: str, most: int) -> str:
    """A phrase as far as its first `most` different words; of scripts without spaces each character may be one."""
    # Half of a pair of surrogates is no character, and no engine takes it.
    clean = text.encode(errors="replace").decode()
    seen: set[str] = set()
    for found in _WORD.finditer(clean):
        seen.add(found[0])
        if len(seen) > most:
            return clean[: found.start()]
    return clean


def _near(vector: Sequence[float], number: int, filters: list[Clause]) -> dict[str, Any]:
    return {
        "knn": {
            "vector": {
                "vector": vector,
                "k": min(number, MAX_ASKED),
                "filter": {"bool": {"filter": filters}},
            }
        }
    }
