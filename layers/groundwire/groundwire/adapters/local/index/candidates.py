"""Candidates of phrases: the best lexical and the best semantic matches, each with both scores."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from groundwire.adapters.lexical.terms import phrase_terms
from groundwire.adapters.local.index.arrays.dtypes import F32, F64, I64, Bools
from groundwire.adapters.local.index.arrays.prefetch import prefetch_all, prefetch_rows
from groundwire.adapters.local.index.arrays.touched_bytes import MASK, VECTORS, WINDOWS, touch
from groundwire.adapters.local.index.lexical.access_statistics import AccessStatistics
from groundwire.adapters.local.index.lexical.bm25 import Bm25, LanguageTerm
from groundwire.adapters.local.index.lexical.phrase_scorer import PhraseScorer
from groundwire.adapters.local.index.snapshots.snapshot import Snapshot
from groundwire.adapters.local.index.store.rows import to_array
from groundwire.adapters.local.index.vectors.nearest import nearest_rows, uses_codes
from groundwire.adapters.local.index.vectors.similarity import gathered_cosines
from groundwire.adapters.local.index.vectors.windows import SentenceWindows, semantic_scores
from groundwire.domain.search.fusion import PhraseScores
from groundwire.domain.search.request import SearchMode
from groundwire.ports import Phrase, Vector

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
