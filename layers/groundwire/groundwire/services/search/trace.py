"""A search step by step: the very lists that it went through, for whoever asks why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.expression import Filter
from groundwire.domain.search.fusion import PhraseScores, RankedCandidate
from groundwire.services.search.results import Passage


@dataclass(frozen=True, slots=True)
class Trace:
    """What each step of one search left, best first.

    Attributes:
        phrases: as searched, the user's own words first. where: the filter that the index applied.
        weights: BM25 weight of each collection that was searched.
        scores: per phrase, the candidates as the index gave them.
        fused: the best of them over all phrases, those that were looked up.
        segments: of these rows, by key; one that has gone since is absent.
        admitted: after the registry was asked about rights and versions.
        distinct: after near-duplicates were collapsed.
        ordered: after the reranker; `distinct` where there is none.
        relevance: the reranker's score for each of `ordered`; empty where there is none.
        answer: the best of them, with context where the caller gets it.
        notices: what was done with less than is configured, a sentence each.
        acl_mismatches: documents that the index should have kept back by now, and the registry did.
        truncated_phrases: numbers, from 1, of the phrases of which only the first part was searched.
    """

    phrases: Sequence[str]
    where: Filter | None
    weights: Mapping[str, float] = field(default_factory=dict[str, float])
    scores: Sequence[PhraseScores] = ()
    fused: Sequence[RankedCandidate] = ()
    segments: Mapping[int | str, Segment] = field(default_factory=dict[int | str, Segment])
    admitted: Sequence[Passage] = ()
    distinct: Sequence[Passage] = ()
    ordered: Sequence[Passage] = ()
    relevance: Sequence[float] = ()
    answer: Sequence[Passage] = ()
    notices: Sequence[str] = ()
    acl_mismatches: int = 0
    truncated_phrases: Sequence[int] = ()
