"""Near-duplicates: of passages that say nearly the same the best ranked answers, and knows the others.

Only passages that the caller may read are ever compared, and nothing is merged in storage: who may not read
the one gets the other. Texts in which another figure, date or code stands are never one: it may be what was asked for.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundwire.domain.documents.segment import Segment
from groundwire.domain.passages.minhash import HASH_BYTES, SEGMENT_HASHES, hashes, resemblance
from groundwire.services.search.results import Passage

NEAR_DUPLICATE_RESEMBLANCE: Final = 0.9
"""Resemblance of two sketches from which on two passages count as one."""

_FIRST_HASHES: Final = int(SEGMENT_HASHES * (1 - NEAR_DUPLICATE_RESEMBLANCE)) + 1
"""Of 32 hashes .9 lets 3 differ, so one of the four smallest is in both: no other passage need be compared."""

_NUMBER: Final = re.compile(r"\w*\d\w*")


def collapse(passages: Sequence[Passage]) -> list[Passage]:
    """The passages in their order, each without those before it that say nearly the same."""
    kept: list[list[Passage]] = []
    by_text: dict[str, int] = {}
    by_hash: dict[bytes, list[int]] = {}
    for passage in passages:
        slot = by_text.get(passage.segment.text)
        keys = _keys(passage.segment)
        if slot is None:
            near = (each for key in keys for each in by_hash.get(key, ()))
            slot = next((each for each in near if _is_near_duplicate(kept[each][0].segment, passage.segment)), None)
        if slot is not None:
            kept[slot].append(passage)
            continue
        by_text[passage.segment.text] = len(kept)
        for key in keys:
            by_hash.setdefault(key, []).append(len(kept))
        kept.append([passage])
    return [replace(best, also_in=tuple(others)) if others else best for best, *others in kept]


def _keys(segment: Segment) -> list[bytes]:
    return hashes(segment.sketch[: _FIRST_HASHES * HASH_BYTES])


def _is_near_duplicate(first: Segment, second: Segment) -> bool:
    return resemblance(first.sketch, second.sketch) >= NEAR_DUPLICATE_RESEMBLANCE and _numbers_in(first) == _numbers_in(
        second
    )


def _numbers_in(segment: Segment) -> list[str]:
    return sorted(_NUMBER.findall(segment.text))
