"""Inverted postings in pieces: a batch of rows makes a piece, and pieces merge as they add up.

Small ones merge at once. Merging large ones takes seconds, so that is left to whoever has them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import I32, I64, U16, U64, Bools
from groundwire.adapters.local.index.lexical.analyzer import TERM_BITS

_GROWTH_FACTOR: Final = 4
"""A piece is merged into the one before unless that is this many times as long: so a million rows are about
nine pieces, and a large piece is rewritten only after as many postings as a quarter of it came in."""

_MAX_INLINE_MERGE: Final = 1 << 18
"""Postings that are merged while a search waits: about 2,000 passages, ten milliseconds."""

_MAX_SEGMENT_POSTINGS: Final = 1 << 23
"""Postings that are merged at all: about 64,000 passages. Bounds what merging takes, about 350 MB; that a million
rows are about twenty pieces costs a search a millisecond."""

_POSITION_BITS: Final = np.uint64(64 - TERM_BITS)
_MAX_POSITION: Final = np.uint64((1 << (64 - TERM_BITS)) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class PostingsSegment:
    """Postings of some rows, by term, within a term by row.

    Attributes:
        terms: distinct, ascending.
        starts: where each term's postings begin, and at the end how many postings there are.
        rows: positions in the snapshot. counts: how often the term stands in the row.
    """

    terms: U64
    starts: I64
    rows: I32
    counts: U16


@dataclass(frozen=True, slots=True, eq=False)
class TermPostings:
    """The postings of some wanted terms, term by term in the order wanted.

    Attributes:
        starts: where each wanted term's postings begin, and at the end how many postings there are.
    """

    starts: I64
    rows: I32
    counts: U16

    @property
    def document_frequencies(self) -> I64:
        """How many postings each wanted term has."""
        return np.diff(self.starts)

    def restricted_to(self, rows: Bools) -> "TermPostings":
        """Only those in some rows."""
        kept = np.flatnonzero(rows[self.rows])
        return TermPostings(np.searchsorted(kept, self.starts), self.rows[kept], self.counts[kept])


def invert(terms: U64, counts: U16, terms_per_row: I64, first_row: int) -> PostingsSegment:
    """The piece of consecutive rows from `first_row`, whose terms stand one row after the other."""
    rows = np.repeat(np.arange(first_row, first_row + len(terms_per_row), dtype=np.int32), terms_per_row)
    order = _term_order(terms)
    return _build_segment(terms[order], rows[order], counts[order])


def append_segment(segments: tuple[PostingsSegment, ...], new: PostingsSegment) -> tuple[PostingsSegment, ...]:
    """The pieces with one more, merged with those before as far as that is a matter of milliseconds."""
    while segments and _should_merge(segments[-1], new, _MAX_INLINE_MERGE):
        new = _merge(segments[-1], new)
        segments = segments[:-1]
    return (*segments, new)


def is_merged(segments: Sequence[PostingsSegment]) -> bool:
    """Whether each piece is as much longer than the next as it should be."""
    return not any(_should_merge(first, second, _MAX_SEGMENT_POSTINGS) for first, second in pairwise(segments))


def merge_segments(segments: Sequence[PostingsSegment]) -> tuple[PostingsSegment, ...]:
    """The same postings in pieces that are tidy: takes seconds for many."""
    tidy: list[PostingsSegment] = []
    for piece in segments:
        last = piece
        while tidy and _should_merge(tidy[-1], last, _MAX_SEGMENT_POSTINGS):
            last = _merge(tidy.pop(), last)
        tidy.append(last)
    return tuple(tidy)


def renumber_rows(segment: PostingsSegment, kept: Bools, numbers: I32) -> PostingsSegment:
    """Only the postings in some rows, which have other numbers from now on, in the same order.

    Args:
        segment: postings.
        kept: per row, whether it stays.
        numbers: per row, its new number.
    """
    stays = np.flatnonzero(kept[segment.rows])
    starts = np.searchsorted(stays, segment.starts)
    held = np.flatnonzero(np.diff(starts))
    return PostingsSegment(
        segment.terms[held], np.append(starts[held], len(stays)), numbers[segment.rows[stays]], segment.counts[stays]
    )


def find_postings(segments: Sequence[PostingsSegment], wanted: U64) -> TermPostings:
    """All postings of the wanted terms, which are ascending and distinct."""
    spans = sorted((span for piece in segments for span in _spans(piece, wanted)), key=itemgetter(0))
    numbers, rows, counts = zip(*spans, strict=True) if spans else ((), (), ())
    lengths = np.bincount(np.array(numbers, np.int64), [len(some) for some in rows], len(wanted))
    return TermPostings(
        np.concatenate([[0], lengths.cumsum()]).astype(np.int64),
        np.concatenate([np.empty(0, np.int32), *rows]),
        np.concatenate([np.empty(0, np.uint16), *counts]),
    )


def _spans(segment: PostingsSegment, wanted: U64) -> Iterator[tuple[int, I32, U16]]:
    """Which wanted term, and its postings in the piece."""
    if not len(segment.terms):
        return
    places = np.minimum(np.searchsorted(segment.terms, wanted), len(segment.terms) - 1)
    numbers = np.flatnonzero(segment.terms[places] == wanted)
    starts, ends = segment.starts[places[numbers]].tolist(), segment.starts[places[numbers] + 1].tolist()
    for number, start, end in zip(numbers.tolist(), starts, ends, strict=True):
        yield number, segment.rows[start:end], segment.counts[start:end]


def _term_order(terms: U64) -> U64 | I64:
    """Which terms come first; of equal ones in the order in which they stand."""
    if len(terms) > _MAX_POSITION:
        return np.argsort(terms, kind="stable")
    # Term and place in one number: numpy sorts numbers ten times as fast as it finds the order of numbers.
    return np.sort((terms << _POSITION_BITS) | np.arange(len(terms), dtype=np.uint64)) & _MAX_POSITION


def _should_merge(first: PostingsSegment, second: PostingsSegment, max_postings: int) -> bool:
    together = len(first.rows) + len(second.rows)
    return len(first.rows) < _GROWTH_FACTOR * len(second.rows) and together <= max_postings


def _merge(first: PostingsSegment, second: PostingsSegment) -> PostingsSegment:
    terms = np.concatenate([_term_of_each(first), _term_of_each(second)])
    # A stable sort of two sorted runs is one merge, and keeps the rows of `first` before those of `second`.
    order = np.argsort(terms, kind="stable")
    rows = np.concatenate([first.rows, second.rows])[order]
    counts = np.concatenate([first.counts, second.counts])[order]
    return _build_segment(terms[order], rows, counts)


def _term_of_each(piece: PostingsSegment) -> U64:
    return np.repeat(piece.terms, np.diff(piece.starts))


def _build_segment(terms: U64, rows: I32, counts: U16) -> PostingsSegment:
    """From postings in order of term."""
    starts = np.flatnonzero(np.diff(terms, prepend=~terms[:1]))
    return PostingsSegment(terms[starts], np.append(starts, len(terms)), rows, counts)
