"""How long a call may still wait: the nearest end counts, in the thread of the call and in those that work for it."""

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire_egress.deadline import remaining_seconds, time_limit
from tests.support.plugins.draws import examples


def test_without_an_end_there_is_as_much_time_as_is_requested() -> None:
    assert remaining_seconds(7) == 7


@given(st.floats(0, 1_000), st.floats(0, 1_000), st.floats(0, 1_000))
@settings(deadline=None, max_examples=examples(100))
def test_never_more_is_left_than_any_of_the_ends_around_allows(outer: float, inner: float, most: float) -> None:
    with time_limit(outer), time_limit(inner):
        assert 0 <= remaining_seconds(most) <= min(outer, inner, most)
    assert remaining_seconds(most) == most


def test_a_thread_has_the_deadline_of_its_own_call_alone() -> None:
    with ThreadPoolExecutor(1) as pool, time_limit(1):
        assert pool.submit(remaining_seconds, 60.0).result() == 60
        assert pool.submit(copy_context().run, remaining_seconds, 60.0).result() <= 1
