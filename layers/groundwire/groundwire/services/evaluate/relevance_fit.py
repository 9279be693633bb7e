"""Logistic regression of relevance on judged questions, and the floor below which an answer is empty.

The fit has two steps, so that one score serves for the floor and as a probability:

1. The coefficients are fitted to separate the best answering passage of answered questions from the best passage of
   unanswered ones (foreign subject, gibberish). That is the decision of the floor.
2. A scale and an intercept calibrate this score to a probability (Platt scaling), on the first passages of all
   questions, as users see them.

Each collection has the same total weight.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from groundwire.domain.search.logistic import Observation, fit_logistic
from groundwire.domain.search.relevance import JUDGED_PASSAGES, RelevanceFit, Signals
from groundwire.domain.search.request import SearchMode

TOLERATED_LOSS: Final = 0.035
"""Maximum share of answered questions of each collection that the floor may leave without an answer.

It is the smallest value, in steps of .005, at which the built-in fit refuses 99 % of gibberish in each of its
collections.
"""


class QuestionKind(StrEnum):
    """Class of a question; only the first has an answer.

    `LEFT_OUT` is an answered question after removal of the passages that answer it. `FOREIGN` is on another subject
    than the collection, `ABSENT` on its subject, but no document answers it. `FRAGMENT` is too short to be unambiguous.
    `CLOSED` is answered only in documents that the caller may not read.
    """

    ANSWERED = "answered"
    LEFT_OUT = "left out"
    FOREIGN = "other subject"
    GIBBERISH = "gibberish"
    ABSENT = "absent"
    FRAGMENT = "fragment"
    CLOSED = "closed"


_STEP_1_WEIGHTS: Final[Mapping[QuestionKind, float]] = {
    QuestionKind.ANSWERED: 0.5,
    QuestionKind.FOREIGN: 0.4,
    QuestionKind.GIBBERISH: 0.1,
}
"""Total weight of each class in step 1."""
_STEP_2_WEIGHTS: Final[Mapping[QuestionKind, float]] = {
    QuestionKind.ANSWERED: 0.5,
    QuestionKind.LEFT_OUT: 0.12,
    QuestionKind.ABSENT: 0.05,
    QuestionKind.FRAGMENT: 0.03,
    QuestionKind.FOREIGN: 0.25,
    QuestionKind.GIBBERISH: 0.05,
}
"""Total weight of each class in step 2: answered questions have half of the weight."""
_STEP_2_PASSAGES: Final = 3
"""Number of passages of each question in step 2."""
_STEP_1_ITERATIONS: Final = 10
"""Number of alternations in step 1: the best passage depends on the coefficients, and these on the best passages."""
_INITIAL_COEFFICIENT: Final = 10.0
"""Initial coefficient of each signal, with which the first best passages are chosen."""
_SIZE_COEFFICIENT: Final = 0.9
"""Fixed coefficient of the collection's size (`Signals.size`) in step 1: larger collections match more by chance.

The coefficient 1 would be the odds of one among `n` passages. Of .7, .8, .9 and 1, only with .9 does one floor cost the
smallest and the largest collection of the built-in fit the same share of answers.
"""
_FEATURES: Final[Mapping[SearchMode, tuple[str, ...]]] = {
    SearchMode.HYBRID: ("window", "passage", "words"),
    SearchMode.SEMANTIC: ("window", "passage"),
    SearchMode.LEXICAL: ("evidence",),
}
"""Names of the signals (`Signals`) that are the features in each search mode."""


@dataclass(frozen=True, slots=True)
class JudgedPassage:
    """Retrieved passage of a question.

    Attributes:
        signals: signals of the search, from which relevance is estimated.
        answers: whether the passage answers the question.
    """

    signals: Signals
    answers: bool


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """Question with its retrieved passages, best first."""

    kind: QuestionKind
    id: str
    passages: Sequence[JudgedPassage]


def fit_relevance(
    collections: Mapping[str, Sequence[JudgedQuestion]], mode: SearchMode, tolerated_loss: float = TOLERATED_LOSS
) -> RelevanceFit:
    """Return the fit to these collections, with the highest floor that costs each of them at most `tolerated_loss`.

    Args:
        collections: questions by collection; some must be answered and some not.
        mode: search mode, which determines the features.
        tolerated_loss: maximum share of answered questions below the floor.
    """
    names = _FEATURES[mode]
    # A coefficient for the reranker needs its score of every passage.
    if all(
        passage.signals.rerank is not None
        for questions in collections.values()
        for question in questions
        for passage in question.passages
    ):
        names = (*names, "rerank")
    direction = _fit_coefficients(collections, names)
    observations = [
        Observation((direction.log_odds(passage.signals),), 0.0, passage.answers, weight)
        for questions in collections.values()
        for weight, passages in _weighted_passages(
            [_with_first_passages(question, _STEP_2_PASSAGES) for question in questions], _STEP_2_WEIGHTS
        )
        for passage in passages
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
        _quantile([best_relevance(fitted, question) for question in questions if is_answered(question)], tolerated_loss)
        for questions in collections.values()
        if any(map(is_answered, questions))
    ]
    # A higher floor would exceed the tolerated loss of one of the collections.
    return replace(fitted, floor=min(floors))


def best_relevance(fitted: RelevanceFit, question: JudgedQuestion) -> float:
    """Return the best relevance among the passages that the floor is compared with; 0 without a passage."""
    return max((fitted.chance(passage.signals) for passage in question.passages[:JUDGED_PASSAGES]), default=0.0)


def is_answered(question: JudgedQuestion) -> bool:
    """Return whether, without a floor, the question gets a passage that answers it."""
    return question.kind is QuestionKind.ANSWERED and any(
        passage.answers for passage in question.passages[:JUDGED_PASSAGES]
    )


def _fit_coefficients(collections: Mapping[str, Sequence[JudgedQuestion]], names: Sequence[str]) -> RelevanceFit:
    """Return the coefficients of step 1, fitted in alternation with the choice of each question's best passage."""
    fitted = _fit_of(names, 0.0, [_INITIAL_COEFFICIENT] * len(names))
    for _ in range(_STEP_1_ITERATIONS):
        observations = [
            Observation(
                # The best passage represents the question, so it has the weight of all its passages.
                _features(best.signals, names),
                -_SIZE_COEFFICIENT * best.signals.size,
                best.answers,
                weight * len(candidates),
            )
            for questions in collections.values()
            for weight, candidates in _weighted_passages(
                [_with_representatives(question) for question in questions], _STEP_1_WEIGHTS
            )
            for best in [max(candidates, key=lambda passage: fitted.log_odds(passage.signals))]
        ]
        model = fit_logistic(observations)
        fitted = _fit_of(names, model.intercept, model.coefficients)
    return fitted


def _fit_of(names: Sequence[str], intercept: float, coefficients: Sequence[float]) -> RelevanceFit:
    coefficient_by_name = dict.fromkeys(("window", "passage", "words", "evidence", "rerank"), 0.0) | dict(
        zip(names, coefficients, strict=True)
    )
    return RelevanceFit(intercept, **coefficient_by_name, size=_SIZE_COEFFICIENT, floor=0.0)


def _with_representatives(question: JudgedQuestion) -> JudgedQuestion:
    """Return the question with the passages that may represent it: of an answered one, only those that answer."""
    first_passages = question.passages[:JUDGED_PASSAGES]
    kept = (
        [passage for passage in first_passages if passage.answers]
        if question.kind is QuestionKind.ANSWERED
        else first_passages
    )
    return replace(question, passages=kept)


def _with_first_passages(question: JudgedQuestion, number: int) -> JudgedQuestion:
    return replace(question, passages=question.passages[:number])


def _weighted_passages(
    questions: Sequence[JudgedQuestion], shares: Mapping[QuestionKind, float]
) -> list[tuple[float, Sequence[JudgedPassage]]]:
    """Return, for each question with passages, the weight of one passage and the passages.

    The weights of all passages of a class add up to its share.
    """
    counted = [question for question in questions if question.passages and question.kind in shares]
    counts = {kind: sum(question.kind is kind for question in counted) for kind in shares}
    return [
        (shares[question.kind] / counts[question.kind] / len(question.passages), question.passages)
        for question in counted
    ]


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
    """Return the largest value below which at most this share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]
