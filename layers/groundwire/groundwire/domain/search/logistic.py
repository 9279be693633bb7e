"""Logistic regression whose coefficients are never negative: evidence raises a chance, or does not count.

Method: iteratively reweighted least squares (Newton's method on the log-likelihood), as in McCullagh and Nelder,
"Generalized Linear Models", 1989, with a bounded step, and a ridge that only keeps separable data finite.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Final

_STEPS: Final = 200
_RIDGE: Final = 1e-3
_CONVERGED: Final = 1e-9
_MAX_STEP: Final = 2.0
"""Limit of how far one step moves the log-odds of any observation: a full step may overshoot for ever."""
_MAX_LOG_ODDS: Final = 50.0
"""Limit of log-odds: larger ones are the same chance."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One labelled observation.

    Attributes:
        features: the higher, the more likely the label should be.
        offset: log-odds that are known beforehand; the fit does not change them.
        weight: how much it counts; the fit scales the weights to a mean of 1.
    """

    features: tuple[float, ...]
    offset: float
    label: bool
    weight: float


@dataclass(frozen=True, slots=True)
class LogisticModel:
    """Intercept, and a coefficient per feature, none below 0."""

    intercept: float
    coefficients: tuple[float, ...]


def chance(log_odds: float) -> float:
    """Return the chance, 0 to 1, that has these log-odds."""
    return 1.0 / (1.0 + exp(-max(-_MAX_LOG_ODDS, min(_MAX_LOG_ODDS, log_odds))))


def fit_logistic(observations: Sequence[Observation]) -> LogisticModel:
    """Return the most likely model; a feature whose coefficient would be negative is left out (0).

    Args:
        observations: at least one, all with the same number of features.
    """
    size = len(observations[0].features)
    active = list(range(size))
    while True:
        found = _newton([(1.0, *(each.features[at] for at in active)) for each in observations], observations)
        lowest = min(range(1, len(found)), key=found.__getitem__, default=0)
        if lowest == 0 or found[lowest] >= 0:
            by_feature = dict(zip(active, found[1:], strict=True))
            return LogisticModel(found[0], tuple(by_feature.get(at, 0.0) for at in range(size)))
        # One at a time: without the worst feature the coefficient of another one may rise above 0.
        del active[lowest - 1]


def _newton(rows: Sequence[tuple[float, ...]], observations: Sequence[Observation]) -> list[float]:
    mean_weight = sum(each.weight for each in observations) / len(observations)
    found = [0.0] * len(rows[0])
    # The intercept starts where it cancels the mean offset, as bounded steps would take long to get there.
    found[0] = -sum(each.offset for each in observations) / len(observations)
    for _ in range(_STEPS):
        step = _step(rows, observations, found, mean_weight)
        furthest = max(abs(_dot(step, row)) for row in rows)
        share = min(1.0, _MAX_STEP / furthest) if furthest else 1.0
        found = [a + share * b for a, b in zip(found, step, strict=True)]
        if max(map(abs, step)) < _CONVERGED:
            break
    return found


def _step(
    rows: Sequence[tuple[float, ...]], observations: Sequence[Observation], found: Sequence[float], mean_weight: float
) -> list[float]:
    """Return Newton's step from these coefficients."""
    size = len(found)
    slope = [-_RIDGE * each for each in found]
    curve = [[_RIDGE if row == column else 0.0 for column in range(size)] for row in range(size)]
    for row, each in zip(rows, observations, strict=True):
        weight, expected = each.weight / mean_weight, chance(each.offset + _dot(found, row))
        # These are the terms of the first and of the second derivative of the log-likelihood.
        error, spread = weight * (each.label - expected), weight * expected * (1.0 - expected)
        for at, value in enumerate(row):
            slope[at] += error * value
            for other in range(at + 1):
                curve[at][other] += spread * value * row[other]
    return _solve([[curve[max(a, b)][min(a, b)] for b in range(size)] for a in range(size)], slope)


def _dot(left: Sequence[float], right: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of a linear system, by Gaussian elimination with pivots."""
    size = len(right)
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for at in range(size):
        # The largest pivot keeps the errors of rounding small.
        pivot = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for below in rows[at + 1 :]:
            share = below[at] / rows[at][at]
            for column in range(at, size + 1):
                below[column] -= share * rows[at][column]
    solution = [0.0] * size
    for at in reversed(range(size)):
        rest = _dot(rows[at][at + 1 : size], solution[at + 1 :])
        solution[at] = (rows[at][size] - rest) / rows[at][at]
    return solution
