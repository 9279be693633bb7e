"""Document rankings from the passage scores of one search: a document has the rank of its best passage."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.domain.search.fusion import PhraseScores, fuse
from groundwire.domain.search.model_languages import ALL_LANGUAGES, ModelLanguages
from groundwire.services.search import Trace

RRF_K: Final = 60
"""Constant of Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet", 2009, and of most engines.
"""


@dataclass(frozen=True, slots=True)
class RankingCandidates:
    """Scored candidates of one question.

    Attributes:
        scores: BM25 and vector scores by row of the index.
        documents: document ids by row key, without rows that the registry did not admit.
        collections: the searched collections.
        languages: languages of the embedding model, which fusion takes into account.
    """

    scores: PhraseScores
    documents: Mapping[int | str, str]
    collections: Sequence[str]
    languages: ModelLanguages = ALL_LANGUAGES

    def with_served_scores(self, trace: Trace) -> "RankingCandidates":
        """Return these documents with the scores of a served search, which has fewer candidates."""
        return RankingCandidates(_single_phrase_scores(trace), self.documents, self.collections, self.languages)

    def rank_by_weight(self, bm25_weight: float) -> list[str]:
        """Rank by fusion with this BM25 weight of each collection."""
        weights = dict.fromkeys(self.collections, bm25_weight)
        fused = fuse([self.scores], weights, len(self.scores.keys), self.languages)
        return self._documents(row.key for row in fused)

    def rank_lexically(self) -> list[str]:
        """Rank by BM25 alone; only documents that contain a word of the question."""
        return self._documents(self._keys(self.scores.bm25, above=0.0))

    def rank_semantically(self) -> list[str]:
        """Rank by the vector signal alone."""
        # A cosine is -1 at least, so no candidate is left out.
        return self._documents(self._keys(self.scores.vector, above=-2.0))

    def rank_by_rrf(self, depth: int) -> list[str]:
        """Rank by reciprocal rank fusion of the two lists of passages, each `depth` long."""
        fused: dict[int | str, float] = {}
        for keys in (self._keys(self.scores.bm25, above=0.0), self._keys(self.scores.vector, above=-2.0)):
            for rank, key in enumerate(keys[:depth], start=1):
                fused[key] = fused.get(key, 0.0) + 1.0 / (RRF_K + rank)
        return self._documents(sorted(fused, key=lambda key: -fused[key]))

    def _keys(self, scores: Sequence[float], *, above: float) -> list[int | str]:
        """Return the row keys with scores above `above`, best first; ties keep the order of the index."""
        ordered = [(-score, position) for position, score in enumerate(scores) if score > above]
        return [self.scores.keys[position] for _, position in sorted(ordered)]

    def _documents(self, keys: Iterable[int | str]) -> list[str]:
        return list(dict.fromkeys(self.documents[key] for key in keys if key in self.documents))


def candidates_of(trace: Trace) -> RankingCandidates:
    """Return the candidates of a search for one phrase that looked up the documents of all candidates."""
    admitted = {(passage.segment.uid, passage.segment.version) for passage in trace.admitted}
    documents = {
        key: segment.doc_id for key, segment in trace.segments.items() if (segment.uid, segment.version) in admitted
    }
    return RankingCandidates(_single_phrase_scores(trace), documents, list(trace.weights), trace.languages)


def ranked_documents(trace: Trace) -> list[str]:
    """Return the documents in the order of the search, before truncation.

    The documents of near-duplicate passages follow that of their passage.
    """
    named = (each.document.doc_id for passage in trace.ordered for each in (passage, *passage.also_in))
    return list(dict.fromkeys(named))


def _single_phrase_scores(trace: Trace) -> PhraseScores:
    """Return the scores of the one phrase; empty where no collection could be searched."""
    [scores] = trace.scores or [PhraseScores((), (), (), ())]
    return scores
