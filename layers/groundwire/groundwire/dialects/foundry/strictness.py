"""Strictness: the steps 0 to 5 of a search, each with the least relevance that a passage needs."""

from collections.abc import Mapping, Sequence
from typing import Final

from groundwire.domain.search.request import SearchMode

MAX_STRICTNESS: Final = 5
DEFAULT_STRICTNESS: Final = 1

Thresholds = tuple[float, float, float, float, float]
"""Least relevance for the steps 1 to 5, ascending; step 0 returns everything."""

TEXT_THRESHOLDS: Final[Mapping[SearchMode, Thresholds]] = {
    SearchMode.HYBRID: (0.008, 0.025, 0.06, 0.15, 0.4),
    SearchMode.SEMANTIC: (0.02, 0.05, 0.09, 0.2, 0.4),
    SearchMode.LEXICAL: (0.006, 0.02, 0.045, 0.1, 0.25),
}
"""Thresholds of passages by the mode of the search: a relevance of 0.05 is another event in each.

Chosen on the questions that the fits of relevance saw: 1 keeps nearly every first relevant passage, 3 is where most
questions about another subject have no passage left (docs/dialects/foundry.md).
"""
IMAGE_THRESHOLDS: Final[Thresholds] = TEXT_THRESHOLDS[SearchMode.HYBRID]


def is_admitted(relevance: float | None, strictness: int, thresholds: Sequence[float]) -> bool:
    """Return whether a passage or image of this relevance stays; one without a relevance always does."""
    return strictness == 0 or relevance is None or relevance >= thresholds[strictness - 1]
