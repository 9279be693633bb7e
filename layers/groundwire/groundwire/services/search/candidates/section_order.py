"""Order of the passages of one section: at equal relevance its beginning precedes its continuations.

A section's first passage names the subject; a continuation answers as well only to a reader who knows it. Documents
keep their ranks, because passages trade places within one document.
"""

from collections.abc import Sequence
from typing import Final

from groundwire.domain.documents.segment import Segment
from groundwire.services.search.results import Passage

EQUAL_SCORE_BAND: Final = 0.02
"""Difference of fused scores up to which two passages of a section are equally relevant."""


def put_beginnings_first(passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages with each equally relevant earlier passage of a section before the later one.

    Args:
        passages: in the order of their fused scores, best first.
    """
    ordered: list[Passage] = []
    for passage in passages:
        ordered.insert(_place(ordered, passage), passage)
    return ordered


def _place(ordered: Sequence[Passage], passage: Passage) -> int:
    """Return the place before the first later passage of the same section with an equal score; else the end."""
    section = _section(passage.segment)
    for place, better in enumerate(ordered):
        is_later = better.segment.ordinal > passage.segment.ordinal and _section(better.segment) == section
        if section is not None and is_later and better.score - passage.score <= EQUAL_SCORE_BAND:
            return place
    return len(ordered)


def _section(segment: Segment) -> tuple[str, tuple[str, ...]] | None:
    """Return document and headings; None without headings."""
    return (segment.doc_id, segment.heading_path) if segment.heading_path else None
