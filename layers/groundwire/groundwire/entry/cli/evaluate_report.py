"""What `groundwire eval` prints: a table for people, exact JSON that a later run can be compared with."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from groundwire.domain.errors import Invalid
from groundwire.domain.metrics import Estimate
from groundwire.entry.cli.console import print_line, print_rows
from groundwire.services.evaluate.compare import Comparison, Difference
from groundwire.services.evaluate.fit import Fit
from groundwire.services.evaluate.measure import Asked, Method, Row


@dataclass(frozen=True, slots=True)
class Report:
    """One run. Attributes: weight: None where several collections were searched."""

    name: str
    qrels: str
    model: str
    documents: int
    segments: int
    weight: float | None
    rows: Sequence[Row]
    asked: Sequence[Asked]
    fit: Fit | None
    comparison: Comparison | None


def print_report(report: Report) -> None:
    """The means with their intervals, then what was asked for beside them."""
    print_line(
        f"{report.name}: {len(report.asked)} questions ({report.qrels}), {report.documents} documents, "
        f"{report.segments} passages, {report.model}",
        style="bold",
    )
    table = [
        {
            "ranked by": _named(row, report),
            "nDCG@10": _cell(row.ndcg),
            "recall@100": _cell(row.recall),
            "MRR@10": _cell(row.mrr),
        }
        for row in report.rows
    ]
    print_rows(table, ["ranked by", "nDCG@10", "recall@100", "MRR@10"], as_json=False, empty="")
    print_line("Means over the questions; in brackets the 95 % interval (bootstrap).", style="dim")
    if report.fit is not None:
        _print_fit(report.fit)
    if report.comparison is not None:
        _print_comparison(report.comparison)


def to_json(report: Report) -> dict[str, object]:
    """All of it, unrounded, each question with its first documents."""
    return {
        "name": report.name,
        "qrels": report.qrels,
        "questions": len(report.asked),
        "documents": report.documents,
        "segments": report.segments,
        "model": report.model,
        "bm25_weight": report.weight,
        "rows": [_row(row) for row in report.rows],
        "per_question": [_question(asked) for asked in report.asked],
        "fit": None if report.fit is None else _fit_members(report.fit),
        "comparison": None if report.comparison is None else _comparison_members(report.comparison),
    }


def before(path: Path) -> dict[str, float]:
    """The search's nDCG@10 by question, as an earlier run printed it; Raises Invalid."""
    try:
        run = cast("Mapping[str, object]", json.loads(path.read_text(encoding="utf-8")))
        questions = cast("list[Mapping[str, Mapping[str, Mapping[str, float]]]]", run["per_question"])
        return {str(each["id"]): float(each["scores"][Method.SEARCH]["ndcg_at_10"]) for each in questions}
    except OSError as error:
        raise Invalid(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise Invalid(f"{path} is not what `groundwire eval --json` prints.") from error


def _named(row: Row, report: Report) -> str:
    if row.method is not Method.SEARCH:
        return row.method.value
    return "search" if report.weight is None else f"search, BM25 weight {report.weight:g}"


def _cell(found: Estimate) -> str:
    return f"{found.mean:.4f} ({_bound(found.low)}-{_bound(found.high)})"


def _bound(value: float) -> str:
    # Without the leading zero three of these columns fit into 80 characters.
    return f"{value:.3f}".removeprefix("0")


def _row(row: Row) -> dict[str, object]:
    return {
        "ranked_by": row.method.value,
        "ndcg_at_10": _estimate(row.ndcg),
        "recall_at_100": _estimate(row.recall),
        "mrr_at_10": _estimate(row.mrr),
    }


def _estimate(found: Estimate) -> dict[str, float]:
    return {"mean": found.mean, "low": found.low, "high": found.high}


def _fit_members(fit: Fit) -> dict[str, object]:
    return {
        "questions": fit.questions,
        "folds": fit.folds,
        "now": fit.now,
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


def _question(asked: Asked) -> dict[str, object]:
    scores = {
        method.value: {"ndcg_at_10": of.ndcg, "recall_at_100": of.recall, "mrr_at_10": of.reciprocal_rank}
        for method, of in asked.scores.items()
    }
    return {"id": asked.question.id, "text": asked.question.text, "scores": scores, "top": list(asked.top)}


def _print_fit(fit: Fit) -> None:
    chosen = ", ".join(f"{weight:g}" for weight in fit.chosen)
    print_line(f"\nBM25 weight {fit.proposed:g} fits these {fit.questions} questions best; now it is {fit.now:g}.")
    print_line(
        f"Held-out questions of {fit.folds} folds, ranked by what the others chose ({chosen}): nDCG@10 "
        f"{fit.ndcg_fitted:.4f} instead of {fit.ndcg_now:.4f}, {_change(fit.gain, fit.p)}."
    )
    if fit.gain.low <= 0:
        print_line("That is no sure gain: more questions would tell.")
    print_line("Nothing was changed: `groundwire collection set NAME --bm25-weight` does that.", style="dim")


def _print_comparison(found: Comparison) -> None:
    print_line(
        f"\nAgainst the earlier run, {found.questions} questions: nDCG@10 {_change(found.change, found.p)}; "
        f"{found.better} better, {found.worse} worse, {found.equal} equal."
    )
    for title, differences in (("Gained most", found.gained), ("Lost most", found.lost)):
        if differences:
            print_line(f"{title}:")
            for difference in differences:
                print_line(_told(difference))


def _told(difference: Difference) -> str:
    return f"  {difference.before:.3f} -> {difference.after:.3f}  {difference.text} ({difference.id})"


def _change(found: Estimate, p: float) -> str:
    return f"{found.mean:+.4f} ({found.low:+.4f} to {found.high:+.4f}, p {p:.3f})"
