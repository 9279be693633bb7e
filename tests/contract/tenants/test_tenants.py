from dataclasses import replace

import pytest

from groundwire.domain import errors
from groundwire.domain.documents.collection import Collection
from groundwire.domain.keys.api_key import AdmissionDenialReason, AdmissionDenied, AdmissionGranted
from tests.support.registry.backends import Stores
from tests.support.registry.races import race
from tests.support.registry.records import ACT_AS_KEY, CURRENT, DOCUMENT, NOW, PERSONAL_KEY, tenant, tombstone

ACME, BLUE = tenant("t-acme"), tenant("t-blue")


def test_a_tenant_is_read_back_as_it_was_added(stores: Stores) -> None:
    stores.tenants.add(ACME)
    assert stores.tenants.get("t-acme") == ACME
    assert stores.tenants.get("t-blue") is None


def test_tenants_are_listed_by_name(stores: Stores) -> None:
    stores.tenants.add(replace(BLUE, tenant="t-1"))
    stores.tenants.add(replace(ACME, tenant="t-2"))
    assert [each.name for each in stores.tenants.all()] == ["acme", "blue"]


def test_a_name_belongs_to_one_living_tenant(stores: Stores) -> None:
    stores.tenants.add(ACME)
    with pytest.raises(errors.Conflict):
        stores.tenants.add(replace(ACME, tenant="t-other"))
    stores.tenants.delete("t-acme")
    stores.tenants.add(replace(ACME, tenant="t-other"))
    assert [each.tenant for each in stores.tenants.all()] == ["t-other"]


def test_a_name_in_another_letter_case_is_taken_until_its_tenant_is_deleted(stores: Stores) -> None:
    stores.tenants.add(replace(ACME, name="Acme"))
    for name in ("acme", "ACME", "\uff21cme"):
        with pytest.raises(errors.Conflict):
            stores.tenants.add(replace(ACME, tenant="t-other", name=name))
    stores.tenants.delete("t-acme")
    stores.tenants.add(replace(ACME, tenant="t-other", name="ACME"))
    assert [(each.tenant, each.name) for each in stores.tenants.all()] == [("t-other", "ACME")]


def test_an_id_is_never_taken_over(stores: Stores) -> None:
    stores.tenants.add(ACME)
    with pytest.raises(errors.Conflict):
        stores.tenants.add(replace(ACME, name="other"))
    assert stores.tenants.get("t-acme") == ACME


def test_of_racing_creations_of_one_name_in_any_letter_case_exactly_one_succeeds(shared_stores: Stores) -> None:
    def create(number: int) -> bool:
        try:
            name = "".join(each.upper() if number >> place & 1 else each for place, each in enumerate("acme"))
            shared_stores.tenants.add(replace(ACME, tenant=f"t-{number}", name=name))
        except errors.Conflict:
            return False
        return True

    assert race(8, create).count(True) == 1
    assert len(shared_stores.tenants.all()) == 1


def filled(stores: Stores, tenant_id: str) -> None:
    stores.tenants.add(tenant(tenant_id))
    for key in (PERSONAL_KEY, ACT_AS_KEY):
        kid = f"{tenant_id}{key.kid}"[-12:][::-1] if tenant_id == "t-blue" else key.kid
        stores.keys.add(replace(key, tenant=tenant_id, kid=kid), CURRENT)
    stores.users.set(tenant_id, "ann", frozenset({"staff"}))
    stores.collections.put(tenant_id, Collection("handbook", 0.4))
    stores.collections.put(tenant_id, Collection("prices", 0.4))
    stores.documents.write(tenant_id, DOCUMENT, expected=None)
    stores.documents.write(tenant_id, tombstone(replace(DOCUMENT, doc_id="d-2")), expected=None)


def test_deleting_a_tenant_erases_and_counts_all_that_is_its_own(stores: Stores) -> None:
    filled(stores, "t-acme")
    counts = {"keys": 2, "users": 1, "collections": 2, "documents": 2, "sessions": 0}
    assert stores.tenants.delete("t-acme") == counts
    assert stores.tenants.get("t-acme") is None
    assert stores.keys.all("t-acme") == []
    assert stores.users.all("t-acme") == []
    assert stores.collections.all("t-acme") == []
    assert stores.documents.read("t-acme", ["d-1", "d-2"]) == {}
    refused = stores.keys.admit(PERSONAL_KEY.kid, CURRENT, NOW)
    assert isinstance(refused, AdmissionDenied)
    assert refused.reason is AdmissionDenialReason.UNKNOWN_KEY


def test_a_tenant_that_is_closed_gets_no_key_and_keeps_those_it_has_until_they_are_deleted(stores: Stores) -> None:
    filled(stores, "t-acme")
    stores.tenants.mark_deleting("t-acme")
    stores.tenants.mark_deleting("t-acme")
    with pytest.raises(errors.NotFound):
        stores.keys.add(replace(PERSONAL_KEY, kid="another00001"), CURRENT)
    assert [each.tenant for each in stores.tenants.all()] == ["t-acme"]
    assert stores.tenants.delete("t-acme")["keys"] == 2


def test_a_tenant_that_is_not_there_cannot_be_closed(stores: Stores) -> None:
    with pytest.raises(errors.NotFound):
        stores.tenants.mark_deleting("t-acme")


def test_deleting_a_tenant_leaves_the_others_as_they_were(stores: Stores) -> None:
    filled(stores, "t-acme")
    filled(stores, "t-blue")
    stores.tenants.delete("t-acme")
    (first, _) = stores.keys.all("t-blue")
    assert isinstance(stores.keys.admit(first.kid, CURRENT, NOW), AdmissionGranted)
    assert stores.users.state("t-blue", "ann").tags == frozenset({"staff"})
    assert len(stores.collections.all("t-blue")) == 2
    assert stores.documents.read("t-blue", ["d-1"]) == {"d-1": DOCUMENT}


def test_deleting_a_tenant_again_deletes_nothing(stores: Stores) -> None:
    filled(stores, "t-acme")
    stores.tenants.delete("t-acme")
    assert set(stores.tenants.delete("t-acme").values()) == {0}


def test_a_suspended_tenants_keys_are_refused_from_the_next_call_on_until_it_is_resumed(stores: Stores) -> None:
    filled(stores, "t-acme")
    filled(stores, "t-blue")
    refused = AdmissionDenied(AdmissionDenialReason.SUSPENDED_TENANT, PERSONAL_KEY.kid, "t-acme", None)
    assert isinstance(stores.keys.admit(PERSONAL_KEY.kid, CURRENT, NOW), AdmissionGranted)

    stores.tenants.set_suspension("t-acme", NOW)

    assert stores.tenants.get("t-acme") == replace(ACME, suspended_at=NOW)
    # More calls than the key's burst: none of them is counted.
    assert {stores.keys.admit(PERSONAL_KEY.kid, CURRENT, NOW) for _ in range(2 * PERSONAL_KEY.burst)} == {refused}
    wrong = stores.keys.admit(PERSONAL_KEY.kid, b"x" * 32, NOW)
    assert isinstance(wrong, AdmissionDenied)
    assert wrong.reason is AdmissionDenialReason.WRONG_SECRET
    other = next(key.kid for key in stores.keys.all("t-blue") if key.kid != PERSONAL_KEY.kid)
    assert isinstance(stores.keys.admit(other, CURRENT, NOW), AdmissionGranted)

    stores.tenants.set_suspension("t-acme", None)

    assert stores.tenants.get("t-acme") == ACME
    assert isinstance(stores.keys.admit(PERSONAL_KEY.kid, CURRENT, NOW), AdmissionGranted)


def test_a_key_over_its_rate_is_refused_for_the_suspension(stores: Stores) -> None:
    filled(stores, "t-acme")
    *_, last = (stores.keys.admit(PERSONAL_KEY.kid, CURRENT, NOW) for _ in range(PERSONAL_KEY.burst + 1))
    assert isinstance(last, AdmissionDenied)
    assert last.reason is AdmissionDenialReason.KEY_RATE
    stores.tenants.set_suspension("t-acme", NOW)
    denied = stores.keys.admit(PERSONAL_KEY.kid, CURRENT, NOW)
    assert isinstance(denied, AdmissionDenied)
    assert denied.reason is AdmissionDenialReason.SUSPENDED_TENANT


def test_a_suspended_tenant_has_no_usable_key(stores: Stores) -> None:
    filled(stores, "t-acme")
    key = stores.keys.get("t-acme", PERSONAL_KEY.kid)
    assert stores.keys.get_usable("t-acme", PERSONAL_KEY.kid) == key
    assert stores.keys.get_usable("t-blue", PERSONAL_KEY.kid) is None
    assert stores.keys.get_usable("t-acme", "nowhere00000") is None
    stores.tenants.set_suspension("t-acme", NOW)
    assert stores.keys.get_usable("t-acme", PERSONAL_KEY.kid) is None
    assert stores.keys.get("t-acme", PERSONAL_KEY.kid) == key


def test_a_changed_rate_counts_from_the_next_call_on(stores: Stores) -> None:
    stores.tenants.add(ACME)
    stores.keys.add(replace(PERSONAL_KEY, burst=10), CURRENT)
    stores.tenants.set_rate("t-acme", 60, 2)
    assert stores.tenants.get("t-acme") == replace(ACME, rate_per_minute=60, burst=2)
    *admitted, refused = (stores.keys.admit(PERSONAL_KEY.kid, CURRENT, NOW) for _ in range(3))
    assert all(isinstance(each, AdmissionGranted) for each in admitted)
    assert isinstance(refused, AdmissionDenied)
    assert refused.reason is AdmissionDenialReason.TENANT_RATE
    stores.tenants.set_rate("t-acme", 6_000, 100)
    assert isinstance(stores.keys.admit(PERSONAL_KEY.kid, CURRENT, NOW), AdmissionGranted)


def test_an_unknown_tenant_is_neither_suspended_nor_limited(stores: Stores) -> None:
    for change in (
        lambda: stores.tenants.set_suspension("t-acme", NOW),
        lambda: stores.tenants.set_suspension("t-acme", None),
        lambda: stores.tenants.set_rate("t-acme", 60, 2),
    ):
        with pytest.raises(errors.NotFound):
            change()
    assert stores.tenants.all() == []
