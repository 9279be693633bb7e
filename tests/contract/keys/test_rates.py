from dataclasses import replace

import pytest

from groundwire.domain.keys.api_key import AdmissionDenialReason, AdmissionDenied, AdmissionGranted, ApiKey
from tests.support.registry.backends import Stores
from tests.support.registry.records import CURRENT, NOW, OTHER, PERSONAL_KEY, tenant

FIRST = replace(PERSONAL_KEY, kid="first0000000", rate_per_minute=60, burst=2)
SECOND = replace(PERSONAL_KEY, kid="second000000", rate_per_minute=60, burst=2)


def given(stores: Stores, *keys: ApiKey, tenant_burst: int, tenant_rate: int = 60) -> None:
    stores.tenants.add(tenant("t-acme", rate_per_minute=tenant_rate, burst=tenant_burst))
    for key in keys:
        stores.keys.add(key, CURRENT)


def admitted(stores: Stores, key: ApiKey, now: float, digest: bytes = CURRENT) -> bool:
    return isinstance(stores.keys.admit(key.kid, digest, now), AdmissionGranted)


def test_a_burst_is_admitted_and_the_next_call_is_given_a_retry_time(stores: Stores) -> None:
    given(stores, FIRST, tenant_burst=100)
    assert [admitted(stores, FIRST, NOW) for _ in range(2)] == [True, True]
    refused = stores.keys.admit(FIRST.kid, CURRENT, NOW)
    assert isinstance(refused, AdmissionDenied)
    assert (refused.reason, refused.kid, refused.tenant) == (AdmissionDenialReason.KEY_RATE, FIRST.kid, "t-acme")
    assert refused.retry_after_s == pytest.approx(1.0)
    assert refused.toolset == FIRST.options.toolset


def test_a_call_after_the_wait_is_admitted_and_one_before_is_not(stores: Stores) -> None:
    given(stores, FIRST, tenant_burst=100)
    for _ in range(2):
        stores.keys.admit(FIRST.kid, CURRENT, NOW)
    assert [admitted(stores, FIRST, NOW + wait) for wait in (0.9, 1.0, 1.1, 2.0)] == [False, True, False, True]


def test_a_pause_refills_the_burst_and_no_more(stores: Stores) -> None:
    given(stores, FIRST, tenant_burst=100)
    stores.keys.admit(FIRST.kid, CURRENT, NOW)
    assert [admitted(stores, FIRST, NOW + 900) for _ in range(3)] == [True, True, False]


def test_keys_do_not_spend_each_others_rate(stores: Stores) -> None:
    given(stores, FIRST, SECOND, tenant_burst=100)
    assert [admitted(stores, key, NOW) for key in (FIRST, FIRST, FIRST, SECOND, SECOND, SECOND)] == [
        *(True, True, False),
        *(True, True, False),
    ]


def test_the_tenants_limit_holds_over_all_its_keys(stores: Stores) -> None:
    given(stores, FIRST, SECOND, tenant_burst=3)
    assert [admitted(stores, key, NOW) for key in (FIRST, SECOND, FIRST)] == [True, True, True]
    refused = stores.keys.admit(SECOND.kid, CURRENT, NOW)
    assert isinstance(refused, AdmissionDenied)
    assert refused.reason is AdmissionDenialReason.TENANT_RATE
    assert refused.retry_after_s == pytest.approx(1.0)
    assert refused.toolset == SECOND.options.toolset


def test_another_tenants_calls_do_not_count(stores: Stores) -> None:
    given(stores, FIRST, tenant_burst=1)
    stores.tenants.add(tenant("t-blue", burst=1))
    stores.keys.add(replace(SECOND, tenant="t-blue"), CURRENT)
    assert [admitted(stores, FIRST, NOW), admitted(stores, SECOND, NOW)] == [True, True]


def test_a_call_that_the_key_refuses_spends_nothing_of_the_tenant(stores: Stores) -> None:
    given(stores, FIRST, SECOND, tenant_burst=3)
    assert [admitted(stores, FIRST, NOW) for _ in range(10)].count(True) == 2
    assert admitted(stores, SECOND, NOW)


def test_a_call_that_the_tenant_refuses_spends_nothing_of_the_key(stores: Stores) -> None:
    given(stores, FIRST, SECOND, tenant_burst=2, tenant_rate=6_000)
    assert [admitted(stores, SECOND, NOW) for _ in range(2)] == [True, True]
    assert [admitted(stores, FIRST, NOW) for _ in range(5)] == [False] * 5
    refilled = NOW + 0.5
    assert [admitted(stores, FIRST, refilled) for _ in range(2)] == [True, True]


def test_a_refused_secret_spends_nothing(stores: Stores) -> None:
    given(stores, FIRST, tenant_burst=2)
    for _ in range(10):
        stores.keys.admit(FIRST.kid, OTHER, NOW)
    assert [admitted(stores, FIRST, NOW) for _ in range(3)] == [True, True, False]


def test_a_refused_call_is_no_use(stores: Stores) -> None:
    given(stores, replace(FIRST, burst=1), tenant_burst=100)
    stores.keys.admit(FIRST.kid, CURRENT, NOW)
    stores.keys.admit(FIRST.kid, OTHER, NOW + 900)
    kept = stores.keys.get("t-acme", FIRST.kid)
    assert kept is not None
    assert kept.last_used == NOW - NOW % 60


def test_when_both_limits_are_spent_the_longer_wait_is_reported(stores: Stores) -> None:
    given(stores, replace(FIRST, burst=1), tenant_burst=1, tenant_rate=6)
    stores.keys.admit(FIRST.kid, CURRENT, NOW)
    refused = stores.keys.admit(FIRST.kid, CURRENT, NOW)
    assert isinstance(refused, AdmissionDenied)
    assert refused.retry_after_s is not None
    assert refused.retry_after_s == pytest.approx(10.0)
    assert admitted(stores, FIRST, NOW + refused.retry_after_s + 0.001)


def test_a_change_of_rights_is_admitted_over_the_rate_of_its_tenant_and_not_over_that_of_its_key(
    stores: Stores,
) -> None:
    given(stores, FIRST, SECOND, tenant_burst=2)
    assert [admitted(stores, FIRST, NOW) for _ in range(2)] == [True, True]
    refused = stores.keys.admit(SECOND.kid, CURRENT, NOW)
    assert isinstance(refused, AdmissionDenied)
    assert refused.reason is AdmissionDenialReason.TENANT_RATE
    changes = stores.keys.without_tenant_rate()
    admissions = [changes.admit(SECOND.kid, CURRENT, NOW) for _ in range(3)]
    assert [isinstance(each, AdmissionGranted) for each in admissions] == [True, True, False]
    # The changes cost the tenant nothing: it has its next call as early as before.
    assert [admitted(stores, SECOND, NOW + wait) for wait in (0.9, 2.0)] == [False, True]


def test_a_change_of_rights_by_a_key_of_a_suspended_tenant_is_denied(stores: Stores) -> None:
    given(stores, FIRST, tenant_burst=2)
    stores.tenants.set_suspension("t-acme", NOW)
    denied = stores.keys.without_tenant_rate().admit(FIRST.kid, CURRENT, NOW)
    assert isinstance(denied, AdmissionDenied)
    assert denied.reason is AdmissionDenialReason.SUSPENDED_TENANT
