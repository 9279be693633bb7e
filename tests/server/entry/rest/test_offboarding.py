"""An administrator blocks users and offboards a person over REST; the receipt names what ended and what remains."""

from typing import Any
from urllib.parse import quote

import pytest

from groundwire.domain.access.scopes import Scope
from tests.server.entry.rest.api import Api, api, key
from tests.server.entry.rest.test_documents import put, tagged
from tests.support.isolation.policies import PUBLIC, for_users
from tests.support.worlds.world import World, caller

ELIF = "elif@acme.example"
IDS = ["Elif@acme.example", "00u1ELIF"]


def test_a_blocked_user_is_refused_until_the_block_ends(world: World, tenant: str, admin: Api) -> None:
    put(world, tenant, "d-1", PUBLIC)
    asserted, own = caller(world.acting_key(tenant), ELIF), caller(world.personal_key(tenant, ELIF, frozenset()))
    blocked = admin.post("/v1/users/block", users=[ELIF.upper()], decision_reason=" lost\n laptop ")

    assert blocked.status == 200, blocked.json
    [block] = blocked.json["users"]
    assert {name: block[name] for name in ("user", "decided_by", "decision_reason")} == {
        "user": ELIF.upper(),
        "decided_by": "olga",
        "decision_reason": "lost laptop",
    }
    assert admin.get("/v1/users/blocked").json["users"] == [block]
    assert [world.search(headers, "Text").status for headers in (asserted, own)] == [401, 401]
    assert admin.post("/v1/users/unblock", users=[ELIF]).json == {"users": [ELIF]}
    assert world.search(asserted, "Text").segments
    assert world.search(own, "Text").segments
    assert admin.get("/v1/users/blocked").json["users"] == []


def test_unblocking_somebody_who_is_not_blocked_ends_no_block_at_all(admin: Api) -> None:
    admin.post("/v1/users/block", users=["ann"])
    assert admin.post("/v1/users/unblock", users=["ann", "bob"]).status == 404
    assert [each["user"] for each in admin.get("/v1/users/blocked").json["users"]] == ["ann"]


def test_an_offboarding_ends_what_the_person_had_and_names_the_rest(world: World, tenant: str, admin: Api) -> None:
    put(world, tenant, "named", for_users(ELIF, "bob"))
    put(world, tenant, "other", for_users("bob"))
    admin.put("/v1/users/elif@acme.example", tags=["sales"])
    personal = created(admin, kind="personal", user="ELIF@acme.example", scopes=["admin"], collections="every")
    elif_admin = Api({"authorization": f"Bearer {personal['key']}"})
    agent = created(elif_admin, kind="act_as", max_tags=["*"], scopes=["admin"], collections="every")
    child = created(Api({"authorization": f"Bearer {agent['key']}"}), kind="act_as", scopes=["search"])
    foreign = created(admin, kind="act_as", scopes=["search"], require_user=True)

    receipt = admin.post("/v1/users/offboard", users=IDS, decision_reason="left").json

    assert {each["user"] for each in receipt["users"]} == set(IDS)
    assert [(each["kid"], each["revoked"]) for each in receipt["revoked_keys"]] == [(personal["kid"], True)]
    assert [(each["kid"], each["revoked"]) for each in receipt["created_keys"]] == [
        (agent["kid"], False),
        (child["kid"], False),
    ]
    assert {each["kid"] for each in receipt["keys_without_user"]} == {agent["kid"], child["kid"]}
    assert receipt["removed_tags"] == [{"user": ELIF, "tags": ["sales"]}]
    assert [(each["doc_id"], each["named_in"]) for each in receipt["documents"]] == [("named", ["policy"])]
    assert receipt["sources"] == []
    assert foreign["kid"] not in str(receipt)
    assert elif_admin.get("/v1/status").status == 401

    repeated = admin.post("/v1/users/offboard", users=IDS, revoke_created=True).json
    assert [(each["kid"], each["revoked"]) for each in repeated["created_keys"]] == [
        (agent["kid"], True),
        (child["kid"], True),
    ]
    assert repeated["keys_without_user"] == []
    assert repeated["users"] == receipt["users"]
    assert repeated["removed_tags"] == []


def test_the_keys_of_a_key_that_has_ended_since_are_named_as_well(admin: Api) -> None:
    personal = created(admin, kind="personal", user=ELIF, scopes=["admin"], collections="every")
    holder = Api({"authorization": f"Bearer {personal['key']}"})
    agent = created(holder, kind="act_as", max_tags=["*"], scopes=["admin"], collections="every")
    child = created(Api({"authorization": f"Bearer {agent['key']}"}), kind="act_as", scopes=["search"])
    assert admin.delete(f"/v1/keys/{agent['kid']}").status == 200
    receipt = admin.post("/v1/users/offboard", users=IDS, revoke_created=True).json
    assert [(each["kid"], each["revoked"]) for each in receipt["created_keys"]] == [(child["kid"], True)]


def test_a_key_that_the_person_rotated_is_named_and_revoked_with_those_created_by_it(admin: Api) -> None:
    bobs = created(admin, kind="personal", user="bob", scopes=["admin"], collections="every")
    agent, other, unknown = (created(admin, kind="act_as", scopes=["search"]) for _ in range(3))
    personal = created(admin, kind="personal", user="ELIF@acme.example", scopes=["admin"], collections="every")
    holder = Api({"authorization": f"Bearer {personal['key']}"})
    for kid in (bobs["kid"], agent["kid"]):
        assert holder.post(f"/v1/keys/{kid}/rotate", overlap_hours=0).json["rotated_by"] == "ELIF@acme.example"
    # The secret of the person still works after the next rotation, until the overlap ends.
    assert admin.post(f"/v1/keys/{agent['kid']}/rotate", overlap_hours=1).json["rotated_by"] == "olga"
    assert Api({"authorization": f"Bearer {bobs['key']}"}).get("/v1/status").status == 401
    rotated = holder.post(f"/v1/keys/{bobs['kid']}/rotate").json
    with_bobs = Api({"authorization": f"Bearer {rotated['key']}"})
    assert with_bobs.post(f"/v1/keys/{other['kid']}/rotate").status == 200
    receipt = admin.post("/v1/users/offboard", users=IDS, revoke_created=True).json
    assert {(each["kid"], each["revoked"]) for each in receipt["created_keys"]} == {
        (kid, True) for kid in (bobs["kid"], agent["kid"], other["kid"])
    }
    assert unknown["kid"] not in {each["kid"] for each in receipt["created_keys"]}


def test_an_administrator_of_some_dialects_neither_lists_nor_revokes_keys_of_others(admin: Api) -> None:
    made = created(admin, kind="act_as", scopes=["admin"], collections="every", dialects=["openai", "default"])
    steward = Api({"authorization": f"Bearer {made['key']}"})
    beyond = created(admin, kind="personal", user=ELIF, tags=["secret"], scopes=["search"], collections="every")
    within = created(
        admin, kind="personal", user=ELIF, tags=["plain"], scopes=["search"], collections="every", dialects=["openai"]
    )
    receipt = steward.post("/v1/users/offboard", users=IDS)
    assert [each["kid"] for each in receipt.json["revoked_keys"]] == [within["kid"]]
    assert beyond["kid"] not in str(receipt.json)
    # The block refuses its holder all the same.
    assert Api({"authorization": f"Bearer {beyond['key']}"}).get("/v1/status").status == 401


def test_an_administrator_of_some_dialects_sees_and_renames_no_tag_of_other_keys(admin: Api) -> None:
    made = created(admin, kind="act_as", scopes=["admin"], collections="every", dialects=["openai", "default"])
    steward = Api({"authorization": f"Bearer {made['key']}"})
    created(admin, kind="personal", user="ann", tags=["secret"], scopes=["search"], collections="every")
    created(
        admin, kind="personal", user="ann", tags=["plain"], scopes=["search"], collections="every", dialects=["openai"]
    )
    assert [each["tag"] for each in steward.get("/v1/tags").json["tags"]] == ["plain"]
    renamed = [steward.post("/v1/tags/rename", tag=tag, new_tag="other", plan=True) for tag in ("secret", "nothing")]
    assert [each.status for each in renamed] == [403, 403]
    assert renamed[0].body == renamed[1].body


@pytest.mark.parametrize(
    ("body", "stated"),
    [
        ({"users": []}, "users"),
        ({"users": ["a"] * 51}, "users"),
        ({"users": [" ann"]}, "space"),
        ({"users": ["ann"], "decision_reason": "x" * 501}, "decision_reason"),
        ({"users": ["ann"], "decision_reason": "a\u200bb"}, "visible"),
        ({}, "users"),
    ],
    ids=range(6),
)
@pytest.mark.parametrize("action", ["block", "offboard"])
def test_an_order_that_is_not_valid_blocks_nobody(admin: Api, action: str, body: dict[str, Any], stated: str) -> None:
    refused = admin.post(f"/v1/users/{action}", **body)
    assert refused.status == 400
    assert stated in refused.json["error"]["message"]
    assert admin.get("/v1/users/blocked").json["users"] == []


@pytest.mark.parametrize("scopes", [frozenset({Scope.SEARCH, Scope.INGEST, Scope.SHARE}), frozenset({Scope.VERIFY})])
def test_only_an_administrator_blocks(world: World, tenant: str, scopes: frozenset[Scope]) -> None:
    caller_ = api(key(world, tenant, *scopes))
    assert caller_.post("/v1/users/block", users=["ann"]).status == 403
    assert caller_.post("/v1/users/offboard", users=["ann"]).status == 403
    assert caller_.post("/v1/users/unblock", users=["ann"]).status == 403
    assert caller_.get("/v1/users/blocked").status == 403
    assert world.services.stores.users.blocked(tenant) == []


def test_users_of_another_tenant_stay_as_they_were(world: World, admin: Api) -> None:
    other = world.tenant("blue")
    put(world, other, "d-1", PUBLIC)
    theirs = caller(world.personal_key(other, ELIF, frozenset()))
    admin.post("/v1/users/offboard", users=[ELIF])
    assert world.search(theirs, "Text").segments
    assert world.services.stores.users.blocked(other) == []


def test_a_document_that_names_another_spelling_is_in_the_receipt(world: World, tenant: str, admin: Api) -> None:
    put(world, tenant, "named", for_users("ELIF@ACME.example"))
    put(world, tenant, "tagged", tagged(ELIF))
    receipt = admin.post("/v1/users/offboard", users=[ELIF]).json
    assert [each["doc_id"] for each in receipt["documents"]] == ["named"]


def created(api_: Api, **order: Any) -> dict[str, Any]:
    made = api_.post("/v1/keys", **{"name": "key", "collections": "every", **order})
    assert made.status == 201, made.json
    return made.json


def paged(api_: Api, path: str, limit: int) -> list[dict[str, Any]]:
    """Return the rows of all pages; no page has more rows than `limit`."""
    rows, query = list[dict[str, Any]](), {"limit": str(limit)}
    while True:
        page = api_.get(path, **query).json
        assert len(page["users"]) <= limit
        rows += page["users"]
        if page["next"] is None:
            return rows
        query["after"] = page["next"]


def test_users_and_blocks_are_listed_in_pages(admin: Api) -> None:
    users = ["zoe", "ann", "e\u0301lif", "a" * 256]
    for user in users:
        admin.put(f"/v1/users/{quote(user)}", tags=["staff"], new_tags=True)
    for each in (users[:3], users[3:]):
        assert admin.post("/v1/users/block", users=each).status == 200
    for path in ("/v1/users", "/v1/users/blocked"):
        whole = admin.get(path).json
        assert (len(whole["users"]), whole["next"]) == (4, None)
        assert [paged(admin, path, limit) for limit in (1, 3, 4)] == [whole["users"]] * 3
    times = [row["decided_at"] for row in paged(admin, "/v1/users/blocked", 1)]
    assert times == sorted(times)


def test_a_page_of_blocks_begins_after_one_that_ended_meanwhile(admin: Api) -> None:
    for user in ("zoe", "ann", "ben"):
        admin.post("/v1/users/block", users=[user])
    first = admin.get("/v1/users/blocked", limit="1").json
    admin.post("/v1/users/unblock", users=["zoe"])
    rest = admin.get("/v1/users/blocked", after=first["next"]).json
    assert [row["user"] for row in (*first["users"], *rest["users"])] == ["zoe", "ann", "ben"]


def test_a_cursor_fits_its_own_list_and_key_alone(world: World, tenant: str, admin: Api) -> None:
    admin.post("/v1/users/block", users=["zoe", "ann"])
    cursor = admin.get("/v1/users/blocked", limit="1").json["next"]
    other = api(key(world, tenant, Scope.ADMIN))
    refused = [admin.get("/v1/users", after=cursor), other.get("/v1/users/blocked", after=cursor)]
    assert [(reply.status, reply.code) for reply in refused] == [(400, "invalid")] * 2
