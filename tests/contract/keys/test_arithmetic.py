"""Every store spends a rate by the rules of `domain.keys.rate_limit`, whatever unit it counts in."""

from itertools import accumulate, count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.domain.keys import rate_limit
from groundwire.domain.keys.api_key import AdmissionDenialReason, AdmissionDenied
from tests.support.plugins.draws import examples
from tests.support.registry.backends import Stores
from tests.support.registry.records import CURRENT, NOW, key, tenant

KIDS = count()
MICROSECOND = 1e-6
AN_INSTANT = 20 * MICROSECOND
"""What the roundings of a few calls add up to."""


@pytest.fixture(autouse=True)
def roomy_tenant(stores: Stores) -> None:
    stores.tenants.add(tenant("t-acme", rate_per_minute=10**9, burst=10**9))


@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from([7, 60, 600, 999, 60_000]),
    st.integers(1, 4),
    st.lists(st.integers(0, 3_000), min_size=1, max_size=8),
)
def test_calls_are_admitted_and_delayed_by_the_rule(
    stores: Stores, rate_per_minute: int, burst: int, pauses_ms: list[int]
) -> None:
    subject = key(f"key{next(KIDS):09}", rate_per_minute=rate_per_minute, burst=burst)
    stores.keys.add(subject, CURRENT)
    tat: float | None = None
    for after_ms in accumulate(pauses_ms):
        now = NOW + after_ms / 1_000
        if tat is not None and abs(tat - 60 / rate_per_minute * (burst - 1) - now) < AN_INSTANT:
            # Which side of the limit this is on is a matter of rounding.
            return
        expected = rate_limit.spend(tat, now, rate_per_minute, burst)
        admission = stores.keys.admit(subject.kid, CURRENT, now)
        if isinstance(expected, rate_limit.RateAllowed):
            assert not isinstance(admission, AdmissionDenied)
            tat = expected.arrival_time
        else:
            assert isinstance(admission, AdmissionDenied)
            assert admission.reason is AdmissionDenialReason.KEY_RATE
            assert admission.retry_after_s == pytest.approx(expected.retry_after_seconds, abs=AN_INSTANT)


@pytest.mark.parametrize("rate_per_minute", [7, 60, 999])
def test_a_call_at_the_reported_retry_time_is_admitted(stores: Stores, rate_per_minute: int) -> None:
    subject = key("punctual0000", rate_per_minute=rate_per_minute, burst=2)
    stores.keys.add(subject, CURRENT)
    now = NOW + 0.1234567
    for _ in range(2):
        stores.keys.admit(subject.kid, CURRENT, now)
    refused = stores.keys.admit(subject.kid, CURRENT, now)
    assert isinstance(refused, AdmissionDenied)
    assert refused.retry_after_s is not None
    assert not isinstance(stores.keys.admit(subject.kid, CURRENT, now + refused.retry_after_s), AdmissionDenied)
