"""Cross-validation of relevance fits to a test set: shares of empty answers, and calibration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Final

from groundwire.domain.search.relevance import ModelFits, RelevanceFit
from groundwire.domain.search.request import SearchMode
from groundwire.services.evaluate.relevance_fit import (
    JudgedQuestion,
    QuestionKind,
    best_relevance,
    fit_relevance,
    is_answered,
)

_FOLDS: Final = 5
_BINS: Final = 5
_SEED: Final = 20_260_101


@dataclass(frozen=True, slots=True)
class ClassShare:
    """Share of empty answers in a class of questions.

    Attributes:
        questions: number of questions; of answered ones, only those that get an answering passage without a floor.
        now: share with the current fit; None if searches use no fit.
        fitted: share with fits to the other folds (held-out questions).
    """

    kind: QuestionKind
    questions: int
    now: float | None
    fitted: float


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Bin of a reliability diagram: first passages of similar relevance.

    Attributes:
        passages: number of passages in the bin.
        relevance: mean relevance, by fits to the other folds.
        answering: share of the passages that answer.
    """

    passages: int
    relevance: float
    answering: float


@dataclass(frozen=True, slots=True)
class RelevanceProposal:
    """Fits to all questions, with their expected quality; nothing has been changed."""

    fits: ModelFits
    shares: Sequence[ClassShare]
    reliability: Sequence[ReliabilityBin]


def propose_fits(
    judged: Sequence[JudgedQuestion], model: str, reranker: str | None, now: ModelFits | None
) -> RelevanceProposal:
    """Return fits to these questions, judged by cross-validation.

    Args:
        judged: judged questions of all classes.
        model: name of the embedding model in the index.
        reranker: name of the reranker whose scores are among the signals; None without a reranker.
        now: fits that searches use; None if they use no fit.
    """
    folds = _folds(judged)
    held_out: list[tuple[JudgedQuestion, RelevanceFit]] = []
    for fold in range(_FOLDS):
        # A test set counts as one collection.
        fitted = fit_relevance({"": [question for question in judged if folds[question.id] != fold]}, SearchMode.HYBRID)
        held_out += [(question, fitted) for question in judged if folds[question.id] == fold]
    return RelevanceProposal(
        ModelFits(
            model, reranker, *(fit_relevance({"": judged}, mode) for mode in (SearchMode.HYBRID, SearchMode.SEMANTIC))
        ),
        _class_shares(held_out, None if now is None else now.hybrid),
        _reliability(held_out),
    )


def _folds(judged: Sequence[JudgedQuestion]) -> Mapping[str, int]:
    """Return the fold of each question id, drawn by seed; all variants of a question are in the same fold."""
    # Sorted before the shuffle, as the order of a set differs from process to process.
    ids = sorted({each.id for each in judged})
    Random(_SEED).shuffle(ids)  # noqa: S311 - a draw, no secret
    return {name: position % _FOLDS for position, name in enumerate(ids)}


def _class_shares(
    held_out: Sequence[tuple[JudgedQuestion, RelevanceFit]], now: RelevanceFit | None
) -> list[ClassShare]:
    shares: list[ClassShare] = []
    for kind in QuestionKind:
        of_kind = [
            (question, fitted)
            for question, fitted in held_out
            if question.kind is kind and (kind is not QuestionKind.ANSWERED or is_answered(question))
        ]
        if of_kind:
            share_now = None if now is None else _share_of_empty_answers([(question, now) for question, _ in of_kind])
            shares.append(ClassShare(kind, len(of_kind), share_now, _share_of_empty_answers(of_kind)))
    return shares


def _share_of_empty_answers(questions: Sequence[tuple[JudgedQuestion, RelevanceFit]]) -> float:
    return sum(best_relevance(fitted, question) < fitted.floor for question, fitted in questions) / len(questions)


def _reliability(held_out: Sequence[tuple[JudgedQuestion, RelevanceFit]]) -> list[ReliabilityBin]:
    """Return bins with equal numbers of first passages, by ascending relevance."""
    rows = sorted(
        (fitted.chance(question.passages[0].signals), question.passages[0].answers)
        for question, fitted in held_out
        if question.passages
    )
    edges = [len(rows) * number // _BINS for number in range(_BINS + 1)]
    # Fewer rows than bins leave some bins empty.
    parts = [rows[start:end] for start, end in pairwise(edges) if end > start]
    return [
        ReliabilityBin(
            len(part), sum(chance for chance, _ in part) / len(part), sum(answers for _, answers in part) / len(part)
        )
        for part in parts
    ]
