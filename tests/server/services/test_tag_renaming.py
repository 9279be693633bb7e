"""A renamed tag opens what the old one opened, for the same people, wherever it was used."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_input import parse_policy
from groundwire.domain.documents.changes.ceiling import limiting
from groundwire.domain.documents.changes.tombstones import is_in_force
from groundwire.domain.errors import Conflict, InvalidInput, NotFound
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.keys.grants import KeyKind
from groundwire.ports.definitions import DefinitionKind, Presence, StoredDefinition
from groundwire.services.definitions.body import BodyParts, from_text, to_text
from groundwire.services.documents.tags.view import operator_view
from groundwire.services.ingest.deletions.administration import everybody_decides
from tests.support.registry.in_memory import PERSONAL
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world

OLD, NEW = "department:sales", "department:revenue"


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with fresh_home() as home, open_world(home, monkeypatch) as opened:
        yield opened


def policy(*, any_tags: tuple[str, ...] = (), all_tags: tuple[str, ...] = ()) -> Policy:
    return parse_policy(public=False, users=["ann"], any_tags=any_tags, all_tags=all_tags)


def source_body() -> BodyParts:
    tag = {"public": False, "users": [], "any_tags": [OLD, "board"], "all_tags": []}
    tools = [{"name": "find", "policy": {**tag, "all_tags": [OLD]}}, {"name": "other", "policy": None}]
    return BodyParts({"policy": dict(tag), "tools": tools, "secrets": None}, {("secrets",): "sealed"})  # type: ignore[dict-item]


def test_every_use_gets_the_new_name_and_no_other_tag_changes(world: World) -> None:
    services, tenant = world.services, world.tenant("amber")
    stores, administration = services.stores, services.administration
    world.ingest(tenant, "The pump.", policy(any_tags=(OLD, "board")), path="/nowhere/a.md", doc_id="a")
    world.ingest(tenant, "The winch.", policy(all_tags=("board", OLD)), path="/nowhere/b.md", doc_id="b")
    world.ingest(tenant, "The mast.", policy(any_tags=("board",)), path="/nowhere/c.md", doc_id="c")
    stores.users.set(tenant, "ann", frozenset({OLD, "board"}))
    stores.users.set(tenant, "bob", frozenset({"board"}))
    administration.group_admin.set(tenant, "/sales", [OLD])
    create = administration.key_admin.create
    personal = create(replace(PERSONAL, tenant=tenant, tags=frozenset({OLD}))).key
    acting = replace(PERSONAL, tenant=tenant, kind=KeyKind.ACT_AS, user=None, tags=frozenset())
    exact = create(replace(acting, max_tags=(OLD, "board"))).key
    prefix = create(replace(acting, max_tags=("department:s*",))).key
    every = create(replace(acting, max_tags=("*",))).key
    stored = StoredDefinition(DefinitionKind.MCP_SOURCE, "s", to_text(source_body()), "1", 1.0, 1.0)
    stores.definitions.put(tenant, stored, Presence.ABSENT)

    plan = administration.tag_renaming.plan(tenant, OLD, NEW)
    counts = (plan.documents, plan.users, plan.keys, plan.bounds, plan.groups, plan.sources)
    assert (*counts, plan.is_new_in_use) == (2, 1, 1, 2, 1, 1, False)
    assert dict(stores.users.all(tenant))["ann"] == {OLD, "board"}
    administration.tag_renaming(tenant, OLD, NEW, merges=False)

    documents = stores.documents.read(tenant, ["a", "b", "c"])
    assert documents["a"].policy == policy(any_tags=(NEW, "board"))
    assert documents["b"].policy == policy(all_tags=("board", NEW))
    assert (documents["a"].policy_version, documents["c"].policy_version) == (2, 1)
    assert [tags for _, tags in stores.users.all(tenant)] == [{NEW, "board"}, {"board"}]
    assert stores.groups.read(tenant) == {"/sales": {NEW}}
    bounds = {key.kid: (key.tags, set(key.max_tags)) for key in stores.keys.all(tenant)}
    assert bounds[personal.kid] == ({NEW}, set())
    assert bounds[exact.kid] == (frozenset(), {NEW, "board"})
    assert bounds[prefix.kid] == (frozenset(), {"department:s*", NEW})
    assert bounds[every.kid] == (frozenset(), {"*"})
    [definition] = stores.definitions.list_all(tenant, DefinitionKind.MCP_SOURCE)
    parts = from_text(definition.body)
    assert OLD.encode() not in definition.body
    assert definition.body.count(NEW.encode()) == 3
    assert parts.secrets == {("secrets",): "sealed"}
    assert OLD not in administration.tags.directory(operator_view(tenant)).uses
    with pytest.raises(NotFound):
        administration.tag_renaming(tenant, OLD, NEW, merges=False)


def test_a_tag_in_use_is_taken_only_by_a_merge(world: World) -> None:
    tenant, administration = world.tenant("amber"), world.services.administration
    world.ingest(tenant, "The pump.", policy(any_tags=(OLD,)), path="/nowhere/a.md", doc_id="a")
    world.services.stores.users.set(tenant, "ann", frozenset({NEW}))
    with pytest.raises(Conflict, match="in use"):
        administration.tag_renaming(tenant, OLD, NEW, merges=False)
    with pytest.raises(InvalidInput, match="the same"):
        administration.tag_renaming(tenant, OLD, OLD, merges=True)
    administration.tag_renaming(tenant, OLD, NEW, merges=True)
    assert world.services.stores.documents.read(tenant, ["a"])["a"].policy == policy(any_tags=(NEW,))


def test_everybody_keeps_their_rights_where_a_run_ends_halfway(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    tenant, administration = world.tenant("amber"), world.services.administration
    for name in ("a", "b"):
        world.ingest(tenant, f"The pump {name}.", policy(any_tags=(OLD,)), path=f"/nowhere/{name}.md", doc_id=name)
    key = administration.key_admin.create(replace(PERSONAL, tenant=tenant, tags=frozenset({OLD})))
    admin, change = administration.document_admin, administration.document_admin.rename_tag

    def first_only(owner: str, doc_id: str, old: str, new: str) -> object:
        if doc_id == "b":
            raise Conflict("another process writes")
        return change(owner, doc_id, old, new)

    monkeypatch.setattr(admin, "rename_tag", first_only)
    with pytest.raises(Conflict):
        administration.tag_renaming(tenant, OLD, NEW, merges=False)
    assert held(world, key.secret) == {OLD, NEW}
    monkeypatch.setattr(admin, "rename_tag", change)
    administration.tag_renaming(tenant, OLD, NEW, merges=True)
    assert held(world, key.secret) == {NEW}


def held(world: World, secret: Secret) -> frozenset[str]:
    caller = world.services.access.authorize({"authorization": f"Bearer {secret.reveal()}"}).caller
    assert caller is not None
    return caller.principal.tags


@pytest.mark.parametrize("is_restored", [False, True])
def test_a_deleted_document_returns_without_the_old_tag(world: World, *, is_restored: bool) -> None:
    tenant, administration = world.tenant("amber"), world.services.administration
    documents = world.services.stores.documents
    world.ingest(tenant, "The pump.", policy(any_tags=(OLD,)), path="/nowhere/a.md", doc_id="a")
    decision = Decision("olga", 0.0, "", "")
    administration.document_admin.decide_readers_if(tenant, "a", limiting(policy(all_tags=(OLD,))), decision)
    administration.document_admin.delete(tenant, "a", decision)
    if is_restored:
        administration.deletion_admin.restore(tenant, "a", everybody_decides)
    assert administration.tag_renaming(tenant, OLD, NEW, merges=False).deleted == 1
    [left] = documents.read(tenant, ["a"]).values()
    assert left.ceiling is not None
    assert (left.policy, left.ceiling.policy) == (policy(any_tags=(NEW,)), policy(all_tags=(NEW,)))
    assert is_in_force(left) is not is_restored


def test_a_renaming_does_not_return_what_somebody_takes_from_a_user_meanwhile(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant, administration, users = world.tenant("amber"), world.services.administration, world.services.stores.users
    for user in ("ann", "ben", "cem"):
        users.set(tenant, user, frozenset({OLD, "board"}))
    replace_tags, taken = users.replace, list[str]()

    def take_first(owner: str, user: str, tags: frozenset[str], expected: frozenset[str]) -> None:
        if user not in taken:
            taken.append(user)
            # Between the reading of the entry and its change.
            users.delete(owner, user) if user == "ben" else users.set(owner, user, frozenset({"board"}))
        replace_tags(owner, user, tags, expected)

    monkeypatch.setattr(users, "replace", take_first)
    administration.tag_renaming(tenant, OLD, NEW, merges=False)
    assert taken == ["ann", "ben", "cem"]
    assert users.all(tenant) == [("ann", frozenset({"board"})), ("cem", frozenset({"board"}))]


def test_a_document_that_somebody_deletes_meanwhile_ends_no_renaming(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant, administration = world.tenant("amber"), world.services.administration
    for name in ("a", "b"):
        world.ingest(tenant, f"The pump {name}.", policy(any_tags=(OLD,)), path=f"/nowhere/{name}.md", doc_id=name)
    admin, change = administration.document_admin, administration.document_admin.rename_tag

    def delete_first(owner: str, doc_id: str, old: str, new: str) -> None:
        admin.delete(owner, doc_id)
        change(owner, doc_id, old, new)

    monkeypatch.setattr(admin, "rename_tag", delete_first)
    administration.tag_renaming(tenant, OLD, NEW, merges=False)
    left = world.services.stores.documents.read(tenant, ["a", "b"])
    assert [left[name].policy for name in ("a", "b")] == [policy(any_tags=(NEW,))] * 2
