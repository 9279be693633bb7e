from dataclasses import replace
from typing import Any, Final

import pytest

from groundwire.domain import errors
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.api_key import CHANGEABLE_FIELDS, OPERATOR, AdmissionGranted, SecretMaker
from tests.support.registry.backends import Stores
from tests.support.registry.records import ACT_AS_KEY, CURRENT, NOW, PERSONAL_KEY, tenant

KID = PERSONAL_KEY.kid
SECOND, THIRD = b"2" * 32, b"3" * 32


@pytest.fixture(autouse=True)
def key(stores: Stores) -> None:
    stores.tenants.add(tenant("t-acme"))
    stores.tenants.add(tenant("t-blue"))
    stores.keys.add(PERSONAL_KEY, CURRENT)


def works(stores: Stores, digest: bytes, now: float = NOW) -> bool:
    return isinstance(stores.keys.admit(KID, digest, now), AdmissionGranted)


def test_both_secrets_work_until_the_overlap_ends(stores: Stores) -> None:
    stores.keys.rotate("t-acme", KID, SECOND, NOW + 60, OPERATOR)
    assert [works(stores, CURRENT), works(stores, SECOND)] == [True, True]
    assert [works(stores, CURRENT, NOW + 59), works(stores, CURRENT, NOW + 60)] == [True, False]
    assert works(stores, SECOND, NOW + 61)


def test_the_overlap_is_shown_with_the_key(stores: Stores) -> None:
    stores.keys.rotate("t-acme", KID, SECOND, NOW + 60, OPERATOR)
    shown = stores.keys.get("t-acme", KID)
    assert shown is not None
    assert shown.previous_until == NOW + 60


def test_a_key_names_the_makers_of_both_secrets(stores: Stores) -> None:
    def makers() -> list[str]:
        found = stores.keys.get("t-acme", KID)
        assert found is not None
        return [found.rotated_by, found.rotated_with, found.formerly_rotated_by, found.formerly_rotated_with]

    assert makers() == [""] * 4
    stores.keys.rotate("t-acme", KID, SECOND, NOW + 60, SecretMaker("elif", "KIDOFELIFKEY"))
    assert makers() == ["elif", "KIDOFELIFKEY", "", ""]
    stores.keys.rotate("t-acme", KID, THIRD, NOW + 60, OPERATOR)
    assert makers() == ["", "", "elif", "KIDOFELIFKEY"]


def test_a_second_rotation_ends_the_first_secret(stores: Stores) -> None:
    stores.keys.rotate("t-acme", KID, SECOND, NOW + 60, OPERATOR)
    stores.keys.rotate("t-acme", KID, THIRD, NOW + 60, OPERATOR)
    assert [works(stores, secret) for secret in (CURRENT, SECOND, THIRD)] == [False, True, True]


def test_a_rotation_without_overlap_ends_the_old_secret_at_once(stores: Stores) -> None:
    stores.keys.rotate("t-acme", KID, SECOND, NOW, OPERATOR)
    assert [works(stores, CURRENT), works(stores, SECOND)] == [False, True]


def test_a_revoked_key_stays_revoked_for_both_secrets(stores: Stores) -> None:
    stores.keys.rotate("t-acme", KID, SECOND, NOW + 60, OPERATOR)
    stores.keys.revoke("t-acme", KID)
    assert [works(stores, CURRENT), works(stores, SECOND)] == [False, False]


def test_a_key_counts_as_revoked_from_its_revocation_on_and_for_every_other_tenant(stores: Stores) -> None:
    assert not stores.keys.is_revoked("t-acme", KID)
    assert stores.keys.is_revoked("t-blue", KID)
    assert stores.keys.is_revoked("t-acme", "000000000000")
    stores.keys.revoke("t-acme", KID)
    assert stores.keys.is_revoked("t-acme", KID)
    assert [key.kid for key in stores.keys.all("t-acme")] == [KID]


def test_tags_of_a_key_are_replaced_and_nothing_else(stores: Stores) -> None:
    before = stores.keys.get(PERSONAL_KEY.tenant, PERSONAL_KEY.kid)
    assert before is not None
    tags, bound = frozenset({"größe", "a"}), ("z:*", "b")
    stores.keys.replace_tags(before, tags, bound)
    changed = replace(before, tags=tags, max_tags=bound)
    others = (before, replace(changed, tenant="t-blue"), replace(changed, kid="000000000000"))
    for other in (*others, replace(changed, max_tags=("b",)), replace(changed, tags=frozenset({"a"}))):
        with pytest.raises(errors.Conflict):
            stores.keys.replace_tags(other, frozenset(), ())
    assert stores.keys.get(PERSONAL_KEY.tenant, PERSONAL_KEY.kid) == changed
    admission = stores.keys.admit(PERSONAL_KEY.kid, CURRENT, NOW)
    assert isinstance(admission, AdmissionGranted)
    assert (admission.key.tags, admission.key.max_tags) == (tags, bound)


CHANGED: Final[dict[str, Any]] = {
    "name": "desk",
    "tags": frozenset({"größe"}),
    "max_tags": ("z:*", "b"),
    "scopes": frozenset({Scope.SEARCH}),
    "collections": "every",
    "rate_per_minute": 6,
    "burst": 2,
    "expires_at": None,
}


def test_a_change_replaces_what_may_change_and_no_secret_and_nothing_else(stores: Stores) -> None:
    before = stores.keys.get("t-acme", KID)
    assert before is not None
    assert CHANGED.keys() == CHANGEABLE_FIELDS
    wanted = replace(before, **CHANGED)
    stores.keys.change(before, replace(wanted, user="zoe", created_at=1.0, kind=ACT_AS_KEY.kind))
    assert stores.keys.get("t-acme", KID) == wanted
    assert works(stores, CURRENT)
    back = stores.keys.get("t-acme", KID)
    assert back is not None
    stores.keys.change(back, before)
    assert stores.keys.get("t-acme", KID) == replace(before, last_used=back.last_used)


def test_a_change_needs_the_key_as_it_was_read(stores: Stores) -> None:
    before = stores.keys.get("t-acme", KID)
    assert before is not None
    others = [replace(before, **{name: value}) for name, value in CHANGED.items()]
    for other in (*others, replace(before, tenant="t-blue"), replace(before, kid="000000000000")):
        with pytest.raises(errors.Conflict):
            stores.keys.change(other, replace(other, name="taken"))
    assert stores.keys.get("t-acme", KID) == before
    stores.keys.revoke("t-acme", KID)
    with pytest.raises(errors.Conflict):
        stores.keys.change(before, replace(before, name="taken"))


def test_another_rate_counts_from_the_next_call_on(stores: Stores) -> None:
    before = stores.keys.get("t-acme", KID)
    assert before is not None
    stores.keys.change(before, replace(before, rate_per_minute=6, burst=2))
    assert [works(stores, CURRENT) for _ in range(3)] == [True, True, False]
    assert [works(stores, CURRENT, NOW + 9), works(stores, CURRENT, NOW + 10)] == [False, True]
    slow = stores.keys.get("t-acme", KID)
    assert slow is not None
    stores.keys.change(slow, before)
    assert all(works(stores, CURRENT, NOW + 30) for _ in range(before.burst))


def test_only_a_key_of_the_tenant_can_be_seen_rotated_or_revoked(stores: Stores) -> None:
    with pytest.raises(errors.NotFound):
        stores.keys.rotate("t-blue", KID, SECOND, NOW + 60, OPERATOR)
    with pytest.raises(errors.NotFound):
        stores.keys.revoke("t-blue", KID)
    with pytest.raises(errors.NotFound):
        stores.keys.revoke("t-acme", "unknown00000")
    assert stores.keys.get("t-blue", KID) is None
    assert stores.keys.all("t-blue") == []
    assert works(stores, CURRENT)


def test_keys_are_listed_by_creation_revoked_ones_too(stores: Stores) -> None:
    stores.keys.add(ACT_AS_KEY, CURRENT)
    stores.keys.revoke("t-acme", KID)
    listed = stores.keys.all("t-acme")
    assert [(key.kid, key.revoked) for key in listed] == [(KID, True), (ACT_AS_KEY.kid, False)]


def test_a_rotated_key_stays_as_strict_as_it_was(stores: Stores) -> None:
    stores.keys.add(ACT_AS_KEY, CURRENT)
    stores.keys.rotate("t-acme", ACT_AS_KEY.kid, SECOND, NOW + 60, OPERATOR)
    admission = stores.keys.admit(ACT_AS_KEY.kid, SECOND, NOW)
    assert isinstance(admission, AdmissionGranted)
    assert admission.key.strict_tags
