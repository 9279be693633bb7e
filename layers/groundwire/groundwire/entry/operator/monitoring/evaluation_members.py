"""JSON members of a measurement and of a comparison, the same for command line and REST."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.domain.search.metrics import Estimate
    from groundwire.services.evaluate.comparison import Comparison, QuestionComparison
    from groundwire.services.evaluate.measurement import MethodSummary, QuestionResult

Row = dict[str, object]


def method_members(row: "MethodSummary") -> Row:
    """Return the means of one ranking method."""
    return {
        "ranked_by": row.method.value,
        "ndcg_at_10": estimate_members(row.ndcg),
        "recall_at_100": estimate_members(row.recall),
        "mrr_at_10": estimate_members(row.mrr),
    }


def question_members(result: "QuestionResult") -> Row:
    """Return the result of one question, with its first documents."""
    scores = {
        method.value: {"ndcg_at_10": score.ndcg, "recall_at_100": score.recall, "mrr_at_10": score.reciprocal_rank}
        for method, score in result.scores.items()
    }
    return {"id": result.question.id, "text": result.question.text, "scores": scores, "top": list(result.top_documents)}


def comparison_members(comparison: "Comparison") -> Row:
    """Return the members of a comparison without those of its questions."""
    return {
        "questions": comparison.questions,
        "change": estimate_members(comparison.change),
        "p": comparison.p,
        "better": comparison.better,
        "worse": comparison.worse,
        "equal": comparison.equal,
    }


def difference_members(difference: "QuestionComparison") -> Row:
    """Return the members of one question in a comparison."""
    return {"id": difference.id, "text": difference.text, "before": difference.before, "after": difference.after}


def estimate_members(estimate: "Estimate") -> Row:
    """Return the members of a mean with its interval."""
    return {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}
