from collections.abc import Iterator

import pytest

from tests.server.dialects.opensearch.node import Node, started_node
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with fresh_home() as home, open_world(home, monkeypatch) as opened:
        yield opened


@pytest.fixture
def node(world: World) -> Node:
    return started_node(world)
