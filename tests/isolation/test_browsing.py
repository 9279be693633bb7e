"""The promise and the seeded leaks once more, for lists, completions, resources and `fetch`."""

from dataclasses import replace
from typing import Final

import pytest

from groundwire.dialects import DEFAULT, DIALECTS, OPENAI
from groundwire.dialects.declaration.dialect import Dialect
from tests.isolation.browsing import Browsing
from tests.support.isolation.dialect_calls import DIALECT_CALLS
from tests.support.isolation.leaks.browsing import BROWSING_LEAKS
from tests.support.isolation.running import expect_leak, run
from tests.support.worlds.world import World

WITH_TOOLS_OF_OPENAI: Final = tuple(replace(each, tools=OPENAI.tools) if each is DEFAULT else each for each in DIALECTS)
"""The dialects, but for the callers of the machine `fetch` is OpenAI's."""


class BrowsingWithToolsOfOpenai(Browsing):
    """The same promise where keys of the default toolset have OpenAI's tools."""

    calls = tuple(each for each in DIALECT_CALLS if each.toolset != "default")


@pytest.fixture(autouse=True)
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, number in {"RESOURCE_PAGE_ITEMS": 3, "MAX_RECORDS_SCANNED": 4, "_BATCH": 2}.items():
        monkeypatch.setattr(f"groundwire.services.documents.browse.catalog.{name}", number)


@pytest.mark.parametrize(
    ("dialects", "machine"),
    [(DIALECTS, Browsing), (WITH_TOOLS_OF_OPENAI, BrowsingWithToolsOfOpenai)],
    ids=["fetch of default", "fetch of openai"],
)
def test_whoever_looks_around_is_shown_exactly_what_may_be_read_at_that_moment(
    dialects: tuple[Dialect, ...], machine: type[Browsing], world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.dialects.DIALECTS", dialects)
    run(world, examples=8, machine=machine)


@pytest.mark.parametrize("bug", BROWSING_LEAKS)
def test_the_browsing_machine_finds_a_product_in_which(bug: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    BROWSING_LEAKS[bug](monkeypatch)
    expect_leak(world, bug, examples=20, machine=Browsing)
