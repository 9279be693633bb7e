import pytest

from tests.support.isolation.leaks import LEAKS
from tests.support.isolation.leaks.layers import index_left_behind, no_check, no_filter
from tests.support.isolation.machine import LeakError
from tests.support.isolation.running import run
from tests.support.worlds.world import World

BUDGET = 30
"""Histories: as many as the whole product passes without a leak."""


@pytest.mark.parametrize("bug", LEAKS)
def test_the_machine_finds_a_product_in_which(bug: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[bug](monkeypatch)
    with pytest.raises(LeakError):
        run(world, examples=BUDGET, leaks_only=True)


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
