"""Engine that consists of the terms and similarities of its rows, and counts its requests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from opensearchpy import OpenSearch

from groundwire.adapters.codecs import segment_json
from groundwire.adapters.lexical.weighting import TermCounts, phrase_terms
from groundwire.adapters.opensearch.connection.client import Body, EngineClient
from groundwire.adapters.opensearch.connection.deadline import Deadline
from groundwire.adapters.opensearch.schema.packed_segment import packed_fields
from groundwire.adapters.opensearch.schema.rows import passage_key
from groundwire.adapters.opensearch.schema.terms import term_fields
from tests.support.documents.index_documents import segment

_NO_TEXT: Final = 0.3
_WINDOWS: Final = 3


@dataclass
class RandomEngine(EngineClient):
    """Answers as OpenSearch would, had each row these scores for each phrase; the vector of phrase n is 1 in place n.

    Attributes:
        asked: requests so far.
    """

    random: Random
    rows: int
    phrases: int
    requested: int = 0
    _deleted: set[str] = field(default_factory=set[str])
    _going: tuple[int, Sequence[str]] = (0, ())

    def __post_init__(self) -> None:
        super().__init__(OpenSearch(hosts=["http://127.0.0.1:1"]), login=None)
        self.segments = {passage_key(each): each for each in (segment("d", n, f"text {n}") for n in range(self.rows))}
        self._windows = {row: self.random.randrange(_WINDOWS) for row in self.segments}
        self._near = {
            (kind, phrase, row): self._score()
            for row in self.segments
            for phrase in range(self.phrases)
            for kind in ("passage", "window")
        }
        self._terms = {row: self._random_terms() for row in self.segments}

    def vanish_behind(self, requests: int, rows: Sequence[str]) -> None:
        """After so many more requests nothing finds these rows."""
        self._going = self.requested + requests, rows

    def multi_search(self, index: str, bodies: Sequence[Body], deadline: Deadline) -> list[Any]:
        if self._going[1] and self.requested == self._going[0]:
            self._deleted.update(self._going[1])
        self.requested += 1
        return [self._counts(body) if "aggs" in body else self._found(body) for body in bodies]

    def _score(self) -> float:
        return 0.0 if self.random.random() < _NO_TEXT else self.random.uniform(0.01, 1)

    def _random_terms(self) -> Mapping[str, Any]:
        """Fields of a row that has the term of each phrase or not."""
        terms = [term for phrase in range(self.phrases) for term in phrase_terms(str(phrase), "en")]
        had = sorted(term for term in terms if self.random.random() >= _NO_TEXT)
        return term_fields(TermCounts("en", {term: 8 * self.random.randint(1, 9) for term in had}))

    def _counts(self, body: Body) -> dict[str, Any]:
        rows = [row for row in self.segments if row not in self._deleted]
        if "terms" not in body["aggs"]:
            languages = {"buckets": [{"key": "en", "doc_count": len(rows)}] if rows else []}
            found: Any = {"languages": languages, "searched": {"languages": languages}, "earlier": {"doc_count": 0}}
            return {"aggregations": found}
        requested = body["aggs"]["terms"]["filters"]["filters"]
        buckets = {
            name: {"doc_count": sum(self._weight(row, each["rank_feature"]["field"]) > 0 for row in rows)}
            for name, each in requested.items()
        }
        return {"aggregations": {"terms": {"buckets": buckets}}}

    def _found(self, body: Body) -> dict[str, Any]:
        return {"hits": {"hits": self._hits(body)[: body["size"]]}}

    def _hits(self, body: Body) -> list[dict[str, Any]]:
        query = body["query"]
        if "knn" in query:
            near = query["knn"]["vector"]
            kind = "window" if "collapse" in body else "passage"
            return self._ranked(kind, near["vector"].index(1.0), near["filter"]["bool"]["filter"])
        filters, wanted = query["bool"]["filter"], body["docvalue_fields"]
        if "must" not in query["bool"]:
            return [self._hit(row, 0.0, wanted) for row in self._among(filters)]
        clauses = [each["rank_feature"] for each in query["bool"]["must"][0]["bool"]["should"]]
        scored = {
            row: sum(each["boost"] * self._weight(row, each["field"]) for each in clauses)
            for row in self._among(filters)
        }
        best = sorted((row for row in scored if scored[row]), key=lambda row: -scored[row])
        return [self._hit(row, scored[row], wanted) for row in best]

    def _weight(self, row: str, feature: str) -> float:
        """Return the weight of the term in the row, 0 where it does not occur."""
        return float(self._terms[row].get("weights", {}).get(feature.removeprefix("weights."), 0.0))

    def _ranked(self, kind: str, phrase: int, filters: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        scored = [(self._near[kind, phrase, row], row) for row in self._among(filters)]
        found = [(score, row) for score, row in scored if kind == "passage" or self._windows[row]]
        wanted = ("language",) if kind == "passage" else ()
        return [
            self._hit(row, 1.0 + score, wanted) for score, row in sorted(found, key=lambda each: (-each[0], each[1]))
        ]

    def _among(self, filters: Sequence[Mapping[str, Any]]) -> list[str]:
        named = [each["terms"]["row"] for each in filters if "row" in each.get("terms", {})]
        return [row for row in (named[0] if named else self.segments) if row not in self._deleted]

    def _hit(self, row: str, score: float, wanted: Sequence[str]) -> dict[str, Any]:
        fields: dict[str, list[Any]] = {
            "row": [row],
            "collection": ["handbook"],
            "windows": [self._windows[row]],
            "number": [0],
        }
        if "language" in wanted:
            fields["language"] = ["en"]
        if "packed_segment" in wanted:
            packed = packed_fields(segment_json.to_members(self.segments[row]))["packed_segment"]
            fields["packed_segment"] = [packed.rstrip("=")]
        return {"_score": score, "fields": fields}
