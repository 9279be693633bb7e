"""Rankings of documents from one search: a document stands where its best passage does."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.domain.search.fusion import PhraseScores, fuse
from groundwire.services.search import Trace

RRF_K: Final = 60
"""As in Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet", 2009, and in most engines."""


@dataclass(frozen=True, slots=True)
class RankingCandidates:
    """What the index gave for one question.

    Attributes:
        documents: by row key; rows that the registry did not admit are absent.
        collections: that were searched.
    """

    scores: PhraseScores
    documents: Mapping[int | str, str]
    collections: Sequence[str]

    def with_served_scores(self, trace: Trace) -> "RankingCandidates":
        """Those of a search that looked less deep, and so found some of the same."""
        return RankingCandidates(_single_phrase_scores(trace), self.documents, self.collections)

    def rank_by_weight(self, bm25_weight: float) -> list[str]:
        """Ranked by this weight."""
        weights = dict.fromkeys(self.collections, bm25_weight)
        return self._documents(row.key for row in fuse([self.scores], weights, len(self.scores.keys)))

    def rank_lexically(self) -> list[str]:
        """Those in which a word of the question stands, by BM25 alone."""
        return self._documents(self._keys(self.scores.bm25, above=0.0))

    def rank_semantically(self) -> list[str]:
        """By the vector signal alone."""
        return self._documents(self._keys(self.scores.vector, above=-2.0))

    def rank_by_rrf(self, depth: int) -> list[str]:
        """By reciprocal rank fusion of the two lists of passages, each `depth` long."""
        fused: dict[int | str, float] = {}
        for keys in (self._keys(self.scores.bm25, above=0.0), self._keys(self.scores.vector, above=-2.0)):
            for rank, key in enumerate(keys[:depth], start=1):
                fused[key] = fused.get(key, 0.0) + 1.0 / (RRF_K + rank)
        return self._documents(sorted(fused, key=lambda key: -fused[key]))

    def _keys(self, scores: Sequence[float], *, above: float) -> list[int | str]:
        """Best first; of equal ones the index's first."""
        found = [(-score, at) for at, score in enumerate(scores) if score > above]
        return [self.scores.keys[at] for _, at in sorted(found)]

    def _documents(self, keys: Iterable[int | str]) -> list[str]:
        return list(dict.fromkeys(self.documents[key] for key in keys if key in self.documents))


def candidates_of(trace: Trace) -> RankingCandidates:
    """The candidates of a search for one phrase that looked all of them up."""
    admitted = {(passage.segment.uid, passage.segment.version) for passage in trace.admitted}
    documents = {
        key: segment.doc_id for key, segment in trace.segments.items() if (segment.uid, segment.version) in admitted
    }
    return RankingCandidates(_single_phrase_scores(trace), documents, list(trace.weights))


def ranked_documents(trace: Trace) -> list[str]:
    """The documents in the order of the search, before its cut; those that a passage also stands for follow its own."""
    named = (each.document.doc_id for passage in trace.ordered for each in (passage, *passage.also_in))
    return list(dict.fromkeys(named))


def _single_phrase_scores(trace: Trace) -> PhraseScores:
    """Of the one phrase; nothing where no collection could be searched."""
    [scores] = trace.scores or [PhraseScores((), (), (), ())]
    return scores
