"""The rate arithmetic: bounded, exact, and never generous."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.keys.rate_limit import RateAllowed, RateExceeded, spend
from tests.support.plugins.draws import examples

RATES = st.integers(1, 6_000)
BURSTS = st.integers(1, 600)
START = 1_800_000_000.0
EPOCH = st.floats(START, START + 1e8)
FLOAT_DUST_S = 1e-3


def admitted(moments: list[float], rate: int, burst: int) -> list[float]:
    tat: float | None = None
    passed: list[float] = []
    for moment in moments:
        outcome = spend(tat, moment, rate, burst)
        if isinstance(outcome, RateAllowed):
            tat = outcome.arrival_time
            passed.append(moment)
    return passed


@pytest.mark.parametrize(("rate", "burst"), [(60, 1), (600, 20), (1, 5), (6000, 600)])
def test_exactly_the_burst_is_admitted_at_one_moment(rate: int, burst: int) -> None:
    assert len(admitted([START] * (burst * 2 + 5), rate, burst)) == burst


@settings(deadline=None, max_examples=examples(150))
@given(rate=RATES, burst=st.integers(1, 12), gaps=st.lists(st.floats(0, 30), max_size=60))
def test_no_window_of_time_admits_more_than_burst_and_refill(rate: int, burst: int, gaps: list[float]) -> None:
    moments = [START]
    for gap in gaps:
        moments.append(moments[-1] + gap)
    passed = admitted(moments, rate, burst)
    for first, begin in enumerate(passed):
        for last in range(first, len(passed)):
            elapsed = passed[last] - begin
            assert last - first + 1 <= burst + (elapsed + FLOAT_DUST_S) * rate / 60.0


@settings(deadline=None, max_examples=examples(200))
@given(now=EPOCH, ahead=st.floats(1e-3, 3_600), rate=RATES, burst=BURSTS)
def test_a_repeat_is_admitted_after_exactly_the_stated_wait(now: float, ahead: float, rate: int, burst: int) -> None:
    tat = now + ahead
    outcome = spend(tat, now, rate, burst)
    if isinstance(outcome, RateExceeded):
        assert outcome.retry_after_seconds > 0
        assert isinstance(spend(tat, now + outcome.retry_after_seconds, rate, burst), RateAllowed)
        assert isinstance(spend(tat, now + outcome.retry_after_seconds - 1e-5, rate, burst), RateExceeded)


@settings(deadline=None, max_examples=examples(100))
@given(now=EPOCH, idle=st.floats(0, 1e6), rate=RATES, burst=BURSTS)
def test_a_long_pause_earns_the_burst_and_nothing_beyond_it(now: float, idle: float, rate: int, burst: int) -> None:
    outcome = spend(now, now + idle, rate, burst)
    assert isinstance(outcome, RateAllowed)
    assert outcome.arrival_time > now + idle


def test_a_clock_that_goes_backwards_admits_nothing_extra() -> None:
    tat = START + 10.0
    assert isinstance(spend(tat, START - 100.0, 60, 5), RateExceeded)


def test_an_evenly_spaced_caller_is_never_refused() -> None:
    moments = [START + number * 0.1 for number in range(500)]
    assert len(admitted(moments, 600, 2)) == 500


def test_outcomes_read_as_conditions() -> None:
    assert spend(None, START, 60, 1)
    assert not spend(START + 100.0, START, 60, 1)
