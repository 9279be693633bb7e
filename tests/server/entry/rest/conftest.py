from collections.abc import Iterator

import pytest

from groundwire.domain.access.scopes import Scope
from tests.server.entry.rest.api import Api, api, key
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    with fresh_home() as home, open_world(home, monkeypatch) as opened:
        yield opened


@pytest.fixture
def tenant(world: World) -> str:
    return world.tenant("amber")


@pytest.fixture
def admin(world: World, tenant: str) -> Api:
    return api(key(world, tenant, Scope.ADMIN))
