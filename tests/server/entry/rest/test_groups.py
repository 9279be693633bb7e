"""Groups of the identity provider are mapped to tags by an administrator of every collection."""

from groundwire.domain.access.scopes import Scope
from tests.server.entry.rest.api import Api, api, key
from tests.support.worlds.world import World

PATH = "/v1/groups/%2Fdepartment%2Fsales"


def test_a_group_with_slashes_is_mapped_listed_and_deleted(admin: Api) -> None:
    assert admin.put(PATH, tags=["department:sales"]).json == {
        "group": "/department/sales",
        "tags": ["department:sales"],
    }
    assert admin.get("/v1/groups").json["groups"] == [{"group": "/department/sales", "tags": ["department:sales"]}]
    assert admin.put(PATH, tags=["sys:admin"]).code == "invalid"
    assert admin.delete(PATH).json == {"group": "/department/sales"}
    assert admin.delete(PATH).code == "not_found"
    assert admin.get("/v1/groups").json == {"groups": []}


def test_a_server_without_a_provider_explains_no_token(admin: Api) -> None:
    assert admin.post("/v1/groups/explain-token", token="a.b.c").code == "invalid"


def test_an_administrator_of_some_collections_learns_nothing_of_groups(world: World, tenant: str, admin: Api) -> None:
    bounded = api(key(world, tenant, Scope.ADMIN, collections=frozenset({"handbook"})))

    def seen() -> list[bytes]:
        replies = (
            bounded.get("/v1/groups"),
            bounded.put(PATH, tags=["board"]),
            bounded.delete(PATH),
            bounded.post("/v1/groups/explain-token", token="a.b.c"),
        )
        assert {reply.status for reply in replies} == {403}
        return [reply.body for reply in replies]

    before = seen()
    admin.put(PATH, tags=["department:sales"])
    assert seen() == before
