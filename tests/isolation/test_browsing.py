"""The promise and the seeded leaks once more, for lists, completions, resources and `fetch`."""

from dataclasses import replace
from typing import Final

import pytest

from groundwire.dialects import DEFAULT, DIALECTS, OPENAI
from tests.isolation.browsing import Browsing
from tests.support.isolation.leaks.browsing import BROWSING_LEAKS
from tests.support.isolation.machine import LeakError
from tests.support.isolation.running import run
from tests.support.worlds.world import World

EVERY_TOOL: Final = replace(DEFAULT, tools=(*DEFAULT.tools, *OPENAI.tools))
WITH_EVERY_TOOL: Final = tuple(EVERY_TOOL if each is DEFAULT else each for each in DIALECTS)


@pytest.fixture(autouse=True)
def short_pages_and_every_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, number in {"RESOURCE_PAGE_ITEMS": 3, "MAX_RECORDS_SCANNED": 4, "_BATCH": 2}.items():
        monkeypatch.setattr(f"groundwire.services.documents.browse.catalog.{name}", number)
    monkeypatch.setattr("groundwire.dialects.DIALECTS", WITH_EVERY_TOOL)


def test_whoever_looks_around_is_shown_exactly_what_may_be_read_at_that_moment(world: World) -> None:
    run(world, examples=8, machine=Browsing)


@pytest.mark.parametrize("bug", BROWSING_LEAKS)
def test_the_browsing_machine_finds_a_product_in_which(bug: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    BROWSING_LEAKS[bug](monkeypatch)
    with pytest.raises(LeakError):
        run(world, examples=20, leaks_only=True, machine=Browsing)
