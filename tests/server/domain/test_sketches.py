"""Sketches estimate the similarity of two texts from a few hashes of each."""

from math import sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.passages.minhash import DOCUMENT_HASHES, SEGMENT_HASHES, merge_sketches, resemblance, sketch
from tests.support.plugins.draws import examples

texts = st.lists(st.sampled_from(["bolt", "nut", "saw", "oil", "\u6c34", "it's", "9"]), min_size=1, max_size=60).map(
    " ".join
)


def numbered(first: int, count: int) -> str:
    """A text in which no word comes twice."""
    return " ".join(f"w{number}" for number in range(first, first + count))


@settings(deadline=None, max_examples=examples(100))
@given(texts, texts, st.sampled_from([SEGMENT_HASHES, DOCUMENT_HASHES]))
def test_likeness_is_a_share_and_the_same_both_ways(one: str, other: str, k: int) -> None:
    first, second = sketch(one, k), sketch(other, k)

    assert 0.0 <= resemblance(first, second) <= 1.0
    assert resemblance(first, second) == resemblance(second, first)
    assert resemblance(first, first) == 1.0
    assert len(first) <= 4 * k


@settings(deadline=None, max_examples=examples(100))
@given(texts)
def test_case_spaces_and_punctuation_make_no_difference(text: str) -> None:
    altered = text.upper().replace(" ", ",\n ") + "!"

    assert sketch(altered, SEGMENT_HASHES) == sketch(text, SEGMENT_HASHES)


def test_texts_without_a_triple_in_common_are_not_alike() -> None:
    assert resemblance(sketch(numbered(0, 500), 64), sketch(numbered(1000, 500), 64)) == 0.0


@pytest.mark.parametrize("text", ["", "...", "\u2014 !"])
def test_of_a_text_without_a_word_nothing_is_known(text: str) -> None:
    assert sketch(text, SEGMENT_HASHES) == b""
    assert resemblance(b"", b"") == 0.0
    assert resemblance(sketch(text, SEGMENT_HASHES), sketch("some words here", SEGMENT_HASHES)) == 0.0


def test_texts_shorter_than_a_triple_are_compared_whole() -> None:
    assert resemblance(sketch("Price list", 32), sketch("price  LIST", 32)) == 1.0
    assert resemblance(sketch("Price list", 32), sketch("price", 32)) == 0.0


def test_short_texts_are_compared_exactly() -> None:
    one, other = numbered(0, 22), numbered(10, 22)  # 20 triples each, 10 of the 30 in common

    assert resemblance(sketch(one, 32), sketch(other, 32)) == pytest.approx(10 / 30)


@pytest.mark.parametrize("k", [SEGMENT_HASHES, DOCUMENT_HASHES])
@pytest.mark.parametrize("shared", [100, 300, 380])
def test_the_estimate_is_as_close_as_its_error_states(k: int, shared: int) -> None:
    round_trips, size, random = 200, 400, Random(7)
    true = shared / (2 * size - shared)
    errors: list[float] = []
    for _ in range(round_trips):
        start = random.randrange(10**9)
        one = sketch(numbered(start, size + 2), k)
        other = sketch(numbered(start + size - shared, size + 2), k)
        errors.append(resemblance(one, other) - true)

    expected = sqrt(true * (1 - true) / k)
    assert abs(sum(errors) / round_trips) < 4 * expected / sqrt(round_trips)
    assert sqrt(sum(error * error for error in errors) / round_trips) < 1.3 * expected


@settings(deadline=None, max_examples=examples(50))
@given(st.lists(texts, min_size=1, max_size=5))
def test_the_sketch_of_parts_together_is_that_of_all_their_triples(parts: list[str]) -> None:
    whole = merge_sketches([sketch(part, 64) for part in parts], 64)
    everything = b"".join(sketch(part, 10_000) for part in parts)
    hashes = sorted({everything[at : at + 4] for at in range(0, len(everything), 4)})

    assert whole == b"".join(hashes[:64])


def test_scripts_without_spaces_are_compared_by_their_characters() -> None:
    one = "\u5951\u7d04\u306f\u4e00\u5e74\u3067\u7d42\u308f\u308b\u3002"
    other = one.replace("\u4e00", "\u4e8c")

    assert 0.0 < resemblance(sketch(one, 32), sketch(other, 32)) < 1.0
