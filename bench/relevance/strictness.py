"""Strictness: what each step of Foundry's tools keeps of first relevant passages, and how often it leaves nothing."""

from collections.abc import Mapping, Sequence

from bench.relevance.collections import FITTED
from bench.report import Figures
from groundwire.dialects.foundry.strictness import TEXT_THRESHOLDS
from groundwire.domain.search.relevance import RelevanceFit
from groundwire.domain.search.request import SearchMode
from groundwire.services.evaluate.relevance_fit import JudgedQuestion, QuestionKind


def strictness_table(
    fitted: RelevanceFit, answers: Mapping[str, Sequence[JudgedQuestion]], mode: SearchMode
) -> Figures:
    """Return a row per collection: at each step the share kept, and the share of empty answers to another subject."""
    steps = TEXT_THRESHOLDS[mode]
    heads = [f"{step} {what}" for step in range(1, len(steps) + 1) for what in ("kept", "empty")]
    rows = [
        (name, *(share for least in steps for share in (kept(fitted, found, least), empty(fitted, found, least))))
        for name, found in answers.items()
        if not name.endswith(FITTED)
    ]
    return Figures(
        f"{mode}: strictness, first relevant passages kept and foreign questions without answer",
        ("", *heads),
        rows,
        digits=3,
    )


def kept(fitted: RelevanceFit, answers: Sequence[JudgedQuestion], least: float) -> float:
    """Return the share of the first relevant passages that have this relevance."""
    first = [
        next(each for each in one.passages if each.answers)
        for one in answers
        if one.kind is QuestionKind.ANSWERED and any(each.answers for each in one.passages)
    ]
    return sum(fitted.chance(each.signals) >= least for each in first) / len(first) if first else float("nan")


def empty(fitted: RelevanceFit, answers: Sequence[JudgedQuestion], least: float) -> float:
    """Return the share of questions about another subject without any passage of this relevance."""
    foreign = [one for one in answers if one.kind is QuestionKind.FOREIGN]
    none = [all(fitted.chance(each.signals) < least for each in one.passages) for one in foreign]
    return sum(none) / len(none) if none else float("nan")
