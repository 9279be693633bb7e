"""Checks of a tenant that its administrators see."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.services.keys.key_spec import KeyChange
from tests.server.entry.rest.api import Api, Reply, api, key
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World


def checks(reply: Reply) -> dict[str, list[dict[str, Any]]]:
    """Return the records by the name of their check."""
    assert reply.status == 200, reply.body
    records: dict[str, list[dict[str, Any]]] = {}
    for record in reply.json["checks"]:
        records.setdefault(record["name"], []).append(record)
    return records


def test_a_tenant_in_order_has_no_remedies(world: World, tenant: str, admin: Api) -> None:
    world.ingest(tenant, "The pump.", PUBLIC, path="/n/pumps.md", doc_id="pumps")
    found = checks(admin.get("/v1/doctor"))
    assert found.keys() == {"documents", "keys", "index", "sign_in"}
    assert {(each["status"], each["remedy"]) for records in found.values() for each in records} == {("ok", None)}
    assert found["documents"][0]["message"] == "indexed: 1, refused: 0, not read yet: 0"
    assert found["index"][0]["message"].startswith("It answers, and has its model ")


def test_a_tenant_without_documents_has_no_index_and_gets_none(admin: Api) -> None:
    assert checks(admin.get("/v1/doctor"))["index"][0]["message"].startswith("There is none yet")
    assert checks(admin.get("/v1/doctor"))["index"][0]["message"].startswith("There is none yet")


def test_a_key_that_ends_soon_and_one_that_searches_as_others_are_named(world: World, tenant: str, admin: Api) -> None:
    ending = key(world, tenant, Scope.SEARCH)
    key_admin = world.services.administration.key_admin
    key_admin.change_read(ending.key, KeyChange(expires_in_days=3))
    key(world, tenant, Scope.ADMIN, Scope.SEARCH, options=replace(USUAL_OPTIONS, may_search_as=True))
    found = checks(admin.get("/v1/doctor"))
    [warning] = found["keys"]
    assert (warning["status"], warning["remedy"]) == ("warning", "Create a new key before then.")
    assert warning["message"].startswith(f"{ending.key.kid} (owner) expires in 2 days, on ")
    assert found["search_as"][0]["message"] == "Keys that may search as another person: 1."


def test_an_administrator_with_bounds_learns_nothing_beyond_them(
    world: World, tenant: str, admin: Api, bounded: Api, bound: str
) -> None:
    before = bounded.get("/v1/doctor")
    world.services.administration.key_admin.change_read(
        key(world, tenant, Scope.SEARCH).key, KeyChange(expires_in_days=3)
    )
    if bound == "collections":
        world.ingest(tenant, "The pump.", PUBLIC, path="/n/pumps.md", doc_id="pumps", collection="board")
    assert bounded.get("/v1/doctor").body == before.body
    assert checks(before).keys() == {"documents", "keys", "index"}
    assert checks(admin.get("/v1/doctor"))["keys"][0]["status"] == "warning"


def test_another_tenant_sees_its_own_checks_only(world: World, tenant: str) -> None:
    stranger = api(key(world, world.tenant("birch"), Scope.ADMIN))
    before = stranger.get("/v1/doctor")
    world.ingest(tenant, "The pump.", PUBLIC, path="/n/pumps.md", doc_id="pumps")
    assert stranger.get("/v1/doctor").body == before.body


def test_a_defect_of_the_host_is_named_without_its_folders(
    world: World, tenant: str, admin: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.ingest(tenant, "The pump.", PUBLIC, path="/n/pumps.md", doc_id="pumps")
    home = world.services.settings.home
    monkeypatch.setattr(world.services.stores, "indexes", _BrokenIndexes(home))
    reply = admin.get("/v1/doctor")
    [index] = checks(reply)["index"]
    assert (index["status"], "`groundwire doctor` on the server" in index["remedy"]) == ("failed", True)
    assert str(home).encode() not in reply.body


class _BrokenIndexes:
    """Indexes that all fail to open."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def for_tenant(self, tenant: str) -> None:
        raise Unavailable(f"{self._home}/tenants/{tenant}/index.db is damaged.")
