"""A blocked user is refused by the check of each call, and the answer is that of an unknown key."""

import secrets
from dataclasses import replace

import pytest

from groundwire.domain import errors
from groundwire.domain.access.decision import Decision
from groundwire.domain.access.user_blocks import UserBlock
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.domain.keys.forms.key_text import mint_key
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.entry.http.auth_errors import auth_error_response
from tests.support.registry.in_memory import ACTING, NOW, PERSONAL, TENANT, TenantKeys, bearer

DECISION = Decision("olga", NOW, "", "")


@pytest.fixture
def tenant_keys() -> TenantKeys:
    return TenantKeys()


def block(tenant_keys: TenantKeys, user: str) -> None:
    tenant_keys.users.block(TENANT, UserBlock(user, DECISION))


def calls(tenant_keys: TenantKeys) -> dict[str, dict[str, str]]:
    """Headers of calls that name Ann, by the way in which they do."""
    acting = tenant_keys.acting("*")
    return {
        "asserted alone": bearer(acting, x_user_id="ann"),
        "asserted with tags": bearer(acting, x_user_id="ann", x_session_tags='["sales"]'),
        "asserted without a tag": bearer(acting, x_user_id="ann", x_session_tags=""),
        "in other letters": bearer(acting, x_user_id="\uff21NN"),
        "personal": bearer(tenant_keys.personal("sales")),
        "personal in other letters": bearer(tenant_keys.personal(user="Ann")),
    }


WAYS = tuple(calls(TenantKeys()))


@pytest.mark.parametrize("way", WAYS)
def test_a_block_is_in_force_on_the_next_call_and_ends_with_its_removal(tenant_keys: TenantKeys, way: str) -> None:
    headers = calls(tenant_keys)[way]
    assert tenant_keys.authorize(headers).status is AuthStatus.ADMITTED
    block(tenant_keys, "Ann")
    refused = tenant_keys.authorize(headers)
    assert (refused.status, refused.reason) == (AuthStatus.UNAUTHENTICATED, AuthReason.BLOCKED_USER)
    assert refused.kid is not None
    assert refused.tenant == TENANT
    tenant_keys.users.unblock(TENANT, "ANN")
    assert tenant_keys.authorize(headers).status is AuthStatus.ADMITTED


@pytest.mark.parametrize("way", WAYS)
def test_the_answer_is_that_of_an_unknown_key(tenant_keys: TenantKeys, way: str) -> None:
    block(tenant_keys, "ann")
    unknown = mint_key("local", secrets.token_bytes).text.reveal()
    of_unknown = tenant_keys.authorize({"authorization": f"Bearer {unknown}"})
    assert of_unknown.reason is AuthReason.UNKNOWN_KEY
    assert answer(tenant_keys.authorize(calls(tenant_keys)[way])) == answer(of_unknown)


def test_a_block_leaves_others_and_calls_without_a_user_as_they_were(tenant_keys: TenantKeys) -> None:
    block(tenant_keys, "ann")
    acting = tenant_keys.acting("*")
    for headers in ({}, {"x-session-tags": '["ann"]'}, {"x-user-id": "bob"}, {"x-user-id": "anna"}):
        assert tenant_keys.authorize(bearer(acting) | headers).status is AuthStatus.ADMITTED


@pytest.mark.parametrize("way", WAYS)
def test_without_the_store_of_blocks_nobody_is_admitted(tenant_keys: TenantKeys, way: str) -> None:
    headers = calls(tenant_keys)[way]
    tenant_keys.users.fails = True
    decision = tenant_keys.authorize(headers)
    assert (decision.status, decision.reason) == (AuthStatus.UNAVAILABLE, AuthReason.STORE_UNAVAILABLE)


REQUIRED = replace(USUAL_OPTIONS, require_user=True)


@pytest.mark.parametrize(
    "headers", [{}, {"x-session-tags": '["sales"]'}, {"x-user-id": ""}, {"x-user-id": "", "x-session-tags": "[]"}]
)
def test_a_key_that_requires_a_user_refuses_a_call_that_names_none(
    tenant_keys: TenantKeys, headers: dict[str, str]
) -> None:
    strict = tenant_keys.admin.create(replace(ACTING, max_tags=("*",), options=REQUIRED))
    decision = tenant_keys.authorize(bearer(strict) | headers)
    assert (decision.status, decision.reason) == (AuthStatus.IDENTITY_NOT_ALLOWED, AuthReason.USER_REQUIRED)
    assert "x-user-id" in auth_error_response(decision).message
    assert tenant_keys.authorize(bearer(strict, x_user_id="ann") | headers | {"x-user-id": "ann"}).caller is not None
    lax = tenant_keys.admin.create(replace(ACTING, max_tags=("*",)))
    assert tenant_keys.authorize(bearer(lax) | headers).caller is not None


def test_only_a_delegated_key_can_require_a_user(tenant_keys: TenantKeys) -> None:
    with pytest.raises(errors.InvalidInput, match="delegated"):
        tenant_keys.admin.create(replace(PERSONAL, options=REQUIRED))


def answer(decision: AuthDecision) -> object:
    return auth_error_response(decision)
