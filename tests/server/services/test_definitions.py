"""Definitions of a home: the secrets in them are sealed, and a write has a condition and an audit line."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.domain.errors import Conflict, InvalidInput, NotFound, PreconditionFailed
from groundwire.domain.limits import MAX_DEFINITION_BYTES, MAX_DEFINITION_NAME_CHARACTERS
from groundwire.ports.definitions import DefinitionKind, Presence
from groundwire.services.call_context import CallContext
from groundwire.services.definitions.admin import Definition
from groundwire.services.definitions.body import (
    BodyParts,
    JsonBody,
    JsonValue,
    from_text,
    join_secrets,
    split_secrets,
    to_text,
)
from groundwire.services.definitions.secrets import DefinitionId, DefinitionSecrets
from tests.support.plugins.draws import examples
from tests.support.worlds.document_library import asker
from tests.support.worlds.world import World

AGENT, BASE = DefinitionKind.AGENT, DefinitionKind.KNOWLEDGE_BASE
SECRET = "quillwort-0123456789"
BODY: JsonBody = {
    "description": "Answers in größter Kürze.",
    "models": [
        {"kind": "azureOpenAI", "parameters": {"apiKey": SECRET, "resourceUri": "https://models.example"}},
        {"kind": "azureOpenAI", "parameters": {"apiKey": None}},
    ],
    "nested": {"apiKey": {"value": SECRET}},
}
SHOWN: JsonBody = {
    **BODY,
    "models": [
        {"kind": "azureOpenAI", "parameters": {"apiKey": None, "resourceUri": "https://models.example"}},
        {"kind": "azureOpenAI", "parameters": {"apiKey": None}},
    ],
    "nested": {"apiKey": None},
}
SECRETS = ("apiKey",)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["apiKey", "a", "b"]), inner),
    max_leaves=12,
)


def call(tenant: str) -> CallContext:
    return CallContext(asker(tenant))


def created(world: World, tenant: str, name: str = "plan") -> Definition:
    written = world.services.sources.definition_admin.put(call(tenant), BASE, name, BODY, SECRETS, Presence.ABSENT)
    assert written.is_new
    return written.definition


def stored_bytes(world: World) -> bytes:
    return b"".join(file.read_bytes() for file in world.services.settings.home.rglob("*") if file.is_file())


def test_a_definition_is_read_without_its_secrets_and_opened_with_them(world: World, tenant: str) -> None:
    admin = world.services.sources.definition_admin
    definition = created(world, tenant)
    assert admin.find(call(tenant), BASE, "plan") == definition
    assert admin.list_all(call(tenant), BASE) == [definition]
    assert definition.body == SHOWN
    assert set(definition.sealed_secrets) == {("models", 0, "parameters", "apiKey"), ("nested", "apiKey")}
    assert admin.open_secrets(call(tenant), definition) == BODY


def test_no_file_of_the_home_holds_a_secret(world: World, tenant: str) -> None:
    created(world, tenant)
    assert "größter".encode() in stored_bytes(world)
    assert SECRET.encode() not in stored_bytes(world)


def test_a_sealed_secret_opens_for_its_own_definition_alone(world: World, tenant: str) -> None:
    other = world.tenant("blue")
    secrets = DefinitionSecrets(lambda: world.services.stores.seal)
    owner = DefinitionId(tenant, BASE, "plan")
    token = secrets.seal(owner, SECRET)
    assert secrets.open(owner, token) == SECRET
    places = [owner._replace(tenant=other), owner._replace(kind=AGENT), owner._replace(name="Plan")]
    assert [secrets.open(each, token) for each in places] == [None] * 3
    assert secrets.seal(owner, SECRET) != token


def test_no_owner_is_written_as_another_one(world: World) -> None:
    secrets = DefinitionSecrets(lambda: world.services.stores.seal)
    token = secrets.seal(DefinitionId("t-1", AGENT, 'a", "b'), SECRET)
    assert secrets.open(DefinitionId('t-1", "agent', AGENT, "b"), token) is None
    assert secrets.open(DefinitionId("t-1", AGENT, "a"), token) is None


def test_a_row_that_is_copied_to_another_tenant_has_no_secret_there(world: World, tenant: str) -> None:
    created(world, tenant)
    other, admin = world.tenant("blue"), world.services.sources.definition_admin
    row = world.services.stores.definitions.find(tenant, BASE, "plan")
    assert row is not None
    world.services.stores.definitions.put(other, row, Presence.ABSENT)
    copied = admin.find(call(other), BASE, "plan")
    assert copied.body == SHOWN
    assert admin.open_secrets(call(other), copied) == SHOWN


def test_a_secret_that_looks_sealed_is_sealed_like_any_other(world: World, tenant: str) -> None:
    admin = world.services.sources.definition_admin
    token = created(world, tenant).sealed_secrets["nested", "apiKey"]
    again = admin.put(call(tenant), BASE, "plan", {"apiKey": token}, SECRETS, Presence.PRESENT).definition
    assert admin.open_secrets(call(tenant), again) == {"apiKey": token}


def test_a_secret_under_another_spelling_of_its_member_is_sealed(world: World, tenant: str) -> None:
    admin, body = world.services.sources.definition_admin, dict[str, JsonValue]({"APIKEY": SECRET, "apikey": SECRET})
    spelled = admin.put(call(tenant), BASE, "plan", body, SECRETS, Presence.ANY).definition
    assert spelled.body == {"APIKEY": None, "apikey": None}
    assert SECRET.encode() not in stored_bytes(world)
    assert admin.open_secrets(call(tenant), spelled) == body


def test_every_write_has_a_tag_of_its_own_that_the_next_one_may_expect(world: World, tenant: str) -> None:
    admin = world.services.sources.definition_admin
    first = created(world, tenant)
    second = admin.put(call(tenant), BASE, "plan", BODY, SECRETS, first.tag).definition
    with pytest.raises(PreconditionFailed):
        admin.put(call(tenant), BASE, "plan", {}, SECRETS, first.tag)
    admin.delete(call(tenant), BASE, "plan", second.tag)
    with pytest.raises(NotFound):
        admin.find(call(tenant), BASE, "plan")
    third = created(world, tenant)
    assert len({first.tag, second.tag, third.tag}) == 3


def test_a_failed_condition_is_a_conflict_with_the_status_412() -> None:
    assert issubclass(PreconditionFailed, Conflict)
    assert PreconditionFailed.http_status == 412


def test_a_write_adds_the_definition_to_its_audit_line_and_no_secret(world: World, tenant: str) -> None:
    admin = world.services.sources.definition_admin
    lines = [call(tenant) for _ in range(4)]
    admin.put(lines[0], BASE, "plan", BODY, SECRETS, Presence.ANY)
    admin.put(lines[1], BASE, "plan", BODY, SECRETS, Presence.ANY)
    with pytest.raises(PreconditionFailed):
        admin.put(lines[2], BASE, "plan", BODY, SECRETS, Presence.ABSENT)
    admin.delete(lines[3], BASE, "plan", Presence.ANY)
    named = {"definition": "knowledge-base/plan"}
    assert [line.audit_fields for line in lines] == [
        {**named, "change": "created"},
        {**named, "change": "replaced"},
        named,
        {**named, "change": "deleted"},
    ]


@pytest.mark.parametrize("name", ["", "x" * (MAX_DEFINITION_NAME_CHARACTERS + 1), "\ud800"])
def test_a_name_that_no_store_can_hold_is_refused_and_unknown(world: World, tenant: str, name: str) -> None:
    admin = world.services.sources.definition_admin
    with pytest.raises(InvalidInput):
        admin.put(call(tenant), AGENT, name, {}, SECRETS, Presence.ANY)
    with pytest.raises(NotFound):
        admin.find(call(tenant), AGENT, name)
    with pytest.raises(NotFound):
        admin.delete(call(tenant), AGENT, name, Presence.ANY)


@pytest.mark.parametrize(
    "body", [{"a": "x" * MAX_DEFINITION_BYTES}, {"a": "\ud800"}, {"a": float("nan")}, {"apiKey": "x" * 60_000}]
)
def test_a_body_that_is_too_large_or_no_json_is_refused(world: World, tenant: str, body: JsonBody) -> None:
    with pytest.raises(InvalidInput):
        world.services.sources.definition_admin.put(call(tenant), AGENT, "plan", body, SECRETS, Presence.ANY)
    assert world.services.sources.definition_admin.list_all(call(tenant), AGENT) == []


def test_definitions_are_in_the_backup_and_go_with_their_tenant(world: World, tenant: str, tmp_path: Path) -> None:
    created(world, tenant)
    world.services.upkeep.back_up(tmp_path / "copy")
    assert "größter".encode() in (tmp_path / "copy" / "registry.db").read_bytes()
    assert world.services.administration.tenant_admin.delete("amber")["definitions"] == 1
    assert "größter".encode() not in stored_bytes(world)


@settings(deadline=None, max_examples=examples(200), suppress_health_check=[HealthCheck.too_slow])
@given(body=st.dictionaries(st.sampled_from(["apiKey", "a", "b"]), json_values))
def test_secrets_leave_a_body_whole_and_come_back_to_their_places(body: JsonBody) -> None:
    parts = split_secrets(body, SECRETS)
    assert not any(list(values_of(parts.body)))
    replaced = BodyParts(parts.body, {path: json.dumps(value) for path, value in parts.secrets.items()})
    read = from_text(to_text(replaced))
    assert join_secrets(read, lambda value: json.loads(str(value))) == body
    assert None not in parts.secrets.values()


def values_of(value: JsonValue) -> list[JsonValue]:
    """The values of all secret members."""
    if isinstance(value, list):
        return [found for each in value for found in values_of(each)]
    if isinstance(value, dict):
        own = [each for name, each in value.items() if name in SECRETS]
        return own + [found for name, each in value.items() if name not in SECRETS for found in values_of(each)]
    return []
