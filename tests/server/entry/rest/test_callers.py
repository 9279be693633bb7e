"""Who called lately, with which key and tags."""

from typing import Any

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.limits import MAX_AUDIT_PAGE
from groundwire.services.documents.tags import seen_callers
from groundwire.services.keys.admin import KeyWithSecret
from tests.server.entry.rest.api import Api, api, key
from tests.support.entry.command import Command
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World, caller

SALES = frozenset({"department:sales"})


@pytest.fixture
def agent(world: World, tenant: str) -> KeyWithSecret:
    """The key of searches: two for ann in two spellings, one for bo, and one with a tag that nobody has."""
    world.ingest(tenant, "The pump.", PUBLIC, path="/n/pumps.md", doc_id="pumps")
    world.services.stores.users.set(tenant, "ann", SALES)
    made = world.acting_key(tenant)
    for user, tags in (("ann", None), ("Ann", SALES), ("bo", SALES), (None, frozenset({"level:ghost"}))):
        world.search(caller(made, user, tags), "pump")
    return made


def callers(admin: Api) -> dict[str | None, dict[str, Any]]:
    """Each caller but the administrator, by user."""
    rows = admin.get("/v1/audit/callers").json["callers"]
    return {row["user"]: row for row in rows if row["user"] != "olga"}


def test_each_user_is_listed_with_key_tags_and_calls(admin: Api, agent: KeyWithSecret) -> None:
    found = callers(admin)

    assert {user: (row["calls"], row["tags"]) for user, row in found.items()} == {
        "Ann": (2, ["department:sales"]),
        "bo": (1, ["department:sales"]),
        None: (1, None),
    }
    assert {row["kid"] for row in found.values()} == {agent.key.kid}


def test_a_refused_call_and_another_tenant_are_not_listed(
    world: World, tenant: str, admin: Api, agent: KeyWithSecret
) -> None:
    world.services.stores.keys.revoke(tenant, agent.key.kid)
    world.request("GET", "/v1/status", caller(agent, "dan"), b"")
    stranger = api(key(world, world.tenant("birch"), Scope.ADMIN))

    assert "dan" not in callers(admin)
    assert [row["user"] for row in stranger.get("/v1/audit/callers").json["callers"]] == []
    assert stranger.get("/v1/audit/callers", since="yesterday").code == "invalid"


def test_an_administrator_of_some_collections_learns_of_no_caller(
    world: World, tenant: str, agent: KeyWithSecret
) -> None:
    bounded = api(key(world, tenant, Scope.ADMIN, collections=frozenset({"handbook"})))

    assert agent
    assert bounded.get("/v1/audit/callers").code == "denied"


def test_a_command_adds_up_the_parts_of_a_long_log(
    world: World, tenant: str, admin: Api, agent: KeyWithSecret, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seen_callers, "_MOST_PAGES", 1)
    once = callers(admin)["bo"]
    facts = {"tenant": tenant, "user": "bo", "kid": once["kid"], "tags_hash": once["tags_hash"]}
    for _ in range(MAX_AUDIT_PAGE):
        world.services.stores.audit.append({**facts, "time": world.services.clock()})
    assert agent

    rows = Command(world.services.settings.home, {}).json("user", "list", "--seen", "-t", "amber")

    assert {row["user"]: row["calls"] for row in rows if row["user"] != "olga"} == {
        "Ann": 2,
        "bo": 1 + MAX_AUDIT_PAGE,
        None: 1,
    }
