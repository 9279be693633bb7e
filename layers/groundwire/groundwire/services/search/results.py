"""Result of a search: passages, and a notice where the search was not as good as configured.

Explanations and measurements get the lists of every step besides.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from groundwire.domain.audit.facts import AuditFacts
from groundwire.domain.documents.record import Document
from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.expression import Filter
from groundwire.domain.search.fusion import PhraseScores, RankedCandidate
from groundwire.domain.search.model_languages import ALL_LANGUAGES, ModelLanguages


@dataclass(frozen=True, slots=True)
class Passage:
    """A segment of the answer, with its document's record.

    Attributes:
        score: fused score, 0 to 1; the order of an answer may be a reranker's.
        also_in: near-duplicates that it represents, best first; the caller may read each of them.
        context: the segment among its neighbours, in reading order; empty where none are wanted.
        relevance: chance, 0 to 1, that it answers, the best over the call's phrases; None where it cannot be told.
        similarity: cosine similarity of the whole passage, -1 to 1, the best over the call's phrases; None where the
            search compared no meaning.
    """

    segment: Segment
    document: Document
    score: float
    also_in: tuple["Passage", ...] = ()
    context: tuple[Segment, ...] = ()
    relevance: float | None = None
    similarity: float | None = None

    def with_relevance(self, relevance: float | None) -> "Passage":
        """Return the passage with this relevance."""
        # Each candidate of a search is judged, and `replace` takes four times as long.
        return Passage(self.segment, self.document, self.score, self.also_in, self.context, relevance, self.similarity)

    @property
    def distance(self) -> float | None:
        """Cosine distance, 0 to 2; None where the search compared no meaning."""
        return None if self.similarity is None else 1.0 - self.similarity

    @property
    def text(self) -> str:
        """Quoted text: the segment's own, or all of its context."""
        return "\n\n".join([piece.text for piece in self.context]) if self.context else self.segment.text

    @property
    def pages(self) -> tuple[int | None, int | None]:
        """First and last page of the quoted text; None where the format has none."""
        if not self.context:
            return self.segment.page_first, self.segment.page_last
        first = [piece.page_first for piece in self.context if piece.page_first is not None]
        last = [piece.page_last for piece in self.context if piece.page_last is not None]
        return min(first, default=None), max(last, default=None)


def audited_documents(passages: Iterable[Passage]) -> list[str]:
    """Return every document that an answer quotes or names, with the policy version that allowed it, for the audit."""
    named: set[str] = set()
    for passage in passages:
        for each in (passage, *passage.also_in):
            named.add(f"{each.document.doc_id}@{each.document.policy_version}")
    return sorted(named)


LEXICAL_ONLY: Final = (
    "This search compared words only, because the embedding model does not answer. Passages with other "
    "words may be missing. Search again later, or use the words of the documents."
)

NOT_RELEVANT: Final = (
    "No passage that this user may read is relevant enough. Search again in other words or in the "
    "language of the documents, or state that the documents do not answer."
)

NOT_RERANKED: Final = "The reranker does not answer, so the best passage may not be the first one. Read all passages."


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Result of a search.

    Attributes:
        passages: passages, best first.
        degradation: what a configured part did not do; None where the search was as good as configured.
        acl_mismatches: number of documents that the registry denied and the index should have denied by now.
        is_below_floor: there are no passages because none was relevant enough.
        unreadable: sentence about collections of the call in which its caller can read nothing; None: there is none.
        joined_sources: audit fields of the calls of MCP sources for this answer.
    """

    passages: Sequence[Passage]
    degradation: str | None = None
    acl_mismatches: int = 0
    is_below_floor: bool = False
    unreadable: str | None = None
    joined_sources: Sequence[Mapping[str, object]] = ()

    @property
    def notice(self) -> str | None:
        """Sentences for the model and its user; None where there is nothing to say."""
        sentences = (self.degradation, self.unreadable, NOT_RELEVANT if self.is_below_floor else None)
        return " ".join(filter(None, sentences)) or None

    def audit_fields(self, shown: Sequence[Passage]) -> AuditFacts:
        """Return the fields of the audit line when `shown` of the passages are answered."""
        facts: AuditFacts = {"documents": audited_documents(shown), "segments": len(shown)}
        if self.degradation is not None:
            facts["degraded"] = True
        if self.is_below_floor:
            facts["below_floor"] = True
        if self.joined_sources:
            facts["sources"] = list(self.joined_sources)
        if self.acl_mismatches:
            facts["acl_mismatch"] = self.acl_mismatches
        return facts


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
