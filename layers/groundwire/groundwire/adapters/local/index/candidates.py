"""Candidates of phrases: the best lexical and the best semantic matches, each with both scores."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from groundwire.adapters.lexical.terms import phrase_terms
from groundwire.adapters.local.index.arrays.dtypes import F32, F64, I64, Bools
from groundwire.adapters.local.index.arrays.prefetch import prefetch_all, prefetch_rows
from groundwire.adapters.local.index.lexical.access_statistics import AccessStatistics
from groundwire.adapters.local.index.lexical.bm25 import Bm25, LanguageTerm, LexicalScores
from groundwire.adapters.local.index.snapshots.snapshot import Snapshot
from groundwire.adapters.local.index.store.rows import to_array
from groundwire.adapters.local.index.vectors.sign_codes import nearest_by_sign
from groundwire.adapters.local.index.vectors.similarity import cosines, gathered_cosines
from groundwire.adapters.local.index.vectors.windows import SentenceWindows, semantic_scores
from groundwire.domain.search.fusion import PhraseScores
from groundwire.domain.search.request import SearchMode
from groundwire.ports import Phrase, Vector

_BLOCK: Final = 64


def top_k(scores: F32 | F64, k: int) -> I64:
    """Return the positions of the `k` highest scores, in no order; of equal ones the first."""
    if k <= 0:
        return np.empty(0, np.int64)
    if len(scores) <= k:
        return np.arange(len(scores))
    threshold = _kth_highest(scores, k)
    above = np.flatnonzero(scores > threshold)
    return np.concatenate([above, np.flatnonzero(scores == threshold)[: k - len(above)]])


def _kth_highest(scores: F32 | F64, k: int) -> float:
    """Return the `k`-th highest score."""
    blocks = len(scores) // _BLOCK
    if blocks > k:
        # As many blocks have a maximum at least this high, so no score below it is among the best.
        maxima = scores[: blocks * _BLOCK].reshape(blocks, _BLOCK).max(axis=1)
        scores = scores[scores >= np.partition(maxima, blocks - k)[blocks - k]]
    return float(np.partition(scores, len(scores) - k)[len(scores) - k])


EXACT_SEARCH_MAX_ROWS: Final = 200_000
"""Maximum number of admitted rows that are all compared; of more, most are skipped by the signs of their vectors."""

_MIN_PRESELECTED_ROWS: Final = 2_000
_ROWS_PER_PRESELECTED: Final = 100
"""One row of so many is compared exactly, `_MIN_PRESELECTED_ROWS` at least. Among 500,000 vectors around common
centres none of the ten nearest was missed (bench.scale); queries far from every centre miss more."""


def nearest_rows(snapshot: Snapshot, queries: F32, admitted: I64, depth: int) -> list[I64]:
    """Return per phrase the places in `admitted` of the `depth` nearest rows, in no order; of equal ones the first."""
    if len(admitted) <= EXACT_SEARCH_MAX_ROWS:
        return [top_k(scores, depth) for scores in cosines(snapshot.vectors, queries, admitted)]
    number = max(_MIN_PRESELECTED_ROWS, 10 * depth, len(admitted) // _ROWS_PER_PRESELECTED)
    found: list[I64] = []
    for query in queries:
        places = nearest_by_sign(snapshot.signs, query, admitted, number)
        scores = cosines(snapshot.vectors, query[np.newaxis], admitted[places])
        found.append(places[top_k(scores[0], depth)])
    return found


def prefetch_nearest(snapshot: Snapshot, admitted: I64) -> None:
    """Request what `nearest_rows` reads first."""
    if len(admitted) <= EXACT_SEARCH_MAX_ROWS:
        prefetch_rows(snapshot.vectors, admitted)
    else:
        for word in snapshot.signs:
            prefetch_all(word)


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
        prefetch_nearest(snapshot, admitted)
    lexical = _lexical_scores(snapshot, bm25, request, len(admitted))
    near = [_NO_ROWS] * len(queries)
    if any(vector is not None for vector in vectors):
        near = nearest_rows(snapshot, queries, admitted, request.depth)
    chosen = [
        np.union1d(_top_lexical(scores, request.depth), _NO_ROWS if vector is None else places)
        for scores, vector, places in zip(lexical.scores, vectors, near, strict=True)
    ]
    union = np.unique(np.concatenate(chosen))
    rows = admitted[union]
    # Gathered even where nearly all rows are candidates: products in other blocks may differ in their last bits.
    passages = gathered_cosines(snapshot.vectors, queries, rows)
    found = semantic_scores(windows_of(rows), queries, passages.T)
    return [
        replace(
            _scores(snapshot, rows[places], lexical.scores[number][one], passages[number][places], *both),
            bm25_limit=lexical.limits[number],
            term_count=lexical.term_counts[number],
            readable=request.statistics.row_count,
        )
        for number, one in enumerate(chosen)
        for places in [np.searchsorted(union, one)]
        for both in [(found.score[places, number], found.best_window[places, number])]
    ]


def _query_vector(vector: Vector | None, dimension: int) -> F32:
    """Return the vector as an array; zeros, which are similar to nothing, if it is missing."""
    return np.zeros(dimension, np.float32) if vector is None else to_array(vector, dimension)


def _lexical_scores(snapshot: Snapshot, bm25: Bm25, request: CandidateRequest, admitted_rows: int) -> LexicalScores:
    """Return BM25 scores of the admitted rows; zeros where words are not searched."""
    if request.mode is SearchMode.SEMANTIC:
        phrases = len(request.phrases)
        return LexicalScores(np.zeros((phrases, admitted_rows)), [0.0] * phrases, [0] * phrases)
    return bm25.scores(_terms(snapshot, request), request.statistics, request.access_mask)


def _terms(snapshot: Snapshot, request: CandidateRequest) -> list[list[LanguageTerm]]:
    """Return the terms of each phrase in every language that the caller may read in the searched collections."""
    named = [name in request.collections for name in snapshot.collections.values]
    languages = [(slot, snapshot.languages.values[slot]) for slot in request.statistics.languages_in(named)]
    return [_terms_per_language(phrase.text, languages) for phrase in request.phrases]


def _terms_per_language(text: str, languages: Iterable[tuple[int, str]]) -> list[LanguageTerm]:
    return [(term, slot) for slot, language in languages for term in phrase_terms(text, language)]


def _top_lexical(lexical: F64, depth: int) -> I64:
    """Return the places of the admitted rows that score best in lexical search, in no order."""
    matched = np.flatnonzero(lexical)
    return matched[top_k(lexical[matched], depth)]


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
