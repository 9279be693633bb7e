"""Why an answer is as it is, as data: the same over REST and by the command."""

from collections.abc import Mapping

from groundwire.domain.filter_text import filter_to_text
from groundwire.entry.rows import passage_row
from groundwire.services.search import Trace
from groundwire.services.search.explain import Explanation, explain


def explained(trace: Trace) -> dict[str, object]:
    """The whole explanation as data."""
    return {**course(trace), "passages": explained_passages(trace)}


def course(trace: Trace) -> dict[str, object]:
    """What was searched for, and how many passages each step left."""
    return {
        "phrases": list(trace.phrases),
        "phrases_cut": list(trace.cut),
        "filter": None if trace.where is None else filter_to_text(trace.where),
        "bm25_weights": dict(trace.weights),
        "steps": step_counts(trace),
    }


def explained_passages(trace: Trace) -> list[dict[str, object]]:
    """The passages of the answer, each with why it stands where it stands."""
    return [{**passage_row(each.passage), "why": _why(each)} for each in explain(trace)]


def step_counts(trace: Trace) -> dict[str, int]:
    """How many passages there were after each step."""
    return {
        "candidates": len({key for scores in trace.scores for key in scores.keys}),
        "fused": len(trace.fused),
        "admitted": len(trace.admitted),
        "distinct": len(trace.distinct),
        "reranked": len(trace.relevance),
        "answer": len(trace.answer),
    }


def _why(found: Explanation) -> Mapping[str, object]:
    return {
        "brought_by": found.brought_by.phrase,
        "ranks": {
            "fused": found.fused,
            "admitted": found.admitted,
            "distinct": found.distinct,
            "reranked": found.reranked,
        },
        "relevance": found.relevance,
        "phrases": [
            {
                "phrase": view.phrase,
                "bm25": view.bm25,
                "bm25_rank": view.bm25_rank,
                "vector": view.vector,
                "vector_rank": view.vector_rank,
                "passage_similarity": view.passage,
                "best_window": view.window,
                "share": view.share,
            }
            for view in found.by_phrase
        ],
    }
