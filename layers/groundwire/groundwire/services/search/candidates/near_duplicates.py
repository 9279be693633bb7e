"""Near-duplicates: of passages with nearly the same text an answer holds the best ranked one, which lists the others.

Only passages that the caller may read are compared, and nothing is merged in storage: a caller who may not read
one gets the other. Texts with different figures, dates or codes are never near-duplicates.

The same section of two documents of one title is a near-duplicate, too, where one passage contains most of the other:
formats of one file are cut at different places.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from groundwire.domain.documents.segment import Segment
from groundwire.domain.passages.containment import ComparableText, share_text
from groundwire.domain.passages.minhash import HASH_BYTES, SEGMENT_HASHES, hashes, resemblance
from groundwire.domain.text.words import words
from groundwire.services.search.results import Passage

NEAR_DUPLICATE_RESEMBLANCE: Final = 0.9
"""Minimum resemblance of the sketches of near-duplicates."""

_FIRST_HASHES: Final = int(SEGMENT_HASHES * (1 - NEAR_DUPLICATE_RESEMBLANCE)) + 1
"""Number of smallest hashes that are compared first: of 32 hashes .9 lets 3 differ, so both have one of four."""

_SKETCHED_RATIO: Final = 3
"""Ratio of lengths up to which sketches tell that two texts have nothing in common."""

_NUMBER: Final = re.compile(r"\w*\d\w*")
_NUMBERING: Final = re.compile(r"^\s*(?:\d+\.)*\d*[.)]?\s+")
"""Number of a chapter or section before its heading."""


def collapse(passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages in their order, each near-duplicate moved into `also_in` of the best one."""
    groups: list[list[Passage]] = []
    by_text: dict[str, list[Passage]] = {}
    by_hash: dict[bytes, list[list[Passage]]] = {}
    by_section: dict[tuple[str, ...], list[_Comparable]] = {}
    for passage in passages:
        segment = passage.segment
        keys, section = hashes(segment.sketch[: _FIRST_HASHES * HASH_BYTES]), _section(segment)
        group = by_text.get(segment.text) or _near_duplicates(segment, keys, by_hash)
        comparable = None
        # A title alone is no section.
        if group is None and len(section) > 1:
            comparable = _Comparable([passage], ComparableText(segment.text))
            group = _twins(comparable, by_section.get(section, ()))
        if group is not None:
            group.append(passage)
            continue
        group = [passage] if comparable is None else comparable.group
        by_text[segment.text] = group
        for key in keys:
            by_hash.setdefault(key, []).append(group)
        if comparable is not None:
            by_section.setdefault(section, []).append(comparable)
        groups.append(group)
    return [replace(best, also_in=tuple(others)) if others else best for best, *others in groups]


class _Comparable(NamedTuple):
    """Group of near-duplicates, and the text of the best of them."""

    group: list[Passage]
    text: ComparableText


def _near_duplicates(
    segment: Segment, keys: Sequence[bytes], by_hash: Mapping[bytes, Sequence[list[Passage]]]
) -> list[Passage] | None:
    """Return the first group whose best passage is a near-duplicate; None without one."""
    for key in keys:
        for group in by_hash.get(key, ()):
            if _is_near_duplicate(group[0].segment, segment):
                return group
    return None


def _twins(comparable: _Comparable, others: Sequence[_Comparable]) -> list[Passage] | None:
    """Return the first group of the same section whose best passage has most of the text; None without one."""
    segment = comparable.group[0].segment
    for other in others:
        if _may_be_twins(other.group[0].segment, segment) and share_text(other.text, comparable.text):
            return other.group
    return None


def _is_near_duplicate(first: Segment, second: Segment) -> bool:
    return resemblance(first.sketch, second.sketch) >= NEAR_DUPLICATE_RESEMBLANCE and _numbers_in(first) == _numbers_in(
        second
    )


def _section(segment: Segment) -> tuple[str, ...]:
    """Return title and headings without what formats of one file write differently: numbers, case, punctuation."""
    title, headings = _name(segment.title), [_name(heading) for heading in segment.heading_path]
    return (title, *(headings[1:] if headings[:1] == [title] else headings))


@lru_cache(maxsize=4096)
def _name(heading: str) -> str:
    # Cached: most of a search's passages have the title and the headings of another one.
    return " ".join(words(_NUMBERING.sub("", heading)))


def _may_be_twins(first: Segment, second: Segment) -> bool:
    """Return whether the texts of two passages of one section are worth a comparison: most of them are not.

    Texts of different documents, of which one has most of the other, nearly always have one of their smallest hashes in
    common: 499 of 500 pairs where one is three times as long, and more where the lengths are closer.
    """
    if first.doc_id == second.doc_id:
        return False
    lengths = sorted((len(first.text), len(second.text)))
    is_sketched = first.sketch and second.sketch and lengths[1] <= _SKETCHED_RATIO * lengths[0]
    return not is_sketched or not set(hashes(first.sketch)).isdisjoint(hashes(second.sketch))


def _numbers_in(segment: Segment) -> list[str]:
    return sorted(_NUMBER.findall(segment.text))
