"""Trace of a search: the lists of every step, for explanations and measurements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.expression import Filter
from groundwire.domain.search.fusion import PhraseScores, RankedCandidate
from groundwire.domain.search.model_languages import ALL_LANGUAGES, ModelLanguages
from groundwire.services.search.results import Passage, SearchResult


@dataclass(frozen=True, slots=True)
class Trace:
    """Results of each step of one search, best first.

    Attributes:
        phrases: as searched, the user's own words first.
        where: filter of the search.
        weights: BM25 weight of each collection that was searched.
        languages: languages of the embedding model that fusion regarded.
        scores: candidates of each phrase, as the index returned them.
        phrase_shares: each phrase's share of the fused score; 0 where it finds nothing relevant and others do.
        fused: the best candidates of all phrases, whose segments were read.
        segments: segments of these rows, by key; one that was deleted meanwhile is absent.
        admitted: passages after the check of rights, versions and filter against the registry.
        distinct: passages after near-duplicates were collapsed.
        ordered: passages after the reranker; `distinct` where there is none.
        rerank_scores: the reranker's score of each of `ordered`; empty where there is none.
        answer: the best of them, with context where the caller gets it.
        is_below_floor: the answer is empty because none of its passages is relevant enough.
        notices: a sentence for each configured step that did not happen.
        acl_mismatches: number of documents that the registry denied and the index should have denied by now.
        truncated_phrases: numbers, from 1, of the phrases of which only the first part was searched.
    """

    phrases: Sequence[str]
    where: Filter | None
    weights: Mapping[str, float] = field(default_factory=dict[str, float])
    languages: ModelLanguages = ALL_LANGUAGES
    scores: Sequence[PhraseScores] = ()
    phrase_shares: Sequence[float] = ()
    fused: Sequence[RankedCandidate] = ()
    segments: Mapping[int | str, Segment] = field(default_factory=dict[int | str, Segment])
    admitted: Sequence[Passage] = ()
    distinct: Sequence[Passage] = ()
    ordered: Sequence[Passage] = ()
    rerank_scores: Sequence[float] = ()
    answer: Sequence[Passage] = ()
    is_below_floor: bool = False
    notices: Sequence[str] = ()
    acl_mismatches: int = 0
    truncated_phrases: Sequence[int] = ()

    @property
    def result(self) -> SearchResult:
        """The answer, as a caller gets it."""
        return SearchResult(
            tuple(self.answer), " ".join(self.notices) or None, self.acl_mismatches, self.is_below_floor
        )
