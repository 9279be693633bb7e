"""A decision passes the gateway unchanged, and an incomplete one is a refusal."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind, TagSource
from groundwire.domain.keys.options import USUAL_OPTIONS, KeyOptions
from groundwire.entry.http.authorizer_context import decision_from_event, to_context
from tests.support.plugins.draws import examples

TEXTS = st.text(min_size=1, max_size=20)
CALLERS = st.builds(
    Caller,
    principal=st.builds(Principal, TEXTS, st.none() | TEXTS, st.frozensets(TEXTS, max_size=8)),
    kid=TEXTS,
    kind=st.sampled_from(KeyKind),
    scopes=st.frozensets(st.sampled_from(Scope)),
    collections=st.just(ALL_COLLECTIONS) | st.frozensets(TEXTS, max_size=4),
    options=st.builds(
        KeyOptions,
        toolset=TEXTS,
        dialects=st.none() | st.frozensets(TEXTS, max_size=4),
        sources=st.booleans(),
        top_n=st.integers(1, 20),
        expand_tokens=st.integers(0, 2_000),
        max_tokens=st.integers(500, 20_000),
        floor=st.none() | st.floats(0, 1),
        split_first_phrase=st.booleans(),
    ),
    tag_source=st.none() | st.sampled_from(TagSource),
    tags_ignored=st.integers(0, 64),
    key_expires_in_days=st.none() | st.integers(0, 30),
)
REFUSALS = st.builds(
    AuthDecision,
    status=st.sampled_from([decision for decision in AuthStatus if decision is not AuthStatus.ADMITTED]),
    reason=st.sampled_from(AuthReason),
    header=st.none() | TEXTS,
    message=st.none() | TEXTS,
    retry_after_s=st.none() | st.integers(1, 10_000),
    kid=st.none() | TEXTS,
    tenant=st.none() | TEXTS,
)
CALLER = Caller(
    principal=Principal("t_north", "ann", frozenset({"sales"})),
    kid="kid123456789",
    kind=KeyKind.ACT_AS,
    scopes=frozenset({Scope.SEARCH}),
    collections=frozenset({"handbook"}),
    options=USUAL_OPTIONS,
)


def event_with(context: object, **headers: str) -> dict[str, object]:
    """Return an event with the context as API Gateway passes it: converted to JSON and back."""
    wire = json.loads(json.dumps(context))
    return {"version": "2.0", "headers": headers, "requestContext": {"authorizer": {"lambda": wire}}}


@settings(deadline=None, max_examples=examples(200))
@given(st.one_of(CALLERS.map(AuthDecision.admit), REFUSALS))
def test_a_decision_comes_out_as_it_went_in(access_decision: AuthDecision) -> None:
    assert decision_from_event(event_with(to_context(access_decision))) == access_decision


@settings(deadline=None, max_examples=examples(200))
@given(st.one_of(CALLERS.map(AuthDecision.admit), REFUSALS))
def test_every_context_value_is_a_string_that_is_not_empty(access_decision: AuthDecision) -> None:
    context = to_context(access_decision)
    assert all(isinstance(value, str) and value for value in context.values())
    assert all(context[name].isascii() and context[name].isprintable() for name in ("headerUser", "headerTags"))


def test_a_user_of_any_script_and_no_user_are_distinguished() -> None:
    for user in (None, "-", "None", "null", "Zo\u00eb"):
        access_decision = AuthDecision.admit(replace(CALLER, principal=Principal("t_north", user, frozenset())))
        assert decision_from_event(event_with(to_context(access_decision))) == access_decision


def test_a_grant_of_a_collection_named_every_is_not_a_grant_of_every_collection() -> None:
    access_decision = AuthDecision.admit(replace(CALLER, collections=frozenset({ALL_COLLECTIONS})))
    assert decision_from_event(event_with(to_context(access_decision))) == access_decision


def test_the_context_of_the_most_and_longest_tags_stays_small() -> None:
    tags = frozenset(f"{number:02}" + "\u90e8" * 30 for number in range(64))
    context = to_context(AuthDecision.admit(replace(CALLER, principal=Principal("t_north", "\u90e8" * 256, tags))))
    assert len(json.dumps(context, ensure_ascii=False).encode()) < 16_384
    assert len(context["headerTags"]) <= 6_144


def test_a_refused_call_overwrites_the_clients_headers_too() -> None:
    context = to_context(AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.NO_CREDENTIAL))
    assert (context["headerUser"], context["headerTags"]) == ("-", "[]")


NO_CONTEXT = [
    {},
    {"requestContext": None},
    {"requestContext": {}},
    {"requestContext": {"authorizer": None}},
    {"requestContext": {"authorizer": {}}},
    {"requestContext": {"authorizer": {"lambda": None}}},
    {"requestContext": {"authorizer": {"lambda": []}}},
    {"requestContext": {"authorizer": {"lambda": "admitted"}}},
    {"requestContext": {"authorizer": {"lambda": {}}}},
    {"requestContext": {"authorizer": {"jwt": {"claims": {"sub": "ann"}}}}},
    {"requestContext": [], "authorizer": {"lambda": to_context(AuthDecision.admit(CALLER))}},
    {"headers": to_context(AuthDecision.admit(CALLER))},
    {"body": json.dumps(to_context(AuthDecision.admit(CALLER)))},
]


@pytest.mark.parametrize("event", NO_CONTEXT, ids=range(len(NO_CONTEXT)))
def test_an_event_without_the_authorizers_context_is_unauthenticated(event: dict[str, object]) -> None:
    assert decision_from_event(event) == AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.NO_CONTEXT)


NEEDED = [
    "decision",
    "reason",
    "tenant",
    "kid",
    "kind",
    "scopes",
    "collections",
    "topN",
    "expandTokens",
    "toolset",
    "tags",
]


@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize("value", [None, "", 8, True, "unheard of", '{"a": 1}', '["unheard of", 1]', "[" * 100_000])
def test_a_context_with_a_missing_or_foreign_field_admits_nobody(name: str, value: object) -> None:
    if name in {"tenant", "kid", "toolset"} and isinstance(value, str):
        value = ["a list"]
    context: dict[str, object] = {**to_context(AuthDecision.admit(CALLER)), name: value}
    assert decision_from_event(event_with(context)).reason is AuthReason.NO_CONTEXT


@pytest.mark.parametrize("name", NEEDED)
def test_a_context_that_lost_a_field_admits_nobody(name: str) -> None:
    context = to_context(AuthDecision.admit(CALLER))
    del context[name]
    assert decision_from_event(event_with(context)).caller is None


def test_a_context_of_the_release_before_admits_and_leaves_open_where_the_tags_came_from() -> None:
    caller = replace(CALLER, tag_source=TagSource.ENTRY)
    context = to_context(AuthDecision.admit(caller))
    del context["tagSource"]
    assert decision_from_event(event_with(context)) == AuthDecision.admit(replace(caller, tag_source=None))


@pytest.mark.parametrize("value", ["", 8, True, "unheard of", ["call"]])
def test_a_context_whose_source_of_tags_is_not_understood_admits_nobody(value: object) -> None:
    context = {**to_context(AuthDecision.admit(CALLER)), "tagSource": value}
    assert decision_from_event(event_with(context)).reason is AuthReason.NO_CONTEXT


def test_a_context_of_an_authorizer_that_counts_no_ignored_tags_states_none() -> None:
    context = to_context(AuthDecision.admit(replace(CALLER, tags_ignored=3)))
    assert context.pop("tagsIgnored") == "3"
    assert decision_from_event(event_with(context)) == AuthDecision.admit(CALLER)


def test_the_days_left_of_a_key_come_out_as_they_went_in_and_a_context_without_them_states_none() -> None:
    for days in (0, 12, 30):
        access_decision = AuthDecision.admit(replace(CALLER, key_expires_in_days=days))
        context = to_context(access_decision)
        assert decision_from_event(event_with(context)) == access_decision
        assert {**to_context(AuthDecision.admit(CALLER)), "keyExpiresInDays": str(days)} == context


def test_the_members_that_the_handlers_before_read_are_those_of_a_call_without_ignored_tags() -> None:
    context = to_context(AuthDecision.admit(replace(CALLER, tags_ignored=3)))
    assert {**to_context(AuthDecision.admit(CALLER)), "tagsIgnored": "3"} == context


@pytest.mark.parametrize("count", [3, True, "", "three", "-1", ["3"]])
def test_a_count_of_ignored_tags_that_is_none_admits_nobody(count: object) -> None:
    context: dict[str, object] = {**to_context(AuthDecision.admit(CALLER)), "tagsIgnored": count}
    assert decision_from_event(event_with(context)).reason is AuthReason.NO_CONTEXT


def test_headers_never_change_what_the_context_states() -> None:
    access_decision = AuthDecision.admit(CALLER)
    spoofed = {"x-user-id": "root", "x-session-tags": '["board"]', "x-tenant": "t_other", "decision": "admitted"}
    assert decision_from_event(event_with(to_context(access_decision), **spoofed)) == access_decision


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None, max_examples=examples(200))
@given(JSON, st.dictionaries(st.sampled_from([*NEEDED, "user", "retryAfter", "tagSource"]), JSON, max_size=4))
def test_no_context_however_strange_raises(strange: object, changes: dict[str, object]) -> None:
    assert decision_from_event({"requestContext": strange}).caller is None
    assert decision_from_event(event_with(strange)).caller is None
    decision_from_event(event_with({**to_context(AuthDecision.admit(CALLER)), **changes}))


@pytest.mark.parametrize(
    "make",
    [
        lambda: AuthDecision(AuthStatus.ADMITTED, AuthReason.ADMITTED),
        lambda: AuthDecision(AuthStatus.UNAVAILABLE, AuthReason.INTERNAL_FAULT, caller=CALLER),
    ],
)
def test_a_decision_cannot_admit_nobody_nor_refuse_with_a_caller(make: Callable[[], AuthDecision]) -> None:
    with pytest.raises(ValueError, match="caller"):
        make()
