"""Change of a key over REST: in force on the next call, never more than a creation could give."""

import json
from dataclasses import replace
from itertools import product
from typing import Any, Final

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.options import USUAL_OPTIONS
from tests.server.entry.rest.api import Api, api, key
from tests.support.isolation.policies import for_tags
from tests.support.worlds.world import World

HANDBOOK: Final = frozenset({"handbook"})
OPTIONS: Final = (
    USUAL_OPTIONS,
    replace(USUAL_OPTIONS, dialects=frozenset({"openai"})),
    replace(USUAL_OPTIONS, no_originals=True),
)


def test_a_change_is_in_force_on_the_next_call_and_keeps_everything_else(world: World, tenant: str, admin: Api) -> None:
    world.ingest(tenant, "The pump.", for_tags("sales"), path="/n/a.md", doc_id="a", collection="handbook")
    issued = key(world, tenant, Scope.SEARCH)
    reader, path = api(issued), f"/v1/keys/{issued.key.kid}"

    def found() -> list[str]:
        return [passage["doc_id"] for passage in reader.post("/v1/search", phrases=["pump"]).json["passages"]]

    [before] = [each for each in admin.get("/v1/keys").json["keys"] if each["kid"] == issued.key.kid]
    assert found() == []
    changed = admin.patch(path, tags=["sales"], new_tags=True)
    assert {**changed.json, "last_used": None} == {**before, "tags": ["sales"]}
    assert found() == ["a"]
    assert admin.patch(path, collections=["prices"]).json["tags"] == ["sales"]
    assert found() == []
    assert admin.patch(path, collections="every", name="desk").json["name"] == "desk"
    assert found() == ["a"]
    assert admin.patch(path, tags=None).json["tags"] == []
    assert found() == []
    assert admin.patch(path, scopes=["verify"]).json["scopes"] == ["verify"]
    assert reader.post("/v1/search", phrases=["pump"]).code == "denied"
    assert admin.patch(path, expires_in_days=30).json["expires_at"] > before["created_at"]
    assert admin.patch(path, expires_in_days="never").json["expires_at"] is None
    assert admin.patch(path, rate_per_minute=1, burst=1).json["burst"] == 1
    assert [reader.get("/v1/status").status, reader.get("/v1/status").status] == [200, 429]


def test_no_answer_has_the_secret_and_the_audit_line_has_what_changed(world: World, tenant: str, admin: Api) -> None:
    issued = key(world, tenant, Scope.SEARCH)
    log = world.services.settings.home / "audit.jsonl"

    reply = admin.patch(f"/v1/keys/{issued.key.kid}", name="desk", tags=["sales"], new_tags=True)

    line = json.loads(log.read_text().splitlines()[-1])
    assert (line["key"], line["user"]) == (issued.key.kid, "olga")
    assert line["key_before"] == {"name": "owner", "tags": []}
    assert line["key_after"] == {"name": "desk", "tags": ["sales"]}
    assert "key" not in reply.json
    assert issued.secret.reveal().encode() not in reply.body


@pytest.mark.parametrize(
    "change",
    [
        {"name": None},
        {"name": " "},
        {"scopes": None},
        {"scopes": []},
        {"scopes": ["act_as"]},
        {"scopes": ["root"]},
        {"collections": None},
        {"collections": []},
        {"max_tags": ["sales"]},
        {"rate_per_minute": None},
        {"rate_per_minute": 0},
        {"burst": 2**52},
        {"expires_in_days": 0},
        {"expires_in_days": None},
        {"user": "zoe"},
        {"kind": "act_as"},
        {"may_search_as": True},
        {"key": "secret"},
        {"tags": ["a\u202eb"]},
    ],
)
def test_an_impossible_change_is_refused_and_changes_nothing(
    world: World, tenant: str, admin: Api, change: dict[str, object]
) -> None:
    issued = key(world, tenant, Scope.SEARCH)
    before = world.services.stores.keys.get(tenant, issued.key.kid)

    assert admin.patch(f"/v1/keys/{issued.key.kid}", **change).code == "invalid"
    assert world.services.stores.keys.get(tenant, issued.key.kid) == before


def test_a_key_beyond_an_administrators_bounds_is_answered_like_one_that_never_was(world: World, tenant: str) -> None:
    every, none = key(world, tenant, Scope.SEARCH), "000000000000"
    bounded = api(key(world, tenant, Scope.ADMIN, collections=HANDBOOK))

    beyond = bounded.patch(f"/v1/keys/{every.key.kid}", name="desk")
    unknown = bounded.patch(f"/v1/keys/{none}", name="desk")

    assert (beyond.status, unknown.status) == (404, 404)
    assert beyond.body.replace(every.key.kid.encode(), none.encode()) == unknown.body
    assert world.services.stores.keys.get(tenant, every.key.kid) == every.key


def test_a_change_gives_no_more_than_a_creation_could(world: World, tenant: str, admin: Api) -> None:
    inside = key(world, tenant, Scope.SEARCH, collections=HANDBOOK)
    bounded = api(key(world, tenant, Scope.ADMIN, collections=HANDBOOK))
    path = f"/v1/keys/{inside.key.kid}"

    assert bounded.patch(path, collections="every").code == "denied"
    assert bounded.patch(path, collections=["handbook", "prices"]).code == "denied"
    assert bounded.patch(path, scopes=["search", "verify"]).status == 200

    for own, others in product(OPTIONS, OPTIONS):
        limited = api(key(world, tenant, Scope.ADMIN, options=own))
        target = key(world, tenant, Scope.SEARCH, options=others)
        order: dict[str, Any] = {
            "name": "reader",
            "kind": "personal",
            "user": "ann",
            "scopes": ["search", "verify"],
            "collections": "every",
            "no_originals": others.no_originals,
            "dialects": None if others.dialects is None else sorted(others.dialects),
        }
        may_create = limited.post("/v1/keys", **order).status == 201
        assert (limited.patch(f"/v1/keys/{target.key.kid}", scopes=["search", "verify"]).status == 200) is may_create


def test_a_key_that_may_search_as_others_keeps_its_required_options_and_is_changed_only_by_such_a_key(
    world: World, tenant: str, admin: Api
) -> None:
    searching = replace(USUAL_OPTIONS, may_search_as=True)
    searcher, path = key(world, tenant, Scope.ADMIN, options=searching), "/v1/keys/"
    path += searcher.key.kid

    assert admin.patch(path, name="desk").code == "denied"
    assert api(searcher).patch(path, collections=["handbook"]).code == "invalid"
    assert api(searcher).patch(path, scopes=["search"]).code == "invalid"
    assert api(searcher).patch(path, name="desk").status == 200


def test_a_key_that_is_not_in_force_cannot_be_changed(world: World, tenant: str, admin: Api) -> None:
    issued = key(world, tenant, Scope.SEARCH)
    admin.delete(f"/v1/keys/{issued.key.kid}")

    assert admin.patch(f"/v1/keys/{issued.key.kid}", expires_in_days=30).code == "conflict"


def test_tags_that_resemble_tags_in_use_are_named_before_they_are_given(world: World, tenant: str, admin: Api) -> None:
    world.ingest(tenant, "The pump.", for_tags("department:sales"), path="/n/a.md")
    path = f"/v1/keys/{key(world, tenant, Scope.SEARCH).key.kid}"

    assert admin.patch(path, tags=["department:slaes"]).code == "conflict"
    assert admin.patch(path, tags=["department:sales"]).status == 200
