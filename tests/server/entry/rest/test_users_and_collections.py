"""Users' tags and collections over REST."""

from urllib.parse import quote

import pytest

from groundwire.domain.access.scopes import Scope
from tests.server.entry.rest.api import Api, api, key
from tests.server.entry.rest.test_documents import put, tagged
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World, caller


def test_a_users_tags_count_for_calls_that_send_none(world: World, tenant: str, admin: Api) -> None:
    put(world, tenant, "d-1", tagged("hr"))
    agent = caller(world.acting_key(tenant), "ann")
    assert world.search(agent, "Text").segments == []

    entry = admin.put("/v1/users/ann", tags=["hr", "staff"])

    assert (entry.status, entry.json) == (200, {"user": "ann", "tags": ["hr", "staff"]})
    assert admin.get("/v1/users").json["users"] == [entry.json]
    assert world.search(agent, "Text").segments
    assert admin.delete("/v1/users/ann").json == {"user": "ann"}
    assert world.search(agent, "Text").segments == []
    assert admin.delete("/v1/users/ann").status == 404


def test_setting_a_user_again_replaces_the_tags(admin: Api) -> None:
    for tags in (["a", "b"], ["b"], ["b"]):
        admin.put("/v1/users/ann", tags=tags)

    assert admin.get("/v1/users").json["users"] == [{"user": "ann", "tags": ["b"]}]


@pytest.mark.parametrize("user", ["maria@acme.example", "acme/people/ann", "größe", "a b", "50%", "a?b#c"])
def test_any_user_that_an_agent_may_send_can_have_an_entry(admin: Api, user: str) -> None:
    path = f"/v1/users/{quote(user, safe='')}"

    assert admin.put(path, tags=["t"]).json["user"] == user
    assert admin.delete(path).json == {"user": user}


def test_users_of_another_tenant_are_not_found(world: World, admin: Api) -> None:
    world.services.stores.users.set(world.tenant("blue"), "ann", frozenset({"x"}))

    assert admin.get("/v1/users").json["users"] == []
    assert admin.delete("/v1/users/ann").status == 404


def test_a_collection_is_made_changed_counted_and_deleted_with_its_documents(
    world: World, tenant: str, admin: Api
) -> None:
    made = admin.put("/v1/collections/prices", bm25_weight=0.5, language="de")
    changed = admin.put("/v1/collections/prices", language="auto")
    put(world, tenant, "d-1", PUBLIC, "prices")

    assert made.json == {"name": "prices", "documents": 0, "bm25_weight": 0.5, "language": "de", "description": None}
    assert changed.json == {"name": "prices", "documents": 0, "bm25_weight": 0.5, "language": None, "description": None}
    assert admin.get("/v1/collections").json == {"collections": [changed.json | {"documents": 1}]}
    assert admin.delete("/v1/collections/prices").json == {"name": "prices", "documents": 1}
    assert admin.delete("/v1/collections/prices").status == 404
    assert admin.get("/v1/documents").json["documents"] == []


def test_a_description_is_set_kept_cleared_and_proposed(world: World, tenant: str, admin: Api) -> None:
    put(world, tenant, "d-1", PUBLIC, "prices")
    put(world, tenant, "d-2", tagged("hr"), "closed")
    described = admin.put("/v1/collections/prices", description="Prices\nof pumps.")
    assert described.json["description"] == "Prices of pumps."
    assert admin.put("/v1/collections/prices", bm25_weight=0.5).json["description"] == "Prices of pumps."
    assert admin.put("/v1/collections/prices", description="").json["description"] is None
    proposed = admin.get("/v1/collections/prices/proposal").json
    assert (proposed["name"], proposed["description"][:11]) == ("prices", "Documents: ")
    assert admin.get("/v1/collections/prices").status == 405
    assert admin.get("/v1/collections/closed/proposal").json == {"name": "closed", "description": None}
    assert admin.get("/v1/collections/none/proposal").status == 404
    assert api(key(world, tenant, Scope.INGEST)).get("/v1/collections/prices/proposal").code == "denied"


@pytest.mark.parametrize(
    "body",
    [
        *({"floor": 2}, {"floor": "none"}),
        *({"bm25_weight": 2}, {"bm25_weight": "0.5"}, {"language": "german"}, {"language": 1}, {"weight": 0.5}),
        *({"description": "x" * 301}, {"description": "\u200b"}, {"description": 1}),
    ],
)
def test_a_setting_that_cannot_be_is_refused(admin: Api, body: dict[str, object]) -> None:
    assert admin.put("/v1/collections/prices", **body).code == "invalid"


def test_a_collection_has_a_name_that_a_path_can_hold(admin: Api) -> None:
    assert admin.put("/v1/collections/" + quote("a b"), bm25_weight=0.5).code == "invalid"


def test_a_key_of_some_collections_sees_and_makes_no_others(world: World, tenant: str) -> None:
    put(world, tenant, "d-1", PUBLIC, "handbook")
    put(world, tenant, "d-2", PUBLIC, "prices")
    client = api(key(world, tenant, Scope.ADMIN, collections=frozenset({"handbook"})))

    assert [each["name"] for each in client.get("/v1/collections").json["collections"]] == ["handbook"]
    assert client.put("/v1/collections/prices", bm25_weight=0.1).code == "denied"
    unreached, unknown = client.delete("/v1/collections/prices"), client.delete("/v1/collections/none")
    assert (unreached.status, unreached.body.replace(b"prices", b"none")) == (unknown.status, unknown.body)


def test_an_owner_counts_the_documents_that_are_its_business(world: World, tenant: str) -> None:
    put(world, tenant, "d-1", tagged("hr"))
    put(world, tenant, "d-2", tagged("sales"))
    owner = api(key(world, tenant, Scope.INGEST, tags=frozenset({"sales"})))

    [found] = owner.get("/v1/collections").json["collections"]

    assert (found["name"], found["documents"]) == ("default", 1)
    assert owner.get("/v1/status").json["documents"] == {"indexed": 1}


def test_a_hidden_collection_changes_no_byte_of_an_owners_list(world: World, tenant: str, admin: Api) -> None:
    put(world, tenant, "d-1", PUBLIC, "handbook")
    put(world, tenant, "d-2", tagged("hr"), "layoffs-2027")
    admin.put("/v1/collections/layoffs-2027", floor=0.5)
    owner = api(key(world, tenant, Scope.INGEST))
    closed = owner.get("/v1/collections")

    assert [each["name"] for each in admin.get("/v1/collections").json["collections"]] == ["handbook", "layoffs-2027"]
    admin.delete("/v1/collections/layoffs-2027")

    assert [each["name"] for each in closed.json["collections"]] == ["handbook"]
    assert owner.get("/v1/collections").body == closed.body


def test_settings_do_not_show_an_owner_that_a_collection_existed_before_its_own_document(
    world: World, tenant: str, admin: Api
) -> None:
    settings = {"bm25_weight": 0.4, "language": "de", "floor": 0.5, "policy_authority": "files", "no_originals": True}
    admin.put("/v1/collections/layoffs", **settings)
    owner = api(key(world, tenant, Scope.INGEST))
    put(world, tenant, "d-1", tagged("hr"), "layoffs")
    put(world, tenant, "d-2", PUBLIC, "layoffs")
    put(world, tenant, "d-3", PUBLIC, "gardens")

    guessed, new = owner.get("/v1/collections").json["collections"][::-1]

    assert {**guessed, "name": ""} == {**new, "name": ""}
    assert guessed == {"name": "layoffs", "documents": 1, "bm25_weight": None, "language": None, "description": None}
    [_, whole] = admin.get("/v1/collections").json["collections"]
    assert settings.items() <= whole.items()


def test_a_key_that_is_no_administrators_sees_no_description_of_a_collection(
    world: World, tenant: str, admin: Api
) -> None:
    admin.put("/v1/collections/board", description="Salaries of the board.")
    put(world, tenant, "d-1", PUBLIC, "board")
    listed = api(key(world, tenant, Scope.INGEST)).get("/v1/collections").json["collections"]
    assert [(each["name"], each["description"]) for each in listed] == [("board", None)]
    assert admin.get("/v1/collections").json["collections"][0]["description"] == "Salaries of the board."
    bounded = api(key(world, tenant, Scope.ADMIN, collections=frozenset({"handbook"})))
    assert bounded.get("/v1/collections").json == {"collections": []}


def test_tags_of_a_user_are_added_and_removed_beside_the_others(admin: Api) -> None:
    added = admin.patch("/v1/users/ann", add_tags=["hr", "staff"], new_tags=True)
    changed = admin.patch("/v1/users/ann", add_tags=["board"], remove_tags=["hr", "never:had"], new_tags=True)
    assert [added.json["tags"], changed.json["tags"]] == [["hr", "staff"], ["board", "staff"]]
    refused: list[dict[str, list[str]]] = [
        {},
        {"add_tags": ["hr"], "remove_tags": ["hr"]},
        {"remove_tags": ["board", "staff"]},
        {"add_tags": ["sys:root"]},
        {"add_tags": [f"team:{number}" for number in range(63)]},
    ]
    for body in refused:
        assert admin.patch("/v1/users/ann", **body, new_tags=True).code == "invalid", body
    assert admin.get("/v1/users").json["users"] == [changed.json]
