"""A call's headers come to one decision: who calls, for whom, and nothing read before the checksum holds."""

import json
import secrets
from dataclasses import replace

import pytest
from groundwire.domain.access import Principal
from groundwire.domain.credentials import Refusal
from groundwire.domain.grants import KeyKind
from groundwire.domain.identity import Asserted, principal_for
from groundwire.domain.keys import mint
from groundwire.domain.scopes import Scope
from groundwire.domain.verdict import EdgeDecision, EdgeReason, Verdict
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.identity.registry import ACTING, NOW, PERSONAL, TENANT, Desk, bearer

DAY_S = 86_400
CREDENTIAL_HEADERS = ["authorization", "api-key", "x-api-key"]


def outcome(verdict: Verdict) -> tuple[EdgeDecision, EdgeReason, str | None]:
    return verdict.decision, verdict.reason, verdict.header


def principal(verdict: Verdict) -> Principal:
    assert verdict.caller is not None, verdict
    return verdict.caller.principal


# --- the credential ---------------------------------------------------------------------------------------------------


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
    verdict = desk.authorize({name: value.format(desk.personal("sales").text.reveal())})
    assert principal(verdict) == Principal(TENANT, "ann", frozenset({"sales"}))


@pytest.mark.parametrize("first", CREDENTIAL_HEADERS)
@pytest.mark.parametrize("second", CREDENTIAL_HEADERS)
def test_a_key_in_two_headers_or_twice_in_one_is_a_bad_request(first: str, second: str) -> None:
    desk = Desk()
    text = desk.personal().text.reveal()
    spelled = {name: f"Bearer {text}" if name == "authorization" else text for name in (first, second)}
    if first == second:
        spelled = {first: spelled[first], first.title(): spelled[first]}
    verdict = desk.authorize(spelled)
    assert verdict.decision is EdgeDecision.CONFLICTING_CREDENTIALS
    assert verdict.header in (first, second)
    assert desk.keys.reads == 0


@pytest.mark.parametrize("order", [("good", "evil"), ("evil", "good")])
def test_a_key_header_that_the_gateway_joined_is_a_bad_request_in_both_orders(order: tuple[str, str]) -> None:
    desk = Desk()
    texts = {"good": f"Bearer {desk.personal().text.reveal()}", "evil": "Bearer x"}
    verdict = desk.authorize({"authorization": ",".join(texts[name] for name in order)})
    assert outcome(verdict) == (
        EdgeDecision.CONFLICTING_CREDENTIALS,
        EdgeReason.SEVERAL_CREDENTIALS,
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
    assert desk.authorize(headers).decision is EdgeDecision.UNAUTHENTICATED
    assert (desk.keys.reads, desk.users.reads) == (0, 0)


def test_a_raw_key_in_authorization_without_its_scheme_is_no_key() -> None:
    desk = Desk()
    verdict = desk.authorize({"authorization": desk.personal().text.reveal()})
    assert verdict.reason is EdgeReason.MALFORMED_KEY


@settings(deadline=None, max_examples=200)
@given(position=st.integers(0, 70), letter=st.sampled_from("0Aa_-,é "))
def test_a_mistyped_key_never_reaches_the_store(position: int, letter: str) -> None:
    desk = Desk()
    text = desk.personal().text.reveal()
    mistyped = text[:position] + letter + text[position + 1 :]
    verdict = desk.authorize({"x-api-key": mistyped})
    assert desk.keys.reads == (1 if mistyped == text else 0)
    assert (verdict.caller is not None) == (mistyped == text)


# --- what the registry says -------------------------------------------------------------------------------------------


def test_unknown_wrong_revoked_and_expired_keys_differ_only_in_the_audit_reason() -> None:
    desk = Desk()
    revoked, expired = desk.personal(), desk.personal()
    desk.care.revoke(TENANT, revoked.key.kid)
    wrong = desk.personal()
    desk.care.rotate(TENANT, wrong.key.kid, overlap_hours=0)
    unknown = mint("local", secrets.token_bytes).text.reveal()
    desk.now = NOW + 1
    verdicts = [
        desk.authorize({"api-key": unknown}),
        desk.authorize(bearer(wrong)),
        desk.authorize(bearer(revoked)),
    ]
    desk.now = NOW + 91 * DAY_S
    verdicts.append(desk.authorize(bearer(expired)))
    assert {verdict.decision for verdict in verdicts} == {EdgeDecision.UNAUTHENTICATED}
    assert [verdict.reason for verdict in verdicts] == [
        EdgeReason.UNKNOWN_KEY,
        EdgeReason.WRONG_SECRET,
        EdgeReason.REVOKED,
        EdgeReason.EXPIRED,
    ]
    assert [(verdict.message, verdict.header) for verdict in verdicts] == [(None, None)] * 4


def test_every_refusal_of_a_registry_has_its_reason() -> None:
    assert {EdgeReason(refusal.value).value for refusal in Refusal} == {refusal.value for refusal in Refusal}


def test_a_key_stored_under_another_pepper_opens_nothing() -> None:
    desk = Desk()
    key = desk.personal()
    row = desk.keys.rows[key.key.kid]
    row.digest = b"written by somebody without pepper"[:32]
    assert desk.authorize(bearer(key)).reason is EdgeReason.WRONG_SECRET


def test_over_the_rate_says_when_to_come_back_in_whole_seconds() -> None:
    desk = Desk()
    key = desk.care.create(replace(PERSONAL, rate_per_minute=20, burst=2))
    decisions = [desk.authorize(bearer(key)).decision for _ in range(2)]
    refused = desk.authorize(bearer(key))
    assert decisions == [EdgeDecision.ADMITTED] * 2
    assert (refused.decision, refused.reason) == (EdgeDecision.OVER_LIMIT, EdgeReason.KEY_RATE)
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
    assert (verdict.decision, verdict.retry_after_s, verdict.kid) == (EdgeDecision.UNAVAILABLE, 7, None)
    desk.keys.fails, desk.users.fails = False, True
    verdict = desk.authorize(bearer(key, x_user_id="ann"))
    assert (verdict.decision, verdict.retry_after_s, verdict.kid) == (EdgeDecision.UNAVAILABLE, 3, key.key.kid)


# --- whom the key speaks for ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("header", ["x-user-id", "x-session-tags", "X-User-Id", "X-SESSION-TAGS"])
@pytest.mark.parametrize("value", ["ann", "[]", ""])
def test_a_personal_key_may_send_no_identity_header_not_even_its_own_or_an_empty_one(header: str, value: str) -> None:
    desk = Desk()
    verdict = desk.authorize({**bearer(desk.personal("sales")), header: value})
    assert outcome(verdict) == (EdgeDecision.IDENTITY_NOT_ALLOWED, EdgeReason.PERSONAL_KEY, header.lower())
    assert header.lower() in (verdict.message or "")


def test_a_personal_key_ignores_the_entry_of_its_user() -> None:
    desk = Desk()
    desk.users.set(TENANT, "ann", frozenset({"board"}))
    verdict = desk.authorize(bearer(desk.personal("sales")))
    assert principal(verdict).tags == {"sales"}
    assert desk.users.reads == 0


def test_the_platforms_own_ids_are_no_identity() -> None:
    desk = Desk()
    headers = {"x-human-uid": "human_1", "x-app-uid": "app_1"}
    assert principal(desk.authorize(bearer(desk.personal()) | headers)).user == "ann"
    assert principal(desk.authorize(bearer(desk.acting("*")) | headers)) == Principal(TENANT, None, frozenset())


@pytest.mark.parametrize(
    ("headers", "user", "tags", "reads"),
    [
        ({}, None, [], 0),
        ({"x-user-id": "ann"}, "ann", ["dept:sales"], 1),
        ({"x-user-id": "bob"}, "bob", [], 1),
        ({"x-user-id": "ann", "x-session-tags": "[]"}, "ann", [], 0),
        ({"x-user-id": "ann", "x-session-tags": '["dept:hr"]'}, "ann", ["dept:hr"], 0),
        ({"x-session-tags": '["dept:hr", "vip"]'}, None, ["dept:hr", "vip"], 0),
        ({"X-User-Id": "user@example.com", "X-Session-Tags": '["vip"]'}, "user@example.com", ["vip"], 0),
    ],
    ids=range(7),
)
def test_the_headers_of_the_call_are_the_whole_principal(
    headers: dict[str, str], user: str | None, tags: list[str], reads: int
) -> None:
    desk = Desk()
    desk.users.set(TENANT, "ann", frozenset({"dept:sales"}))
    verdict = desk.authorize(bearer(desk.acting("dept:*", "vip")) | headers)
    assert principal(verdict) == Principal(TENANT, user, frozenset(tags))
    assert desk.users.reads == reads


def test_an_empty_array_of_tags_is_an_answer_and_is_never_filled_up_from_the_entry() -> None:
    key = Desk().acting("*").key
    held = principal_for(key, Asserted("ann", frozenset()), user_entry=frozenset({"board"}))
    assert held == Principal(TENANT, "ann", frozenset())


def test_an_entry_never_lifts_a_key_above_its_own_bound() -> None:
    desk = Desk()
    desk.users.set(TENANT, "ann", frozenset({"dept:sales", "board", "vip"}))
    for max_tags, held in [(("dept:*",), {"dept:sales"}), ((), set[str]()), (("*",), {"dept:sales", "board", "vip"})]:
        verdict = desk.authorize(bearer(desk.acting(*max_tags), x_user_id="ann"))
        assert principal(verdict).tags == held


@pytest.mark.parametrize(
    "tags", ['["dept:sales", "board"]', '["DEPT:sales"]', '["\\uff44ept:sales"]', '["d\\u0435pt:hr"]']
)
def test_one_tag_outside_the_bound_refuses_the_call_and_drops_nothing_silently(tags: str) -> None:
    desk = Desk()
    verdict = desk.authorize(bearer(desk.acting("dept:*"), x_session_tags=tags))
    assert outcome(verdict) == (EdgeDecision.TAG_NOT_ALLOWED, EdgeReason.TAG_OUTSIDE_KEY, "x-session-tags")
    assert (verdict.message or "").startswith("x-session-tags: ")


@pytest.mark.parametrize(
    "tags",
    [
        *["", "sales", '"a"', '["a"],["b"]', '["a", "a"]', '[["a"]]', "[1]", '["sys:admin"]', '["SYS:x"]', "[" * 6000],
        *map(json.dumps, [[str(number) for number in range(65)], ["a" * 257], ["a" * 7000]]),
    ],
    ids=range(13),
)
def test_a_malformed_tag_header_names_itself(tags: str) -> None:
    desk = Desk()
    verdict = desk.authorize(bearer(desk.acting("*"), x_session_tags=tags))
    assert outcome(verdict) == (EdgeDecision.BAD_IDENTITY_HEADER, EdgeReason.MALFORMED_TAGS, "x-session-tags")
    assert (verdict.message or "").startswith("x-session-tags: ")
    assert len(verdict.message or "") < 400


@pytest.mark.parametrize(
    ("user", "reason"),
    [
        ("", EdgeReason.MALFORMED_USER),
        ("   ", EdgeReason.MALFORMED_USER),
        ("a" * 257, EdgeReason.MALFORMED_USER),
        ("a\x00", EdgeReason.MALFORMED_USER),
        ("an\u200bn", EdgeReason.MALFORMED_USER),
        ("\ufffdann", EdgeReason.MALFORMED_USER),
        ("ann,bob", EdgeReason.REPEATED_HEADER),
        ("ann, ann", EdgeReason.REPEATED_HEADER),
        (",", EdgeReason.REPEATED_HEADER),
    ],
    ids=range(9),
)
def test_a_malformed_or_repeated_user_header_names_itself(user: str, reason: EdgeReason) -> None:
    desk = Desk()
    verdict = desk.authorize(bearer(desk.acting("*"), x_user_id=user))
    assert outcome(verdict) == (EdgeDecision.BAD_IDENTITY_HEADER, reason, "x-user-id")
    assert desk.users.reads == 0


@pytest.mark.parametrize("name", ["x-user-id", "x-session-tags"])
def test_an_identity_header_in_two_spellings_is_a_repeated_header(name: str) -> None:
    desk = Desk()
    value = '["a"]' if name == "x-session-tags" else "ann"
    verdict = desk.authorize({**bearer(desk.acting("*")), name: value, name.title(): value})
    assert (verdict.decision, verdict.header) == (EdgeDecision.BAD_IDENTITY_HEADER, name)


@pytest.mark.parametrize("name", ["x_user_id", "xuserid", "user-id", "x-user", "x-user-id ", "x-us\u0435r-id"])
def test_a_header_that_only_resembles_an_identity_header_says_nothing(name: str) -> None:
    desk = Desk()
    verdict = desk.authorize({**bearer(desk.acting("*")), name: "ann"})
    assert principal(verdict) == Principal(TENANT, None, frozenset())


@pytest.mark.parametrize(
    "name", ["x-tenant", "X-Tenant-Id", "x_tenant_id", "tenant-id", "x-groundwire-user", "X-Groundwire-Tenant"]
)
@pytest.mark.parametrize("acting", [True, False])
def test_a_header_that_claims_a_tenant_is_refused_not_ignored(name: str, *, acting: bool) -> None:
    desk = Desk()
    key = desk.acting("*") if acting else desk.personal()
    verdict = desk.authorize({**bearer(key), name: TENANT})
    assert outcome(verdict) == (EdgeDecision.BAD_IDENTITY_HEADER, EdgeReason.TENANT_HEADER, name.lower())


def test_a_user_id_that_was_decoded_as_latin_1_is_another_user_and_is_never_guessed_back() -> None:
    desk = Desk()
    key = desk.acting("*")
    assert principal(desk.authorize(bearer(key, x_user_id="Zoe\u0308"))).user == "Zo\u00eb"
    mangled = "Zo\u00eb".encode().decode("latin-1")
    assert principal(desk.authorize(bearer(key, x_user_id=mangled))).user == mangled


def test_a_key_that_acts_for_others_needs_the_scope_for_it() -> None:
    desk = Desk()
    key = desk.acting("*")
    row = desk.keys.rows[key.key.kid]
    row.key = replace(row.key, scopes=frozenset({Scope.SEARCH}))
    verdict = desk.authorize(bearer(key, x_user_id="ann"))
    assert outcome(verdict) == (EdgeDecision.IDENTITY_NOT_ALLOWED, EdgeReason.MISSING_SCOPE, None)
    assert "act_as" in (verdict.message or "")


def test_an_admitted_caller_carries_the_keys_own_grants() -> None:
    desk = Desk()
    order = replace(ACTING, collections=frozenset({"handbook"}), top_n=3, toolset="mindset")
    verdict = desk.authorize(bearer(desk.care.create(order)))
    caller = verdict.caller
    assert caller is not None
    assert (caller.kind, caller.collections, caller.top_n, caller.toolset) == (
        KeyKind.ACT_AS,
        frozenset({"handbook"}),
        3,
        "mindset",
    )
    assert caller.scopes == {Scope.SEARCH, Scope.VERIFY, Scope.ACT_AS}
    assert (verdict.kid, verdict.tenant) == (caller.kid, TENANT)


NAMES = st.one_of(
    st.sampled_from([*CREDENTIAL_HEADERS, "X-User-Id", "x-session-tags", "x-tenant"]), st.text(max_size=20)
)


@settings(deadline=None, max_examples=200)
@given(st.dictionaries(NAMES, st.text(st.characters(), max_size=80), max_size=6), st.booleans())
def test_any_headers_come_to_a_decision(headers: dict[str, str], with_key: bool) -> None:  # noqa: FBT001
    desk = Desk()
    verdict = desk.authorize(headers | (bearer(desk.acting("a*")) if with_key else {}))
    assert verdict.decision in EdgeDecision
    if verdict.caller is not None:
        assert with_key
        assert all(tag.startswith("a") for tag in verdict.caller.principal.tags)
