"""Fit of the BM25 weight to these questions, and the gain to be expected from it.

The proposed weight is fitted on all questions. Its gain is measured by cross-validation: each question is ranked by the
weight that the other folds chose, so no question judges a weight that was fitted on it.
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
"""Minimum of questions: with fewer, a fold has only one or two and means nothing."""
_STEPS: Final = 20
_SEED: Final = 20_260_101


@dataclass(frozen=True, slots=True)
class WeightFit:
    """Proposal of a weight; nothing has been changed.

    Attributes:
        current, proposed: BM25 weights. chosen: by each fold's training questions.
        ndcg_now, ndcg_fitted: nDCG@10 of the current weight, and of the held-out questions by the chosen ones.
        gain: of the second over the first, per question. p: two-sided, of that difference.
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
    """Return the weight that ranks these questions best, on a grid of .05; of equal ones the nearest to `current`.

    Raises:
        InvalidInput: there are too few questions for cross-validation.
    """
    if len(results) < MIN_QUESTIONS:
        raise InvalidInput(f"To fit a weight, judge at least {MIN_QUESTIONS} questions. There are {len(results)}.")
    grid = sorted(
        {current, *(step / _STEPS for step in range(_STEPS + 1))}, key=lambda weight: (abs(weight - current), weight)
    )
    table = {weight: _ndcgs(results, judgements, weight) for weight in grid}
    folds = _folds(results)
    chosen = tuple(
        _best(table, [position for position, fold in enumerate(folds) if fold != test_fold])
        for test_fold in range(FOLDS)
    )
    fitted = [table[chosen[fold]][position] for position, fold in enumerate(folds)]
    gains = [new - old for new, old in zip(fitted, table[current], strict=True)]
    return WeightFit(
        questions=len(results),
        folds=FOLDS,
        current=current,
        proposed=_best(table, range(len(results))),
        chosen=chosen,
        ndcg_now=fsum(table[current]) / len(results),
        ndcg_fitted=fsum(fitted) / len(results),
        gain=bootstrap_mean(gains),
        p=permutation_p_value(gains),
    )


def _ndcgs(results: Sequence[QuestionResult], judgements: Mapping[str, Judgements], weight: float) -> list[float]:
    return [
        ndcg_at(RANK_CUTOFF, each.served_candidates.rank_by_weight(weight), judgements[each.question.id])
        for each in results
    ]


def _folds(results: Sequence[QuestionResult]) -> list[int]:
    """Return the fold of each question: folds of equal size, drawn by seed, independent of the questions' order."""
    ids = sorted(each.question.id for each in results)
    Random(_SEED).shuffle(ids)  # noqa: S311 - a draw, no secret
    fold_by_id = {name: position % FOLDS for position, name in enumerate(ids)}
    return [fold_by_id[each.question.id] for each in results]


def _best(table: Mapping[float, Sequence[float]], questions: Sequence[int]) -> float:
    """Return the best weight; `max` returns the first of equal ones, and the table begins with the nearest."""
    # Rounded, as sums of the same gains may differ in their last digits.
    return max(table, key=lambda weight: round(fsum(table[weight][position] for position in questions), 9))
