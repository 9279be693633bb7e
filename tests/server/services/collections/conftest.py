from collections.abc import Iterator

import pytest

from groundwire.domain.documents.collection import Collection
from tests.support.isolation.policies import PUBLIC, for_users
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world

HELD = "Rules on travel, leave and expenses."
CLOSED = "Salaries of the board."


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with fresh_home() as home, open_world(home, monkeypatch) as opened:
        yield opened


@pytest.fixture
def tenant(world: World) -> str:
    """A tenant with an open collection, one that only ana may read, and an empty one; all are described."""
    made = world.tenant("amber")
    world.ingest(made, "The open pump.", PUBLIC, path="/nowhere/open.txt", collection="open", doc_id="open")
    world.ingest(
        made, "The closed pump.", for_users("ana"), path="/nowhere/vault.txt", collection="vault", doc_id="vault"
    )
    for name, description in (("open", HELD), ("vault", CLOSED), ("empty", "Nothing yet.")):
        world.services.stores.collections.put(made, Collection(name, 0.4, None, description))
    return made
