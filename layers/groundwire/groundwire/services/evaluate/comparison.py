"""Compare: two measurements of the same questions, question by question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.search.metrics import Estimate, bootstrap_mean, permutation_p_value

MAX_SHOWN: Final = 5
"""Of the questions that gained and lost most."""
_EQUALITY_TOLERANCE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Difference:
    """One question's nDCG@10 in both measurements."""

    id: str
    text: str
    before: float
    after: float

    @property
    def change(self) -> float:
        """Above 0: it is better now."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed.

    Attributes:
        questions: that both measurements asked.
        change: mean difference of nDCG@10 with its paired bootstrap interval. p: of a permutation test, two-sided.
        better, worse, equal: numbers of questions. gained, lost: those that changed most.
    """

    questions: int
    change: Estimate
    p: float
    better: int
    worse: int
    equal: int
    gained: tuple[Difference, ...]
    lost: tuple[Difference, ...]


def compare(before: Mapping[str, float], after: Mapping[str, tuple[str, float]]) -> Comparison:
    """`after` against `before`, both by question id; `after` has the questions' texts.

    Raises:
        Invalid: they have no question in common.
    """
    pairs = [Difference(name, text, before[name], ndcg) for name, (text, ndcg) in after.items() if name in before]
    if not pairs:
        raise InvalidInput("The two measurements have no question in common: compare runs of the same questions.")
    changes = [pair.change for pair in pairs]
    ordered = sorted(pairs, key=lambda pair: (-pair.change, pair.id))
    gained = [pair for pair in ordered if pair.change > _EQUALITY_TOLERANCE]
    lost = [pair for pair in reversed(ordered) if pair.change < -_EQUALITY_TOLERANCE]
    return Comparison(
        questions=len(pairs),
        change=bootstrap_mean(changes),
        p=permutation_p_value(changes),
        better=len(gained),
        worse=len(lost),
        equal=len(pairs) - len(gained) - len(lost),
        gained=_first(gained),
        lost=_first(lost),
    )


def _first(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    return tuple(differences[:MAX_SHOWN])
