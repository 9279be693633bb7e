"""Fit: which weight of words against meaning these questions would choose, and what it can be expected to gain.

What is proposed is fitted on all questions. What it gains is told by cross-validation: every question is ranked by
the weight that the other folds chose, so no question judges a weight that it had a part in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from random import Random
from typing import Final

from groundwire.domain.errors import Invalid
from groundwire.domain.metrics import Estimate, Judgements, chance, estimate, ndcg_at
from groundwire.services.evaluate.measure import TOP, Asked

FOLDS: Final = 5
FEWEST_QUESTIONS: Final = 20
"""With fewer a fold is of a question or two, and says nothing."""
_STEPS: Final = 20
_SEED: Final = 20_260_101


@dataclass(frozen=True, slots=True)
class Fit:
    """A proposal; nothing has been changed.

    Attributes:
        now, proposed: BM25 weights. chosen: by each fold's training questions.
        ndcg_now, ndcg_fitted: nDCG@10 of the present weight, and of the held-out questions by the chosen ones.
        gain: of the second over the first, per question. p: two-sided, of that difference.
    """

    questions: int
    folds: int
    now: float
    proposed: float
    chosen: tuple[float, ...]
    ndcg_now: float
    ndcg_fitted: float
    gain: Estimate
    p: float


def fit(asked: Sequence[Asked], judgements: Mapping[str, Judgements], now: float) -> Fit:
    """The weight that ranks these questions best, on a grid of .05; of equal ones the nearest to `now`.

    Raises:
        Invalid: there are too few questions to hold any out.
    """
    if len(asked) < FEWEST_QUESTIONS:
        raise Invalid(f"--fit needs {FEWEST_QUESTIONS} judged questions or more; here are {len(asked)}.")
    grid = sorted({now, *(step / _STEPS for step in range(_STEPS + 1))}, key=lambda weight: (abs(weight - now), weight))
    table = {weight: _ndcgs(asked, judgements, weight) for weight in grid}
    folds = _folds(asked)
    chosen = tuple(_best(table, [at for at, fold in enumerate(folds) if fold != held_out]) for held_out in range(FOLDS))
    fitted = [table[chosen[fold]][at] for at, fold in enumerate(folds)]
    gains = [new - old for new, old in zip(fitted, table[now], strict=True)]
    return Fit(
        questions=len(asked),
        folds=FOLDS,
        now=now,
        proposed=_best(table, range(len(asked))),
        chosen=chosen,
        ndcg_now=fsum(table[now]) / len(asked),
        ndcg_fitted=fsum(fitted) / len(asked),
        gain=estimate(gains),
        p=chance(gains),
    )


def _ndcgs(asked: Sequence[Asked], judgements: Mapping[str, Judgements], weight: float) -> list[float]:
    return [ndcg_at(TOP, each.served.weighted(weight), judgements[each.question.id]) for each in asked]


def _folds(asked: Sequence[Asked]) -> list[int]:
    """The fold of each question: as many in each, drawn by seed, whatever order the questions stand in."""
    ids = sorted(each.question.id for each in asked)
    Random(_SEED).shuffle(ids)  # noqa: S311 - a draw, no secret
    place = {name: at % FOLDS for at, name in enumerate(ids)}
    return [place[each.question.id] for each in asked]


def _best(table: Mapping[float, Sequence[float]], questions: Sequence[int]) -> float:
    """`max` keeps the first of equal ones, and the table begins with the nearest."""
    return max(table, key=lambda weight: round(fsum(table[weight][at] for at in questions), 9))
