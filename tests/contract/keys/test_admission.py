from dataclasses import replace

import pytest

from groundwire.domain import errors
from groundwire.domain.keys.api_key import AdmissionDenialReason, AdmissionDenied, AdmissionGranted, ApiKey
from tests.support.registry.backends import Stores
from tests.support.registry.records import ACT_AS_KEY, CURRENT, NOW, OTHER, PERSONAL_KEY, tenant

KID = PERSONAL_KEY.kid


@pytest.fixture(autouse=True)
def acme(stores: Stores) -> None:
    stores.tenants.add(tenant("t-acme"))


def add(stores: Stores, key: ApiKey = PERSONAL_KEY) -> None:
    stores.keys.add(key, CURRENT)


def refusal(stores: Stores, digest: bytes = CURRENT, now: float = NOW) -> AdmissionDenialReason | None:
    admission = stores.keys.admit(KID, digest, now)
    return admission.reason if isinstance(admission, AdmissionDenied) else None


@pytest.mark.parametrize("key", [PERSONAL_KEY, ACT_AS_KEY], ids=["personal", "act_as"])
def test_an_admitted_call_gets_the_key_with_every_field_as_it_was_added(stores: Stores, key: ApiKey) -> None:
    add(stores, key)
    admission = stores.keys.admit(key.kid, CURRENT, NOW)
    assert admission == AdmissionGranted(replace(key, last_used=NOW - NOW % 60))


def test_last_use_is_kept_to_the_minute(stores: Stores) -> None:
    add(stores)
    for second in (0.0, 20.0, 70.0):
        stores.keys.admit(KID, CURRENT, 1_800_000_000.0 + second)
    kept = stores.keys.get("t-acme", KID)
    assert kept is not None
    assert kept.last_used == 1_800_000_060.0


def test_an_unknown_kid_is_refused_without_naming_a_tenant(stores: Stores) -> None:
    assert stores.keys.admit("unknown00000", CURRENT, NOW) == AdmissionDenied(
        AdmissionDenialReason.UNKNOWN_KEY, None, None, None
    )


def test_a_wrong_secret_is_refused(stores: Stores) -> None:
    add(stores)
    assert stores.keys.admit(KID, OTHER, NOW) == AdmissionDenied(
        AdmissionDenialReason.WRONG_SECRET, KID, "t-acme", None
    )


def test_a_digest_of_another_length_is_a_wrong_secret(stores: Stores) -> None:
    add(stores)
    assert refusal(stores, b"") is AdmissionDenialReason.WRONG_SECRET
    assert refusal(stores, CURRENT[:-1]) is AdmissionDenialReason.WRONG_SECRET


@pytest.mark.parametrize(
    ("lead", "expected"),
    [(-1.0, None), (0.0, AdmissionDenialReason.EXPIRED), (1.0, AdmissionDenialReason.EXPIRED)],
    ids=["before", "at", "after"],
)
def test_a_key_works_until_the_moment_it_expires(
    stores: Stores, lead: float, expected: AdmissionDenialReason | None
) -> None:
    add(stores, replace(PERSONAL_KEY, expires_at=NOW))
    assert refusal(stores, now=NOW + lead) is expected


def test_a_key_without_an_expiry_works_in_a_century(stores: Stores) -> None:
    add(stores, replace(PERSONAL_KEY, expires_at=None))
    assert refusal(stores, now=NOW + 100 * 365 * 86_400) is None


def test_a_revocation_between_two_calls_refuses_the_second(stores: Stores) -> None:
    add(stores)
    assert refusal(stores) is None
    stores.keys.revoke("t-acme", KID)
    assert refusal(stores) is AdmissionDenialReason.REVOKED


def test_a_wrong_secret_learns_nothing_of_revocation_expiry_or_rate(stores: Stores) -> None:
    add(stores, replace(PERSONAL_KEY, burst=1, expires_at=NOW + 10))
    stores.keys.admit(KID, CURRENT, NOW)
    assert refusal(stores, OTHER) is AdmissionDenialReason.WRONG_SECRET
    assert refusal(stores, OTHER, now=NOW + 20) is AdmissionDenialReason.WRONG_SECRET
    stores.keys.revoke("t-acme", KID)
    assert refusal(stores, OTHER) is AdmissionDenialReason.WRONG_SECRET


def test_a_key_of_a_deleted_tenant_is_unknown(stores: Stores) -> None:
    add(stores)
    stores.tenants.delete("t-acme")
    assert refusal(stores) is AdmissionDenialReason.UNKNOWN_KEY


def test_a_kid_is_given_once(stores: Stores) -> None:
    add(stores)
    with pytest.raises(errors.Conflict):
        stores.keys.add(replace(PERSONAL_KEY, name="another"), OTHER)
    assert refusal(stores) is None
