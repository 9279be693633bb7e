"""Order of the passages of searches by a reranker; without one, or where it does not answer, the fused order stays."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Final, NamedTuple

from groundwire.domain.errors import Unavailable
from groundwire.ports import Reranker
from groundwire.services.search.results import NOT_RERANKED, Passage

_MOST_THREADS: Final = 5


class Reranked(NamedTuple):
    """Passages of one search in the reranker's order.

    Attributes:
        scores: of each passage; empty where no reranker scored them.
        notices: a sentence where a configured reranker did not answer.
    """

    passages: Sequence[Passage]
    scores: Sequence[float]
    notices: Sequence[str] = ()


def rerank_each(reranker: Reranker, questions: Sequence[str], searches: Sequence[Sequence[Passage]]) -> list[Reranked]:
    """Return the passages of each search, ordered for its question; the reranker's calls run at the same time."""
    if len(searches) == 1:
        return [_rerank(reranker, questions[0], searches[0])]
    with ThreadPoolExecutor(min(_MOST_THREADS, len(searches))) as pool:
        # Each thread has the deadline of the call.
        pending = [
            pool.submit(copy_context().run, _rerank, reranker, question, passages)
            for question, passages in zip(questions, searches, strict=True)
        ]
        return [each.result() for each in pending]


def _rerank(reranker: Reranker, question: str, passages: Sequence[Passage]) -> Reranked:
    """Return the passages by score; those of equal scores keep the fused order."""
    if not passages:
        return Reranked(passages, ())
    try:
        scores = reranker.score(question, [_text_with_headings(passage) for passage in passages])
    except Unavailable:
        return Reranked(passages, (), (NOT_RERANKED,))
    order = sorted(range(len(passages)), key=lambda at: -scores[at])
    return Reranked([passages[at] for at in order], [scores[at] for at in order])


def _text_with_headings(passage: Passage) -> str:
    return f"{' > '.join(passage.segment.heading_path)}\n{passage.segment.text}"
