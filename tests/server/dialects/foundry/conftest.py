from collections.abc import Iterator

import pytest

from tests.server.dialects.foundry.edge import Edge, edge
from tests.support.isolation.policies import NO_READERS, PUBLIC, for_users
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with fresh_home() as home, open_world(home, monkeypatch) as opened:
        yield opened


@pytest.fixture
def tenant(world: World) -> str:
    """Two collections that everybody may read in, one that ana alone may, and one that nobody may."""
    made = world.tenant("amber")
    world.ingest(made, "Reset the device by its red button.", PUBLIC, path="/nowhere/manual.txt", collection="guides")
    world.ingest(made, "The device has a battery.", PUBLIC, path="/nowhere/battery.txt", collection="guides")
    world.ingest(made, b"Cover.\n\nReset the pump.", PUBLIC, path="/nowhere/pump.pdf", collection="pumps")
    world.ingest(made, "Reset the safe.", for_users("ana"), path="/nowhere/safe.txt", collection="private")
    world.ingest(made, "Reset the vault.", NO_READERS, path="/nowhere/vault.txt", collection="closed")
    return made


@pytest.fixture
def ben(world: World, tenant: str) -> Edge:
    """A client with a personal key, which can read in two collections."""
    return edge(world, world.personal_key(tenant, "ben", frozenset()))


@pytest.fixture
def ana(world: World, tenant: str) -> Edge:
    """A client with a personal key, which can read in three collections."""
    return edge(world, world.personal_key(tenant, "ana", frozenset()))
