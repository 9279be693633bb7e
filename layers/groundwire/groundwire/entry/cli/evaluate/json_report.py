"""JSON form of an evaluation, written and read."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, cast

from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.evaluate.relevance import proposal_members
from groundwire.entry.cli.evaluate.report import EvaluationReport
from groundwire.entry.operator.monitoring.evaluation_members import (
    comparison_members,
    difference_members,
    estimate_members,
    method_members,
    question_members,
)
from groundwire.services.evaluate.comparison import Comparison
from groundwire.services.evaluate.measurement import RankingMethod
from groundwire.services.evaluate.weight_fit import WeightFit

if TYPE_CHECKING:
    from collections.abc import Mapping


def stored_parts(
    report: EvaluationReport, collection: str | None, operator: str
) -> tuple[dict[str, object], list[dict[str, object]]]:
    """Return what is stored of a run: its members without proposals and comparison, and those of its questions."""
    members = to_json(report)
    questions = [question_members(result) for result in report.question_results]
    left_out = {"per_question", "fit", "relevance", "comparison"}
    kept = {name: value for name, value in members.items() if name not in left_out}
    return {**kept, "collection": collection, "operator": operator}, questions


def to_json(report: EvaluationReport) -> dict[str, object]:
    """Return the whole report, unrounded, each question with its first documents."""
    return {
        "name": report.name,
        "qrels": report.qrels,
        "questions": len(report.question_results),
        "documents": report.documents,
        "segments": report.segments,
        "model": report.model,
        "bm25_weight": report.weight,
        "rows": [method_members(row) for row in report.rows],
        "per_question": [question_members(result) for result in report.question_results],
        "fit": None if report.fit is None else _fit_members(report.fit),
        "relevance": None if report.relevance is None else proposal_members(report.relevance),
        "comparison": None if report.comparison is None else _comparison_members(report.comparison),
    }


def read_earlier_ndcg(path: Path) -> dict[str, float]:
    """Return the search's nDCG@10 by question id, from a run that printed JSON.

    Raises:
        InvalidInput: the file cannot be read, or has another form.
    """
    try:
        run = cast("Mapping[str, object]", json.loads(path.read_text(encoding="utf-8")))
        questions = cast("list[Mapping[str, Mapping[str, Mapping[str, float]]]]", run["per_question"])
        return {str(each["id"]): float(each["scores"][RankingMethod.SEARCH]["ndcg_at_10"]) for each in questions}
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput(f"{path} is not output of `groundwire eval --json`.") from error


def _fit_members(fit: WeightFit) -> dict[str, object]:
    return {
        "questions": fit.questions,
        "folds": fit.folds,
        "now": fit.current,
        "proposed": fit.proposed,
        "chosen": list(fit.chosen),
        "ndcg_now": fit.ndcg_now,
        "ndcg_fitted": fit.ndcg_fitted,
        "gain": estimate_members(fit.gain),
        "p": fit.p,
    }


def _comparison_members(comparison: Comparison) -> dict[str, object]:
    return {
        **comparison_members(comparison),
        "gained": list(map(difference_members, comparison.improved)),
        "lost": list(map(difference_members, comparison.regressed)),
    }
