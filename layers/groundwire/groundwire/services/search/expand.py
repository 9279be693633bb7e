"""Expand: a passage with the text around it, so that a model reads the thought to its end."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, Protocol

from groundwire.domain.documents import Segment
from groundwire.domain.limits import CHARACTERS_PER_TOKEN
from groundwire.ports import DocumentVersion
from groundwire.services.search.passage import Passage

_READ_AT_ONCE: Final = 4
"""Segments per look into the index, on each side: about a thousand tokens."""


class Around(Protocol):
    """What of an `Index` is needed here."""

    def around(self, document: DocumentVersion, first: int, last: int) -> list[Segment]:
        """The document's segments with an ordinal from `first` to `last`, both included, in order."""
        ...


def expanded(index: Around, answer: Sequence[Passage], tokens: int) -> list[Passage]:
    """Each passage with its neighbours before and after, in turns, as far as `tokens` of them go.

    Neighbours are of the very version of the document that was admitted, so no right is asked anew. They end
    where another passage of the answer begins, or what a better one has taken: nothing is quoted twice, and every
    text reads on without a gap.
    """
    taken = {passage.segment.uid for passage in answer}
    found: list[Passage] = []
    for passage in answer:
        before, after = _neighbours(index, passage.segment, tokens * CHARACTERS_PER_TOKEN, taken)
        taken.update(segment.uid for segment in (*before, *after))
        context = (*reversed(before), passage.segment, *after) if before or after else ()
        found.append(replace(passage, context=context))
    return found


def _neighbours(
    index: Around, segment: Segment, characters: int, taken: set[str]
) -> tuple[list[Segment], list[Segment]]:
    """Those before, nearest first, and those after."""
    version = DocumentVersion(segment.doc_id, segment.version)
    sides = (_before(index, version, segment.ordinal), _after(index, version, segment.ordinal))
    chosen: tuple[list[Segment], list[Segment]] = ([], [])
    going = [0, 1]
    while going:
        for side in tuple(going):
            nearest = next(sides[side], None)
            if nearest is None or nearest.uid in taken or len(nearest.text) > characters:
                going.remove(side)
                continue
            chosen[side].append(nearest)
            characters -= len(nearest.text)
    return chosen


def _before(index: Around, version: DocumentVersion, ordinal: int) -> Iterator[Segment]:
    while ordinal > 0:
        first = max(0, ordinal - _READ_AT_ONCE)
        yield from reversed(index.around(version, first, ordinal - 1))
        ordinal = first


def _after(index: Around, version: DocumentVersion, ordinal: int) -> Iterator[Segment]:
    while found := index.around(version, ordinal + 1, ordinal + _READ_AT_ONCE):
        yield from found
        ordinal += _READ_AT_ONCE
