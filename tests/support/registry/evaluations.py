"""Stored evaluations of search."""

from itertools import count
from typing import TYPE_CHECKING, Final

from groundwire.ports.registry.evaluations import StoredEvaluation

if TYPE_CHECKING:
    from collections.abc import Mapping

_MEAN: Final = {"mean": 0.5, "low": 0.25, "high": 0.75}
_NUMBERS: Final = count(1)


def evaluation(name: str = "questions", created_at: float = 1_790_000_000.0) -> StoredEvaluation:
    """Return an evaluation with an id of its own."""
    summary: Mapping[str, object] = {
        "name": name,
        "qrels": "qrels.tsv",
        "operator": "ann",
        "collection": "handbook",
        "model": "all-MiniLM-L6-v2",
        "documents": 2,
        "segments": 3,
        "bm25_weight": 0.4,
        "questions": 2,
        "rows": [{"ranked_by": "search", "ndcg_at_10": _MEAN, "recall_at_100": _MEAN, "mrr_at_10": _MEAN}],
    }
    return StoredEvaluation(f"e_{next(_NUMBERS):016x}", created_at, summary)


def question(text: str, *top: str, ndcg: float = 1.0) -> dict[str, object]:
    """Return the result of a question, whose id is its text."""
    scores = {"ndcg_at_10": ndcg, "recall_at_100": 1.0, "mrr_at_10": 1.0}
    return {"id": text, "text": text, "scores": {"search": scores}, "top": list(top)}
