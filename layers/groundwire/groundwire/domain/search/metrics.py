"""Metrics of ranking quality, by the conventions of trec_eval, and the significance of differences.

A ranking is a list of distinct documents, best first; its author breaks ties. Judgements are grades by document; a
grade above 0 is relevant, a document without a grade is not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from math import fsum, log2
from operator import mul
from random import Random
from typing import Final

Judgements = Mapping[str, int]
"""Grades by document."""

BOOTSTRAP_RESAMPLES: Final = 1_000
"""Resamples per interval: its ends then vary by about a twentieth of its width from seed to seed."""
PERMUTATIONS: Final = 5_000
"""Draws of the permutation test: a p of .05 has a standard error of .003."""
_SEED: Final = 20_260_101
_TAIL: Final = 0.025


@dataclass(frozen=True, slots=True)
class Estimate:
    """Mean over questions with the ends of its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float


def ndcg_at(depth: int, ranking: Sequence[str], judgements: Judgements) -> float:
    """Return the normalised discounted cumulative gain: the gain is the grade itself, its discount log2(rank + 1).

    The ideal ranking has all judged documents, found or not (`ndcg_cut` of trec_eval, as in BEIR).
    """
    gains = (max(0, judgements.get(document, 0)) for document in ranking[:depth])
    ideal = sorted((grade for grade in judgements.values() if grade > 0), reverse=True)[:depth]
    ideal_gain = _discounted_gain(ideal)
    return _discounted_gain(list(gains)) / ideal_gain if ideal_gain else 0.0


def recall_at(depth: int, ranking: Sequence[str], judgements: Judgements) -> float:
    """Return the share of the relevant documents that are among the first `depth`."""
    relevant = {document for document, grade in judgements.items() if grade > 0}
    return len(relevant.intersection(ranking[:depth])) / len(relevant) if relevant else 0.0


def reciprocal_rank_at(depth: int, ranking: Sequence[str], judgements: Judgements) -> float:
    """Return one over the rank of the first relevant document; 0 where it is not among the first `depth`."""
    ranks = (rank for rank, document in enumerate(ranking[:depth], start=1) if judgements.get(document, 0) > 0)
    return 1.0 / next(ranks, float("inf"))


def bootstrap_mean(values: Sequence[float]) -> Estimate:
    """Return mean and 95 % interval: percentiles of the means of resamples with replacement, seeded."""
    if not values:
        return Estimate(0.0, 0.0, 0.0)
    random, size = Random(_SEED), len(values)  # noqa: S311 - draws, no secrets
    means = sorted(fsum(random.choices(values, k=size)) / size for _ in range(BOOTSTRAP_RESAMPLES))
    edge = int(BOOTSTRAP_RESAMPLES * _TAIL)
    return Estimate(fsum(values) / size, means[edge], means[-edge - 1])


def permutation_p_value(differences: Sequence[float]) -> float:
    """Return the two-sided p of paired differences: the share of random signs with a mean as far from 0, seeded.

    The observed signs count as one of the draws, so the value is never 0.
    """
    # A sign does not change 0, so such pairs would only cost draws.
    sizes = [abs(difference) for difference in differences if difference]
    if not sizes:
        return 1.0
    # A draw that equals the observed sum must count in spite of rounding.
    observed = abs(fsum(differences)) - 1e-12
    random = Random(_SEED)  # noqa: S311
    drawn = (abs(sum(map(mul, sizes, random.choices((-1.0, 1.0), k=len(sizes))))) for _ in repeat(None, PERMUTATIONS))
    return (1 + sum(total >= observed for total in drawn)) / (1 + PERMUTATIONS)


def _discounted_gain(gains: Sequence[int]) -> float:
    return fsum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))
