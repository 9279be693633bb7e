"""Candidates of phrases: the best by words and the best by meaning, each with both scores."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from groundwire.adapters.local.index.arrays import F32, F64, I64, Bools
from groundwire.adapters.local.index.best import best
from groundwire.adapters.local.index.bm25 import Bm25, Term
from groundwire.adapters.local.index.nearest import nearest
from groundwire.adapters.local.index.rows import to_array
from groundwire.adapters.local.index.similarity import cosines
from groundwire.adapters.local.index.snapshot import Snapshot
from groundwire.adapters.local.index.terms import phrase_terms
from groundwire.adapters.local.index.windows import Windows, meanings
from groundwire.domain.fusion import PhraseScores
from groundwire.ports import Phrase

NONE = PhraseScores((), (), (), ())
"""A phrase without candidates."""

WindowsOf = Callable[[Snapshot, I64], Windows]
"""The windows of rows, in their order; of a row that has gone since, none."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for, and where.

    Attributes:
        collections: by name. mask: rows that may be found.
        depth: candidates per phrase and signal.
    """

    phrases: Sequence[Phrase]
    collections: Sequence[str]
    mask: Bools
    depth: int


def candidates(snapshot: Snapshot, bm25: Bm25, windows_of: WindowsOf, asked: Asked) -> list[PhraseScores]:
    """Per phrase, in the order of row ids, so that equal scores rank the same every time."""
    admitted = np.flatnonzero(asked.mask)
    queries = np.stack([_query(phrase, snapshot.vectors.shape[1]) for phrase in asked.phrases])
    if not len(admitted):
        return [NONE] * len(queries)
    lexical = bm25.scores(_terms(snapshot, bm25, asked), asked.mask)
    near = nearest(snapshot, queries, admitted, asked.depth)
    chosen = [
        np.union1d(_matching(scores, asked.depth), places if phrase.vector is not None else places[:0])
        for phrase, scores, places in zip(asked.phrases, lexical, near, strict=True)
    ]
    union = np.unique(np.concatenate(chosen))
    rows = admitted[union]
    passages = cosines(snapshot.vectors, queries, rows)
    found = meanings(windows_of(snapshot, rows), queries, passages.T)
    return [
        _scores(snapshot, rows[places], lexical[number][one], passages[number][places], *both)
        for number, one in enumerate(chosen)
        for places in [np.searchsorted(union, one)]
        for both in [(found.vector[places, number], found.window[places, number])]
    ]


def _query(phrase: Phrase, dimension: int) -> F32:
    """Like nothing at all where it has no vector."""
    return np.zeros(dimension, np.float32) if phrase.vector is None else to_array(phrase.vector, dimension)


def _terms(snapshot: Snapshot, bm25: Bm25, asked: Asked) -> list[list[Term]]:
    """The terms of each phrase in every language that its collections have."""
    named = [name in asked.collections for name in snapshot.collections.values]
    slots: list[int] = np.flatnonzero(bm25.spoken[named].any(axis=0)).tolist()
    languages = [(slot, snapshot.languages.values[slot]) for slot in slots]
    return [_in_each(phrase.text, languages) for phrase in asked.phrases]


def _in_each(text: str, languages: Iterable[tuple[int, str]]) -> list[Term]:
    return [(term, slot) for slot, language in languages for term in phrase_terms(text, language)]


def _matching(lexical: F64, depth: int) -> I64:
    """Which of the admitted rows match best by words."""
    matched = np.flatnonzero(lexical)
    return matched[best(lexical[matched], depth)]


def _scores(snapshot: Snapshot, rows: I64, lexical: F64, passage: F32, vector: F32, window: I64) -> PhraseScores:
    names = snapshot.collections.values
    slots: list[int] = snapshot.collection_of[rows].tolist()
    return PhraseScores(
        keys=snapshot.ids[rows].tolist(),
        collections=[names[slot] for slot in slots],
        bm25=lexical.tolist(),
        vector=vector.tolist(),
        passage=passage.tolist(),
        window=window.tolist(),
    )
