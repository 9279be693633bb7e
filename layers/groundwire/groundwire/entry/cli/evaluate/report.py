"""Output of `groundwire eval`: a table for people, and the report that becomes JSON."""

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.domain.search.metrics import Estimate
from groundwire.entry.cli.console import print_line, print_rows
from groundwire.entry.cli.evaluate.relevance import print_proposal
from groundwire.services.evaluate.comparison import Comparison, QuestionComparison
from groundwire.services.evaluate.measurement import MethodSummary, QuestionResult, RankingMethod
from groundwire.services.evaluate.relevance_validation import RelevanceProposal
from groundwire.services.evaluate.weight_fit import WeightFit


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """The results of one run.

    Attributes:
        weight: BM25 weight of the collection; None where several were searched.
    """

    name: str
    qrels: str
    model: str
    documents: int
    segments: int
    weight: float | None
    rows: Sequence[MethodSummary]
    question_results: Sequence[QuestionResult]
    fit: WeightFit | None
    relevance: RelevanceProposal | None
    comparison: Comparison | None


def print_report(report: EvaluationReport) -> None:
    """Print the means with their intervals, then the proposed weight and the comparison, if requested."""
    print_line(
        f"{report.name}: {len(report.question_results)} questions ({report.qrels}), {report.documents} documents, "
        f"{report.segments} passages, {report.model}",
        style="bold",
    )
    table = [
        {
            "ranked by": _ranked_by(row, report),
            "nDCG@10": _cell(row.ndcg),
            "recall@100": _cell(row.recall),
            "MRR@10": _cell(row.mrr),
        }
        for row in report.rows
    ]
    print_rows(table, ["ranked by", "nDCG@10", "recall@100", "MRR@10"], as_json=False, empty_message="")
    print_line("Means over the questions, with the 95 % interval (bootstrap) in brackets.", style="dim")
    if report.fit is not None:
        _print_fit(report.fit)
    if report.relevance is not None:
        print_proposal(report.relevance)
    if report.comparison is not None:
        _print_comparison(report.comparison)


def _ranked_by(row: MethodSummary, report: EvaluationReport) -> str:
    if row.method is not RankingMethod.SEARCH:
        return row.method.value
    return "search" if report.weight is None else f"search, BM25 weight {report.weight:g}"


def _cell(estimate: Estimate) -> str:
    return f"{estimate.mean:.4f} ({_bound(estimate.low)}-{_bound(estimate.high)})"


def _bound(value: float) -> str:
    # Without the leading zero, three of these columns fit into 80 characters.
    return f"{value:.3f}".removeprefix("0")


def _print_fit(fit: WeightFit) -> None:
    chosen = ", ".join(f"{weight:g}" for weight in fit.chosen)
    print_line(f"\nBM25 weight {fit.proposed:g} fits these {fit.questions} questions best; now it is {fit.current:g}.")
    print_line(
        f"Held-out questions of {fit.folds} folds, ranked with the weights of the other folds ({chosen}): "
        f"nDCG@10 {fit.ndcg_fitted:.4f} instead of {fit.ndcg_now:.4f}, {_change_text(fit.gain, fit.p)}."
    )
    if fit.gain.low <= 0:
        print_line("The gain is not significant. Judge more questions.")
    print_line(
        "Nothing was changed. To set the weight, run `groundwire collection set NAME --bm25-weight WEIGHT`.",
        style="dim",
    )


def _print_comparison(comparison: Comparison) -> None:
    print_line(
        f"\nCompared with the earlier run, {comparison.questions} questions: nDCG@10 "
        f"{_change_text(comparison.change, comparison.p)}; {comparison.better} better, {comparison.worse} "
        f"worse, {comparison.equal} equal."
    )
    for title, differences in (("Gained most", comparison.improved), ("Lost most", comparison.regressed)):
        if differences:
            print_line(f"{title}:")
            for difference in differences:
                print_line(_difference_line(difference))


def _difference_line(difference: QuestionComparison) -> str:
    return f"  {difference.before:.3f} -> {difference.after:.3f}  {difference.text} ({difference.id})"


def _change_text(estimate: Estimate, p: float) -> str:
    return f"{estimate.mean:+.4f} ({estimate.low:+.4f} to {estimate.high:+.4f}, p {p:.3f})"
