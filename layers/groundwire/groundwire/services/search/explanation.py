"""Explanation of ranks, read from the trace of the search itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from groundwire.domain.documents.segment import Segment
from groundwire.domain.passages.windows import windows
from groundwire.domain.search.fusion import candidates_among, score_contributions
from groundwire.services.search.results import Passage, Trace

Rank = int | None
"""A rank from 1, the best; None: the passage was absent, or the step did not happen."""


@dataclass(frozen=True, slots=True)
class PhraseContribution:
    """Contribution of one phrase to the score of a passage.

    Attributes:
        number: number of the phrase, from 1.
        bm25, vector: the passage's scores as the index returned them.
        passage: similarity of the whole passage to the phrase.
        bm25_rank, vector_rank: its rank among the phrase's candidates; no lexical rank where no word matches.
        window: text of the best sentence window, or of the best question; None where the passage has none.
        share: the phrase's part of the fused score.
    """

    number: int
    phrase: str
    bm25: float
    bm25_rank: Rank
    vector: float
    vector_rank: Rank
    passage: float | None
    window: str | None
    share: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Ranks of a passage after each step of a search.

    Attributes:
        by_phrase: contributions of the phrases that had it among their candidates.
        fused, admitted, distinct, reranked: its rank after each of these steps; None: the step did not happen.
        rerank_score: the reranker's score.
    """

    passage: Passage
    by_phrase: tuple[PhraseContribution, ...]
    fused: Rank
    admitted: Rank
    distinct: Rank
    reranked: Rank
    rerank_score: float | None

    @property
    def main_contribution(self) -> PhraseContribution:
        """The largest contribution; of equal ones the first, because the user's own words count most."""
        return max(self.by_phrase, key=lambda view: view.share)


def explain(trace: Trace) -> list[Explanation]:
    """Return one explanation for each passage of the answer, in its order."""
    return _explanations(trace, score_contributions(trace.scores, trace.weights, trace.languages, trace.phrase_shares))


def explain_readable(trace: Trace) -> list[Explanation]:
    """Return the same with ranks among the passages that the caller may read."""
    # A contribution depends on the scale of all candidates, as the score does that orders the answer.
    given = score_contributions(trace.scores, trace.weights, trace.languages, trace.phrase_shares)
    return _explanations(readable_part(trace), given)


def readable_part(trace: Trace) -> Trace:
    """Return the trace with nothing but what the caller may read, by the registry.

    The index forgets a hidden document after a delay, and the records of most candidates are never read.
    """
    rows = {_row(passage.segment) for passage in trace.admitted}
    segments = {key: segment for key, segment in trace.segments.items() if _row(segment) in rows}
    collections = {passage.document.collection for passage in trace.admitted}
    return replace(
        trace,
        weights={name: weight for name, weight in trace.weights.items() if name in collections},
        scores=[candidates_among(scores, segments) for scores in trace.scores],
        fused=[candidate for candidate in trace.fused if candidate.key in segments],
        segments=segments,
    )


def _explanations(trace: Trace, given: Sequence[Mapping[int | str, float]]) -> list[Explanation]:
    keys = {_row(segment): key for key, segment in trace.segments.items()}
    fused = {ranked.key: rank for rank, ranked in enumerate(trace.fused, start=1)}
    admitted, distinct, ordered = map(_ranks, (trace.admitted, trace.distinct, trace.ordered))
    found: list[Explanation] = []
    for passage in trace.answer:
        row = _row(passage.segment)
        found.append(
            Explanation(
                passage=passage,
                by_phrase=_contributions(trace, given, keys[row], passage.segment),
                fused=fused[keys[row]],
                admitted=admitted[row],
                distinct=distinct[row],
                reranked=ordered[row] if trace.rerank_scores else None,
                rerank_score=trace.rerank_scores[ordered[row] - 1] if trace.rerank_scores else None,
            )
        )
    return found


_Row = tuple[str, int]


def _row(segment: Segment) -> _Row:
    """Return the identity of a row: two versions of a document in the index may have the same uids."""
    return segment.uid, segment.version


def _ranks(passages: Sequence[Passage]) -> Mapping[_Row, int]:
    return {_row(passage.segment): rank for rank, passage in enumerate(passages, start=1)}


def _contributions(
    trace: Trace, given: Sequence[Mapping[int | str, float]], key: int | str, segment: Segment
) -> tuple[PhraseContribution, ...]:
    return tuple(
        _contribution(number, trace, list(trace.scores[number].keys).index(key), by_key[key], segment)
        for number, by_key in enumerate(given)
        if key in by_key
    )


def _contribution(number: int, trace: Trace, at: int, share: float, segment: Segment) -> PhraseContribution:
    scores = trace.scores[number]
    return PhraseContribution(
        number=number + 1,
        phrase=trace.phrases[number],
        bm25=scores.bm25[at],
        bm25_rank=_rank(scores.bm25, at) if scores.bm25[at] > 0 else None,
        vector=scores.vector[at],
        vector_rank=_rank(scores.vector, at),
        passage=scores.passage[at] if scores.passage else None,
        window=_window(segment, scores.window[at]) if scores.window else None,
        share=share,
    )


def _rank(scores: Sequence[float], at: int) -> int:
    return 1 + sum(score > scores[at] for score in scores)


def _window(segment: Segment, number: int) -> str | None:
    """Return the text of a window; questions are numbered after the windows."""
    texts = (*windows(segment.text), *segment.questions)
    return texts[number] if 0 <= number < len(texts) else None
