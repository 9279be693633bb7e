"""Two tenants, each with a word of its own in everything that is theirs: no answer to one holds the other's word."""

from typing import Any, Final

import pytest

from groundwire.domain.access.scopes import Scope
from tests.server.entry.rest.api import Api, api, key
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World

CANARY: Final = "kestrel"
CLOSED: Final[dict[str, Any]] = {"public": False, "users": [], "any_tags": [], "all_tags": []}
ORDER: Final[dict[str, Any]] = {"file_name": "f.md", "size": 1, "sha256": "ab" * 32, "policy": CLOSED}


@pytest.fixture
def theirs(world: World) -> str:
    """A tenant in which everything is called by the word; gives the kid of its key."""
    tenant = world.tenant(CANARY)
    world.ingest(tenant, f"{CANARY} text.", PUBLIC, path=f"{CANARY}.md", doc_id=CANARY, collection=CANARY)
    world.services.stores.users.set(tenant, CANARY, frozenset({CANARY}))
    owner = key(world, tenant, Scope.ADMIN, user=CANARY)
    api(owner).post("/v1/uploads", collection=CANARY, **{**ORDER, "file_name": f"{CANARY}.md"})
    return owner.key.kid


@pytest.mark.parametrize("scopes", [(Scope.ADMIN,), (Scope.INGEST, Scope.SHARE, Scope.SEARCH)])
def test_nothing_of_another_tenant_is_in_any_answer(
    world: World, tenant: str, theirs: str, scopes: tuple[Scope, ...]
) -> None:
    world.ingest(tenant, "our text.", PUBLIC, path="ours.md")
    client = api(key(world, tenant, *scopes))

    answers = [
        *(client.get(f"/v1/{noun}") for noun in ("status", "keys", "users", "collections", "documents", "nothing")),
        client.get("/v1/documents", collection=CANARY),
        client.post("/v1/search", phrases=["text", CANARY]),
        client.post("/v1/search", phrases=[CANARY], explain=True),
        client.post("/v1/uploads", collection="ours", **ORDER),
    ]

    bodies = b"".join(answer.body for answer in answers)
    # The search's own words come back with its explanation.
    assert bodies.count(CANARY.encode()) == answers[8].body.count(f'"{CANARY}"'.encode())
    assert theirs.encode() not in bodies
    assert b"ours" in bodies


def test_what_a_stranger_asks_by_name_changes_nothing_of_it(world: World, tenant: str, theirs: str) -> None:
    client: Api = api(key(world, tenant, Scope.ADMIN))
    [other] = [each for each in world.services.stores.tenants.all() if each.name == CANARY]
    before = (
        world.services.stores.documents.all(other.tenant, None),
        world.services.administration.key_admin.all(other.tenant),
    )

    statuses = [
        client.delete(f"/v1/documents/{CANARY}").status,
        client.put(f"/v1/documents/{CANARY}/policy", **CLOSED).status,
        client.delete(f"/v1/collections/{CANARY}").status,
        client.delete(f"/v1/users/{CANARY}").status,
        client.delete(f"/v1/keys/{theirs}").status,
        client.send("POST", f"/v1/keys/{theirs}/rotate", b"{}").status,
    ]

    assert set(statuses) == {404}
    assert (
        world.services.stores.documents.all(other.tenant, None),
        world.services.administration.key_admin.all(other.tenant),
    ) == before
    assert world.services.stores.users.state(other.tenant, CANARY).tags == frozenset({CANARY})
