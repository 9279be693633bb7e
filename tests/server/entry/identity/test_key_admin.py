"""Keys are ordered in full, shown once, rotated without a gap and revoked at once."""

from dataclasses import replace
from typing import Any

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import Conflict, InvalidInput, NotFound
from groundwire.domain.keys.forms.key_text import key_digest, parse_key
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.services.keys.admin import NEVER, KeySpec
from tests.support.registry.in_memory import ACTING, NOW, PEPPER, PERSONAL, TENANT, TenantKeys, bearer

HOUR_S = 3_600
DAY_S = 86_400


def works(tenant_keys: TenantKeys, headers: dict[str, str]) -> bool:
    return tenant_keys.authorize(headers).caller is not None


def test_a_new_key_works_at_once_and_only_its_digest_is_kept() -> None:
    tenant_keys = TenantKeys()
    issued = tenant_keys.personal("sales")
    assert works(tenant_keys, bearer(issued))
    row = tenant_keys.keys.rows[issued.key.kid]
    assert row.digest == key_digest(PEPPER, issued.secret.reveal())
    assert issued.secret.reveal() not in repr((row, issued))


def test_the_text_names_the_environment_and_the_kid() -> None:
    issued = TenantKeys().personal()
    parsed = parse_key(issued.secret.reveal())
    assert parsed is not None
    assert parsed.kid == issued.key.kid
    assert issued.secret.reveal().startswith(f"gw_local_{issued.key.kid}_")


def test_a_key_lives_90_days_unless_ordered_otherwise_and_never_is_printed() -> None:
    tenant_keys = TenantKeys()
    assert tenant_keys.admin.create(PERSONAL).key.expires_at == NOW + 90 * DAY_S
    assert tenant_keys.admin.create(replace(PERSONAL, expires_in_days=1)).key.expires_at == NOW + DAY_S
    assert tenant_keys.admin.create(replace(PERSONAL, expires_in_days=NEVER)).key.expires_at is None


def test_a_key_that_acts_for_others_always_has_the_scope_for_it() -> None:
    assert Scope.ACT_AS in TenantKeys().admin.create(ACTING).key.scopes


def test_names_in_an_order_are_kept_in_their_compared_form() -> None:
    tenant_keys = TenantKeys()
    personal = tenant_keys.admin.create(replace(PERSONAL, user="Zoe\u0308", tags=frozenset({"cafe\u0301"}))).key
    acting = tenant_keys.admin.create(replace(ACTING, max_tags=("cafe\u0301*", "caf\u00e9*"))).key
    assert (personal.user, personal.tags) == ("Zo\u00eb", {"caf\u00e9"})
    assert acting.max_tags == ("caf\u00e9*",)


CONTRADICTIONS: list[tuple[KeySpec, dict[str, Any]]] = [
    (PERSONAL, {"user": None}),
    (PERSONAL, {"user": ""}),
    (PERSONAL, {"max_tags": ("a",)}),
    (PERSONAL, {"scopes": frozenset({Scope.SEARCH, Scope.ACT_AS})}),
    (PERSONAL, {"tags": frozenset({"sys:x"})}),
    (PERSONAL, {"tags": frozenset(map(str, range(65)))}),
    (PERSONAL, {"strict_tags": True}),
    (ACTING, {"user": "ann"}),
    (ACTING, {"tags": frozenset({"a"})}),
    (ACTING, {"max_tags": ("sys:*",)}),
    (ACTING, {"max_tags": tuple(map(str, range(65)))}),
    (ACTING, {"scopes": frozenset[Scope]()}),
    (PERSONAL, {"scopes": frozenset[Scope]()}),
    (PERSONAL, {"collections": frozenset[str]()}),
    (PERSONAL, {"name": " "}),
    (PERSONAL, {"name": "a\nb"}),
    (PERSONAL, {"name": "a" * 256}),
    (PERSONAL, {"options": replace(USUAL_OPTIONS, top_n=0)}),
    (PERSONAL, {"options": replace(USUAL_OPTIONS, top_n=21)}),
    (PERSONAL, {"options": replace(USUAL_OPTIONS, expand_tokens=-1)}),
    (PERSONAL, {"options": replace(USUAL_OPTIONS, expand_tokens=2_001)}),
    (PERSONAL, {"options": replace(USUAL_OPTIONS, toolset="unheard of")}),
    (PERSONAL, {"rate_per_minute": 0}),
    (PERSONAL, {"burst": 0}),
    (PERSONAL, {"expires_in_days": 0}),
    (PERSONAL, {"expires_in_days": -1}),
    (PERSONAL, {"expires_in_days": 3_651}),
    (PERSONAL, {"expires_in_days": 10**400}),
    (PERSONAL, {"rate_per_minute": 600_001}),
    (PERSONAL, {"burst": 100_001}),
]


@pytest.mark.parametrize(("order", "change"), CONTRADICTIONS, ids=range(len(CONTRADICTIONS)))
def test_an_order_that_contradicts_itself_makes_no_key(order: KeySpec, change: dict[str, Any]) -> None:
    tenant_keys = TenantKeys()
    with pytest.raises(InvalidInput):
        tenant_keys.admin.create(replace(order, **change))
    assert tenant_keys.admin.all(TENANT) == []


def test_a_key_belongs_to_a_tenant_that_exists() -> None:
    tenant_keys = TenantKeys()
    with pytest.raises(NotFound):
        tenant_keys.admin.create(replace(PERSONAL, tenant="t_south"))


def test_rotation_keeps_the_kid_and_never_leaves_a_moment_without_a_working_key() -> None:
    tenant_keys = TenantKeys()
    old = tenant_keys.personal()
    new = tenant_keys.admin.rotate(TENANT, old.key.kid)
    assert new.key.kid == old.key.kid
    assert new.key.previous_until == NOW + 24 * HOUR_S
    assert works(tenant_keys, bearer(old))
    assert works(tenant_keys, bearer(new))
    tenant_keys.now = NOW + 24 * HOUR_S
    assert not works(tenant_keys, bearer(old))
    assert works(tenant_keys, bearer(new))


def test_a_second_rotation_ends_the_first_secret_whatever_its_overlap() -> None:
    tenant_keys = TenantKeys()
    first = tenant_keys.personal()
    second = tenant_keys.admin.rotate(TENANT, first.key.kid, overlap_hours=168)
    third = tenant_keys.admin.rotate(TENANT, first.key.kid, overlap_hours=1)
    assert [works(tenant_keys, bearer(key)) for key in (first, second, third)] == [False, True, True]


def test_rotation_does_not_prolong_the_grant() -> None:
    tenant_keys = TenantKeys()
    key = tenant_keys.personal()
    tenant_keys.now = NOW + 89 * DAY_S
    assert tenant_keys.admin.rotate(TENANT, key.key.kid).key.expires_at == key.key.expires_at


@pytest.mark.parametrize("hours", [-1, 169])
def test_the_old_secret_dies_within_seven_days(hours: int) -> None:
    tenant_keys = TenantKeys()
    key = tenant_keys.personal()
    with pytest.raises(InvalidInput, match="168"):
        tenant_keys.admin.rotate(TENANT, key.key.kid, overlap_hours=hours)
    assert works(tenant_keys, bearer(key))


def test_a_revoked_or_expired_key_is_not_rotated_back_to_life() -> None:
    tenant_keys = TenantKeys()
    revoked, expired = tenant_keys.personal(), tenant_keys.personal()
    tenant_keys.admin.revoke(TENANT, revoked.key.kid)
    with pytest.raises(Conflict, match="revoked"):
        tenant_keys.admin.rotate(TENANT, revoked.key.kid)
    tenant_keys.now = NOW + 90 * DAY_S
    with pytest.raises(Conflict, match="expired"):
        tenant_keys.admin.rotate(TENANT, expired.key.kid)


def test_revocation_is_in_force_on_the_next_call_for_both_secrets_of_a_rotation() -> None:
    tenant_keys = TenantKeys()
    old = tenant_keys.personal()
    new = tenant_keys.admin.rotate(TENANT, old.key.kid)
    assert tenant_keys.admin.revoke(TENANT, old.key.kid).revoked
    assert not works(tenant_keys, bearer(old))
    assert not works(tenant_keys, bearer(new))


def test_no_tenant_reaches_anothers_keys() -> None:
    tenant_keys = TenantKeys()
    kid = tenant_keys.personal().key.kid
    for attempt in (tenant_keys.admin.rotate, tenant_keys.admin.revoke):
        with pytest.raises(NotFound):
            attempt("t_south", kid)
    assert tenant_keys.admin.all("t_south") == []
    assert [key.collections for key in tenant_keys.admin.all(TENANT)] == [ALL_COLLECTIONS]
