"""Reranker score, 0 to 4: a monotone curve of the relevance of a passage, which is a chance of 0 to 1.

The curve is linear between the points below. They are where a hybrid search keeps .998, .989, .966, .900 and .698 of
the first relevant passages (docs/dialects/azure.md has the table): the score 2.5 of the system's documentation is where
most questions about another subject have no passage left.
"""

from bisect import bisect_right
from typing import Final

from groundwire.dialects.azure.requests.retrieve_request import MAX_RERANKER_SCORE

_POINTS: Final = (
    (0.0, 0.0),
    (0.008, 1.0),
    (0.025, 2.0),
    (0.06, 2.5),
    (0.15, 3.0),
    (0.4, 3.5),
    (1.0, MAX_RERANKER_SCORE),
)
"""Relevance and score, both ascending."""
_RELEVANCES: Final = [relevance for relevance, _ in _POINTS]
_SCORES: Final = [score for _, score in _POINTS]


def reranker_score(relevance: float) -> float:
    """Return the score of a relevance of 0 to 1."""
    return _interpolated(relevance, _RELEVANCES, _SCORES)


def relevance_at(score: float) -> float:
    """Return the least relevance that has this score of 0 to 4."""
    return _interpolated(score, _SCORES, _RELEVANCES)


def _interpolated(value: float, domain: list[float], image: list[float]) -> float:
    """Return the value of the piecewise linear function with these points."""
    at = min(max(bisect_right(domain, value), 1), len(domain) - 1)
    share = (value - domain[at - 1]) / (domain[at] - domain[at - 1])
    return image[at - 1] + share * (image[at] - image[at - 1])
