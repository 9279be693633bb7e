import pytest

from tests.support.isolation.expectations import Held, Who
from tests.support.isolation.leaks import LEAKS
from tests.support.isolation.leaks.calling import every_collection_is_allowed
from tests.support.isolation.leaks.layers import index_left_behind, no_check, no_filter
from tests.support.isolation.machine import Isolation, LeakError
from tests.support.isolation.running import run
from tests.support.isolation.shown_links import Call, ShownLink
from tests.support.worlds.world import Answer, World

BUDGET = 30
"""Histories: as many as the whole product passes without a leak."""


class SearchesAlone(Isolation):
    """Machine that finds a leak only in the answer to a search."""

    def _expect_access(self, answer: Answer, held: Held | None, who: Who, call: Call) -> None:
        """Accept every verdict about a citation."""

    def _expect_opened(self, *links: ShownLink) -> None:
        """Follow no link."""


@pytest.mark.parametrize("bug", LEAKS)
def test_the_machine_finds_a_product_in_which(bug: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[bug](monkeypatch)
    with pytest.raises(LeakError):
        run(world, examples=BUDGET, leaks_only=True)


def test_searches_alone_show_a_product_in_which_every_collection_is_in_reach(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    every_collection_is_allowed(monkeypatch)
    with pytest.raises(LeakError):
        run(world, examples=BUDGET, leaks_only=True, machine=SearchesAlone)


def test_the_filter_of_the_index_alone_keeps_the_promise(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    no_check(monkeypatch)
    run(world, examples=6)


def test_the_check_against_the_registry_alone_keeps_the_promise(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    no_filter(monkeypatch)
    run(world, examples=6)


def test_the_check_against_the_registry_alone_lets_nothing_through_while_the_index_is_behind(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_filter(monkeypatch)
    index_left_behind(monkeypatch)
    run(world, examples=6, leaks_only=True)
