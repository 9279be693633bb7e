"""Tags over REST: a directory, and a refusal of slips; an administrator of some collections learns nothing beyond."""

import json
from typing import Any

from groundwire.domain.access.policy_input import parse_policy
from groundwire.domain.access.scopes import Scope
from tests.server.entry.rest.api import OPENAPI, Api, api, key
from tests.support.worlds.world import World, caller

READERS: dict[str, Any] = {"public": False, "users": [], "all_tags": []}


def ingest(world: World, tenant: str, collection: str, tag: str) -> str:
    policy = parse_policy(public=False, users=[], any_tags=[tag], all_tags=[])
    outcome = world.ingest(tenant, "The pump.", policy, path=f"/nowhere/{collection}.md", collection=collection)
    assert outcome.document is not None
    return outcome.document.doc_id


def test_a_slip_is_refused_wherever_a_tag_is_given_and_accepted_on_demand(
    world: World, tenant: str, admin: Api
) -> None:
    doc_id = ingest(world, tenant, "handbook", "team:legal")
    slip = {**READERS, "any_tags": ["team:legla"]}
    ticket = {"collection": "handbook", "file_name": "a.md", "size": 1, "sha256": "0" * 64}
    orders: list[tuple[str, str, dict[str, Any]]] = [
        ("PUT", f"/v1/documents/{doc_id}/policy", slip),
        ("PUT", "/v1/users/ann", {"tags": ["team:legla"]}),
        ("PATCH", "/v1/users/ann", {"add_tags": ["team:legla"]}),
        ("PUT", "/v1/groups/chiefs", {"tags": ["team:legla"]}),
        (
            "POST",
            "/v1/keys",
            {
                "name": "a",
                "kind": "personal",
                "user": "a",
                "tags": ["team:legla"],
                "scopes": ["search"],
                "collections": "every",
            },
        ),
        (
            "POST",
            "/v1/keys",
            {"name": "a", "kind": "act_as", "max_tags": ["tema:*"], "scopes": ["search"], "collections": "every"},
        ),
        ("POST", "/v1/uploads", {**ticket, "policy": slip}),
    ]
    refused = [admin.send(method, path, as_bytes(body)) for method, path, body in orders]
    assert [(reply.status, "Did you mean" in reply.json["error"]["message"]) for reply in refused] == [
        (409, True)
    ] * len(orders)
    accepted = [
        admin.send(method, path, as_bytes({**body, "new_tags": True})) for method, path, body in reversed(orders)
    ]
    assert all(reply.status < 300 for reply in accepted), [reply.body for reply in accepted]


def test_each_body_with_tags_accepts_new_ones_on_demand() -> None:
    schema = OPENAPI
    members = {"tags", "add_tags", "max_tags", "any_tags", "all_tags"}
    compared: set[str] = set()
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            properties = _body_properties(schema, operation)
            # A question about access, a search, an evaluation and a plan change nothing.
            is_change = not path.startswith(("/v1/access/", "/v1/search", "/v1/evaluations", "/v1/uploads/plan"))
            if is_change and members & {name for each in properties for name in each}:
                compared.add(f"{method.upper()} {path}")
                assert path == "/v1/tags/check" or "new_tags" in properties[0], path
    assert compared == {
        *("PUT /v1/documents/{doc_id}/policy", "PUT /v1/users/{user}", "PUT /v1/groups/{group}"),
        "PATCH /v1/users/{user}",
        *("POST /v1/keys", "PATCH /v1/keys/{kid}", "POST /v1/uploads", "POST /v1/tags/check"),
    }


def _body_properties(schema: dict[str, Any], operation: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the properties of a request's body, and of the objects within it."""
    found: list[dict[str, Any]] = []

    def walk(node: Any) -> None:
        if isinstance(node, list):
            for each in node:
                walk(each)
        elif isinstance(node, dict):
            if "$ref" in node:
                walk(schema["components"]["schemas"][node["$ref"].rpartition("/")[2]])
            if "properties" in node:
                found.append(node["properties"])
            for each in node.values():
                walk(each)

    walk(operation.get("requestBody", {}))
    return found


def as_bytes(body: dict[str, Any]) -> bytes:
    return json.dumps(body).encode()


def test_correct_tags_and_tags_unlike_any_other_need_no_confirmation(world: World, tenant: str, admin: Api) -> None:
    doc_id = ingest(world, tenant, "handbook", "team:legal")
    for tags in (["team:legal"], ["customers"]):
        assert admin.put("/v1/users/ann", tags=tags).status == 200
        assert admin.put(f"/v1/documents/{doc_id}/policy", **READERS, any_tags=tags).status == 200


def test_the_last_call_with_a_tag_is_in_the_list_on_demand_and_for_a_key_without_bounds(
    world: World, tenant: str, admin: Api
) -> None:
    for tag in ("team:legal", "team:sales"):
        ingest(world, tenant, tag.removeprefix("team:"), tag)
    world.search(caller(world.acting_key(tenant), "ann", frozenset({"team:legal"})), "pump")
    listed = admin.get("/v1/tags", last_calls="true").json
    found = {row["tag"]: row["last_call"] is not None for row in listed["tags"]}
    assert (found, listed["unrecognised_calls"]) == ({"team:legal": True, "team:sales": False}, 0)
    plain = admin.get("/v1/tags").json
    assert ("last_call" in plain["tags"][0], "unrecognised_calls" in plain) == (False, False)
    bounded = api(key(world, tenant, Scope.ADMIN, collections=frozenset({"legal"})))
    assert bounded.get("/v1/tags", last_calls="true").code == "denied"
    assert [row["tag"] for row in bounded.get("/v1/tags").json["tags"]] == ["team:legal"]


def test_nothing_beyond_the_collections_of_an_administrator_changes_an_answer(
    world: World, tenant: str, admin: Api
) -> None:
    ingest(world, tenant, "handbook", "department:sales")
    bounded = api(key(world, tenant, Scope.ADMIN, collections=frozenset({"handbook"})))
    wanted = ["team:legla", "department:slaes", "board"]

    def seen() -> list[bytes]:
        renamed = bounded.post("/v1/tags/rename", tag="board", new_tag="chiefs")
        return [bounded.get("/v1/tags").body, bounded.post("/v1/tags/check", tags=wanted).body, renamed.body]

    before = seen()
    ingest(world, tenant, "closed", "team:legal")
    admin.put("/v1/users/ann", tags=["board"])
    admin.put("/v1/groups/chiefs", tags=["team:legal"])
    key(world, tenant, Scope.SEARCH)
    assert seen() == before
    assert b"department:sales" in before[0]
    assert [each["tag"] for each in bounded.post("/v1/tags/check", tags=wanted).json["new"]] == sorted(wanted)
    assert {each["tag"] for each in admin.get("/v1/tags").json["tags"]} >= {"team:legal", "board", "department:sales"}
