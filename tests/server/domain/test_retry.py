"""Retries: how often, after which pauses, until when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.retry import NOT_DONE, Backoff, NotDone, RetryBudget, RetryPolicy, retry_on, retry_until_done


class Lost(Exception):
    """A failure that may pass."""


class Attempt:
    """An attempt that fails so many times first; None is a result of it."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.calls = 0

    def _has_failed(self) -> bool:
        self.calls += 1
        return self.calls <= self.failures

    def or_raise(self) -> None:
        if self._has_failed():
            raise Lost(self.calls)

    def or_not_done(self) -> NotDone | None:
        return NOT_DONE if self._has_failed() else None


def backoff(slept: list[float], random: float = 0.5, least_share: float = 0.0) -> Backoff:
    return Backoff(slept.append, lambda: random, first_s=0.1, longest_s=0.5, least_share=least_share)


@pytest.mark.parametrize("failures", [0, 1, 4])
def test_an_attempt_is_repeated_until_it_raises_no_more(failures: int) -> None:
    attempt = Attempt(failures)
    retry_on(Lost, attempt.or_raise, RetryPolicy(5))
    assert attempt.calls == failures + 1


def test_the_error_of_the_last_attempt_is_raised() -> None:
    attempt = Attempt(5)
    with pytest.raises(Lost) as raised:
        retry_on(Lost, attempt.or_raise, RetryPolicy(5))
    assert raised.value.args == (5,)
    assert attempt.calls == 5


def test_another_error_ends_the_attempts() -> None:
    attempt = Attempt(1)
    with pytest.raises(Lost):
        retry_on((KeyError, ValueError), attempt.or_raise, RetryPolicy(5))
    assert attempt.calls == 1


def test_an_error_that_is_not_repeatable_ends_the_attempts() -> None:
    attempt, seen = Attempt(5), list[Lost]()

    def is_repeatable(error: Lost) -> bool:
        seen.append(error)
        return len(seen) < 2

    with pytest.raises(Lost):
        retry_on(Lost, attempt.or_raise, RetryPolicy(5), is_repeatable)
    assert attempt.calls == len(seen) == 2


def test_the_last_error_is_not_checked_for_being_repeatable() -> None:
    seen = list[Lost]()
    with pytest.raises(Lost):
        retry_on(Lost, Attempt(3).or_raise, RetryPolicy(3), lambda error: seen.append(error) is None)
    assert len(seen) == 2


@pytest.mark.parametrize("failures", [0, 2])
def test_an_attempt_that_is_not_done_is_repeated_until_it_is(failures: int) -> None:
    attempt = Attempt(failures)
    assert retry_until_done(attempt.or_not_done, RetryPolicy(3)) is None
    assert attempt.calls == failures + 1


def test_an_attempt_that_is_never_done_is_made_as_often_as_allowed() -> None:
    attempt = Attempt(100)
    assert retry_until_done(attempt.or_not_done, RetryPolicy(3)) is NOT_DONE
    assert attempt.calls == 3


def test_pauses_double_up_to_their_limit_and_there_is_none_after_the_last_attempt() -> None:
    slept = list[float]()
    retry_until_done(Attempt(100).or_not_done, RetryPolicy(6, backoff(slept)))
    assert slept == pytest.approx([0.05, 0.1, 0.2, 0.25, 0.25])


@given(random=st.floats(0, 1, exclude_max=True), least=st.floats(0, 1), repeat=st.integers(0, 10_000))
def test_a_pause_is_between_its_least_share_and_its_limit(random: float, least: float, repeat: int) -> None:
    limit = min(0.5, 0.1 * 2 ** min(repeat, 10))
    assert least * limit <= backoff([], random, least).pause_s(repeat) * (1 + 1e-9)
    assert backoff([], random, least).pause_s(repeat) <= limit * (1 + 1e-9)


def test_a_pause_that_the_deadline_does_not_allow_is_not_started() -> None:
    slept, left = list[float](), [0.2]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        left[0] -= seconds

    attempt = Attempt(100)
    pauses = Backoff(sleep, lambda: 0.5, first_s=0.1, longest_s=0.5)
    policy = RetryPolicy(None, pauses, has_time=lambda pause_s: pause_s < left[0])
    with pytest.raises(Lost):
        retry_on(Lost, attempt.or_raise, policy)
    assert slept == pytest.approx([0.05, 0.1])
    assert attempt.calls == 3


def test_a_budget_is_shared_by_several_attempts() -> None:
    budget = RetryBudget(RetryPolicy(3))
    assert [budget.take() for _ in range(3)] == [True, True, False]
    assert budget.is_spent
