"""Search: phrases in, ranked passages out, and only those that the principal may read at this moment."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from groundwire.domain.access import Principal, decide
from groundwire.domain.caller import Caller
from groundwire.domain.documents import Document, DocumentState, Segment
from groundwire.domain.fusion import Ranked, fuse
from groundwire.domain.limits import CANDIDATES_PER_SIGNAL, MAX_REGISTRY_READS
from groundwire.ports import Collections, Documents, Embedder, Index, Indexes, Phrase


@dataclass(frozen=True, slots=True)
class Passage:
    """A segment that answers, with its document's record and its fused score, 0 to 1."""

    segment: Segment
    document: Document
    score: float


SearchCall = Callable[[Caller, Sequence[str], int], list[Passage]]
"""The shape of `Search.__call__`, for those who need not know when it is made."""


class Search:
    """Hybrid search over the collections that a key may reach."""

    def __init__(self, indexes: Indexes, embedder: Embedder, documents: Documents, collections: Collections) -> None:
        self._indexes = indexes
        self._embedder = embedder
        self._documents = documents
        self._collections = collections

    def __call__(self, caller: Caller, phrases: Sequence[str], top_n: int) -> list[Passage]:
        """At most `top_n` passages, best first, each text once.

        Args:
            caller: whose rights and collections count.
            phrases: at least one; the user's own words first.
            top_n: 1 to `limits.MAX_TOP_N`.
        """
        principal = caller.principal
        reachable = [each for each in self._collections.all(principal.tenant) if caller.reaches(each.name)]
        if not reachable:
            return []
        vectors = self._embedder.embed(phrases, "query")
        index = self._indexes.of(principal.tenant)
        scores = index.search(
            principal,
            [collection.name for collection in reachable],
            [Phrase(text, vector) for text, vector in zip(phrases, vectors, strict=True)],
            CANDIDATES_PER_SIGNAL,
        )
        weights = {collection.name: collection.bm25_weight for collection in reachable}
        best = fuse(scores, weights, min(3 * top_n, MAX_REGISTRY_READS))
        return _first_of_each_text(self._readable_now(principal, index, best))[:top_n]

    def _readable_now(self, principal: Principal, index: Index, ranked: Sequence[Ranked]) -> list[Passage]:
        """Those of the ranked rows that the registry, asked now, still lets the principal read."""
        segments = index.read([row.key for row in ranked])
        records = self._documents.read(principal.tenant, sorted({s.doc_id for s in segments.values()}))
        found = ((segments[row.key], row.score) for row in ranked if row.key in segments)
        return [
            Passage(segment, document, score)
            for segment, score in found
            if (document := records.get(segment.doc_id)) is not None and _may_answer(principal, segment, document)
        ]


def _may_answer(principal: Principal, segment: Segment, document: Document) -> bool:
    return (
        document.state is DocumentState.INDEXED
        and document.version == segment.version
        and bool(decide(principal, document.policy))
    )


def _first_of_each_text(passages: Iterable[Passage]) -> list[Passage]:
    seen: dict[str, Passage] = {}
    for passage in passages:
        seen.setdefault(passage.segment.text, passage)
    return list(seen.values())
