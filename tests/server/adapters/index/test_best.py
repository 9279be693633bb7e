import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.local.index.arrays.parallel import top_k
from tests.support.plugins.draws import examples

SCORES = st.lists(st.integers(-3, 3), max_size=400)


@settings(deadline=None, max_examples=examples(200))
@given(SCORES, st.integers(0, 12), st.integers(1, 3))
def test_the_best_are_those_that_a_stable_sort_puts_first(scores: list[int], depth: int, times: int) -> None:
    array = np.array(scores * times, np.float32)
    expected = sorted(range(len(array)), key=lambda place: (-array[place], place))[:depth]
    assert sorted(top_k(array, depth).tolist()) == sorted(expected)
