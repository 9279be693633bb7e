"""The best rows of a phrase are those that a sum over every row gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.local.index.arrays.dtypes import F64, Bools
from groundwire.adapters.local.index.arrays.parallel import top_k
from groundwire.adapters.local.index.lexical import phrase_scorer
from groundwire.adapters.local.index.lexical.phrase_scorer import (
    PhraseScorer,
    TermWeights,
    WeightedTerm,
    decode_weights,
    encode_weights,
    make_term_weights,
)
from tests.support.plugins.draws import examples

ROWS = 1_000
LEVELS = np.array([0.25, 0.5, 0.75, 1.0, 1.5, 2.0], np.float32)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phrase_scorer, "_BLOCK_ROWS", 256)


def weights(share: float, seed: int) -> TermWeights:
    """A term in this share of the rows, with few different weights, so that many rows are equal."""
    random = np.random.default_rng(seed)
    rows = np.flatnonzero(random.random(ROWS) < share).astype(np.int32)
    return make_term_weights(rows, random.choice(LEVELS, len(rows)), ROWS)


def sums(phrase: list[WeightedTerm]) -> F64:
    total = np.zeros(ROWS)
    for term in phrase:
        dense = np.zeros(ROWS, np.float32)
        rows = slice(None) if term.weights.rows is None else term.weights.rows
        dense[rows] = decode_weights(term.weights.codes)
        total += dense * term.rarity
    return total


def expected_best(scores: F64, admitted: Bools, depth: int) -> list[int]:
    matches = np.flatnonzero((scores > 0) & admitted)
    order = np.lexsort((matches, -scores[matches]))[:depth]
    return sorted(matches[order].tolist())


@settings(deadline=None, max_examples=examples(60))
@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.005, 0.1, 0.5, 1.0]), st.integers(0, 9)), max_size=6),
    st.sampled_from([0.0, 0.01, 0.3, 1.0]),
    st.sampled_from([0, 1, 10, 100, 2_000]),
)
def test_the_best_rows_and_their_scores_are_those_of_a_sum_over_all_rows(
    terms: list[tuple[float, int]], share: float, depth: int
) -> None:
    phrase = [WeightedTerm(weights(*term), np.float32(0.3 + term[1])) for term in terms]
    scorer = PhraseScorer([phrase, phrase[:1], []], [0.0] * 3, [0] * 3)
    admitted = np.random.default_rng(1).random(ROWS) < share
    scores = [sums(phrase), sums(phrase[:1]), sums([])]
    assert [rows.tolist() for rows in scorer.best(admitted, depth)] == [
        expected_best(one, admitted, depth) for one in scores
    ]
    for number, one in enumerate(scores):
        assert np.array_equal(scorer.scores(number, np.arange(ROWS)), one)


@given(st.lists(st.floats(0.001, 2.2), max_size=20))
def test_a_weight_of_nine_significant_bits_is_kept_in_sixteen(numbers: list[float]) -> None:
    bits = np.array(numbers, np.float32).view(np.uint32) & np.uint32(0xFFFF8000)
    cut = bits.view(np.float32)
    assert np.array_equal(decode_weights(encode_weights(cut)), cut)


def test_a_frequent_term_takes_two_bytes_a_row_and_a_rare_one_six_a_posting() -> None:
    assert weights(0.5, 1).size_bytes == 2 * ROWS
    rare = weights(0.01, 1)
    assert rare.rows is not None
    assert rare.size_bytes == 6 * len(rare.rows)
    assert phrase_scorer.make_term_weights(np.empty(0, np.int32), np.empty(0, np.float32), 0).row_count == 0


@settings(deadline=None, max_examples=examples(60))
@given(st.lists(st.integers(-3, 3), max_size=400), st.integers(0, 40))
def test_of_equal_scores_the_first_are_the_highest(numbers: list[int], k: int) -> None:
    scores = np.array(numbers, np.float32)
    order = sorted(range(len(numbers)), key=lambda at: (-numbers[at], at))
    assert sorted(top_k(scores, k).tolist()) == sorted(order[:k])
