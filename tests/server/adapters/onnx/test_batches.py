"""How texts are put together for the model."""

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.onnx.inference.batches import batches_by_length
from groundwire.ports.deadline import background
from tests.support.plugins.draws import examples

LENGTHS = st.lists(st.integers(1, 256), max_size=120)


@given(LENGTHS)
@settings(deadline=None, max_examples=examples(200))
def test_every_text_is_in_one_batch(lengths: list[int]) -> None:
    assert sorted(place for batch in batches_by_length(lengths) for place in batch) == list(range(len(lengths)))


@given(LENGTHS)
@settings(deadline=None, max_examples=examples(200))
def test_little_of_a_batch_is_padding(lengths: list[int]) -> None:
    for batch in batches_by_length(lengths):
        tokens = [lengths[place] for place in batch]
        assert max(tokens) * len(tokens) - sum(tokens) <= 64 + sum(tokens) / 16


def test_the_phrases_of_a_search_are_one_batch() -> None:
    assert len(list(batches_by_length([9, 14, 6, 12, 8]))) == 1


def test_a_passage_is_not_embedded_with_its_windows() -> None:
    assert list(batches_by_length([256, 70, 66, 72])) == [[2, 1, 3], [0]]


@given(LENGTHS)
@settings(deadline=None, max_examples=examples(200))
def test_in_the_background_a_batch_is_short_and_calls_pass_before_each(lengths: list[int]) -> None:
    steps: list[str] = []
    with background(lambda: steps.append("pause")):
        for batch in batches_by_length(lengths):
            steps.append("batch")
            assert max(lengths[place] for place in batch) * len(batch) <= 256
    assert steps == ["pause", "batch"] * (len(steps) // 2)
    assert bool(steps) is bool(lengths)
