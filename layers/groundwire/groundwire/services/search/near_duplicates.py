"""Near-duplicates: of passages with nearly the same text an answer holds the best ranked one, which lists the others.

Only passages that the caller may read are compared, and nothing is merged in storage: a caller who may not read
one gets the other. Texts with different figures, dates or codes are never near-duplicates.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundwire.domain.documents.segment import Segment
from groundwire.domain.passages.minhash import HASH_BYTES, SEGMENT_HASHES, hashes, resemblance
from groundwire.services.search.results import Passage

NEAR_DUPLICATE_RESEMBLANCE: Final = 0.9
"""Minimum resemblance of the sketches of near-duplicates."""

_FIRST_HASHES: Final = int(SEGMENT_HASHES * (1 - NEAR_DUPLICATE_RESEMBLANCE)) + 1
"""Number of smallest hashes that are compared first: of 32 hashes .9 lets 3 differ, so both have one of four."""

_NUMBER: Final = re.compile(r"\w*\d\w*")


def collapse(passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages in their order, each near-duplicate moved into `also_in` of the best one."""
    groups: list[list[Passage]] = []
    by_text: dict[str, int] = {}
    by_hash: dict[bytes, list[int]] = {}
    for passage in passages:
        slot = by_text.get(passage.segment.text)
        keys = _keys(passage.segment)
        if slot is None:
            near = (each for key in keys for each in by_hash.get(key, ()))
            slot = next((each for each in near if _is_near_duplicate(groups[each][0].segment, passage.segment)), None)
        if slot is not None:
            groups[slot].append(passage)
            continue
        by_text[passage.segment.text] = len(groups)
        for key in keys:
            by_hash.setdefault(key, []).append(len(groups))
        groups.append([passage])
    return [replace(best, also_in=tuple(others)) if others else best for best, *others in groups]


def _keys(segment: Segment) -> list[bytes]:
    return hashes(segment.sketch[: _FIRST_HASHES * HASH_BYTES])


def _is_near_duplicate(first: Segment, second: Segment) -> bool:
    return resemblance(first.sketch, second.sketch) >= NEAR_DUPLICATE_RESEMBLANCE and _numbers_in(first) == _numbers_in(
        second
    )


def _numbers_in(segment: Segment) -> list[str]:
    return sorted(_NUMBER.findall(segment.text))
