"""Hybrid fusion: two scores per candidate, min-max normalised, weighted, and combined over the phrases.

Every candidate of a phrase has both its BM25 and its vector score, so nothing is lost at the end of a list.
Each signal is scaled to 0…1 over the phrase's candidates; the sum takes the weight of the candidate's own
collection. Better than reciprocal rank on every collection measured (docs/retrieval.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

DEFAULT_BM25_WEIGHT: Final = 0.4
"""Fitted on SciFact's development questions; the vector signal gets the rest."""

FIRST_PHRASE_WEIGHT: Final = 2.0
"""The first phrase is the user's own words; the others are an agent's guesses at what was meant."""


@dataclass(frozen=True, slots=True)
class PhraseScores:
    """The candidates of one phrase: the union of its best BM25 and its best vector matches.

    All sequences have the same length and order. Every candidate has both scores.

    Attributes:
        keys: opaque row keys of the index.
        collections: the collection of each candidate.
        bm25: 0 when no term matches. vector: cosine similarity, -1 to 1.
    """

    keys: Sequence[int | str]
    collections: Sequence[str]
    bm25: Sequence[float]
    vector: Sequence[float]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its fused score, 0 to 1."""

    key: int | str
    score: float


def fuse(phrases: Sequence[PhraseScores], bm25_weights: Mapping[str, float]) -> list[Ranked]:
    """All candidates, best first; ties in the order in which the index gave them.

    Args:
        phrases: the scores per phrase, the user's own words first.
        bm25_weights: per collection; every collection among the candidates must be in it.
    """
    total: dict[int | str, float] = {}
    weights = [FIRST_PHRASE_WEIGHT if number == 0 else 1.0 for number in range(len(phrases))]
    whole = sum(weights)
    for weight, phrase in zip(weights, phrases, strict=True):
        share = weight / whole
        for key, score in zip(phrase.keys, _scores(phrase, bm25_weights), strict=True):
            total[key] = total.get(key, 0.0) + share * score
    return [Ranked(key, score) for key, score in sorted(total.items(), key=lambda item: -item[1])]


def _scores(phrase: PhraseScores, bm25_weights: Mapping[str, float]) -> list[float]:
    lexical, semantic = _min_max(phrase.bm25), _min_max(phrase.vector)
    shares = [bm25_weights[name] for name in phrase.collections]
    return [w * b + (1.0 - w) * v for w, b, v in zip(shares, lexical, semantic, strict=True)]


def _min_max(scores: Sequence[float]) -> list[float]:
    """Scaled to 0…1; all 0 when the scores do not differ, since such a signal ranks nothing."""
    if not scores:
        return []
    low = min(scores)
    span = max(scores) - low
    return [(score - low) / span for score in scores] if span > 0 else [0.0] * len(scores)
