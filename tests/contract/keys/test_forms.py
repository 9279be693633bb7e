"""Every key is the same key in SQLite, in DynamoDB, in an order and in the authorizer's context, and lacks no limit."""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.aws.dynamodb.keys.items import from_item, to_item
from groundwire.adapters.local.registry.keys import ROWS
from groundwire.adapters.local.sqlite.stored_rows import column_declaration
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.api_key import STORED_KEY, ApiKey
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason
from groundwire.domain.keys.caller import STORED_CALLER, Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind, TagSource
from groundwire.domain.keys.options import STORED_OPTIONS, USUAL_OPTIONS, KeyOptions
from groundwire.entry.http.authorizer_context import decision_from_event, to_context
from groundwire.entry.serialization.entities import key_to_json
from groundwire.entry.serialization.key_spec import key_spec_to_json, parse_key_spec
from groundwire.entry.serialization.object_reader import ObjectReader
from groundwire.services.keys.admin import KeySpec
from groundwire.stored.fields import REQUIRED
from groundwire.stored.kinds import UnreadableValue
from tests.support.registry.records import ACT_AS_KEY, PERSONAL_KEY

NAMES = st.text(min_size=1, max_size=8)
MOMENTS = st.floats(0, 4e9)
OPTIONS = st.builds(
    KeyOptions,
    toolset=NAMES,
    dialects=st.none() | st.frozensets(NAMES, max_size=3),
    sources=st.booleans(),
    top_n=st.integers(1, 20),
    expand_tokens=st.integers(0, 2_000),
    max_tokens=st.integers(500, 20_000),
    floor=st.none() | st.floats(0, 1),
    split_first_phrase=st.booleans(),
)
KEYS = st.builds(
    ApiKey,
    kid=NAMES,
    tenant=NAMES,
    name=NAMES,
    kind=st.sampled_from(KeyKind),
    user=st.none() | NAMES,
    tags=st.frozensets(NAMES, max_size=4),
    max_tags=st.lists(NAMES, max_size=4).map(tuple),
    strict_tags=st.booleans(),
    scopes=st.frozensets(st.sampled_from(Scope)),
    collections=st.just(ALL_COLLECTIONS) | st.frozensets(NAMES | st.just(ALL_COLLECTIONS), max_size=3),
    options=OPTIONS,
    rate_per_minute=st.integers(1, 10_000),
    burst=st.integers(1, 10_000),
    created_at=MOMENTS,
    expires_at=st.none() | MOMENTS,
    revoked=st.booleans(),
    previous_until=st.none() | MOMENTS,
    last_used=st.none() | MOMENTS,
)
MEANING_OF_ABSENCE: Final[Mapping[str, object]] = {
    "strict_tags": False,
    "max_tokens": USUAL_OPTIONS.max_tokens,
    "dialects": None,
    "floor": None,
    "split_first_phrase": False,
    "require_user": False,
    "no_originals": False,
    "may_search_as": False,
    "sources": False,
    "user": None,
    "expires_at": None,
    "previous_until": None,
    "last_used": None,
    "created_by": None,
    "created_with": None,
    "rotated_by": "",
    "rotated_with": "",
    "formerly_rotated_by": "",
    "formerly_rotated_with": "",
}
"""Value of a key without the field in the release before the field, stated here once more.

Of the rights only `dialects`, `require_user`, `no_originals` and `expires_at` have more in their absence than in any
other value: a key of a release without the limit has no limit. Both stores and all earlier releases write such a key in
this form.
"""


def event(context: Mapping[str, object]) -> dict[str, object]:
    return {"requestContext": {"authorizer": {"lambda": json.loads(json.dumps(context))}}}


def caller_of(key: ApiKey) -> Caller:
    principal = Principal(key.tenant, key.user, key.tags)
    return Caller.from_key(key, principal, key.scopes, TagSource.KEY, now=0.0)


def spec_of(key: ApiKey) -> KeySpec:
    own = {name: getattr(key, name) for name in KeySpec.__match_args__ if name != "expires_in_days"}
    return KeySpec(**own, expires_in_days=30)


@settings(deadline=None)
@given(KEYS)
def test_a_key_is_read_from_both_stores_as_it_was_written(key: ApiKey) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        declared = ", ".join(f"{each.column} {column_declaration(each)}" for each in STORED_KEY.fields)
        connection.execute(f"CREATE TABLE keys ({declared})")
        connection.execute(f"INSERT INTO keys ({ROWS.names}) VALUES ({ROWS.placeholders})", ROWS.to_row(key))
        assert ROWS.from_row(connection.execute(f"SELECT {ROWS.names} FROM keys").fetchone()) == key
    assert from_item(to_item(key)) == key


@settings(deadline=None)
@given(KEYS)
def test_the_options_of_a_key_reach_the_handlers_of_its_calls_as_they_are(key: ApiKey) -> None:
    decision = AuthDecision.admit(caller_of(key))
    read = decision_from_event(event(to_context(decision)))
    assert read == decision
    assert read.caller is not None
    assert read.caller.options == key.options


@settings(deadline=None)
@given(KEYS)
def test_an_order_is_read_as_it_was_sent(key: ApiKey) -> None:
    spec = spec_of(key)
    reader = ObjectReader(json.loads(json.dumps(key_spec_to_json(spec))))
    assert parse_key_spec(key.tenant, reader) == spec
    reader.reject_unread()


@settings(deadline=None)
@given(KEYS)
def test_people_read_of_a_key_what_its_order_states_and_never_its_tenant(key: ApiKey) -> None:
    shown = json.loads(json.dumps(key_to_json(key)))
    ordered = json.loads(json.dumps(key_spec_to_json(spec_of(key))))
    assert "tenant" not in shown
    assert {name: shown[name] for name in ordered if name != "expires_in_days"} == {
        name: value for name, value in ordered.items() if name != "expires_in_days"
    }
    kept = {name: value for name, value in shown.items() if name in {each.name for each in STORED_OPTIONS.fields}}
    assert parse_key_spec("t", ObjectReader({**ordered, **kept})).options == key.options


def test_absence_means_what_it_meant_before_the_field_and_everything_else_is_required() -> None:
    stated = {each.name: each.absent for each in STORED_KEY.fields if each.absent is not REQUIRED}
    assert stated == MEANING_OF_ABSENCE
    assert {each.name for each in STORED_CALLER.fields if each.absent is REQUIRED} == {
        *("tenant", "tags", "kid", "kind", "scopes", "collections", "toolset", "top_n", "expand_tokens")
    }


LIMITS = [each for each in STORED_KEY.fields if each.absent is REQUIRED]


@pytest.mark.parametrize("name", [each.attribute for each in LIMITS])
@pytest.mark.parametrize("key", [PERSONAL_KEY, ACT_AS_KEY], ids=["personal", "acting"])
def test_an_item_without_a_limit_is_no_valid_key(key: ApiKey, name: str) -> None:
    item = to_item(key)
    del item[name]
    with pytest.raises(UnreadableValue):
        from_item(item)


@pytest.mark.parametrize("field", STORED_KEY.fields, ids=lambda each: each.name)
def test_an_item_with_a_foreign_value_is_no_key(field: Any) -> None:
    values: list[Any] = [{"NULL": True}, {"M": {}}, {"SS": ["every"]}]
    for foreign in values:
        with pytest.raises(UnreadableValue):
            from_item({**to_item(ACT_AS_KEY), field.attribute: foreign})


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("collections", "all"),
        ("collections", '"every"'),
        ("collections", "[1]"),
        ("scopes", '["search", "everything"]'),
        ("scopes", "{}"),
        ("tags", "board"),
        ("dialects", "null"),
        ("kind", "root"),
    ],
)
def test_a_row_with_a_foreign_value_is_no_key(column: str, text: str) -> None:
    row = [*ROWS.to_row(PERSONAL_KEY)]
    row[ROWS.columns.index(column)] = text
    with pytest.raises(UnreadableValue):
        ROWS.from_row(row)


@pytest.mark.parametrize("name", ["sources", "splitFirstPhrase"])
@pytest.mark.parametrize("value", ["", "yes", "True", "1", True, ["true"]])
def test_a_context_whose_right_is_neither_granted_nor_denied_admits_nobody(name: str, value: object) -> None:
    context: dict[str, object] = {**to_context(AuthDecision.admit(caller_of(PERSONAL_KEY))), name: value}
    assert decision_from_event(event(context)).reason is AuthReason.NO_CONTEXT


@pytest.mark.parametrize("name", ["dialects", "floor", "maxTokens"])
@pytest.mark.parametrize("value", ["", "every", "null", "nan", '["default", null]', 8, "none"])
def test_a_context_whose_limit_is_not_understood_admits_nobody(name: str, value: object) -> None:
    context: dict[str, object] = {**to_context(AuthDecision.admit(caller_of(PERSONAL_KEY))), name: value}
    assert decision_from_event(event(context)).reason is AuthReason.NO_CONTEXT


def test_a_context_without_a_right_denies_it() -> None:
    context = to_context(AuthDecision.admit(caller_of(PERSONAL_KEY)))
    assert {context.pop("sources"), context.pop("splitFirstPhrase")} == {"true"}
    caller = decision_from_event(event(context)).caller
    assert caller is not None
    assert (caller.options.sources, caller.options.split_first_phrase) == (False, False)


@pytest.mark.parametrize("name", ["kind", "scopes", "collections"])
def test_an_order_grants_nothing_that_it_does_not_name(name: str) -> None:
    members = key_spec_to_json(spec_of(ACT_AS_KEY))
    members[name] = None
    if name == "kind":
        with pytest.raises(InvalidInput):
            parse_key_spec("t", ObjectReader(members))
        return
    assert getattr(parse_key_spec("t", ObjectReader(members)), name) == frozenset()


def test_a_key_order_without_options_gets_the_defaults_and_no_extra_right() -> None:
    members = key_spec_to_json(replace(spec_of(ACT_AS_KEY), options=USUAL_OPTIONS))
    for name in STORED_OPTIONS.attributes:
        members.pop(name, None)
    assert parse_key_spec("t", ObjectReader(members)).options == USUAL_OPTIONS
    assert not USUAL_OPTIONS.sources
