"""Grid search for the BM25 weight of a collection, with the expected gain by cross-validation.

The proposed weight is fitted to all questions. Its gain is measured on held-out questions: each is ranked by the weight
that was fitted to the other folds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from random import Random
from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.search.metrics import Estimate, Judgements, bootstrap_mean, ndcg_at, permutation_p_value
from groundwire.services.evaluate.measurement import RANK_CUTOFF, QuestionResult

FOLDS: Final = 5
MIN_QUESTIONS: Final = 20
"""Minimum number of questions: with fewer, a fold has only a few, and its result means nothing."""
_GRID_STEPS: Final = 20
"""Number of steps of the grid from 0 to 1."""
_SEED: Final = 20_260_101


@dataclass(frozen=True, slots=True)
class WeightFit:
    """Proposal of a weight; nothing has been changed.

    Attributes:
        current, proposed: current BM25 weight, and the weight fitted to all questions.
        chosen: weights fitted to the training questions of each fold.
        ndcg_now: mean nDCG@10 with the current weight.
        ndcg_fitted: mean nDCG@10 of held-out questions with the chosen weights.
        gain: mean difference of the two per question.
        p: p-value of a two-sided permutation test of that difference.
    """

    questions: int
    folds: int
    current: float
    proposed: float
    chosen: tuple[float, ...]
    ndcg_now: float
    ndcg_fitted: float
    gain: Estimate
    p: float


def fit_weight(results: Sequence[QuestionResult], judgements: Mapping[str, Judgements], current: float) -> WeightFit:
    """Return the weight with the best mean nDCG@10 on a grid of .05; ties go to the weight nearest to `current`.

    Raises:
        InvalidInput: there are too few questions for cross-validation.
    """
    if len(results) < MIN_QUESTIONS:
        raise InvalidInput(f"To fit a weight, judge at least {MIN_QUESTIONS} questions. There are {len(results)}.")
    grid = sorted(
        {current, *(step / _GRID_STEPS for step in range(_GRID_STEPS + 1))},
        key=lambda weight: (abs(weight - current), weight),
    )
    ndcgs_by_weight = {weight: _ndcgs(results, judgements, weight) for weight in grid}
    folds = _folds(results)
    chosen = tuple(
        _best_weight(ndcgs_by_weight, [position for position, fold in enumerate(folds) if fold != test_fold])
        for test_fold in range(FOLDS)
    )
    held_out_ndcgs = [ndcgs_by_weight[chosen[fold]][position] for position, fold in enumerate(folds)]
    gains = [new - old for new, old in zip(held_out_ndcgs, ndcgs_by_weight[current], strict=True)]
    return WeightFit(
        questions=len(results),
        folds=FOLDS,
        current=current,
        proposed=_best_weight(ndcgs_by_weight, range(len(results))),
        chosen=chosen,
        ndcg_now=fsum(ndcgs_by_weight[current]) / len(results),
        ndcg_fitted=fsum(held_out_ndcgs) / len(results),
        gain=bootstrap_mean(gains),
        p=permutation_p_value(gains),
    )


def _ndcgs(results: Sequence[QuestionResult], judgements: Mapping[str, Judgements], weight: float) -> list[float]:
    return [
        ndcg_at(RANK_CUTOFF, each.served_candidates.rank_by_weight(weight), judgements[each.question.id])
        for each in results
    ]


def _folds(results: Sequence[QuestionResult]) -> list[int]:
    """Return the fold of each question; folds have equal size and are drawn by seed, whatever the order is."""
    ids = sorted(each.question.id for each in results)
    Random(_SEED).shuffle(ids)  # noqa: S311 - a draw, no secret
    fold_by_id = {name: position % FOLDS for position, name in enumerate(ids)}
    return [fold_by_id[each.question.id] for each in results]


def _best_weight(ndcgs_by_weight: Mapping[float, Sequence[float]], questions: Sequence[int]) -> float:
    """Return the best weight; `max` returns the first of equal ones, and the table starts with the nearest."""
    # Rounded, since sums of the same gains may differ in their last digits.
    return max(
        ndcgs_by_weight, key=lambda weight: round(fsum(ndcgs_by_weight[weight][position] for position in questions), 9)
    )
