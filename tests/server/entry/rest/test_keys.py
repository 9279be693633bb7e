"""Keys over REST: made, shown once, rotated, revoked, within one tenant and no further than the key that asks."""

from dataclasses import replace
from typing import Any, Final

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.options import STORED_OPTIONS, USUAL_OPTIONS
from groundwire.entry.rest.routes.keys.keys import KeyOrder, KeyRecord
from groundwire.stored.fields import StoredField
from groundwire.stored.kinds import PlainForm
from tests.server.entry.rest.api import Api, api, key
from tests.support.registry.records import CURRENT, PERSONAL_KEY
from tests.support.worlds.world import World

READER: Final = {"name": "reader", "kind": "personal", "user": "ann", "scopes": ["search"], "collections": "every"}


def test_a_key_is_made_shown_once_and_works(admin: Api) -> None:
    made = admin.post("/v1/keys", **READER)

    assert (made.status, made.json["scopes"], made.json["user"]) == (201, ["search"], "ann")
    assert Api({"authorization": f"Bearer {made.json['key']}"}).get("/v1/status").status == 200
    [_, listed] = admin.get("/v1/keys").json["keys"]
    assert listed == {name: value for name, value in made.json.items() if name != "key"} | {
        "last_used": listed["last_used"]
    }


def test_keys_are_listed_in_pages_revoked_ones_included(admin: Api) -> None:
    made = [admin.post("/v1/keys", **READER).json["kid"] for _ in range(3)]
    admin.delete(f"/v1/keys/{made[1]}")

    whole = admin.get("/v1/keys").json
    pages = [admin.get("/v1/keys", limit="2").json]
    while pages[-1]["next"] is not None:
        pages.append(admin.get("/v1/keys", limit="2", after=pages[-1]["next"]).json)

    assert ([row["kid"] for row in whole["keys"]][1:], whole["next"]) == (made, None)
    assert [len(page["keys"]) for page in pages] == [2, 2]
    assert [row["kid"] for page in pages for row in page["keys"]] == [row["kid"] for row in whole["keys"]]


def test_a_rotated_key_has_another_secret_and_the_old_one_works_on(admin: Api) -> None:
    made = admin.post("/v1/keys", **READER).json

    rotated = admin.post(f"/v1/keys/{made['kid']}/rotate", overlap_hours=1)

    assert (rotated.status, rotated.json["kid"]) == (200, made["kid"])
    assert rotated.json["key"] != made["key"]
    for text in (made["key"], rotated.json["key"]):
        assert Api({"authorization": f"Bearer {text}"}).get("/v1/status").status == 200


def test_a_revoked_key_is_refused_on_its_next_call_and_revoking_twice_is_revoking(admin: Api) -> None:
    made = admin.post("/v1/keys", **READER).json

    first = admin.delete(f"/v1/keys/{made['kid']}")
    second = admin.delete(f"/v1/keys/{made['kid']}")

    assert first.json["revoked"] is True
    assert (first.status, second.status, second.json["revoked"]) == (200, 200, True)
    assert Api({"authorization": f"Bearer {made['key']}"}).get("/v1/status").status == 401
    assert admin.post(f"/v1/keys/{made['kid']}/rotate").code == "conflict"


def test_a_key_that_acts_for_others_gets_the_scope_for_it_and_its_bound(admin: Api) -> None:
    order = {"name": "agent", "kind": "act_as", "scopes": ["search"], "collections": ["handbook"], "max_tags": ["hr:*"]}

    made = admin.post("/v1/keys", **order).json

    assert (made["scopes"], made["max_tags"], made["collections"]) == (["act_as", "search"], ["hr:*"], ["handbook"])


def test_a_key_is_strict_about_tags_only_where_that_is_requested(world: World, admin: Api) -> None:
    order = {"name": "agent", "kind": "act_as", "scopes": ["search"], "collections": "every", "max_tags": ["hr:*"]}

    lenient = admin.post("/v1/keys", **order).json
    strict = admin.post("/v1/keys", **order, strict_tags=True).json

    assert [made["strict_tags"] for made in (lenient, strict)] == [False, True]
    assert [each["strict_tags"] for each in admin.get("/v1/keys").json["keys"]] == [False, False, True]
    for made, status in ((lenient, 200), (strict, 403)):
        headers = {"authorization": f"Bearer {made['key']}", "x-session-tags": '["hr:leave", "vip"]'}
        assert world.search(headers, "leave").status == status


def test_a_key_names_dialects_only_where_that_is_requested_and_makes_none_that_reaches_further(admin: Api) -> None:
    usual = admin.post("/v1/keys", **READER).json
    bound = admin.post("/v1/keys", **{**READER, "scopes": ["admin"]}, dialects=["openai", "default"]).json

    assert "dialects" not in usual
    assert bound["dialects"] == ["default", "openai"]
    listed = {each["kid"]: each.get("dialects") for each in admin.get("/v1/keys").json["keys"]}
    assert (listed[usual["kid"]], listed[bound["kid"]]) == (None, ["default", "openai"])
    steward = Api({"authorization": f"Bearer {bound['key']}"})
    assert [each["kid"] for each in steward.get("/v1/keys").json["keys"]] == [bound["kid"]]
    assert steward.post("/v1/keys", **READER, dialects=["openai"]).status == 201
    for further in ({}, {"dialects": ["mindset"]}):
        assert steward.post("/v1/keys", **READER, **further).code == "denied"


def test_a_key_reports_its_floor_only_where_it_has_one(admin: Api) -> None:
    usual, bound = admin.post("/v1/keys", **READER).json, admin.post("/v1/keys", **READER, floor=0.25).json
    assert "floor" not in usual
    assert bound["floor"] == 0.25
    listed = {each["kid"]: each.get("floor") for each in admin.get("/v1/keys").json["keys"]}
    assert (listed[usual["kid"]], listed[bound["kid"]]) == (None, 0.25)


def test_a_key_splits_the_first_phrase_only_where_that_is_requested(admin: Api) -> None:
    usual, splitting = admin.post("/v1/keys", **READER).json, admin.post("/v1/keys", **READER, split_first_phrase=True)
    assert "split_first_phrase" not in usual
    assert splitting.json["split_first_phrase"] is True
    listed = {each["kid"]: each.get("split_first_phrase") for each in admin.get("/v1/keys").json["keys"]}
    assert (listed[usual["kid"]], listed[splitting.json["kid"]]) == (None, True)


def test_a_key_lists_the_tools_of_sources_only_where_that_is_requested(admin: Api) -> None:
    usual, listing = admin.post("/v1/keys", **READER).json, admin.post("/v1/keys", **READER, sources=True).json
    assert "sources" not in usual
    assert listing["sources"] is True
    listed = {each["kid"]: each.get("sources") for each in admin.get("/v1/keys").json["keys"]}
    assert (listed[usual["kid"]], listed[listing["kid"]]) == (None, True)


UNUSUAL: Final = {PlainForm.INTEGER: 7, PlainForm.BOOLEAN: True, PlainForm.REAL: 0.25}


@pytest.mark.parametrize("option", STORED_OPTIONS.fields, ids=lambda option: option.name)
def test_every_stored_option_can_be_ordered_and_is_listed(world: World, tenant: str, option: StoredField[Any]) -> None:
    # Only a key that may search as others gives this to another one, which must be an administrator's as well.
    admin = api(key(world, tenant, Scope.ADMIN, options=replace(USUAL_OPTIONS, may_search_as=True)))
    values = {"toolset": "openai", "dialects": ["openai"], "max_tokens": 4_000}
    value = values[option.name] if option.name in values else UNUSUAL[option.kind.form]
    # Calls with a personal key always have a user.
    needed: dict[str, dict[str, object]] = {
        "require_user": {"kind": "act_as", "user": None},
        "may_search_as": {"scopes": ["admin"]},
    }
    order = {**READER, **needed.get(option.name, {})}
    made = admin.post("/v1/keys", **order, **{option.name: value})
    assert made.status == 201, made.json
    listed = admin.get("/v1/keys")
    assert listed.status == 200
    assert [each[option.name] for each in listed.json["keys"] if each["kid"] == made.json["kid"]] == [value]


def test_every_stored_option_is_described_in_the_openapi_document() -> None:
    for model in (KeyOrder, KeyRecord):
        members = model.model_json_schema()["properties"]
        assert all(members[each.name]["description"] for each in STORED_OPTIONS.fields)


@pytest.mark.parametrize(
    ("change", "stated"),
    [
        ({"sources": "yes"}, "sources"),
        ({"split_first_phrase": "yes"}, "split_first_phrase"),
        ({"floor": 1.5}, "floor"),
        ({"floor": "0.5"}, "floor"),
        ({"dialects": []}, "dialects"),
        ({"dialects": ["nope"]}, "'nope'"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["everything"]}, "scopes"),
        ({"collections": "some"}, "collections"),
        ({"collections": None}, "collections"),
        ({"kind": "root"}, "kind"),
        ({"tenant": "t_other"}, "tenant"),
        ({"top_n": "5"}, "top_n"),
        ({"top_n": 10_000}, "passages"),
        ({"expires_in_days": 0}, "1 to 3650 days"),
        ({"expires_in_days": 10**15}, "1 to 3650 days"),
        ({"rate_per_minute": 2**52}, "600000 calls per minute"),
        ({"burst": 2**52}, "100000 calls at once"),
        ({"user": None}, "needs a user"),
        ({"strict_tags": True}, "delegated key"),
        ({"strict_tags": "yes"}, "strict_tags"),
        ({"user": "a\u202eb"}, "invisible"),
        ({"toolset": "none"}, "toolset"),
    ],
)
def test_an_impossible_order_is_refused_with_the_field(admin: Api, change: dict[str, object], stated: str) -> None:
    refused = admin.post("/v1/keys", **{**READER, **change})

    assert (refused.status, refused.code) == (400, "invalid")
    assert stated in refused.json["error"]["message"]
    assert len(admin.get("/v1/keys").json["keys"]) == 1


@pytest.mark.parametrize("left_out", ["kind", "scopes", "collections"])
def test_what_a_key_may_do_has_no_default(admin: Api, left_out: str) -> None:
    order = {name: value for name, value in READER.items() if name != left_out}

    assert left_out in admin.post("/v1/keys", **order).json["error"]["message"]


def test_an_administrator_of_some_collections_gets_at_no_others_by_another_key(world: World, tenant: str) -> None:
    every = key(world, tenant, Scope.SEARCH)
    bounded = api(key(world, tenant, Scope.ADMIN, collections=frozenset({"handbook"})))

    assert bounded.post("/v1/keys", **READER).code == "denied"
    assert bounded.post("/v1/keys", **{**READER, "collections": ["handbook", "prices"]}).code == "denied"
    assert bounded.post(f"/v1/keys/{every.key.kid}/rotate").code == "not_found"
    assert bounded.post("/v1/keys", **{**READER, "collections": ["handbook"]}).status == 201


@pytest.mark.parametrize(("method", "tail"), [("DELETE", ""), ("POST", "/rotate"), ("PATCH", "")])
def test_a_key_of_another_tenant_is_answered_like_one_that_never_was(
    world: World, admin: Api, method: str, tail: str
) -> None:
    theirs = key(world, world.tenant("blue"), Scope.SEARCH)
    kid, none = theirs.key.kid, "000000000000"

    foreign = admin.send(method, f"/v1/keys/{kid}{tail}", b"{}")
    unknown = admin.send(method, f"/v1/keys/{none}{tail}", b"{}")

    assert foreign.status == unknown.status == 404
    assert foreign.body.replace(kid.encode(), none.encode()) == unknown.body
    assert api(theirs).get("/v1/status").status == 200


def test_a_stored_expiry_that_no_calendar_has_is_listed_as_null_and_the_key_is_revoked(
    world: World, tenant: str, admin: Api
) -> None:
    endless = replace(PERSONAL_KEY, tenant=tenant, created_at=0.0, expires_at=10**15 * 86_400.0, last_used=1e300)
    world.services.stores.keys.add(endless, CURRENT)

    [listed] = [each for each in admin.get("/v1/keys").json["keys"] if each["kid"] == endless.kid]
    rotated, revoked = admin.post(f"/v1/keys/{endless.kid}/rotate"), admin.delete(f"/v1/keys/{endless.kid}")

    assert (listed["expires_at"], listed["last_used"]) == (None, None)
    assert (rotated.status, rotated.json["expires_at"]) == (200, None)
    assert (revoked.status, revoked.json["revoked"]) == (200, True)
