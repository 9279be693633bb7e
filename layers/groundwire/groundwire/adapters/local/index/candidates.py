"""Candidates of phrases: the best lexical and the best semantic matches, each with both scores.

For the semantic matches all admitted rows are compared, or those that their codes leave.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

import numpy as np

from groundwire.adapters.lexical.weighting import phrase_terms
from groundwire.adapters.local.index.arrays.dtypes import F32, F64, I64, Bools
from groundwire.adapters.local.index.arrays.parallel import parallel_for, top_k
from groundwire.adapters.local.index.arrays.prefetch import (
    CODES,
    MASK,
    VECTORS,
    WINDOWS,
    prefetch_all,
    prefetch_rows,
    touch,
)
from groundwire.adapters.local.index.arrays.similarity import (
    SentenceWindows,
    cosines,
    gathered_cosines,
    semantic_scores,
)
from groundwire.adapters.local.index.arrays.vector_codes import VectorCodes
from groundwire.adapters.local.index.lexical.bm25 import AccessStatistics, Bm25, LanguageTerm
from groundwire.adapters.local.index.lexical.phrase_scorer import PhraseScorer
from groundwire.adapters.local.index.snapshots.snapshot import Snapshot
from groundwire.adapters.local.index.store.rows import to_array
from groundwire.domain.search.fusion import PhraseScores
from groundwire.domain.search.request import SearchMode
from groundwire.ports import Phrase, Vector

EXACT_SEARCH_MAX_ROWS: Final = 200_000
"""Maximum number of admitted rows that are all compared. Codes miss near rows where all vectors of a model share a
direction (recall@50 .81 at a mean cosine of .7), so they serve only where an exact comparison takes too long.
"""

_MIN_DEPTH: Final = 50
_COARSE_ROWS: Final = 1.0
"""Rows by sign: this, times the wanted rows, times the square root of the admitted rows.

Of 14,374 passages of four collections, .999 of the 50 nearest are among the 2,699 with the fewest other signs; of a
half, a quarter and an eighth of the passages, among 1,929, 1,305 and 920. So the number grows with the square root.
With 0.8, the hardest of the collections has .9989.
"""

_FINE_ROWS: Final = 8
"""Rows by both bits for each wanted row; they are compared exactly. Of the same passages, .999 of the 50
nearest are among 222, and .9998 among 300.
"""

_ADMITTED_PER_FINE: Final = 128
"""One of so many admitted rows is compared exactly at least. It matters where more than `_FINE_ROWS` rows are nearly as
near as the nearest ones: in `bench.scale`, a hundredth of the rows lies around each centre.
"""


def nearest_rows(vectors: F32, codes: VectorCodes, queries: F32, admitted: Bools, depth: int) -> list[I64]:
    """Return per query the `depth` nearest of the admitted rows, in no order; of equal ones the first.

    Args:
        vectors: shape (rows, dimension).
        codes: their codes, which may be of fewer rows.
        queries: shape (queries, dimension).
        admitted: mask per row.
        depth: rows per query.
    """
    rows = np.flatnonzero(admitted)
    size = vectors.shape[1] * vectors.itemsize
    coarse, fine = _preselected(len(rows), depth)
    if not uses_codes(len(rows), depth) or not codes.extend(vectors):
        touch(VECTORS, len(rows) * size)
        return [rows[top_k(scores, depth)] for scores in cosines(vectors, queries, rows)]
    touch(CODES, (len(rows) + 2 * coarse * len(queries)) * codes.sign_bytes)
    near = codes.nearest(queries, admitted, coarse, fine)
    touch(VECTORS, sum(map(len, near)) * size)

    def compare(numbers: slice) -> None:
        for number in range(numbers.start, numbers.stop):
            (scores,) = gathered_cosines(vectors, queries[number : number + 1], near[number])
            near[number] = near[number][top_k(scores, depth)]

    parallel_for(compare, len(queries), 1)
    return near


def uses_codes(row_count: int, depth: int) -> bool:
    """Return whether a search of so many admitted rows skips most of them by their codes."""
    return row_count > EXACT_SEARCH_MAX_ROWS and 2 * _preselected(row_count, depth)[0] <= row_count


def _preselected(row_count: int, depth: int) -> tuple[int, int]:
    """Return the numbers of rows by sign and by both bits."""
    wide = max(depth, _MIN_DEPTH)
    return int(_COARSE_ROWS * wide * sqrt(row_count)), max(_FINE_ROWS * wide, row_count // _ADMITTED_PER_FINE)


NO_CANDIDATES: Final = PhraseScores((), (), (), ())
"""A phrase without candidates."""

_NO_ROWS: Final[I64] = np.empty(0, np.int64)

WindowLookup = Callable[[I64], SentenceWindows]
"""Reads the windows of rows of the snapshot, in their order."""


@dataclass(frozen=True, slots=True)
class CandidateRequest:
    """Phrases, and the rows among which their candidates are chosen.

    Attributes:
        collections: names.
        statistics: statistics of the rows that the caller may read.
        access_mask: rows that may be found, among the readable ones.
        mode: signals that choose the candidates.
        depth: candidates per phrase and signal.
    """

    phrases: Sequence[Phrase]
    collections: Sequence[str]
    statistics: AccessStatistics
    access_mask: Bools
    mode: SearchMode
    depth: int

    def vector_of(self, phrase: Phrase) -> Vector | None:
        """Return the vector that the phrase is compared by; None: its meaning is not searched."""
        return None if self.mode is SearchMode.LEXICAL else phrase.vector


def find_candidates(
    snapshot: Snapshot, bm25: Bm25, windows_of: WindowLookup, request: CandidateRequest
) -> list[PhraseScores]:
    """Return the candidates of each phrase in the order of row ids, so that equal scores rank the same every time."""
    admitted = np.flatnonzero(request.access_mask)
    vectors = [request.vector_of(phrase) for phrase in request.phrases]
    queries = np.stack([_query_vector(vector, snapshot.vectors.shape[1]) for vector in vectors])
    if not len(admitted):
        return [NO_CANDIDATES] * len(queries)
    if request.mode is not SearchMode.LEXICAL:
        # The disk reads them while words are scored.
        _prefetch_nearest(snapshot, admitted, request.depth)
    touch(MASK, request.access_mask.nbytes)
    lexical = _phrase_scorer(snapshot, bm25, request)
    near = [_NO_ROWS] * len(queries)
    best = lexical.best(request.access_mask, request.depth)
    if any(vector is not None for vector in vectors):
        near = nearest_rows(snapshot.vectors, snapshot.codes, queries, request.access_mask, request.depth)
    chosen = [
        np.union1d(matches, _NO_ROWS if vector is None else rows)
        for matches, vector, rows in zip(best, vectors, near, strict=True)
    ]
    rows = np.unique(np.concatenate(chosen))
    # Gathered even where nearly all rows are candidates: products in other blocks may differ in their last bits.
    passages = gathered_cosines(snapshot.vectors, queries, rows)
    windows = windows_of(rows)
    touch(VECTORS, len(rows) * snapshot.vectors.strides[0])
    touch(WINDOWS, windows.half_bits.nbytes)
    found = semantic_scores(windows, queries, passages.T)
    return [
        replace(
            _scores(snapshot, one, lexical.scores(number, one), passages[number][places], *both),
            bm25_limit=lexical.limits[number],
            term_count=lexical.term_counts[number],
            readable=request.statistics.row_count,
        )
        for number, one in enumerate(chosen)
        for places in [np.searchsorted(rows, one)]
        for both in [(found.score[places, number], found.best_window[places, number])]
    ]


def _prefetch_nearest(snapshot: Snapshot, admitted: I64, depth: int) -> None:
    """Request what `nearest_rows` reads first."""
    if uses_codes(len(admitted), depth):
        for word in snapshot.codes.signs(snapshot.codes.rows):
            prefetch_all(word)
    else:
        prefetch_rows(snapshot.vectors, admitted)


def _query_vector(vector: Vector | None, dimension: int) -> F32:
    """Return the vector as an array; zeros, which are similar to nothing, if it is missing."""
    return np.zeros(dimension, np.float32) if vector is None else to_array(vector, dimension)


def _phrase_scorer(snapshot: Snapshot, bm25: Bm25, request: CandidateRequest) -> PhraseScorer:
    """Return the scorer of the phrases' words; of phrases without words where words are not searched."""
    terms: list[list[LanguageTerm]] = [[] for _ in request.phrases]
    if request.mode is not SearchMode.SEMANTIC:
        terms = _terms(snapshot, request)
    return bm25.scorer(terms, request.statistics)


def _terms(snapshot: Snapshot, request: CandidateRequest) -> list[list[LanguageTerm]]:
    """Return the terms of each phrase in every language that the caller may read in the searched collections."""
    named = [name in request.collections for name in snapshot.collections.values]
    languages = [(slot, snapshot.languages.values[slot]) for slot in request.statistics.languages_in(named)]
    return [_terms_per_language(phrase.text, languages) for phrase in request.phrases]


def _terms_per_language(text: str, languages: Iterable[tuple[int, str]]) -> list[LanguageTerm]:
    return [(term, slot) for slot, language in languages for term in phrase_terms(text, language)]


def _scores(snapshot: Snapshot, rows: I64, lexical: F64, passage: F32, vector: F32, window: I64) -> PhraseScores:
    names = snapshot.collections.values
    slots: list[int] = snapshot.collection_of[rows].tolist()
    languages = snapshot.languages.values
    language_slots: list[int] = snapshot.language_of[rows].tolist()
    return PhraseScores(
        keys=snapshot.ids[rows].tolist(),
        collections=[names[slot] for slot in slots],
        bm25=lexical.tolist(),
        vector=vector.tolist(),
        passage=passage.tolist(),
        window=window.tolist(),
        languages=[languages[slot] for slot in language_slots],
    )
