"""Fits of relevance to a test set, and what they refuse of questions that they did not see."""

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
        questions: number of questions; of answered ones those that get a passage that answers without a floor.
        now: by the fit that searches use; None: they use none. fitted: by fits of the other folds.
    """

    kind: QuestionKind
    questions: int
    now: float | None
    fitted: float


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """First passages of similar relevance.

    Attributes:
        passages: number of them.
        relevance: its mean, by fits of the other folds. answering: share of the passages that answer.
    """

    passages: int
    relevance: float
    answering: float


@dataclass(frozen=True, slots=True)
class RelevanceProposal:
    """Fits to all questions, and what is to be expected from them; nothing has been changed."""

    fits: ModelFits
    shares: Sequence[ClassShare]
    reliability: Sequence[ReliabilityBin]


def propose_fits(
    judged: Sequence[JudgedQuestion], model: str, reranker: str | None, now: ModelFits | None
) -> RelevanceProposal:
    """Return fits to these questions, judged by cross-validation.

    Args:
        judged: questions of each class.
        model: name of the embedding model in the index.
        reranker: name of the reranker whose scores are among the signals; None: none.
        now: fits that searches use; None: there are none.
    """
    folds = _folds(judged)
    held_out: list[tuple[JudgedQuestion, RelevanceFit]] = []
    for fold in range(_FOLDS):
        # A test set counts as one collection.
        fitted = fit_relevance({"": [one for one in judged if folds[one.id] != fold]}, SearchMode.HYBRID)
        held_out += [(one, fitted) for one in judged if folds[one.id] == fold]
    return RelevanceProposal(
        ModelFits(model, reranker, *(fit_relevance({"": judged}, m) for m in (SearchMode.HYBRID, SearchMode.SEMANTIC))),
        _shares(held_out, None if now is None else now.hybrid),
        _reliability(held_out),
    )


def _folds(judged: Sequence[JudgedQuestion]) -> Mapping[str, int]:
    """Return the fold of each question by id, so that the same question never is in two; drawn by seed."""
    # Sorted before the shuffle, as the order of a set differs from process to process.
    ids = sorted({each.id for each in judged})
    Random(_SEED).shuffle(ids)  # noqa: S311 - a draw, no secret
    return {name: position % _FOLDS for position, name in enumerate(ids)}


def _shares(held_out: Sequence[tuple[JudgedQuestion, RelevanceFit]], now: RelevanceFit | None) -> list[ClassShare]:
    found: list[ClassShare] = []
    for kind in QuestionKind:
        of_kind = [
            (one, fitted)
            for one, fitted in held_out
            if one.kind is kind and (kind is not QuestionKind.ANSWERED or is_answered(one))
        ]
        if of_kind:
            by_now = None if now is None else _empty([(one, now) for one, _ in of_kind])
            found.append(ClassShare(kind, len(of_kind), by_now, _empty(of_kind)))
    return found


def _empty(questions: Sequence[tuple[JudgedQuestion, RelevanceFit]]) -> float:
    return sum(best_relevance(fitted, one) < fitted.floor for one, fitted in questions) / len(questions)


def _reliability(held_out: Sequence[tuple[JudgedQuestion, RelevanceFit]]) -> list[ReliabilityBin]:
    """Return bins of equally many first passages, from the least to the most relevant."""
    rows = sorted((fitted.chance(one.found[0].signals), one.found[0].answers) for one, fitted in held_out if one.found)
    edges = [len(rows) * number // _BINS for number in range(_BINS + 1)]
    # Fewer rows than bins leave some bins empty.
    parts = [rows[start:end] for start, end in pairwise(edges) if end > start]
    return [
        ReliabilityBin(len(part), sum(c for c, _ in part) / len(part), sum(a for _, a in part) / len(part))
        for part in parts
    ]
