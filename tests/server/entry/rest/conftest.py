from collections.abc import Iterator
from dataclasses import replace

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.options import USUAL_OPTIONS
from tests.server.entry.rest.api import Api, api, key
from tests.server.entry.rest.provider_company import company, provider
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world

__all__ = ["company", "provider"]


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


@pytest.fixture(params=["collections", "dialects"])
def bound(request: pytest.FixtureRequest) -> str:
    """Kind of the bound of an administrator."""
    return str(request.param)


@pytest.fixture
def bounded(world: World, tenant: str, bound: str) -> Api:
    """An administrator of one collection, or of one dialect."""
    if bound == "collections":
        return api(key(world, tenant, Scope.ADMIN, collections=frozenset({"handbook"})))
    return api(key(world, tenant, Scope.ADMIN, options=replace(USUAL_OPTIONS, dialects=frozenset({"openai"}))))
