"""Candidates of phrases: the best by words and the best by meaning, each with both scores."""

from collections.abc import Sequence

import numpy as np

from groundwire.adapters.local.index.arrays import F32, F64, I64, Bools
from groundwire.adapters.local.index.best import best
from groundwire.adapters.local.index.bm25 import Bm25
from groundwire.adapters.local.index.rows import to_array
from groundwire.adapters.local.index.similarity import cosines
from groundwire.adapters.local.index.snapshot import Snapshot
from groundwire.adapters.local.index.terms import phrase_terms
from groundwire.domain.fusion import PhraseScores
from groundwire.ports import Phrase

NONE = PhraseScores((), (), (), ())
"""A phrase without candidates."""


def candidates(
    snapshot: Snapshot, bm25: Bm25, phrases: Sequence[Phrase], mask: Bools, depth: int
) -> list[PhraseScores]:
    """Per phrase, in the order of row ids, so that equal scores rank the same every time."""
    admitted = np.flatnonzero(mask)
    queries = np.stack([to_array(phrase.vector, snapshot.vectors.shape[1]) for phrase in phrases])
    if not len(admitted):
        return [NONE] * len(phrases)
    lexical = bm25.scores([phrase_terms(phrase.text) for phrase in phrases], mask)
    semantic = cosines(snapshot.vectors, queries, admitted)
    return [_chosen(snapshot, admitted, *scores, depth) for scores in zip(lexical, semantic, strict=True)]


def _chosen(snapshot: Snapshot, admitted: I64, lexical: F64, semantic: F32, depth: int) -> PhraseScores:
    matched = np.flatnonzero(lexical)
    is_chosen = np.zeros(len(admitted), np.bool_)
    is_chosen[matched[best(lexical[matched], depth)]] = True
    is_chosen[best(semantic, depth)] = True
    chosen = np.flatnonzero(is_chosen)
    rows = admitted[chosen]
    names = snapshot.collections.values
    slots: list[int] = snapshot.collection_of[rows].tolist()
    return PhraseScores(
        keys=snapshot.ids[rows].tolist(),
        collections=[names[slot] for slot in slots],
        bm25=lexical[chosen].tolist(),
        vector=semantic[chosen].tolist(),
    )
