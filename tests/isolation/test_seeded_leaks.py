from collections.abc import Sequence

import pytest

from groundwire.domain.keys.caller import Caller
from groundwire.services.collections.readable import ReadableCollections
from tests.support.isolation.dialect_calls import DialectCall, Wanted
from tests.support.isolation.draws import COLLECTIONS
from tests.support.isolation.expectations import Held, Who
from tests.support.isolation.leaks import LEAKS
from tests.support.isolation.leaks.browsing import BROWSING_LEAKS
from tests.support.isolation.leaks.calling import every_collection_is_allowed
from tests.support.isolation.leaks.layers import index_left_behind, no_check, no_filter
from tests.support.isolation.machine import Isolation
from tests.support.isolation.running import expect_leak, run
from tests.support.isolation.shown_links import Call, ShownLink
from tests.support.worlds.world import Answer, World

BUDGET = 30
"""Histories: as many as the whole product passes without a leak."""


class SearchesAlone(Isolation):
    """Machine that finds a leak only in the answer to a search."""

    def _expect_access(self, answer: Answer, held: Held | None, who: Who, call: Call) -> None:
        """Accept every decision about a citation."""

    def _expect_opened(self, *links: ShownLink) -> None:
        """Follow no link."""

    def _call_dialect(self, each: DialectCall, call: Call, wanted: Wanted) -> None:
        """Call no other dialect."""


class DialectsAlone(Isolation):
    """Machine that finds a leak only in the answers of the dialects' calls."""

    def _search(self, call: Call, phrases: list[str]) -> None:
        """Ask nothing."""

    def _verify(self, call: Call, uid: str) -> None:
        """Verify nothing."""


@pytest.mark.parametrize("bug", LEAKS)
def test_the_machine_finds_a_product_in_which(bug: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[bug](monkeypatch)
    expect_leak(world, bug, examples=BUDGET)


def test_searches_alone_show_a_product_in_which_every_collection_is_in_reach(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    every_collection_is_allowed(monkeypatch)
    expect_leak(world, "every collection is in reach", examples=BUDGET, machine=SearchesAlone)


def closed_collections_exist(patch: pytest.MonkeyPatch) -> None:
    """Make a collection that is requested alone exist, with or without a document that the caller may read."""
    confirmed = ReadableCollections.existing

    def existing(readable: ReadableCollections, caller: Caller, names: Sequence[str]) -> frozenset[str]:
        alone = frozenset(names) if len(names) == 1 else frozenset[str]()
        return confirmed(readable, caller, names) | (alone & frozenset(COLLECTIONS))

    patch.setattr(ReadableCollections, "existing", existing)


@pytest.mark.parametrize("bug", BROWSING_LEAKS)
def test_the_dialects_alone_show_a_product_in_which(bug: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    BROWSING_LEAKS[bug](monkeypatch)
    expect_leak(world, bug, examples=BUDGET, machine=DialectsAlone)


def test_the_dialects_alone_show_a_product_that_reports_which_collections_there_are(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed_collections_exist(monkeypatch)
    expect_leak(world, "it tells which collections there are", examples=BUDGET, machine=DialectsAlone)


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
