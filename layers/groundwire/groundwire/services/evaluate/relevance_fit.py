"""Fit of relevance to judged questions, and the floor under which an answer is empty.

In two steps, so that one scale serves both purposes. The direction parts the best passage that answers from the best
one that a question without an answer finds. Then a scale and an intercept make the sum a chance, on the first passages
of all questions, as users meet them. Each collection counts the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from groundwire.domain.search.logistic import Observation, fit_logistic
from groundwire.domain.search.relevance import JUDGED_PASSAGES, RelevanceFit, Signals
from groundwire.domain.search.request import SearchMode

TOLERATED_LOSS: Final = 0.035
"""Share of the answered questions of each collection that the floor may leave without an answer.

In steps of .005 the least at which the built-in fit refuses 99 % of gibberish in each collection that it sees.
"""


class QuestionKind(StrEnum):
    """Classes of questions; all but the first have no answer.

    `LEFT_OUT` is an answered question without the passages that answer it. `ABSENT` is on the collection's subject, and
    no document says it; `FRAGMENT` is too short to mean one thing; `CLOSED` is answered in documents that the asker may
    not read.
    """

    ANSWERED = "answered"
    LEFT_OUT = "left out"
    FOREIGN = "other subject"
    GIBBERISH = "gibberish"
    ABSENT = "absent"
    FRAGMENT = "fragment"
    CLOSED = "closed"


_DIRECTION: Final[Mapping[QuestionKind, float]] = {
    QuestionKind.ANSWERED: 0.5,
    QuestionKind.FOREIGN: 0.4,
    QuestionKind.GIBBERISH: 0.1,
}
"""Weights of the classes in the first step."""
_SCALE: Final[Mapping[QuestionKind, float]] = {
    QuestionKind.ANSWERED: 0.5,
    QuestionKind.LEFT_OUT: 0.12,
    QuestionKind.ABSENT: 0.05,
    QuestionKind.FRAGMENT: 0.03,
    QuestionKind.FOREIGN: 0.25,
    QuestionKind.GIBBERISH: 0.05,
}
"""Weights of the classes in the second step: half of the questions have an answer."""
_SCALE_DEPTH: Final = 3
"""Passages of each question in the second step."""
_ITERATIONS: Final = 10
"""Iterations of the first step: which passage is best depends on the coefficients, and they on it."""
_START: Final = 10.0
_SIZE: Final = 0.9
"""Coefficient of the size in the first step, where 1 would be the odds of one among `n` passages.

Among .7, .8, .9 and 1 only with .9 is one floor right for the smallest and the largest collection of the built-in fit:
it costs both the same.
"""
_FEATURES: Final[Mapping[SearchMode, tuple[str, ...]]] = {
    SearchMode.HYBRID: ("window", "passage", "words"),
    SearchMode.SEMANTIC: ("window", "passage"),
    SearchMode.LEXICAL: ("evidence",),
}


@dataclass(frozen=True, slots=True)
class JudgedPassage:
    """Passage that a question found.

    Attributes:
        answers: the passage answers the question.
    """

    signals: Signals
    answers: bool


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """Question and what it found, best first."""

    kind: QuestionKind
    id: str
    found: Sequence[JudgedPassage]


def fit_relevance(
    collections: Mapping[str, Sequence[JudgedQuestion]], mode: SearchMode, tolerated_loss: float = TOLERATED_LOSS
) -> RelevanceFit:
    """Return the fit on these collections; its floor costs each of them `tolerated_loss` at most.

    Args:
        collections: at least one has answered questions, and at least one has questions without an answer.
        mode: signals that the passages are judged by.
        tolerated_loss: share of the answered questions that may lose their answer.
    """
    names = _FEATURES[mode]
    # A coefficient needs the reranker's score of every passage.
    if all(
        each.signals.rerank is not None for questions in collections.values() for one in questions for each in one.found
    ):
        names = (*names, "rerank")
    direction = _direction(collections, names)
    observations = [
        Observation((direction.log_odds(each.signals),), 0.0, each.answers, weight)
        for questions in collections.values()
        for weight, found in _weighted([_first(one, _SCALE_DEPTH) for one in questions], _SCALE)
        for each in found
    ]
    scaled = fit_logistic(observations)
    [scale] = scaled.coefficients
    fitted = RelevanceFit(
        intercept=scaled.intercept + scale * direction.intercept,
        window=scale * direction.window,
        passage=scale * direction.passage,
        words=scale * direction.words,
        evidence=scale * direction.evidence,
        size=scale * direction.size,
        rerank=scale * direction.rerank,
        floor=0.0,
    )
    floors = [
        _quantile([best_relevance(fitted, one) for one in questions if is_answered(one)], tolerated_loss)
        for questions in collections.values()
        if any(map(is_answered, questions))
    ]
    # A higher floor would cost one of the collections more than it tolerates.
    return replace(fitted, floor=min(floors))


def best_relevance(fitted: RelevanceFit, question: JudgedQuestion) -> float:
    """Return the relevance by which the floor decides about a question; 0 where nothing was found."""
    return max((fitted.chance(each.signals) for each in question.found[:JUDGED_PASSAGES]), default=0.0)


def is_answered(question: JudgedQuestion) -> bool:
    """Return whether the question gets a passage that answers, where there is no floor."""
    return question.kind is QuestionKind.ANSWERED and any(each.answers for each in question.found[:JUDGED_PASSAGES])


def _direction(collections: Mapping[str, Sequence[JudgedQuestion]], names: Sequence[str]) -> RelevanceFit:
    """Return the fit of the first step, with the fixed coefficient of the size."""
    fitted = _fit_of(names, 0.0, [_START] * len(names))
    for _ in range(_ITERATIONS):
        observations = [
            Observation(
                # One passage stands for the whole question, so it has the weight of all of them.
                _features(best.signals, names),
                -_SIZE * best.signals.size,
                best.answers,
                weight * len(candidates),
            )
            for questions in collections.values()
            for weight, candidates in _weighted([_to_part(one) for one in questions], _DIRECTION)
            for best in [max(candidates, key=lambda each: fitted.log_odds(each.signals))]
        ]
        model = fit_logistic(observations)
        fitted = _fit_of(names, model.intercept, model.coefficients)
    return fitted


def _fit_of(names: Sequence[str], intercept: float, coefficients: Sequence[float]) -> RelevanceFit:
    found = dict.fromkeys(("window", "passage", "words", "evidence", "rerank"), 0.0) | dict(
        zip(names, coefficients, strict=True)
    )
    return RelevanceFit(intercept, **found, size=_SIZE, floor=0.0)


def _to_part(question: JudgedQuestion) -> JudgedQuestion:
    """Return the question with the passages whose best represents it: of an answered one those that answer."""
    served = question.found[:JUDGED_PASSAGES]
    kept = [each for each in served if each.answers] if question.kind is QuestionKind.ANSWERED else served
    return replace(question, found=kept)


def _first(question: JudgedQuestion, number: int) -> JudgedQuestion:
    return replace(question, found=question.found[:number])


def _weighted(
    questions: Sequence[JudgedQuestion], shares: Mapping[QuestionKind, float]
) -> list[tuple[float, Sequence[JudgedPassage]]]:
    """Return the passages of each question that found some, with the weight of each; a class has its share in total."""
    found = [one for one in questions if one.found and one.kind in shares]
    counts = {kind: sum(one.kind is kind for one in found) for kind in shares}
    return [(shares[one.kind] / counts[one.kind] / len(one.found), one.found) for one in found]


def _features(signals: Signals, names: Sequence[str]) -> tuple[float, ...]:
    values = {
        "window": signals.window,
        "passage": signals.passage,
        "words": signals.words,
        "evidence": signals.evidence,
        "rerank": signals.rerank or 0.0,
    }
    return tuple(values[name] for name in names)


def _quantile(values: Sequence[float], share: float) -> float:
    """Return the largest of `values` below which at most this share of them is."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]
