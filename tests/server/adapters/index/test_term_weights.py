"""The weights of a term are the same numbers however many postings are computed together."""

import numpy as np
import pytest

from groundwire.adapters.local.index.arrays.dtypes import F32
from groundwire.adapters.local.index.lexical import bm25
from groundwire.adapters.local.index.lexical.bm25 import AccessStatistics, AccessStatisticsCache, Bm25
from groundwire.adapters.local.index.lexical.phrase_scorer import TermWeightCache
from groundwire.adapters.local.index.lexical.postings import invert

ROWS = 3_000


def scores() -> F32:
    """Of phrases whose terms occur in one row, in a few, in a third and in all rows, in segments of a third each."""
    random = np.random.default_rng(3)
    segments = []
    for first in range(0, ROWS, ROWS // 3):
        per_row = [[1, *([2] if random.random() < 0.3 else []), *([3] if row == 7 else [])] for row in range(ROWS // 3)]
        terms = np.array([term for row in per_row for term in row], np.uint64)
        counts = random.integers(1, 90, len(terms)).astype(np.uint16)
        segments.append(invert(terms, counts, np.array([len(row) for row in per_row], np.int64), first))
    lengths = random.integers(100, 2_000, ROWS)
    everything = np.ones(ROWS, np.bool_)
    statistics = AccessStatistics(everything, np.array([[ROWS]]))
    scorer = Bm25(tuple(segments), lengths, ["en"], TermWeightCache(), AccessStatisticsCache())
    phrases = [[(1, 0)], [(2, 0), (3, 0)], [(4, 0)]]
    scored = scorer.scorer(phrases, statistics)
    return np.stack([scored.scores(number, np.arange(ROWS)) for number in range(len(phrases))]).astype(np.float32)


@pytest.mark.parametrize(("block", "slice_"), [(1, 1), (7, 50), (512, 512), (1 << 14, 1 << 18)])
def test_every_bit_of_a_score_is_the_same_in_blocks_of_any_size(
    monkeypatch: pytest.MonkeyPatch, block: int, slice_: int
) -> None:
    expected = scores()
    monkeypatch.setattr(bm25, "_BLOCK_POSTINGS", block)
    monkeypatch.setattr(bm25, "_SLICE_POSTINGS", slice_)
    assert np.array_equal(scores(), expected)
    assert expected[0].min() > 0
    assert 0 < np.count_nonzero(expected[1]) < ROWS
    assert not expected[2].any()
