"""Order of the passages of one section: at equal relevance its beginning precedes its continuations.

A section's first passage names the subject; a continuation answers as well only to a reader who knows it. Documents
keep their ranks, because passages trade places within one document.
"""

from collections.abc import Sequence
from typing import Final

from groundwire.services.search.results import Passage

EQUAL_SCORE_BAND: Final = 0.02
"""Difference of fused scores up to which two passages of a section are equally relevant."""


def put_beginnings_first(passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages with each equally relevant earlier passage of a section before the later one.

    Args:
        passages: in the order of their fused scores, best first.
    """
    ordered: list[Passage] = []
    by_section: dict[tuple[str, tuple[str, ...]], list[Passage]] = {}
    for passage in passages:
        segment = passage.segment
        # Passages without headings are of no section.
        section = (segment.doc_id, segment.heading_path) if segment.heading_path else None
        better = [] if section is None else by_section.setdefault(section, [])
        later = {id(each) for each in better if _is_equal_and_later(each, passage)} if better else None
        if later:
            ordered.insert(next(place for place, each in enumerate(ordered) if id(each) in later), passage)
        else:
            ordered.append(passage)
        better.append(passage)
    return ordered


def _is_equal_and_later(better: Passage, passage: Passage) -> bool:
    """Return whether a better passage of the same section comes later in it, and has an equal score."""
    return better.segment.ordinal > passage.segment.ordinal and better.score - passage.score <= EQUAL_SCORE_BAND
