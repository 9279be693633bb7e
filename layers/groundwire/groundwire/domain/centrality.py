"""How central each of some sentences is: a sentence counts by the sentences that share its words.

TextRank (Mihalcea and Tarau, "TextRank: bringing order into texts", 2004), with the first sentence favoured, since
what a passage is about is mostly said there.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from math import log
from typing import Final

_DAMPING: Final = 0.85
_ROUNDS: Final = 12
_FIRST: Final = 2.0
"""Times the prior of every other sentence."""


def centrality(sentences: Sequence[AbstractSet[str]]) -> list[float]:
    """A score per sentence, given as its words; higher is more central."""
    likeness = [[_likeness(one, other) if one is not other else 0.0 for other in sentences] for one in sentences]
    given = [sum(row) for row in likeness]
    prior = [_FIRST if at == 0 else 1.0 for at in range(len(sentences))]
    scores = prior
    for _ in range(_ROUNDS):
        shares = [score / out if out else 0.0 for score, out in zip(scores, given, strict=True)]
        scores = [
            (1 - _DAMPING) * first + _DAMPING * sum(map(float.__mul__, row, shares))
            for first, row in zip(prior, likeness, strict=True)
        ]
    return scores


def _likeness(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    """Words in common, for the lengths of both."""
    common = len(one & other)
    return common / (1 + log(len(one)) + log(len(other))) if common else 0.0
