"""Strictness leaves out what is less relevant: each step is a part of the one before, in the same order."""

from itertools import pairwise
from typing import Any

import pytest

from groundwire.dialects.foundry import search, strictness
from groundwire.domain.search.relevance import ModelFits, RelevanceFit
from groundwire.domain.search.request import SearchMode
from groundwire.settings.relevance_fits import relevance_fits_text
from tests.server.dialects.foundry.edge import Edge, edge
from tests.support.isolation.policies import PUBLIC
from tests.support.models.hashed_words import HashedWords
from tests.support.worlds.world import World

FIT = RelevanceFit(intercept=-4.0, window=4.0, passage=4.0, words=3.0, size=0.1, rerank=0.0, floor=0.9)
NAMES = ["guides", "pumps", "edgeragapp", "parts"]
QUESTION = "reset the pump of the device"


@pytest.fixture
def parts(world: World, tenant: str, monkeypatch: pytest.MonkeyPatch) -> Edge:
    """A client of a server with fits for its model, whose floor would leave nothing; 30 more passages."""
    fits = [ModelFits(HashedWords.model.name, None, FIT, FIT)]
    monkeypatch.setenv("GROUNDWIRE_RELEVANCE_FITS", relevance_fits_text(fits))
    words = ["reset", "the", "pump", "of", "device", "valve", "bolt"]
    for number in range(30):
        chosen = [word for place, word in enumerate(words) if number >> (place % 5) & 1]
        text = f"Part {number}: {' '.join(chosen)} {number * 7919 % 1009}."
        world.ingest(tenant, text, PUBLIC, path=f"/nowhere/part{number}.txt", collection="parts")
    key = world.personal_key(tenant, "ben", frozenset())
    world.reopen()
    return edge(world, key)


def answers(client: Edge, tool: str, **arguments: object) -> list[dict[str, Any]]:
    """Return the answer of each step, from 0 to 5."""
    return [
        client.found(tool, query=QUESTION, collection_names=NAMES, strictness=step, **arguments)
        for step in range(strictness.MAX_STRICTNESS + 1)
    ]


@pytest.mark.parametrize("thresholds", [(0.1, 0.3, 0.5, 0.65, 0.8), (0.2, 0.4, 0.6, 0.7, 0.95)])
@pytest.mark.parametrize("tool", ["search_hybrid", "search_vector", "search_text", "search_multimodal"])
def test_each_step_is_a_part_of_the_one_before_in_the_same_order(
    parts: Edge, monkeypatch: pytest.MonkeyPatch, tool: str, thresholds: tuple[float, ...]
) -> None:
    monkeypatch.setattr(search, "TEXT_THRESHOLDS", dict.fromkeys(SearchMode, thresholds))
    member = "text_chunks" if tool == "search_multimodal" else "results"
    steps = answers(parts, tool, top_n=50)
    for laxer, stricter in pairwise(steps):
        for name in NAMES:
            before, now = laxer[name][member], stricter[name][member]
            assert now == [each for each in before if each in now]
            assert stricter[name]["metadata"]["results_number"] == len(now)
    counts = [sum(len(entry[member]) for entry in step.values()) for step in steps]
    assert counts[0] > counts[-1]
    assert len(set(counts)) > 2


def test_step_0_returns_everything_and_no_floor_but_the_keys_applies(world: World, tenant: str, parts: Edge) -> None:
    everything = parts.results("search_hybrid", query=QUESTION, collection_names=["parts"], strictness=0, top_n=50)
    assert len(everything) >= 25
    assert min(each["score"] for each in everything) < FIT.floor
    firm = edge(world, world.acting_key(tenant, floor=1.0), "ben")
    entry = firm.found("search_hybrid", query=QUESTION, collection_names=["parts"], strictness=0)["parts"]
    assert entry["results"] == []
    assert "relevant enough" in entry["metadata"]["notice"]


def test_step_1_is_the_default(parts: Edge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "TEXT_THRESHOLDS", dict.fromkeys(SearchMode, (0.5, 0.6, 0.7, 0.8, 0.9)))
    lax, first, *_ = answers(parts, "search_hybrid")
    assert parts.found("search_hybrid", query=QUESTION, collection_names=NAMES) == first != lax


def test_strictness_is_applied_after_the_number_of_results(parts: Edge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "TEXT_THRESHOLDS", dict.fromkeys(SearchMode, (0.5, 0.6, 0.7, 0.8, 0.9)))
    few = parts.results("search_hybrid", query=QUESTION, collection_names=["parts"], strictness=0, top_n=3)
    kept = parts.results("search_hybrid", query=QUESTION, collection_names=["parts"], strictness=5, top_n=3)
    assert all(each in few for each in kept)


def test_the_strictness_of_a_kind_is_its_own_and_that_of_both_where_it_has_none(
    parts: Edge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "TEXT_THRESHOLDS", dict.fromkeys(SearchMode, (0.5, 0.6, 0.7, 0.8, 1.0)))

    def count(**arguments: object) -> int:
        [entry] = parts.found("search_multimodal", query=QUESTION, collection_names=["parts"], **arguments).values()
        return len(entry["text_chunks"])

    assert count(text_strictness=0) == count(strictness=0) == count(strictness=5, text_strictness=0) == 5
    assert count(text_strictness=5) == count(strictness=5) == count(strictness=0, text_strictness=5) == 0
    assert count(image_strictness=5, text_strictness=0) == 5
