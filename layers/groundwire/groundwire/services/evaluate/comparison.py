"""Comparison of two measurements of the same questions, question by question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.search.metrics import Estimate, bootstrap_mean, permutation_p_value

MAX_SHOWN: Final = 5
"""Number of questions shown among the largest gains, and among the largest losses."""
# Sums of the same gains in another order differ by rounding.
_EQUALITY_TOLERANCE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class QuestionComparison:
    """nDCG@10 of one question in both measurements."""

    id: str
    text: str
    before: float
    after: float

    @property
    def change(self) -> float:
        """Score `after` minus `before`; above 0 means better."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Comparison:
    """Differences between two measurements.

    Attributes:
        questions: number of questions in both measurements.
        change: mean difference of nDCG@10, with its paired bootstrap interval.
        p: p-value of a two-sided permutation test.
        better, worse, equal: number of questions whose nDCG@10 rose, fell or stayed.
        improved, regressed: the questions with the largest changes.
        differences: all questions, the largest loss first.
    """

    questions: int
    change: Estimate
    p: float
    better: int
    worse: int
    equal: int
    improved: tuple[QuestionComparison, ...]
    regressed: tuple[QuestionComparison, ...]
    differences: tuple[QuestionComparison, ...]


def compare(before: Mapping[str, float], after: Mapping[str, tuple[str, float]]) -> Comparison:
    """Compare `after` with `before`, both by question id; `after` has the questions' texts.

    Raises:
        InvalidInput: they have no question in common.
    """
    pairs = [
        QuestionComparison(name, text, before[name], ndcg) for name, (text, ndcg) in after.items() if name in before
    ]
    if not pairs:
        raise InvalidInput("The two runs have no question in common. Compare runs over the same questions.")
    changes = [pair.change for pair in pairs]
    ordered = sorted(pairs, key=lambda pair: (-pair.change, pair.id))
    improved = [pair for pair in ordered if pair.change > _EQUALITY_TOLERANCE]
    regressed = [pair for pair in reversed(ordered) if pair.change < -_EQUALITY_TOLERANCE]
    return Comparison(
        questions=len(pairs),
        change=bootstrap_mean(changes),
        p=permutation_p_value(changes),
        better=len(improved),
        worse=len(regressed),
        equal=len(pairs) - len(improved) - len(regressed),
        improved=_largest(improved),
        regressed=_largest(regressed),
        differences=tuple(sorted(pairs, key=lambda pair: (pair.change, pair.id))),
    )


def _largest(differences: Sequence[QuestionComparison]) -> tuple[QuestionComparison, ...]:
    return tuple(differences[:MAX_SHOWN])
