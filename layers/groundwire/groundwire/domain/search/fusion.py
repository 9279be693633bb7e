"""Hybrid fusion: two scores per candidate, min-max normalised, weighted, and combined over the phrases.

Every candidate of a phrase has both its BM25 and its vector score, so nothing is lost at the end of a list.
Each signal is scaled to 0…1 over the phrase's candidates; the sum takes the weight of the candidate's own
collection. Better than reciprocal rank on every collection measured (docs/retrieval.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import inf
from operator import itemgetter
from typing import Any, Final, Protocol, TypeVar

DEFAULT_BM25_WEIGHT: Final = 0.4
"""Fitted on SciFact's development questions; the vector signal gets the rest."""

FIRST_PHRASE_WEIGHT: Final = 2.0
"""The first phrase is the user's own words; the others are an agent's guesses at what was meant."""


WINDOW_WEIGHT: Final = 0.8
"""Of a candidate's vector signal: the similarity of its best sentence window, where it has windows.

On SciFact's 809 development questions, nDCG@10 with 0, .5, .7, .8, .9 and 1: .732, .740, .742, .744, .743, .743. A
part is left to the whole passage, which knows the context that a window does not name."""


_ROUNDING: Final = 1e-9
"""Scores that lie closer together differ by rounding alone; stretched to 0…1 it would rank."""


class _Similarity(Protocol):
    """A number, or an array of them."""

    def __mul__(self, share: float, /) -> Any: ...


S = TypeVar("S", bound=_Similarity)


def semantic_score(passage: S, window: S) -> S:
    """The vector signal of a candidate, or of many.

    Args:
        passage: cosine similarity of the whole passage.
        window: of its best window; where it has none, of the passage again.
    """
    return passage * (1.0 - WINDOW_WEIGHT) + window * WINDOW_WEIGHT


@dataclass(frozen=True, slots=True)
class PhraseScores:
    """The candidates of one phrase: the union of its best BM25 and its best vector matches.

    All sequences have the same length and order. Every candidate has both scores.

    Attributes:
        keys: opaque row keys of the index.
        collections: the collection of each candidate.
        bm25: 0 when no term matches.
        vector: similarity of meaning, -1 to 1: `WINDOW_SHARE` of it the best window's, the rest the passage's.
        passage: cosine similarity of the whole passage. window: number of the best window, -1 where there is none.
            Both for explaining; fusion needs neither.
    """

    keys: Sequence[int | str]
    collections: Sequence[str]
    bm25: Sequence[float]
    vector: Sequence[float]
    passage: Sequence[float] = ()
    window: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """A candidate with its fused score, 0 to 1."""

    key: int | str
    score: float


def fuse(phrases: Sequence[PhraseScores], bm25_weights: Mapping[str, float], limit: int) -> list[RankedCandidate]:
    """The `limit` best candidates, best first; ties in the order in which the index gave them.

    Args:
        phrases: the scores per phrase, the user's own words first.
        bm25_weights: per collection; every collection among the candidates must be in it.
        limit: of the about 1,000 candidates of five phrases few are wanted, and only those are made.
    """
    total: dict[int | str, float] = {}
    for number, phrase in enumerate(phrases):
        _add_phrase_scores(total, phrase, _phrase_weight(number, len(phrases)), bm25_weights)
    return [RankedCandidate(key, score) for key, score in nlargest(limit, total.items(), key=itemgetter(1))]


def score_contributions(
    phrases: Sequence[PhraseScores], bm25_weights: Mapping[str, float]
) -> list[Mapping[int | str, float]]:
    """Per phrase, what it gives to the fused score of each of its candidates: they add up to it."""
    given: list[Mapping[int | str, float]] = []
    for number, phrase in enumerate(phrases):
        alone: dict[int | str, float] = {}
        _add_phrase_scores(alone, phrase, _phrase_weight(number, len(phrases)), bm25_weights)
        given.append(alone)
    return given


def _phrase_weight(number: int, phrases: int) -> float:
    return (FIRST_PHRASE_WEIGHT if number == 0 else 1.0) / (FIRST_PHRASE_WEIGHT + phrases - 1)


def _add_phrase_scores(
    total: dict[int | str, float], phrase: PhraseScores, share: float, bm25_weights: Mapping[str, float]
) -> None:
    """One pass over the candidates: this is the busiest loop of a call outside embedder and index."""
    low_b, span_b = _range(phrase.bm25)
    low_v, span_v = _range(phrase.vector)
    factors = {name: (share * w / span_b, share * (1.0 - w) / span_v) for name, w in bm25_weights.items()}
    so_far = total.get
    for key, name, b, v in zip(phrase.keys, phrase.collections, phrase.bm25, phrase.vector, strict=True):
        lexical, semantic = factors[name]
        total[key] = so_far(key, 0.0) + lexical * (b - low_b) + semantic * (v - low_v)


def _range(scores: Sequence[float]) -> tuple[float, float]:
    """Lowest score and span; a signal whose scores do not differ ranks nothing, so its span makes all of them 0."""
    if len(scores) < 2:  # noqa: PLR2004
        # Alone, a candidate is the best there is, by every signal that found it.
        return (scores[0] - 1.0, 1.0) if scores and scores[0] > 0 else (0.0, inf)
    low = min(scores)
    span = max(scores) - low
    return low, span if span > _ROUNDING else inf
