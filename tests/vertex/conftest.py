from collections.abc import Iterator

import pytest

from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import open_world
from tests.vertex.company import Company, found_company


@pytest.fixture
def company(monkeypatch: pytest.MonkeyPatch) -> Iterator[Company]:
    with fresh_home() as home, open_world(home, monkeypatch) as world:
        yield found_company(world)
