"""Expansion: a passage with the text around it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, Protocol

from groundwire.domain.documents.segment import Segment
from groundwire.domain.limits import CHARACTERS_PER_TOKEN
from groundwire.ports import DocumentVersion, Span
from groundwire.services.search.results import Passage

_SEGMENTS_PER_READ: Final = 4
"""Segments per read of the index, on each side: about a thousand tokens."""


class SpanReader(Protocol):
    """The method of a `VectorIndex` that expansion needs."""

    def read_spans(self, spans: Sequence[Span]) -> list[list[Segment]]:
        """Return the segments of each span, by ordinal, all in one read."""
        ...


def expand(index: SpanReader, answer: Sequence[Passage], tokens: int) -> list[Passage]:
    """Return each passage with neighbours before and after, in turns, up to `tokens`.

    Neighbours belong to the version of the document that was admitted, so access is not checked again. They end
    where another passage of the answer or its context begins: nothing is quoted twice, and no text has a gap.
    """
    taken = {passage.segment.uid for passage in answer}
    text = _SegmentReader(index, [passage.segment for passage in answer])
    found: list[Passage] = []
    for passage in answer:
        before, after = _neighbours(text, passage.segment, tokens * CHARACTERS_PER_TOKEN, taken)
        taken.update(segment.uid for segment in (*before, *after))
        context = (*reversed(before), passage.segment, *after) if before or after else ()
        found.append(replace(passage, context=context))
    return found


class _SegmentReader:
    """Reads the segments around some segments: for all of them at once, and further ones when they are needed."""

    def __init__(self, index: SpanReader, segments: Sequence[Segment]) -> None:
        self._index = index
        self._known: dict[tuple[DocumentVersion, int], Segment | None] = {}
        self._load(
            [
                _span(_version(segment), segment.ordinal - _SEGMENTS_PER_READ, segment.ordinal + _SEGMENTS_PER_READ)
                for segment in segments
            ]
        )

    def before(self, segment: Segment) -> Iterator[Segment]:
        """Yield the segments before this one, nearest first."""
        version = _version(segment)
        for ordinal in range(segment.ordinal - 1, -1, -1):
            found = self._at(version, ordinal, _span(version, ordinal - _SEGMENTS_PER_READ + 1, ordinal))
            if found is None:
                return
            yield found

    def after(self, segment: Segment) -> Iterator[Segment]:
        """Yield the segments after this one."""
        version, ordinal = _version(segment), segment.ordinal + 1
        while found := self._at(version, ordinal, _span(version, ordinal, ordinal + _SEGMENTS_PER_READ - 1)):
            yield found
            ordinal += 1

    def _at(self, version: DocumentVersion, ordinal: int, among: Span) -> Segment | None:
        if (version, ordinal) not in self._known:
            self._load([among])
        return self._known[version, ordinal]

    def _load(self, spans: Sequence[Span]) -> None:
        for span, segments in zip(spans, self._index.read_spans(spans), strict=True):
            # An ordinal without a segment is known to be absent, so it is not read again.
            self._known |= dict.fromkeys((span.document, at) for at in range(span.first, span.last + 1))
            self._known |= {(span.document, each.ordinal): each for each in segments}


def _span(version: DocumentVersion, first: int, last: int) -> Span:
    return Span(version, max(0, first), last)


def _version(segment: Segment) -> DocumentVersion:
    return DocumentVersion(segment.doc_id, segment.version)


def _neighbours(
    text: _SegmentReader, segment: Segment, characters: int, taken: set[str]
) -> tuple[list[Segment], list[Segment]]:
    """Return the neighbours before, nearest first, and after."""
    sides = (text.before(segment), text.after(segment))
    chosen: tuple[list[Segment], list[Segment]] = ([], [])
    going = [0, 1]
    while going:
        # A copy, since a side that has ended is removed within the loop.
        for side in tuple(going):
            nearest = next(sides[side], None)
            if nearest is None or nearest.uid in taken or len(nearest.text) > characters:
                going.remove(side)
                continue
            chosen[side].append(nearest)
            characters -= len(nearest.text)
    return chosen
