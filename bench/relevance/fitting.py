"""The fit of relevance: a logistic model with coefficients that are not negative, and the floor.

In two steps, so that one scale serves both purposes. The direction parts passages that answer from those that questions
without an answer find. Then a scale and an intercept make it a chance, on the first passages of all questions, as users
meet them. Each collection counts the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.relevance.asking import Answer
from bench.relevance.questions import Kind
from groundwire.domain.search.relevance import RelevanceFit, Signals
from groundwire.domain.search.request import SearchMode

F64 = NDArray[np.float64]

DIRECTION: Final[Mapping[Kind, float]] = {
    Kind.ANSWERED: 0.5,
    Kind.FOREIGN: 0.42,
    Kind.GIBBERISH: 0.08,
    Kind.LEFT_OUT: 0.1,
}
"""Weights of the classes in the first step; of an answered question only the best passage that answers counts."""
SCALE: Final[Mapping[Kind, float]] = {
    Kind.ANSWERED: 0.5,
    Kind.LEFT_OUT: 0.12,
    Kind.ABSENT: 0.05,
    Kind.FRAGMENT: 0.03,
    Kind.FOREIGN: 0.25,
    Kind.GIBBERISH: 0.05,
}
"""Weights of the classes in the second step: half of the questions have an answer."""
DEPTH: Final = 3
"""Passages of each question in the fit."""
SERVED: Final = 8
"""Passages of an answer by default; the best of them decides whether it is empty."""
TOLERATED_LOSS: Final = 0.03
"""Share of the answered questions of a fitted collection that may lose their answer."""
FIELDS: Final = ("window", "passage", "words", "missing", "length")
_OF_MODE: Final[Mapping[SearchMode, tuple[str, ...]]] = {
    SearchMode.HYBRID: ("window", "passage", "missing", "length"),
    SearchMode.SEMANTIC: ("window", "passage"),
    SearchMode.LEXICAL: ("words", "missing", "length"),
}
_STEPS: Final = 100
_RIDGE: Final = 1e-3


def fit(collections: Mapping[str, Sequence[Answer]], mode: SearchMode) -> RelevanceFit:
    """Return the fit on these collections; its floor costs each of them `TOLERATED_LOSS` at most."""
    names = _OF_MODE[mode]
    direction = logistic(*_joined([_table(_first_answers(each), names, DIRECTION) for each in collections.values()]))
    features, labels, weights = _joined([_table(each, names, SCALE) for each in collections.values()])
    scores = direction[0] + features @ direction[1:]
    offset, scale = logistic(scores[:, np.newaxis], labels, weights)
    coefficients = dict.fromkeys(FIELDS, 0.0) | dict(zip(names, (scale * direction[1:]).tolist(), strict=True))
    fitted = RelevanceFit(float(offset + scale * direction[0]), **coefficients, floor=0.0)
    floors = [
        float(np.quantile([best(fitted, one) for one in answers if one.kind is Kind.ANSWERED], TOLERATED_LOSS))
        for answers in collections.values()
    ]
    return replace(fitted, floor=min(floors))


def _first_answers(answers: Sequence[Answer]) -> list[Answer]:
    """Return the answers; of an answered question only the first passage that answers."""
    return [
        replace(one, found=tuple(each for each in one.found[:SERVED] if each.answers)[:1])
        if one.kind is Kind.ANSWERED
        else one
        for one in answers
    ]


def _joined(tables: Sequence[tuple[F64, F64, F64]]) -> tuple[F64, F64, F64]:
    """Return features, labels and weights of all collections; the weights have a mean of 1."""
    features, labels = (np.concatenate([table[part] for table in tables]) for part in (0, 1))
    weights = np.concatenate([table[2] / table[2].sum() for table in tables])
    return features, labels, weights * len(weights) / weights.sum()


def best(fitted: RelevanceFit, answer: Answer) -> float:
    """Return the relevance of the best passage that is served; 0 where there is none."""
    return max((fitted.chance(each.signals) for each in answer.found[:SERVED]), default=0.0)


def _table(answers: Sequence[Answer], names: Sequence[str], shares: Mapping[Kind, float]) -> tuple[F64, F64, F64]:
    """Return features, labels and weights of the first passages of each question."""
    counts = {kind: sum(one.kind is kind and bool(one.found) for one in answers) for kind in Kind}
    rows: list[list[float]] = []
    labels: list[float] = []
    weights: list[float] = []
    for one in answers:
        served = one.found[:DEPTH]
        for each in served:
            rows.append([_feature(each.signals, name) for name in names])
            labels.append(float(each.answers))
            weights.append(shares.get(one.kind, 0.0) / counts[one.kind] / len(served))
    return np.array(rows), np.array(labels), np.array(weights)


def _feature(signals: Signals, name: str) -> float:
    if name == "length":
        return -float(np.log(max(1, signals.terms)))
    return -signals.missing if name == "missing" else float(getattr(signals, name))


def logistic(features: F64, labels: F64, weights: F64) -> F64:
    """Return intercept and coefficients; a feature whose coefficient would be negative is left out (0)."""
    active = list(range(features.shape[1]))
    while True:
        found = _newton(np.column_stack([np.ones(len(features)), features[:, active]]), labels, weights)
        if (found[1:] >= 0).all():
            result = np.zeros(1 + features.shape[1])
            result[[0, *(1 + at for at in active)]] = found
            return result
        del active[int(np.argmin(found[1:]))]


def _newton(rows: F64, labels: F64, weights: F64) -> F64:
    """Iteratively reweighted least squares, with a ridge so small that it only keeps separable data finite."""
    coefficients = np.zeros(rows.shape[1])
    ridge = np.eye(rows.shape[1]) * _RIDGE
    for _ in range(_STEPS):
        chance = 1.0 / (1.0 + np.exp(-rows @ coefficients))
        slope = rows.T @ (weights * (labels - chance)) - ridge @ coefficients
        curve = (rows * (weights * chance * (1.0 - chance))[:, np.newaxis]).T @ rows + ridge
        step = np.linalg.solve(curve, slope)
        coefficients += step
        if np.abs(step).max() < 1e-9:
            break
    return coefficients
