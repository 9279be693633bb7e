"""An engine that is nothing but the scores of its rows, and counts what it is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from opensearchpy import OpenSearch

from groundwire.adapters.aws.opensearch.connection.client import Body, EngineClient
from groundwire.adapters.aws.opensearch.connection.deadline import Deadline
from groundwire.adapters.aws.opensearch.schema.rows import passage_key
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
    asked: int = 0
    _gone: set[str] = field(default_factory=set[str])
    _going: tuple[int, Sequence[str]] = (0, ())

    def __post_init__(self) -> None:
        super().__init__(OpenSearch(hosts=["http://127.0.0.1:1"]), login=None)
        self.segments = {passage_key(each): each for each in (segment("d", n, f"text {n}") for n in range(self.rows))}
        self._windows = {row: self.random.randrange(_WINDOWS) for row in self.segments}
        self._scores = {
            (kind, phrase, row): self._score()
            for row in self.segments
            for phrase in range(self.phrases)
            for kind in ("words", "passage", "window")
        }

    def vanish_behind(self, requests: int, rows: Sequence[str]) -> None:
        """After so many more requests nothing finds these rows."""
        self._going = self.asked + requests, rows

    def multi_search(self, index: str, bodies: Sequence[Body], deadline: Deadline) -> list[Any]:
        if self._going[1] and self.asked == self._going[0]:
            self._gone.update(self._going[1])
        self.asked += 1
        return [{"hits": {"hits": self._hits(body)[: body["size"]]}} for body in bodies]

    def _score(self) -> float:
        return 0.0 if self.random.random() < _NO_TEXT else self.random.uniform(0.01, 2)

    def _hits(self, body: Body) -> list[dict[str, Any]]:
        query = body["query"]
        if "knn" in query:
            near = query["knn"]["vector"]
            kind = "window" if "collapse" in body else "passage"
            return self._ranked(kind, near["vector"].index(1.0), near["filter"]["bool"]["filter"])
        filters = query["bool"]["filter"]
        if "must" in query["bool"]:
            return self._ranked("words", int(query["bool"]["must"][0]["multi_match"]["query"]), filters)
        return [self._hit(row, 0.0, "segment") for row in self._among(filters)]

    def _ranked(self, kind: str, phrase: int, filters: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        scored = [(self._scores[kind, phrase, row], row) for row in self._among(filters)]
        found = [(score, row) for score, row in scored if self._is_found(kind, row, score)]
        return [self._hit(row, score, kind) for score, row in sorted(found, key=lambda each: (-each[0], each[1]))]

    def _is_found(self, kind: str, row: str, score: float) -> bool:
        return self._windows[row] > 0 if kind == "window" else kind == "passage" or score > 0

    def _among(self, filters: Sequence[Mapping[str, Any]]) -> list[str]:
        named = [each["terms"]["row"] for each in filters if "row" in each.get("terms", {})]
        return [row for row in (named[0] if named else self.segments) if row not in self._gone]

    def _hit(self, row: str, score: float, kind: str) -> dict[str, Any]:
        fields = {"row": [row], "collection": ["handbook"], "windows": [self._windows[row]], "number": [0]}
        # The engine's scores of nearness are never 0.
        source = {"segment": _stored(self.segments[row])} if kind == "segment" else {}
        return {"_score": score or (0.0 if kind == "words" else 0.5), "fields": fields, "_source": source}


def _stored(of: Any) -> dict[str, Any]:
    return {**{name: getattr(of, name) for name in of.__slots__}, "sketch": ""}
