"""A call's headers come to one decision: who calls, for whom, and nothing read before the checksum holds."""

import secrets
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.access.policy import Principal
from groundwire.domain.keys.api_key import AdmissionDenialReason
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.domain.keys.forms.key_text import mint_key
from tests.support.plugins.draws import examples
from tests.support.registry.in_memory import NOW, PERSONAL, TENANT, TenantKeys, bearer

DAY_S = 86_400
CREDENTIAL_HEADERS = ["authorization", "api-key", "x-api-key"]


def outcome(decision: AuthDecision) -> tuple[AuthStatus, AuthReason, str | None]:
    return decision.status, decision.reason, decision.header


def principal(decision: AuthDecision) -> Principal:
    assert decision.caller is not None, decision
    return decision.caller.principal


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("authorization", "Bearer {}"),
        ("Authorization", "bearer {}"),
        ("AUTHORIZATION", "BEARER   {} "),
        ("api-key", "{}"),
        ("Api-Key", " {}\t"),
        ("X-API-Key", "{}"),
    ],
)
def test_a_key_is_read_from_each_of_its_headers(name: str, value: str) -> None:
    tenant_keys = TenantKeys()
    decision = tenant_keys.authorize({name: value.format(tenant_keys.personal("sales").secret.reveal())})
    assert principal(decision) == Principal(TENANT, "ann", frozenset({"sales"}))


@pytest.mark.parametrize("first", CREDENTIAL_HEADERS)
@pytest.mark.parametrize("second", CREDENTIAL_HEADERS)
def test_a_key_in_two_headers_or_twice_in_one_is_a_bad_request(first: str, second: str) -> None:
    tenant_keys = TenantKeys()
    text = tenant_keys.personal().secret.reveal()
    spelled = {name: f"Bearer {text}" if name == "authorization" else text for name in (first, second)}
    if first == second:
        spelled = {first: spelled[first], first.title(): spelled[first]}
    decision = tenant_keys.authorize(spelled)
    assert decision.status is AuthStatus.CONFLICTING_CREDENTIALS
    assert decision.header in (first, second)
    assert tenant_keys.keys.reads == 0


@pytest.mark.parametrize("order", [("good", "evil"), ("evil", "good")])
def test_a_key_header_that_the_gateway_joined_is_a_bad_request_in_both_orders(order: tuple[str, str]) -> None:
    tenant_keys = TenantKeys()
    texts = {"good": f"Bearer {tenant_keys.personal().secret.reveal()}", "evil": "Bearer x"}
    decision = tenant_keys.authorize({"authorization": ",".join(texts[name] for name in order)})
    assert outcome(decision) == (
        AuthStatus.CONFLICTING_CREDENTIALS,
        AuthReason.SEVERAL_CREDENTIALS,
        "authorization",
    )


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x-user-id": "ann", "x-session-tags": "[]", "x-tenant": TENANT},
        {"cookie": "key=1"},
        {"authorization": ""},
        {"authorization": "Bearer"},
        {"authorization": "Bearer "},
        {"authorization": "Basic YTpi"},
        {"api-key": ""},
        {"api-key": "short"},
        {"x-api-key": "\ud800\x00"},
        {"authorization": "Bearer gw_local_" + "0" * 12 + "_" + "0" * 49},
    ],
    ids=range(11),
)
def test_without_the_form_of_a_key_nothing_is_read(headers: dict[str, str]) -> None:
    tenant_keys = TenantKeys()
    assert tenant_keys.authorize(headers).status is AuthStatus.UNAUTHENTICATED
    assert (tenant_keys.keys.reads, tenant_keys.users.reads) == (0, 0)


def test_a_raw_key_in_authorization_without_its_scheme_is_no_key() -> None:
    tenant_keys = TenantKeys()
    decision = tenant_keys.authorize({"authorization": tenant_keys.personal().secret.reveal()})
    assert decision.reason is AuthReason.MALFORMED_KEY


@settings(deadline=None, max_examples=examples(200))
@given(position=st.integers(0, 70), letter=st.sampled_from("0Aa_-,é "))
def test_a_mistyped_key_never_reaches_the_store(position: int, letter: str) -> None:
    tenant_keys = TenantKeys()
    text = tenant_keys.personal().secret.reveal()
    mistyped = text[:position] + letter + text[position + 1 :]
    decision = tenant_keys.authorize({"x-api-key": mistyped})
    assert tenant_keys.keys.reads == (1 if mistyped == text else 0)
    assert (decision.caller is not None) == (mistyped == text)


def test_unknown_wrong_revoked_and_expired_keys_differ_only_in_the_audit_reason() -> None:
    tenant_keys = TenantKeys()
    revoked, expired = tenant_keys.personal(), tenant_keys.personal()
    tenant_keys.admin.revoke(TENANT, revoked.key.kid)
    wrong = tenant_keys.personal()
    tenant_keys.admin.rotate(TENANT, wrong.key.kid, overlap_hours=0)
    unknown = mint_key("local", secrets.token_bytes).text.reveal()
    tenant_keys.now = NOW + 1
    access_decisions = [
        tenant_keys.authorize({"api-key": unknown}),
        tenant_keys.authorize(bearer(wrong)),
        tenant_keys.authorize(bearer(revoked)),
    ]
    tenant_keys.now = NOW + 91 * DAY_S
    access_decisions.append(tenant_keys.authorize(bearer(expired)))
    assert {decision.status for decision in access_decisions} == {AuthStatus.UNAUTHENTICATED}
    assert [decision.reason for decision in access_decisions] == [
        AuthReason.UNKNOWN_KEY,
        AuthReason.WRONG_SECRET,
        AuthReason.REVOKED,
        AuthReason.EXPIRED,
    ]
    assert [(decision.message, decision.header) for decision in access_decisions] == [(None, None)] * 4


def test_every_refusal_of_a_registry_has_its_reason() -> None:
    assert {AuthReason(refusal.value).value for refusal in AdmissionDenialReason} == {
        refusal.value for refusal in AdmissionDenialReason
    }


def test_a_key_stored_under_another_pepper_opens_nothing() -> None:
    tenant_keys = TenantKeys()
    key = tenant_keys.personal()
    row = tenant_keys.keys.rows[key.key.kid]
    row.digest = b"written by somebody without pepper"[:32]
    assert tenant_keys.authorize(bearer(key)).reason is AuthReason.WRONG_SECRET


def test_over_the_rate_states_when_to_retry_in_whole_seconds() -> None:
    tenant_keys = TenantKeys()
    key = tenant_keys.admin.create(replace(PERSONAL, rate_per_minute=20, burst=2))
    decisions = [tenant_keys.authorize(bearer(key)).status for _ in range(2)]
    refused = tenant_keys.authorize(bearer(key))
    assert decisions == [AuthStatus.ADMITTED] * 2
    assert (refused.status, refused.reason) == (AuthStatus.OVER_LIMIT, AuthReason.KEY_RATE)
    assert refused.retry_after_s == 3
    tenant_keys.now += 3
    assert tenant_keys.authorize(bearer(key)).caller is not None


def test_a_part_of_a_second_is_rounded_up_so_that_the_repeat_succeeds() -> None:
    tenant_keys = TenantKeys()
    key = tenant_keys.admin.create(replace(PERSONAL, rate_per_minute=40, burst=1))
    assert tenant_keys.authorize(bearer(key)).retry_after_s is None
    assert tenant_keys.authorize(bearer(key)).retry_after_s == 2


def test_a_store_that_does_not_answer_refuses_the_call_and_states_when_to_retry() -> None:
    tenant_keys = TenantKeys()
    key = tenant_keys.acting("*")
    tenant_keys.keys.fails = True
    decision = tenant_keys.authorize(bearer(key))
    assert (decision.status, decision.retry_after_s, decision.kid) == (AuthStatus.UNAVAILABLE, 7, None)
    tenant_keys.keys.fails, tenant_keys.users.fails = False, True
    decision = tenant_keys.authorize(bearer(key, x_user_id="ann"))
    assert (decision.status, decision.retry_after_s, decision.kid) == (AuthStatus.UNAVAILABLE, 3, key.key.kid)
