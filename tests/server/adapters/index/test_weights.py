"""Weights of terms are cut alike for one row and for arrays of rows, as Lucene cuts them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from groundwire.adapters.lexical.weighting import MAX_WEIGHT, TermCounts, cut, saturated_weight
from groundwire.adapters.opensearch.schema.terms import term_fields


@given(st.integers(1, 0xFFFF), st.integers(1, 1 << 24), st.sampled_from(["en", "zh", "mul", "fi"]))
def test_a_weight_has_nine_significant_bits_and_stays_below_the_limit(count: int, length: int, language: str) -> None:
    weight = saturated_weight(count, max(count, length), language)
    assert 0 < weight < MAX_WEIGHT
    assert float(np.frexp(weight)[0] * 512).is_integer()


@given(st.dictionaries(st.integers(0, (1 << 40) - 1), st.integers(1, 0xFFFF), min_size=1, max_size=20))
def test_stored_weights_are_read_as_the_weights_themselves(counts: dict[int, int]) -> None:
    row = TermCounts("en", counts)
    stored = term_fields(row)["weights"]
    assert [cut(each) for each in stored.values()] == [
        saturated_weight(count, row.length, "en") for count in counts.values()
    ]
