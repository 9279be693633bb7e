"""Fit: which weight of words against meaning these questions would choose, and what it can be expected to gain.

What is proposed is fitted on all questions. What it gains is told by cross-validation: every question is ranked by
the weight that the other folds chose, so no question judges a weight that it had a part in.
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
"""With fewer a fold is of a question or two, and says nothing."""
_STEPS: Final = 20
_SEED: Final = 20_260_101


@dataclass(frozen=True, slots=True)
class WeightFit:
    """A proposal; nothing has been changed.

    Attributes:
        current, proposed: BM25 weights. chosen: by each fold's training questions.
        ndcg_now, ndcg_fitted: nDCG@10 of the present weight, and of the held-out questions by the chosen ones.
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
    """The weight that ranks these questions best, on a grid of .05; of equal ones the nearest to `current`.

    Raises:
        Invalid: there are too few questions to hold any out.
    """
    if len(results) < MIN_QUESTIONS:
        raise InvalidInput(f"--fit needs {MIN_QUESTIONS} judged questions or more; here are {len(results)}.")
    grid = sorted(
        {current, *(step / _STEPS for step in range(_STEPS + 1))}, key=lambda weight: (abs(weight - current), weight)
    )
    table = {weight: _ndcgs(results, judgements, weight) for weight in grid}
    folds = _folds(results)
    chosen = tuple(_best(table, [at for at, fold in enumerate(folds) if fold != held_out]) for held_out in range(FOLDS))
    fitted = [table[chosen[fold]][at] for at, fold in enumerate(folds)]
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
    """The fold of each question: as many in each, drawn by seed, whatever order the questions stand in."""
    ids = sorted(each.question.id for each in results)
    Random(_SEED).shuffle(ids)  # noqa: S311 - a draw, no secret
    place = {name: at % FOLDS for at, name in enumerate(ids)}
    return [place[each.question.id] for each in results]


def _best(table: Mapping[float, Sequence[float]], questions: Sequence[int]) -> float:
    """`max` keeps the first of equal ones, and the table begins with the nearest."""
    return max(table, key=lambda weight: round(fsum(table[weight][at] for at in questions), 9))
