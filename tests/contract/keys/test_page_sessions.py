from dataclasses import replace

import pytest

from groundwire.domain import errors
from groundwire.domain.keys.api_key import OPERATOR, AdmissionDenialReason, AdmissionDenied, AdmissionGranted
from groundwire.domain.limits import MAX_PAGE_SESSIONS
from tests.support.registry.backends import Stores
from tests.support.registry.races import race
from tests.support.registry.records import CURRENT, NOW, PERSONAL_KEY, tenant

KID, TENANT = PERSONAL_KEY.kid, "t-acme"
PAGE, OTHER_PAGE = b"p" * 32, b"o" * 32
UNTIL = NOW + 600


@pytest.fixture(autouse=True)
def key(stores: Stores) -> None:
    stores.tenants.add(tenant(TENANT))
    stores.tenants.add(tenant("t-blue"))
    stores.keys.add(PERSONAL_KEY, CURRENT)


def admits(stores: Stores, digest: bytes = PAGE, now: float = NOW) -> bool:
    return isinstance(stores.keys.admit_page(KID, digest, now), AdmissionGranted)


def reason(stores: Stores, digest: bytes = PAGE, now: float = NOW) -> AdmissionDenialReason | None:
    admission = stores.keys.admit_page(KID, digest, now)
    return admission.reason if isinstance(admission, AdmissionDenied) else None


def test_an_open_page_session_is_admitted_with_its_key_until_it_ends(stores: Stores) -> None:
    assert reason(stores) is AdmissionDenialReason.WRONG_SECRET
    stores.keys.open_page(TENANT, KID, PAGE, UNTIL, NOW)
    admission = stores.keys.admit_page(KID, PAGE, NOW)
    assert isinstance(admission, AdmissionGranted)
    assert admission.key.kid == KID
    assert [admits(stores, now=UNTIL - 1), admits(stores, now=UNTIL)] == [True, False]


def test_a_page_session_is_no_key_and_a_key_is_no_page_session(stores: Stores) -> None:
    stores.keys.open_page(TENANT, KID, PAGE, UNTIL, NOW)
    assert isinstance(stores.keys.admit(KID, PAGE, NOW), AdmissionDenied)
    assert reason(stores, CURRENT) is AdmissionDenialReason.WRONG_SECRET


def test_the_page_session_of_another_key_is_not_admitted(stores: Stores) -> None:
    other = replace(PERSONAL_KEY, kid="other0000000")
    stores.keys.add(other, CURRENT)
    stores.keys.open_page(TENANT, other.kid, PAGE, UNTIL, NOW)
    assert not admits(stores)


def test_calls_of_a_page_count_against_the_rate_of_the_key(stores: Stores) -> None:
    stores.keys.open_page(TENANT, KID, PAGE, UNTIL, NOW)
    assert sum(admits(stores) for _ in range(PERSONAL_KEY.burst)) == PERSONAL_KEY.burst
    assert reason(stores) is AdmissionDenialReason.KEY_RATE
    assert isinstance(stores.keys.admit(KID, CURRENT, NOW), AdmissionDenied)


def test_a_page_session_ends_with_its_key(stores: Stores) -> None:
    stores.keys.open_page(TENANT, KID, PAGE, UNTIL, NOW)
    stores.keys.revoke(TENANT, KID)
    assert reason(stores) is AdmissionDenialReason.REVOKED


def test_a_page_session_ends_with_a_rotation_of_its_key_whatever_the_overlap(stores: Stores) -> None:
    stores.keys.open_page(TENANT, KID, PAGE, UNTIL, NOW)
    stores.keys.rotate(TENANT, KID, b"2" * 32, NOW + 60, OPERATOR)
    assert not admits(stores)
    stores.keys.open_page(TENANT, KID, OTHER_PAGE, UNTIL, NOW)
    assert [admits(stores), admits(stores, OTHER_PAGE)] == [False, True]


def test_a_page_session_does_not_outlive_a_former_secret_that_may_have_signed_in(stores: Stores) -> None:
    stores.keys.rotate(TENANT, KID, b"2" * 32, NOW + 60, OPERATOR)
    assert stores.keys.open_page(TENANT, KID, PAGE, UNTIL, NOW) == NOW + 60
    assert stores.keys.open_page(TENANT, KID, OTHER_PAGE, NOW + 5, NOW) == NOW + 5
    assert [admits(stores, now=NOW + 59), admits(stores, now=NOW + 60)] == [True, False]
    # A call that was admitted by the former secret may still be signing in.
    for moment in (NOW + 60, NOW + 89):
        with pytest.raises(errors.Conflict):
            stores.keys.open_page(TENANT, KID, OTHER_PAGE, UNTIL, moment)
    assert not admits(stores, OTHER_PAGE, NOW + 60)
    assert stores.keys.open_page(TENANT, KID, PAGE, UNTIL, NOW + 90) == UNTIL


def test_a_page_session_ends_at_the_expiry_of_its_key(stores: Stores) -> None:
    short = replace(PERSONAL_KEY, kid="short0000000", expires_at=NOW + 60)
    stores.keys.add(short, CURRENT)
    stores.keys.open_page(TENANT, short.kid, PAGE, UNTIL, NOW)
    assert isinstance(stores.keys.admit_page(short.kid, PAGE, NOW), AdmissionGranted)
    denied = stores.keys.admit_page(short.kid, PAGE, NOW + 60)
    assert isinstance(denied, AdmissionDenied)
    assert denied.reason is AdmissionDenialReason.EXPIRED


def test_closing_ends_one_page_session_once(stores: Stores) -> None:
    stores.keys.open_page(TENANT, KID, PAGE, UNTIL, NOW)
    stores.keys.open_page(TENANT, KID, OTHER_PAGE, UNTIL, NOW)
    assert [stores.keys.close_page(KID, PAGE, NOW) for _ in range(2)] == [True, False]
    assert [admits(stores), admits(stores, OTHER_PAGE)] == [False, True]
    assert not stores.keys.close_page(KID, OTHER_PAGE, UNTIL)


def test_of_racing_closings_one_alone_ends_the_page_session(shared_stores: Stores) -> None:
    shared_stores.tenants.add(tenant("t-race"))
    racer = replace(PERSONAL_KEY, kid="racer0000000", tenant="t-race")
    shared_stores.keys.add(racer, CURRENT)
    shared_stores.keys.open_page("t-race", racer.kid, PAGE, UNTIL, NOW)
    assert race(16, lambda _: shared_stores.keys.close_page(racer.kid, PAGE, NOW)).count(True) == 1


def test_a_page_session_beyond_the_limit_ends_the_one_that_would_end_first(stores: Stores) -> None:
    digests = [bytes([number]) * 32 for number in range(MAX_PAGE_SESSIONS + 1)]
    for number, digest in enumerate(digests):
        stores.keys.open_page(TENANT, KID, digest, UNTIL + number, NOW)
    # One second apart, so that the rate of the key admits all of them.
    admitted = [admits(stores, digest, NOW + number) for number, digest in enumerate(digests)]
    assert admitted == [False, *[True] * MAX_PAGE_SESSIONS]


@pytest.mark.parametrize(("of", "kid"), [("t-blue", KID), (TENANT, "000000000000")])
def test_no_page_session_opens_for_a_key_that_the_tenant_lacks(stores: Stores, of: str, kid: str) -> None:
    with pytest.raises(errors.NotFound):
        stores.keys.open_page(of, kid, PAGE, UNTIL, NOW)
    assert not admits(stores)


def test_no_page_session_opens_for_a_revoked_key(stores: Stores) -> None:
    stores.keys.revoke(TENANT, KID)
    with pytest.raises(errors.NotFound):
        stores.keys.open_page(TENANT, KID, PAGE, UNTIL, NOW)
