"""Inverted postings in segments: each batch of rows adds one, and segments merge as they accumulate.

Small segments merge at once. Merging large ones takes seconds, so the caller chooses when.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Final

import numpy as np

from groundwire.adapters.lexical.analyzer import TERM_BITS
from groundwire.adapters.local.index.arrays.dtypes import I32, I64, U16, U64, Bools
from groundwire.adapters.local.index.arrays.prefetch import prefetch_all, prefetch_spans

_GROWTH_FACTOR: Final = 4
"""Merge rule: a segment merges into the one before unless that is this many times as long. So a million rows have about
nine segments, and a large segment is rewritten only after a quarter of its postings was added.
"""

_MAX_INLINE_MERGE: Final = 1 << 18
"""Limit of postings to merge while a search waits: about 2,000 passages, ten milliseconds."""

_MAX_SEGMENT_POSTINGS: Final = 1 << 23
"""Limit of postings to merge at all: about 64,000 passages. It bounds the memory of a merge, about 350 MB. A million
rows then have about twenty segments, which costs a search a millisecond.
"""

_POSITION_BITS: Final = np.uint64(64 - TERM_BITS)
_MAX_POSITION: Final = np.uint64((1 << (64 - TERM_BITS)) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class PostingsSegment:
    """Postings of some rows, by term, within a term by row.

    Attributes:
        terms: distinct, ascending.
        starts: where each term's postings begin, and at the end the number of postings.
        rows: positions in the snapshot.
        counts: weighted occurrences of the term in the row.
    """

    terms: U64
    starts: I64
    rows: I32
    counts: U16


@dataclass(frozen=True, slots=True, eq=False)
class TermPostings:
    """Postings of the requested terms, term by term in the requested order.

    Attributes:
        starts: where each term's postings begin, and at the end the number of postings.
    """

    starts: I64
    rows: I32
    counts: U16

    @property
    def document_frequencies(self) -> I64:
        """Number of postings per requested term."""
        return np.diff(self.starts)


def invert(terms: U64, counts: U16, terms_per_row: I64, first_row: int) -> PostingsSegment:
    """Build the segment of consecutive rows from `first_row`; `terms` holds one row's terms after the other's."""
    rows = np.repeat(np.arange(first_row, first_row + len(terms_per_row), dtype=np.int32), terms_per_row)
    order = _term_order(terms)
    return _build_segment(terms[order], rows[order], counts[order])


def append_segment(segments: tuple[PostingsSegment, ...], new: PostingsSegment) -> tuple[PostingsSegment, ...]:
    """Append a segment, merged with the segments before it as far as that takes milliseconds."""
    while segments and _should_merge(segments[-1], new, _MAX_INLINE_MERGE):
        new = _merge(segments[-1], new)
        segments = segments[:-1]
    return (*segments, new)


def is_merged(segments: Sequence[PostingsSegment]) -> bool:
    """Return whether no two neighbours need a merge."""
    return not any(_should_merge(first, second, _MAX_SEGMENT_POSTINGS) for first, second in pairwise(segments))


def merge_segments(segments: Sequence[PostingsSegment]) -> tuple[PostingsSegment, ...]:
    """Return the same postings in fully merged segments; takes seconds for many."""
    merged: list[PostingsSegment] = []
    for segment in segments:
        last = segment
        while merged and _should_merge(merged[-1], last, _MAX_SEGMENT_POSTINGS):
            last = _merge(merged.pop(), last)
        merged.append(last)
    return tuple(merged)


def renumber_rows(segment: PostingsSegment, remaining_rows: Bools, numbers: I32) -> PostingsSegment:
    """Return only the postings of remaining rows, under the rows' new numbers, in the same order.

    Args:
        segment: the postings.
        remaining_rows: mask of the rows that stay.
        numbers: new number per row.
    """
    remaining_postings = np.flatnonzero(remaining_rows[segment.rows])
    starts = np.searchsorted(remaining_postings, segment.starts)
    remaining_terms = np.flatnonzero(np.diff(starts))
    return PostingsSegment(
        segment.terms[remaining_terms],
        np.append(starts[remaining_terms], len(remaining_postings)),
        numbers[segment.rows[remaining_postings]],
        segment.counts[remaining_postings],
    )


def find_postings(segments: Sequence[PostingsSegment], requested: U64) -> TermPostings:
    """Return all postings of the requested terms, which are ascending and distinct."""
    for segment in segments:
        prefetch_all(segment.terms)
        prefetch_all(segment.starts)
    spans = sorted([span for segment in segments for span in _spans(segment, requested)], key=itemgetter(0))
    numbers, rows, counts = zip(*spans, strict=True) if spans else ((), (), ())
    lengths = np.bincount(np.array(numbers, np.int64), [len(some) for some in rows], len(requested))
    return TermPostings(
        np.concatenate([[0], lengths.cumsum()]).astype(np.int64),
        np.concatenate([np.empty(0, np.int32), *rows]),
        np.concatenate([np.empty(0, np.uint16), *counts]),
    )


def _spans(segment: PostingsSegment, requested: U64) -> Iterator[tuple[int, I32, U16]]:
    """Yield the number of a requested term, and its postings in the segment."""
    if not len(segment.terms):
        return
    positions = np.minimum(np.searchsorted(segment.terms, requested), len(segment.terms) - 1)
    numbers = np.flatnonzero(segment.terms[positions] == requested)
    starts, ends = segment.starts[positions[numbers]], segment.starts[positions[numbers] + 1]
    prefetch_spans(segment.rows, starts, ends)
    prefetch_spans(segment.counts, starts, ends)
    for number, start, end in zip(numbers.tolist(), starts.tolist(), ends.tolist(), strict=True):
        yield number, segment.rows[start:end], segment.counts[start:end]


def _term_order(terms: U64) -> U64 | I64:
    """Return the order that sorts the terms; equal terms keep their order."""
    if len(terms) > _MAX_POSITION:
        return np.argsort(terms, kind="stable")
    # Term and position in one number: numpy sorts numbers ten times as fast as it finds their order.
    return np.sort((terms << _POSITION_BITS) | np.arange(len(terms), dtype=np.uint64)) & _MAX_POSITION


def _should_merge(first: PostingsSegment, second: PostingsSegment, max_postings: int) -> bool:
    total = len(first.rows) + len(second.rows)
    return len(first.rows) < _GROWTH_FACTOR * len(second.rows) and total <= max_postings


def _merge(first: PostingsSegment, second: PostingsSegment) -> PostingsSegment:
    terms = np.concatenate([_term_of_each(first), _term_of_each(second)])
    # A stable sort of two sorted runs is one merge, and keeps the rows of `first` before those of `second`.
    order = np.argsort(terms, kind="stable")
    rows = np.concatenate([first.rows, second.rows])[order]
    counts = np.concatenate([first.counts, second.counts])[order]
    return _build_segment(terms[order], rows, counts)


def _term_of_each(segment: PostingsSegment) -> U64:
    return np.repeat(segment.terms, np.diff(segment.starts))


def _build_segment(terms: U64, rows: I32, counts: U16) -> PostingsSegment:
    """Build a segment from postings in order of term."""
    starts = np.flatnonzero(np.diff(terms, prepend=~terms[:1]))
    return PostingsSegment(terms[starts], np.append(starts, len(terms)), rows, counts)
