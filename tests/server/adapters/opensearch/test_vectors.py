import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.opensearch.schema.vectors import from_numbers, similarity_from_score, to_numbers
from groundwire.domain import errors
from tests.support.plugins.draws import examples


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=8))
def test_a_vector_travels_as_text_to_the_bit(numbers: list[float]) -> None:
    vector = struct.pack(f"<{len(numbers)}f", *numbers)
    assert from_numbers([float(repr(number)) for number in to_numbers(vector, len(numbers))]) == vector


def test_a_vector_of_another_length_is_refused_with_both_lengths() -> None:
    with pytest.raises(errors.InvalidInput, match="2 dimensions, and the index's model 3"):
        to_numbers(bytes(8), 3)


@pytest.mark.parametrize("product", [1.0, 0.5, 0.0, -0.25, -1.0])
def test_the_engines_score_is_turned_back_into_the_inner_product(product: float) -> None:
    score = 1 + product if product >= 0 else 1 / (1 - product)
    assert similarity_from_score(score) == pytest.approx(product, abs=1e-12)
