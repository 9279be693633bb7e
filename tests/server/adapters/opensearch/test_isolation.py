"""The promise of isolation with the index on a real OpenSearch, while it is seen at once and while it lags behind."""

from collections.abc import Generator

import pytest

from tests.support.isolation.leaks.layers import no_check
from tests.support.isolation.machine import LeakError
from tests.support.isolation.running import run
from tests.support.opensearch.emulator import opened
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.on_opensearch import AFTER_ITS_TIME, Lagging, open_lagging_world, open_world_at
from tests.support.worlds.world import World

HISTORIES = 2


@pytest.fixture
def prompt(service: str, opensearch_url: str, monkeypatch: pytest.MonkeyPatch) -> Generator[World]:
    """Searches see what was written before."""
    with (
        fresh_home() as home,
        opened(opensearch_url, service) as emulated,
        open_world_at(emulated, home, monkeypatch) as world,
    ):
        yield world


@pytest.fixture(params=AFTER_ITS_TIME)
def lagging(request: pytest.FixtureRequest, opensearch_url: str, monkeypatch: pytest.MonkeyPatch) -> Generator[Lagging]:
    """Yield a world whose searches see changes with a delay."""
    with open_lagging_world(opensearch_url, str(request.param), monkeypatch) as world:
        yield world


def test_every_caller_is_shown_exactly_what_the_callers_person_may_read(prompt: World) -> None:
    run(prompt, examples=HISTORIES)


def test_the_filter_in_the_engine_alone_keeps_the_promise(prompt: World, monkeypatch: pytest.MonkeyPatch) -> None:
    no_check(monkeypatch)
    run(prompt, examples=HISTORIES)


def test_an_index_that_lags_behind_shows_nobody_what_was_taken_from_them(lagging: World) -> None:
    run(lagging, examples=HISTORIES, leaks_only=True)


def test_without_the_registry_an_index_that_lags_behind_does(lagging: World, monkeypatch: pytest.MonkeyPatch) -> None:
    no_check(monkeypatch)
    with pytest.raises(LeakError):
        run(lagging, examples=4 * HISTORIES, leaks_only=True)
