"""The promise and the seeded leaks once more, for mails, neighbours of passages, caches and changes of the model."""

from collections.abc import Iterator

import pytest

from tests.isolation.wider import Wider
from tests.support.isolation.leaks.wider import WIDER_LEAKS
from tests.support.isolation.running import expect_leak, run
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_wider_world

BUDGET = 80
"""Histories at most: the rarest bug shows itself only after a change between two restarts."""


@pytest.fixture
def wider_world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with fresh_home() as home, open_wider_world(home, monkeypatch) as opened:
        yield opened


def test_mails_neighbours_caches_and_other_models_show_nobody_more_or_less(wider_world: World) -> None:
    run(wider_world, examples=20, machine=Wider)


@pytest.mark.parametrize("bug", WIDER_LEAKS)
def test_the_wider_machine_finds_a_product_in_which(
    bug: str, wider_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    WIDER_LEAKS[bug](monkeypatch)
    expect_leak(wider_world, bug, examples=BUDGET, machine=Wider)
