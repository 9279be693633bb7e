"""JSON of a search explanation, the same for REST and command line."""

from collections.abc import Mapping, Sequence

from groundwire.domain.access.policy import Principal
from groundwire.domain.filters.own.parser import filter_to_text
from groundwire.domain.passages.excerpts import excerpt
from groundwire.entry.serialization.access import visibility_to_json
from groundwire.entry.serialization.entities import passage_to_json
from groundwire.services.search import Trace
from groundwire.services.search.explanation import Explanation, explain, explain_readable, readable_part


def explanation_to_json(trace: Trace) -> dict[str, object]:
    """Return the whole explanation."""
    return {**search_steps_to_json(trace), "passages": explained_passages_to_json(trace)}


def search_steps_to_json(trace: Trace) -> dict[str, object]:
    """Return the search request and the number of passages after each step."""
    return {
        "phrases": list(trace.phrases),
        "phrases_cut": list(trace.truncated_phrases),
        "filter": None if trace.where is None else filter_to_text(trace.where),
        "bm25_weights": dict(trace.weights),
        "steps": step_counts(trace),
    }


def explained_passages_to_json(trace: Trace) -> list[dict[str, object]]:
    """Return the passages of the result, each with its fused score and the reasons for its rank."""
    return [
        {**passage_to_json(each.passage), "score": each.passage.score, "why": _ranking_to_json(each, trace.phrases)}
        for each in explain(trace)
    ]


def readable_steps_to_json(trace: Trace) -> dict[str, object]:
    """Return the search request and the number of passages after each step, of those that the caller may read."""
    return search_steps_to_json(readable_part(trace))


def readable_passages_to_json(trace: Trace, principal: Principal) -> list[dict[str, object]]:
    """Return the passages of the result, each with why the principal may read it and with the reasons for its rank.

    Ranks are among the passages that the principal may read.
    """
    return [
        {
            **passage_to_json(each.passage),
            # The scores that ranked it, never those of passages that the principal may not read.
            "score": each.passage.score,
            "why": _ranking_to_json(each, trace.phrases),
            "access": visibility_to_json(principal, each.passage.document),
        }
        for each in explain_readable(trace)
    ]


def step_counts(trace: Trace) -> dict[str, int]:
    """Return the number of passages after each step."""
    return {
        "candidates": len({key for scores in trace.scores for key in scores.keys}),
        "fused": len(trace.fused),
        "admitted": len(trace.admitted),
        "distinct": len(trace.distinct),
        "reranked": len(trace.rerank_scores),
        "answer": len(trace.answer),
    }


def _ranking_to_json(explanation: Explanation, phrases: Sequence[str]) -> Mapping[str, object]:
    chunk = explanation.passage.segment
    return {
        "brought_by": explanation.main_contribution.phrase,
        "excerpt": excerpt(chunk.text, phrases, chunk.heading_path),
        "ranks": {
            "fused": explanation.fused,
            "admitted": explanation.admitted,
            "distinct": explanation.distinct,
            "reranked": explanation.reranked,
        },
        # Null without a reranker, and for passages that it did not get.
        "rerank_score": explanation.rerank_score,
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
            for view in explanation.by_phrase
        ],
    }
