"""Hybrid fusion: two scores per candidate, min-max normalised, weighted, and combined over the phrases.

All candidates of a phrase have both a BM25 and a vector score, so none is cut off at the end of one list. Each signal
is scaled to 0…1 over the phrase's candidates; the sum uses the weight of the candidate's own collection, and more BM25
in a language that the embedding model does not know. The result is better than reciprocal rank fusion on all measured
collections (docs/retrieval/measurements.md).
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from math import inf
from operator import itemgetter
from typing import Any, Final, Protocol, TypeVar

from groundwire.domain.search.model_languages import ALL_LANGUAGES, ModelLanguages

DEFAULT_BM25_WEIGHT: Final = 0.4
"""Share of the BM25 signal, fitted on SciFact's development questions; the vector signal gets the rest."""

UNKNOWN_LANGUAGE_BM25_WEIGHT: Final = 0.8
"""Least share of the BM25 signal for a passage in a language that the embedding model does not know.

On XQuAD's 1,190 questions in German, Russian and Chinese, with an English model, the mean nDCG@10 is highest at .8:
.953, against .883 at .4 (docs/retrieval/measurements.md).
"""

FIRST_PHRASE_WEIGHT: Final = 2.0
"""Weight of the first phrase, which has the user's own words; the others are an agent's reformulations."""


WINDOW_WEIGHT: Final = 0.8
"""Share of the best sentence window in a candidate's vector signal, where the candidate has windows.

On SciFact's 809 development questions, nDCG@10 with 0, .5, .7, .8, .9 and 1: .732, .740, .742, .744, .743, .743. The
rest goes to the whole passage, which has context that a window lacks.
"""


_ROUNDING: Final = 1e-9
"""Span below which scores differ by rounding only; scaling it to 0…1 would rank by rounding."""


class _Similarity(Protocol):
    """Number, or array of numbers."""

    def __mul__(self, share: float, /) -> Any: ...


S = TypeVar("S", bound=_Similarity)


def semantic_score(passage: S, window: S) -> S:
    """Return the vector signal of a candidate, or of many.

    Args:
        passage: cosine similarity of the whole passage.
        window: cosine similarity of its best window; where it has none, of the passage again.
    """
    return passage * (1.0 - WINDOW_WEIGHT) + window * WINDOW_WEIGHT


@dataclass(frozen=True, slots=True)
class PhraseScores:
    """Candidates of one phrase: the union of its best BM25 and its best vector matches.

    All sequences have the same length and order. All candidates have both scores.

    Attributes:
        keys: opaque row keys of the index.
        collections: the collection of each candidate.
        bm25: 0 when no term matches.
        vector: vector signal, -1 to 1: `WINDOW_WEIGHT` of it from the best window, the rest from the passage.
        passage: cosine similarity of the whole passage; fusion does not need it. window: number of the best window, -1
            where there is none; for explanations.
        bm25_limit: the highest BM25 score that any passage could reach for this phrase: 2.2 times the sum of its terms'
            rarities among the passages that the caller may read; 0 where words are not searched.
        term_count: number of these terms, repeats included.
        readable: number of passages that the caller may read, whatever the search narrows.
        languages: the language of each candidate, as precisely as the index knows it; empty where it knows none.
    """

    keys: Sequence[int | str]
    collections: Sequence[str]
    bm25: Sequence[float]
    vector: Sequence[float]
    passage: Sequence[float] = ()
    window: Sequence[int] = ()
    bm25_limit: float = 0.0
    term_count: int = 0
    readable: int = 0
    languages: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """Candidate with its fused score, 0 to 1."""

    key: int | str
    score: float


def best_similarities(phrases: Sequence[PhraseScores], keys: Container[int | str]) -> dict[int | str, float]:
    """Return the cosine similarity of these candidates, the best over the phrases that have each, -1 to 1."""
    best: dict[int | str, float] = {}
    for phrase in phrases:
        # Not strict, because `passage` is empty where an index gives no cosine of it.
        for key, similarity in zip(phrase.keys, phrase.passage, strict=False):
            if key in keys:
                # Rounding may leave the range of a cosine.
                best[key] = max(best.get(key, -1.0), min(1.0, float(similarity)))
    return best


def lexical_matches(phrase: PhraseScores) -> PhraseScores:
    """Return the candidates of a phrase that hold one of its words."""
    return _at_places(phrase, [at for at, score in enumerate(phrase.bm25) if score > 0])


def candidates_among(phrase: PhraseScores, keys: Container[int | str]) -> PhraseScores:
    """Return the candidates of a phrase that have one of the keys."""
    return _at_places(phrase, [at for at, key in enumerate(phrase.keys) if key in keys])


def _at_places(phrase: PhraseScores, places: Sequence[int]) -> PhraseScores:
    return replace(
        phrase,
        keys=[phrase.keys[at] for at in places],
        collections=[phrase.collections[at] for at in places],
        bm25=[phrase.bm25[at] for at in places],
        vector=[phrase.vector[at] for at in places],
        passage=[phrase.passage[at] for at in places] if phrase.passage else (),
        window=[phrase.window[at] for at in places] if phrase.window else (),
        languages=[phrase.languages[at] for at in places] if phrase.languages else (),
    )


def phrase_shares(counts: Sequence[bool]) -> list[float]:
    """Return each phrase's share of the fused score, 1 in total; the first phrase counts double.

    Args:
        counts: whether each phrase counts, as one that finds nothing relevant ranks by noise. If none does, all do.
    """
    counted = counts if any(counts) else [True] * len(counts)
    weights = [(FIRST_PHRASE_WEIGHT if number == 0 else 1.0) * one for number, one in enumerate(counted)]
    return [weight / sum(weights) for weight in weights]


def fuse(
    phrases: Sequence[PhraseScores],
    bm25_weights: Mapping[str, float],
    limit: int,
    known: ModelLanguages = ALL_LANGUAGES,
    shares: Sequence[float] | None = None,
) -> list[RankedCandidate]:
    """Return the `limit` best candidates, best first; ties keep the order of the index.

    Args:
        phrases: the scores per phrase, the user's own words first.
        bm25_weights: weight by collection; must contain all collections of the candidates.
        limit: number of candidates to return; five phrases have about 1,000 candidates.
        known: languages of the embedding model; in others the weight is at least `UNKNOWN_LANGUAGE_BM25_WEIGHT`.
        shares: the phrases' `phrase_shares`; None: all count. The candidates of one with a share of 0 are not ranked.
    """
    total: dict[int | str, float] = {}
    for phrase, share in zip(phrases, shares or phrase_shares([True] * len(phrases)), strict=True):
        if share > 0:
            _add_phrase_scores(total, phrase, share, bm25_weights, known)
    # `nlargest` is stable like `sorted`, so ties keep the order of the index.
    return [RankedCandidate(key, score) for key, score in nlargest(limit, total.items(), key=itemgetter(1))]


def score_contributions(
    phrases: Sequence[PhraseScores],
    bm25_weights: Mapping[str, float],
    known: ModelLanguages = ALL_LANGUAGES,
    shares: Sequence[float] | None = None,
) -> list[Mapping[int | str, float]]:
    """Return per phrase its share of the fused score of each of its candidates; the shares add up to the score."""
    contributions: list[Mapping[int | str, float]] = []
    for phrase, share in zip(phrases, shares or phrase_shares([True] * len(phrases)), strict=True):
        contribution: dict[int | str, float] = {}
        _add_phrase_scores(contribution, phrase, share, bm25_weights, known)
        contributions.append(contribution)
    return contributions


def _add_phrase_scores(
    total: dict[int | str, float],
    phrase: PhraseScores,
    share: float,
    bm25_weights: Mapping[str, float],
    known: ModelLanguages,
) -> None:
    """Add the phrase's share to `total` in one pass: the busiest loop of a call outside embedder and index."""
    bm25_low, bm25_span = _range(phrase.bm25)
    vector_low, vector_span = _range(phrase.vector)
    languages = phrase.languages or [""] * len(phrase.keys)
    # A phrase has many candidates, and few pairs of collection and language.
    factors = {
        (name, language): (share * used / bm25_span, share * (1.0 - used) / vector_span)
        for language in set(languages)
        for name, weight in bm25_weights.items()
        for used in [_bm25_weight(weight, language, known)]
    }
    current = total.get
    if len(factors) == 1:
        # The usual search is of one collection, in one language.
        [(lexical, semantic)] = factors.values()
        for key, b, v in zip(phrase.keys, phrase.bm25, phrase.vector, strict=True):
            total[key] = current(key, 0.0) + lexical * (b - bm25_low) + semantic * (v - vector_low)
        return
    rows = zip(phrase.keys, zip(phrase.collections, languages, strict=True), phrase.bm25, phrase.vector, strict=True)
    for key, group, b, v in rows:
        lexical, semantic = factors[group]
        total[key] = current(key, 0.0) + lexical * (b - bm25_low) + semantic * (v - vector_low)


def _bm25_weight(weight: float, language: str, known: ModelLanguages) -> float:
    """Return the BM25 weight of candidates in a language, where their collection has `weight`."""
    return weight if not language or known.knows(language) else max(weight, UNKNOWN_LANGUAGE_BM25_WEIGHT)


def _range(scores: Sequence[float]) -> tuple[float, float]:
    """Return lowest score and span; the span of a signal without differences is infinite, which makes its shares 0."""
    if len(scores) < 2:  # noqa: PLR2004
        # A single candidate is the best one in each signal that found it.
        return (scores[0] - 1.0, 1.0) if scores and scores[0] > 0 else (0.0, inf)
    low = min(scores)
    span = max(scores) - low
    return low, span if span > _ROUNDING else inf
