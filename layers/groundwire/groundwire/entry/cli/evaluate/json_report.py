"""JSON of an evaluation, written and read back."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from groundwire.domain.errors import InvalidInput
from groundwire.domain.search.metrics import Estimate
from groundwire.entry.cli.evaluate.report import EvaluationReport
from groundwire.services.evaluate.comparison import Comparison, Difference
from groundwire.services.evaluate.measurement import MethodSummary, QuestionResult, RankingMethod
from groundwire.services.evaluate.weight_fit import WeightFit


def to_json(report: EvaluationReport) -> dict[str, object]:
    """All of it, unrounded, each question with its first documents."""
    return {
        "name": report.name,
        "qrels": report.qrels,
        "questions": len(report.question_results),
        "documents": report.documents,
        "segments": report.segments,
        "model": report.model,
        "bm25_weight": report.weight,
        "rows": [_row(row) for row in report.rows],
        "per_question": [_question(asked) for asked in report.question_results],
        "fit": None if report.fit is None else _fit_members(report.fit),
        "comparison": None if report.comparison is None else _comparison_members(report.comparison),
    }


def read_earlier_ndcg(path: Path) -> dict[str, float]:
    """The search's nDCG@10 by question, as an earlier run printed it; Raises Invalid."""
    try:
        run = cast("Mapping[str, object]", json.loads(path.read_text(encoding="utf-8")))
        questions = cast("list[Mapping[str, Mapping[str, Mapping[str, float]]]]", run["per_question"])
        return {str(each["id"]): float(each["scores"][RankingMethod.SEARCH]["ndcg_at_10"]) for each in questions}
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput(f"{path} is not what `groundwire eval --json` prints.") from error


def _row(row: MethodSummary) -> dict[str, object]:
    return {
        "ranked_by": row.method.value,
        "ndcg_at_10": _estimate(row.ndcg),
        "recall_at_100": _estimate(row.recall),
        "mrr_at_10": _estimate(row.mrr),
    }


def _estimate(found: Estimate) -> dict[str, float]:
    return {"mean": found.mean, "low": found.low, "high": found.high}


def _fit_members(fit: WeightFit) -> dict[str, object]:
    return {
        "questions": fit.questions,
        "folds": fit.folds,
        "now": fit.current,
        "proposed": fit.proposed,
        "chosen": list(fit.chosen),
        "ndcg_now": fit.ndcg_now,
        "ndcg_fitted": fit.ndcg_fitted,
        "gain": _estimate(fit.gain),
        "p": fit.p,
    }


def _comparison_members(comparison: Comparison) -> dict[str, object]:
    return {
        "questions": comparison.questions,
        "change": _estimate(comparison.change),
        "p": comparison.p,
        "better": comparison.better,
        "worse": comparison.worse,
        "equal": comparison.equal,
        "gained": [_difference(each) for each in comparison.gained],
        "lost": [_difference(each) for each in comparison.lost],
    }


def _difference(found: Difference) -> dict[str, object]:
    return {"id": found.id, "text": found.text, "before": found.before, "after": found.after}


def _question(asked: QuestionResult) -> dict[str, object]:
    scores = {
        method.value: {"ndcg_at_10": of.ndcg, "recall_at_100": of.recall, "mrr_at_10": of.reciprocal_rank}
        for method, of in asked.scores.items()
    }
    return {"id": asked.question.id, "text": asked.question.text, "scores": scores, "top": list(asked.top_documents)}
