"""Example values of evaluations and runs of ingestion, each valid for its schema."""

from typing import Final

_MEAN: Final = {"mean": 0.8412, "low": 0.7107, "high": 0.9481}
EVALUATION: Final = {
    "id": "e_5c1d0f6a2b7e9384",
    "created_at": "2026-10-01T12:00:00Z",
    "name": "questions",
    "qrels": "qrels.tsv",
    "operator": "ann",
    "collection": "handbook",
    "model": "all-MiniLM-L6-v2",
    "documents": 12,
    "segments": 148,
    "bm25_weight": 0.25,
    "questions": 20,
    "rows": [{"ranked_by": "search", "ndcg_at_10": _MEAN, "recall_at_100": _MEAN, "mrr_at_10": _MEAN}],
}
QUESTION: Final = {
    "id": "7",
    "text": "How many days may a customer send a station back?",
    "scores": {"search": {"ndcg_at_10": 0.6309, "recall_at_100": 1.0, "mrr_at_10": 0.5}},
    "top": ["handbook-2026", "returns"],
}
EVALUATION_BODY: Final = {
    "name": "returns",
    "collection": "handbook",
    "questions": [{"id": "7", "text": QUESTION["text"], "relevant": {"returns": 2}}],
}
NEW_EVALUATION: Final = {
    "evaluation": {**EVALUATION, "name": "returns", "qrels": "", "operator": None, "questions": 1},
    "per_question": [QUESTION],
    "unknown": [],
}
COMPARISON: Final = {
    "evaluation": "e_5c1d0f6a2b7e9384",
    "earlier": "e_0b7c44d19e6f8a25",
    "questions": 20,
    "unmatched": 0,
    "change": {"mean": 0.0312, "low": 0.0041, "high": 0.0617},
    "p": 0.041,
    "better": 4,
    "worse": 1,
    "equal": 15,
    "differences": [{"id": "7", "text": QUESTION["text"], "before": 1.0, "after": 0.6309}],
    "gate": {"max_loss": 0.02, "passed": True},
}
INGESTION: Final = {
    "id": "r_3c9a61f07be2d845",
    "collection": "handbook",
    "started_at": "2026-10-01T12:00:00Z",
    "updated_at": "2026-10-01T12:04:10Z",
    "operator": "ann",
    "state": "running",
    "files": 240,
    "files_done": 31,
    "counts": {"indexed": 30, "refused": 1},
    "cancel_requested": False,
}
PENDING: Final = {"queued": 209, "parsing": 1, "waiting": 0, "failed": 0}
