from collections.abc import Iterator

import pytest

from tests.isolation.homes import fresh_home
from tests.isolation.world import World, open_world


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with fresh_home() as home, open_world(home, monkeypatch) as opened:
        yield opened
