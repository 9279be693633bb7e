from collections.abc import Iterator

import pytest

from groundwire.dialects import DIALECTS
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    # A dialect that is off by default has to keep the promise too: switched off, it would only answer 404.
    monkeypatch.setenv("GROUNDWIRE_DIALECTS", " ".join(dialect.name for dialect in DIALECTS))
    with fresh_home() as home, open_world(home, monkeypatch) as opened:
        yield opened
