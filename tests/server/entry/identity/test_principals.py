"""Whom a key speaks for: its own user, or exactly the one that the call names, within the bound of the key."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.domain.keys.grants import KeyKind, TagSource
from groundwire.domain.keys.identity import AssertedIdentity, principal_for
from tests.support.plugins.draws import examples
from tests.support.registry.in_memory import ACTING, TENANT, TenantKeys, bearer
from tests.support.registry.key_options import with_options

DAY_S = 86_400
CREDENTIAL_HEADERS = ["authorization", "api-key", "x-api-key"]


def outcome(decision: AuthDecision) -> tuple[AuthStatus, AuthReason, str | None]:
    return decision.status, decision.reason, decision.header


def principal(decision: AuthDecision) -> Principal:
    assert decision.caller is not None, decision
    return decision.caller.principal


def source(decision: AuthDecision) -> TagSource | None:
    assert decision.caller is not None, decision
    return decision.caller.tag_source


@pytest.mark.parametrize("header", ["x-user-id", "x-session-tags", "X-User-Id", "X-SESSION-TAGS"])
@pytest.mark.parametrize("value", ["ann", "[]", ""])
def test_a_personal_key_may_send_no_identity_header_not_even_its_own_or_an_empty_one(header: str, value: str) -> None:
    tenant_keys = TenantKeys()
    decision = tenant_keys.authorize({**bearer(tenant_keys.personal("sales")), header: value})
    assert outcome(decision) == (AuthStatus.IDENTITY_NOT_ALLOWED, AuthReason.PERSONAL_KEY, header.lower())
    assert header.lower() in (decision.message or "")


def test_a_personal_key_ignores_the_entry_of_its_user() -> None:
    tenant_keys = TenantKeys()
    tenant_keys.users.set(TENANT, "ann", frozenset({"board"}))
    decision = tenant_keys.authorize(bearer(tenant_keys.personal("sales")))
    assert principal(decision).tags == {"sales"}
    assert source(decision) is TagSource.KEY


def test_the_platforms_own_ids_are_no_identity() -> None:
    tenant_keys = TenantKeys()
    headers = {"x-human-uid": "human_1", "x-app-uid": "app_1"}
    assert principal(tenant_keys.authorize(bearer(tenant_keys.personal()) | headers)).user == "ann"
    assert principal(tenant_keys.authorize(bearer(tenant_keys.acting("*")) | headers)) == Principal(
        TENANT, None, frozenset()
    )


@pytest.mark.parametrize(
    ("headers", "user", "tags", "of_entry"),
    [
        ({}, None, [], False),
        ({"x-user-id": "ann"}, "ann", ["dept:sales"], True),
        ({"x-user-id": "bob"}, "bob", [], True),
        ({"x-user-id": "ann", "x-session-tags": "[]"}, "ann", [], False),
        ({"x-user-id": "ann", "x-session-tags": '["dept:hr"]'}, "ann", ["dept:hr"], False),
        ({"x-session-tags": '["dept:hr", "vip"]'}, None, ["dept:hr", "vip"], False),
        ({"X-User-Id": "user@example.com", "X-Session-Tags": '["vip"]'}, "user@example.com", ["vip"], False),
        ({"x-user-id": ""}, None, [], False),
        ({"x-user-id": " \t", "x-session-tags": '["vip"]'}, None, ["vip"], False),
        ({"x-user-id": "ann", "x-session-tags": ""}, "ann", [], False),
        ({"x-user-id": "ann", "x-session-tags": " \t"}, "ann", [], False),
        ({"x-user-id": "", "x-session-tags": ""}, None, [], False),
    ],
    ids=range(12),
)
def test_the_headers_of_the_call_are_the_whole_principal(
    headers: dict[str, str],
    user: str | None,
    tags: list[str],
    of_entry: bool,  # noqa: FBT001
) -> None:
    tenant_keys = TenantKeys()
    tenant_keys.users.set(TENANT, "ann", frozenset({"dept:sales"}))
    decision = tenant_keys.authorize(bearer(tenant_keys.acting("dept:*", "vip")) | headers)
    assert principal(decision) == Principal(TENANT, user, frozenset(tags))
    # Tags and block of the user come by one read, which a call without a user does without.
    assert tenant_keys.users.reads == (user is not None)
    assert source(decision) is (TagSource.ENTRY if of_entry else TagSource.CALL)


def test_an_empty_array_of_tags_is_an_answer_and_is_never_filled_up_from_the_entry() -> None:
    key = TenantKeys().acting("*").key
    held = principal_for(key, AssertedIdentity("ann", frozenset()), user_entry=frozenset({"board"}))
    assert held == Principal(TENANT, "ann", frozenset())


def test_an_entry_never_lifts_a_key_above_its_own_bound() -> None:
    tenant_keys = TenantKeys()
    tenant_keys.users.set(TENANT, "ann", frozenset({"dept:sales", "board", "vip"}))
    for max_tags, held in [(("dept:*",), {"dept:sales"}), ((), set[str]()), (("*",), {"dept:sales", "board", "vip"})]:
        decision = tenant_keys.authorize(bearer(tenant_keys.acting(*max_tags), x_user_id="ann"))
        assert principal(decision).tags == held
        assert decision.caller is not None
        assert decision.caller.tags_ignored == 3 - len(held)


OUTSIDE = {
    '["dept:sales", "board"]': {"dept:sales"},
    '["board", "dept:hr", "vip"]': {"dept:hr"},
    '["DEPT:sales"]': set[str](),
    '["\\uff44ept:sales"]': set[str](),
    '["d\\u0435pt:hr"]': set[str](),
}
"""Tag headers with tags outside `dept:*`, and the tags of each that are inside."""


@pytest.mark.parametrize("tags", OUTSIDE)
def test_a_tag_outside_the_bound_gives_no_right_and_is_counted(tags: str) -> None:
    tenant_keys = TenantKeys()
    decision = tenant_keys.authorize(bearer(tenant_keys.acting("dept:*"), x_session_tags=tags))
    assert principal(decision).tags == OUTSIDE[tags]
    assert decision.caller is not None
    assert decision.caller.tags_ignored == len(json.loads(tags)) - len(OUTSIDE[tags])


@pytest.mark.parametrize("tags", ["", "[]", '["vip"]', '["vip", "board"]'])
@pytest.mark.parametrize("bound", [("dept:*",), ()])
def test_a_tag_header_that_was_sent_is_never_replaced_by_the_users_entry(tags: str, bound: tuple[str, ...]) -> None:
    tenant_keys = TenantKeys()
    tenant_keys.users.set(TENANT, "ann", frozenset({"dept:sales"}))
    decision = tenant_keys.authorize(bearer(tenant_keys.acting(*bound), x_user_id="ann", x_session_tags=tags))
    assert principal(decision) == Principal(TENANT, "ann", frozenset())


@pytest.mark.parametrize("tags", OUTSIDE)
def test_a_strict_key_refuses_a_call_with_one_tag_outside_the_bound_and_names_the_header(tags: str) -> None:
    tenant_keys = TenantKeys()
    decision = tenant_keys.authorize(bearer(tenant_keys.acting("dept:*", strict=True), x_session_tags=tags))
    assert outcome(decision) == (AuthStatus.TAG_NOT_ALLOWED, AuthReason.TAG_OUTSIDE_KEY, "x-session-tags")
    assert (decision.message or "").startswith("x-session-tags: ")


def test_a_strict_key_accepts_tags_within_the_bound_and_ignores_none() -> None:
    tenant_keys = TenantKeys()
    decision = tenant_keys.authorize(bearer(tenant_keys.acting("dept:*", strict=True), x_session_tags='["dept:sales"]'))
    assert principal(decision).tags == {"dept:sales"}
    assert decision.caller is not None
    assert decision.caller.tags_ignored == 0


def test_a_strict_key_gets_the_part_of_a_users_entry_that_it_covers() -> None:
    tenant_keys = TenantKeys()
    tenant_keys.users.set(TENANT, "ann", frozenset({"dept:sales", "board"}))
    decision = tenant_keys.authorize(bearer(tenant_keys.acting("dept:*", strict=True), x_user_id="ann"))
    assert principal(decision).tags == {"dept:sales"}


NO_ARRAY_OF_STRINGS = ["sales", '"a"', '["a"],["b"]', '[["a"]]', "[1]", "[" * 6000, json.dumps(["a" * 7000])]
UNUSABLE = {
    '["dept:a", "dept:a"]': {"dept:a"},
    '["dept:a", ""]': {"dept:a"},
    '["sys:admin", "SYS:x", "dept:a"]': {"dept:a"},
    json.dumps(["dept:" + "a" * 257, "dept:a"]): {"dept:a"},
    json.dumps([f"dept:{number:02}" for number in range(70)]): {f"dept:{number:02}" for number in range(64)},
    json.dumps([*map(str, range(70)), "dept:a"]): {"dept:a"},
}
"""Tag headers with tags that cannot count, and the tags of each that do, under the bound `dept:*`."""


@pytest.mark.parametrize("tags", NO_ARRAY_OF_STRINGS, ids=range(len(NO_ARRAY_OF_STRINGS)))
@pytest.mark.parametrize("bound", ["*", "dept:*"])
def test_a_malformed_tag_header_names_itself_whatever_the_bound(tags: str, bound: str) -> None:
    tenant_keys = TenantKeys()
    decision = tenant_keys.authorize(bearer(tenant_keys.acting(bound), x_session_tags=tags))
    assert outcome(decision) == (AuthStatus.BAD_IDENTITY_HEADER, AuthReason.MALFORMED_TAGS, "x-session-tags")
    assert (decision.message or "").startswith("x-session-tags: ")
    assert len(decision.message or "") < 400


@pytest.mark.parametrize("tags", UNUSABLE, ids=range(len(UNUSABLE)))
def test_tags_that_are_repeated_unusable_or_too_many_give_no_right_and_are_counted(tags: str) -> None:
    tenant_keys = TenantKeys()
    decision = tenant_keys.authorize(bearer(tenant_keys.acting("dept:*"), x_session_tags=tags))
    assert principal(decision).tags == UNUSABLE[tags]
    assert decision.caller is not None
    assert decision.caller.tags_ignored == len(json.loads(tags)) - len(UNUSABLE[tags])


@pytest.mark.parametrize("tags", UNUSABLE, ids=range(len(UNUSABLE)))
def test_a_strict_key_refuses_tags_that_are_repeated_unusable_or_too_many(tags: str) -> None:
    tenant_keys = TenantKeys()
    decision = tenant_keys.authorize(bearer(tenant_keys.acting("dept:*", strict=True), x_session_tags=tags))
    assert outcome(decision) == (AuthStatus.BAD_IDENTITY_HEADER, AuthReason.MALFORMED_TAGS, "x-session-tags")
    assert len(decision.message or "") < 400


@pytest.mark.parametrize(
    ("user", "reason"),
    [
        ("\u00a0", AuthReason.MALFORMED_USER),
        ("a" * 257, AuthReason.MALFORMED_USER),
        ("a\x00", AuthReason.MALFORMED_USER),
        ("an\u200bn", AuthReason.MALFORMED_USER),
        ("\ufffdann", AuthReason.MALFORMED_USER),
        ("ann,bob", AuthReason.REPEATED_HEADER),
        ("ann, ann", AuthReason.REPEATED_HEADER),
        (",", AuthReason.REPEATED_HEADER),
        (",ann", AuthReason.REPEATED_HEADER),
    ],
    ids=range(9),
)
def test_a_malformed_or_repeated_user_header_names_itself(user: str, reason: AuthReason) -> None:
    tenant_keys = TenantKeys()
    decision = tenant_keys.authorize(bearer(tenant_keys.acting("*"), x_user_id=user))
    assert outcome(decision) == (AuthStatus.BAD_IDENTITY_HEADER, reason, "x-user-id")
    assert tenant_keys.users.reads == 0


@pytest.mark.parametrize("name", ["x-user-id", "x-session-tags"])
def test_an_identity_header_in_two_spellings_is_a_repeated_header(name: str) -> None:
    tenant_keys = TenantKeys()
    value = '["a"]' if name == "x-session-tags" else "ann"
    decision = tenant_keys.authorize({**bearer(tenant_keys.acting("*")), name: value, name.title(): value})
    assert (decision.status, decision.header) == (AuthStatus.BAD_IDENTITY_HEADER, name)


@pytest.mark.parametrize("name", ["x_user_id", "xuserid", "user-id", "x-user", "x-user-id ", "x-us\u0435r-id"])
def test_a_header_that_only_resembles_an_identity_header_reports_nothing(name: str) -> None:
    tenant_keys = TenantKeys()
    decision = tenant_keys.authorize({**bearer(tenant_keys.acting("*")), name: "ann"})
    assert principal(decision) == Principal(TENANT, None, frozenset())


@pytest.mark.parametrize(
    "name", ["x-tenant", "X-Tenant-Id", "x_tenant_id", "tenant-id", "x-groundwire-user", "X-Groundwire-Tenant"]
)
@pytest.mark.parametrize("acting", [True, False])
def test_a_header_that_claims_a_tenant_is_refused_not_ignored(name: str, *, acting: bool) -> None:
    tenant_keys = TenantKeys()
    key = tenant_keys.acting("*") if acting else tenant_keys.personal()
    decision = tenant_keys.authorize({**bearer(key), name: TENANT})
    assert outcome(decision) == (AuthStatus.BAD_IDENTITY_HEADER, AuthReason.TENANT_HEADER, name.lower())


def test_a_user_id_that_was_decoded_as_latin_1_is_another_user_and_is_never_guessed_back() -> None:
    tenant_keys = TenantKeys()
    key = tenant_keys.acting("*")
    assert principal(tenant_keys.authorize(bearer(key, x_user_id="Zoe\u0308"))).user == "Zo\u00eb"
    mangled = "Zo\u00eb".encode().decode("latin-1")
    assert principal(tenant_keys.authorize(bearer(key, x_user_id=mangled))).user == mangled


def test_a_key_that_acts_for_others_needs_the_scope_for_it() -> None:
    tenant_keys = TenantKeys()
    key = tenant_keys.acting("*")
    row = tenant_keys.keys.rows[key.key.kid]
    row.key = replace(row.key, scopes=frozenset({Scope.SEARCH}))
    decision = tenant_keys.authorize(bearer(key, x_user_id="ann"))
    assert outcome(decision) == (AuthStatus.IDENTITY_NOT_ALLOWED, AuthReason.MISSING_SCOPE, None)
    assert "act_as" in (decision.message or "")


def test_an_admitted_caller_carries_the_keys_own_grants() -> None:
    tenant_keys = TenantKeys()
    order = replace(
        with_options(ACTING, top_n=3, toolset="mindset", expand_tokens=400), collections=frozenset({"handbook"})
    )
    decision = tenant_keys.authorize(bearer(tenant_keys.admin.create(order)))
    caller = decision.caller
    assert caller is not None
    assert (
        caller.kind,
        caller.collections,
        caller.options.top_n,
        caller.options.toolset,
        caller.options.expand_tokens,
    ) == (
        KeyKind.ACT_AS,
        frozenset({"handbook"}),
        3,
        "mindset",
        400,
    )
    assert caller.scopes == {Scope.SEARCH, Scope.VERIFY, Scope.ACT_AS}
    assert (decision.kid, decision.tenant) == (caller.kid, TENANT)


NAMED = frozenset({"a", "ab", "b", "c:a", "d"})
TAGS = st.frozensets(st.sampled_from(sorted(NAMED)))
COVERED: dict[tuple[str, ...], frozenset[str]] = {
    (): frozenset(),
    ("a",): frozenset({"a"}),
    ("a*", "d"): frozenset({"a", "ab", "d"}),
    ("*",): NAMED,
}
"""Those of them that bounds of keys cover."""


@settings(deadline=None, max_examples=examples(200))
@given(sent=st.none() | TAGS, kept=st.none() | TAGS, bound=st.sampled_from([*COVERED]))
def test_the_tags_are_those_of_the_header_or_without_one_of_the_entry_within_the_bound(
    sent: frozenset[str] | None, kept: frozenset[str] | None, bound: tuple[str, ...]
) -> None:
    tenant_keys = TenantKeys()
    if kept is not None:
        tenant_keys.users.set(TENANT, "ann", kept)
    headers = bearer(tenant_keys.acting(*bound), x_user_id="ann")
    if sent is not None:
        headers["x-session-tags"] = json.dumps(sorted(sent))
    caller = tenant_keys.authorize(headers).caller
    assert caller is not None
    assert caller.principal.tags == COVERED[bound] & (sent if sent is not None else kept or frozenset())
    assert caller.tags_ignored == len((sent if sent is not None else kept or frozenset()) - COVERED[bound])


NAMES = st.one_of(
    st.sampled_from([*CREDENTIAL_HEADERS, "X-User-Id", "x-session-tags", "x-tenant"]), st.text(max_size=20)
)


@settings(deadline=None, max_examples=examples(200))
@given(st.dictionaries(NAMES, st.text(st.characters(), max_size=80), max_size=6), st.booleans())
def test_any_headers_come_to_a_decision(headers: dict[str, str], with_key: bool) -> None:  # noqa: FBT001
    tenant_keys = TenantKeys()
    decision = tenant_keys.authorize(headers | (bearer(tenant_keys.acting("a*")) if with_key else {}))
    assert decision.status in AuthStatus
    if decision.caller is not None:
        assert with_key
        assert all(tag.startswith("a") for tag in decision.caller.principal.tags)
