"""An administrator of some collections or dialects has no say in the others, by keys or by users."""

from dataclasses import replace

import pytest

from groundwire.domain.access.policy_input import parse_policy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.options import USUAL_OPTIONS
from tests.server.entry.rest.api import Api, api, key
from tests.support.worlds.world import World


@pytest.fixture
def bounded(world: World, tenant: str) -> Api:
    return api(key(world, tenant, Scope.ADMIN, collections=frozenset({"handbook"})))


def test_a_bounded_administrator_lists_and_revokes_only_keys_of_its_collections(
    world: World, tenant: str, bounded: Api
) -> None:
    owner = key(world, tenant, Scope.ADMIN)
    reader = key(world, tenant, Scope.SEARCH, collections=frozenset({"handbook"}))

    seen = {each["kid"]: each["collections"] for each in bounded.get("/v1/keys").json["keys"]}
    assert owner.key.kid not in seen
    assert (reader.key.kid in seen, set(map(str, seen.values()))) == (True, {"['handbook']"})
    beyond, unknown = (bounded.delete(f"/v1/keys/{kid}") for kid in (owner.key.kid, "000000000000"))
    assert beyond.status == unknown.status == 404
    assert beyond.body.replace(owner.key.kid.encode(), b"000000000000") == unknown.body
    assert api(owner).get("/v1/status").status == 200
    assert bounded.delete(f"/v1/keys/{reader.key.kid}").status == 200
    assert api(reader).get("/v1/status").status == 401


def test_a_bounded_administrator_sees_only_tags_of_policies_in_its_collections(
    world: World, tenant: str, admin: Api, bounded: Api
) -> None:
    for collection, tags in (("handbook", ["department:sales"]), ("board", ["board", "level:1"])):
        policy = parse_policy(public=False, users=[], any_tags=tags[:1], all_tags=tags[1:])
        world.ingest(tenant, "The pump.", policy, path=f"/nowhere/{collection}.md", collection=collection)

    assert bounded.get("/v1/keys/policy-tags").json == {"tags": ["department:sales"], "complete": True}
    every = {"tags": ["board", "department:sales", "level:1"], "complete": True}
    assert admin.get("/v1/keys/policy-tags").json == every


def test_an_administrator_of_some_dialects_gives_nobody_tags_and_ends_no_block(
    world: World, tenant: str, admin: Api
) -> None:
    admin.put("/v1/users/ann", tags=["staff"])
    options = replace(USUAL_OPTIONS, dialects=frozenset({"openai"}))
    limited = api(key(world, tenant, Scope.ADMIN, options=options))

    answers = [
        limited.get("/v1/users"),
        limited.put("/v1/users/ann", tags=["board"]),
        limited.patch("/v1/users/ann", add_tags=["board"]),
        limited.delete("/v1/users/ann"),
        limited.post("/v1/users/unblock", users=["ann"]),
        limited.get("/v1/groups"),
        limited.put("/v1/groups/g1", tags=["board"]),
    ]

    assert {each.code for each in answers} == {"denied"}
    assert admin.get("/v1/users").json["users"] == [{"user": "ann", "tags": ["staff"]}]


def test_an_administrator_without_originals_cannot_grant_originals(world: World, tenant: str, admin: Api) -> None:
    options = replace(USUAL_OPTIONS, no_originals=True)
    limited = api(key(world, tenant, Scope.ADMIN, options=options))
    giving, own = key(world, tenant, Scope.SEARCH), key(world, tenant, Scope.SEARCH, options=options)
    admin.put("/v1/collections/board", no_originals=True)
    wanted = {"name": "reader", "kind": "personal", "user": "ann", "scopes": ["search"], "collections": "every"}

    denied = [
        limited.post("/v1/keys", **wanted),
        limited.post(f"/v1/keys/{giving.key.kid}/rotate"),
        limited.put("/v1/collections/board", no_originals=False),
    ]

    assert {each.code for each in denied} == {"denied"}
    assert limited.post("/v1/keys", **wanted, no_originals=True).status == 201
    assert limited.post(f"/v1/keys/{own.key.kid}/rotate").status == 200
    assert limited.put("/v1/collections/board", no_originals=True, bm25_weight=0.4).json["no_originals"] is True
    # What takes a right stays possible.
    assert limited.delete(f"/v1/keys/{giving.key.kid}").status == 200


def test_it_sees_no_users_tags_and_gives_none_that_count_beyond(admin: Api, bounded: Api) -> None:
    admin.put("/v1/users/ann", tags=["staff"])

    assert bounded.get("/v1/users").code == "denied"
    assert bounded.put("/v1/users/ann", tags=["board"]).code == "denied"
    assert bounded.patch("/v1/users/ann", add_tags=["board"]).code == "denied"
    assert bounded.delete("/v1/users/ann").code == "denied"
    assert admin.get("/v1/users").json["users"] == [{"user": "ann", "tags": ["staff"]}]
