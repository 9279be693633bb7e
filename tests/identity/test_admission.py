"""A call's headers come to one decision: who calls, for whom, and nothing read before the checksum holds."""

import secrets
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.access.policy import Principal
from groundwire.domain.keys.api_key import AdmissionDenialReason
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.domain.keys.key_text import mint_key
from tests.identity.registry import NOW, PERSONAL, TENANT, Desk, bearer

DAY_S = 86_400
CREDENTIAL_HEADERS = ["authorization", "api-key", "x-api-key"]


def outcome(verdict: AuthDecision) -> tuple[AuthStatus, AuthReason, str | None]:
    return verdict.status, verdict.reason, verdict.header


def principal(verdict: AuthDecision) -> Principal:
    assert verdict.caller is not None, verdict
    return verdict.caller.principal


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
    desk = Desk()
    verdict = desk.authorize({name: value.format(desk.personal("sales").secret.reveal())})
    assert principal(verdict) == Principal(TENANT, "ann", frozenset({"sales"}))


@pytest.mark.parametrize("first", CREDENTIAL_HEADERS)
@pytest.mark.parametrize("second", CREDENTIAL_HEADERS)
def test_a_key_in_two_headers_or_twice_in_one_is_a_bad_request(first: str, second: str) -> None:
    desk = Desk()
    text = desk.personal().secret.reveal()
    spelled = {name: f"Bearer {text}" if name == "authorization" else text for name in (first, second)}
    if first == second:
        spelled = {first: spelled[first], first.title(): spelled[first]}
    verdict = desk.authorize(spelled)
    assert verdict.status is AuthStatus.CONFLICTING_CREDENTIALS
    assert verdict.header in (first, second)
    assert desk.keys.reads == 0


@pytest.mark.parametrize("order", [("good", "evil"), ("evil", "good")])
def test_a_key_header_that_the_gateway_joined_is_a_bad_request_in_both_orders(order: tuple[str, str]) -> None:
    desk = Desk()
    texts = {"good": f"Bearer {desk.personal().secret.reveal()}", "evil": "Bearer x"}
    verdict = desk.authorize({"authorization": ",".join(texts[name] for name in order)})
    assert outcome(verdict) == (
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
    desk = Desk()
    assert desk.authorize(headers).status is AuthStatus.UNAUTHENTICATED
    assert (desk.keys.reads, desk.users.reads) == (0, 0)


def test_a_raw_key_in_authorization_without_its_scheme_is_no_key() -> None:
    desk = Desk()
    verdict = desk.authorize({"authorization": desk.personal().secret.reveal()})
    assert verdict.reason is AuthReason.MALFORMED_KEY


@settings(deadline=None, max_examples=200)
@given(position=st.integers(0, 70), letter=st.sampled_from("0Aa_-,é "))
def test_a_mistyped_key_never_reaches_the_store(position: int, letter: str) -> None:
    desk = Desk()
    text = desk.personal().secret.reveal()
    mistyped = text[:position] + letter + text[position + 1 :]
    verdict = desk.authorize({"x-api-key": mistyped})
    assert desk.keys.reads == (1 if mistyped == text else 0)
    assert (verdict.caller is not None) == (mistyped == text)


def test_unknown_wrong_revoked_and_expired_keys_differ_only_in_the_audit_reason() -> None:
    desk = Desk()
    revoked, expired = desk.personal(), desk.personal()
    desk.care.revoke(TENANT, revoked.key.kid)
    wrong = desk.personal()
    desk.care.rotate(TENANT, wrong.key.kid, overlap_hours=0)
    unknown = mint_key("local", secrets.token_bytes).text.reveal()
    desk.now = NOW + 1
    verdicts = [
        desk.authorize({"api-key": unknown}),
        desk.authorize(bearer(wrong)),
        desk.authorize(bearer(revoked)),
    ]
    desk.now = NOW + 91 * DAY_S
    verdicts.append(desk.authorize(bearer(expired)))
    assert {verdict.status for verdict in verdicts} == {AuthStatus.UNAUTHENTICATED}
    assert [verdict.reason for verdict in verdicts] == [
        AuthReason.UNKNOWN_KEY,
        AuthReason.WRONG_SECRET,
        AuthReason.REVOKED,
        AuthReason.EXPIRED,
    ]
    assert [(verdict.message, verdict.header) for verdict in verdicts] == [(None, None)] * 4


def test_every_refusal_of_a_registry_has_its_reason() -> None:
    assert {AuthReason(refusal.value).value for refusal in AdmissionDenialReason} == {
        refusal.value for refusal in AdmissionDenialReason
    }


def test_a_key_stored_under_another_pepper_opens_nothing() -> None:
    desk = Desk()
    key = desk.personal()
    row = desk.keys.rows[key.key.kid]
    row.digest = b"written by somebody without pepper"[:32]
    assert desk.authorize(bearer(key)).reason is AuthReason.WRONG_SECRET


def test_over_the_rate_says_when_to_come_back_in_whole_seconds() -> None:
    desk = Desk()
    key = desk.care.create(replace(PERSONAL, rate_per_minute=20, burst=2))
    decisions = [desk.authorize(bearer(key)).status for _ in range(2)]
    refused = desk.authorize(bearer(key))
    assert decisions == [AuthStatus.ADMITTED] * 2
    assert (refused.status, refused.reason) == (AuthStatus.OVER_LIMIT, AuthReason.KEY_RATE)
    assert refused.retry_after_s == 3
    desk.now += 3
    assert desk.authorize(bearer(key)).caller is not None


def test_a_part_of_a_second_is_rounded_up_so_that_the_repeat_succeeds() -> None:
    desk = Desk()
    key = desk.care.create(replace(PERSONAL, rate_per_minute=40, burst=1))
    assert desk.authorize(bearer(key)).retry_after_s is None
    assert desk.authorize(bearer(key)).retry_after_s == 2


def test_a_store_that_does_not_answer_closes_the_door_and_says_when_to_retry() -> None:
    desk = Desk()
    key = desk.acting("*")
    desk.keys.fails = True
    verdict = desk.authorize(bearer(key))
    assert (verdict.status, verdict.retry_after_s, verdict.kid) == (AuthStatus.UNAVAILABLE, 7, None)
    desk.keys.fails, desk.users.fails = False, True
    verdict = desk.authorize(bearer(key, x_user_id="ann"))
    assert (verdict.status, verdict.retry_after_s, verdict.kid) == (AuthStatus.UNAVAILABLE, 3, key.key.kid)
