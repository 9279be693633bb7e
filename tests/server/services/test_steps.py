"""Steps in the trace of a search: reranking, filters, depth, and the reason for a passage's rank."""

from collections.abc import Sequence
from typing import cast

import pytest

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import NotFound
from groundwire.domain.filters.own.parser import parse_filter
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import MAX_REGISTRY_READS
from groundwire.ports import Embedders, ModelId, Reranker
from groundwire.services.search import Search, Trace
from groundwire.services.search.explanation import explain
from tests.server.services.search_requests import requested
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.models.hashed_words import HashedWords, OnlyHashedWords
from tests.support.worlds.world import World

TEXTS = {
    "long": "The pump and its valve, with much about hoses, filters, seals, springs and housings beside them.",
    "short": "The pump.",
    "valve": "A valve for the pump.",
    "other": "Holidays are booked in spring.",
}


class ByLength:
    """A reranker that likes short passages."""

    name = "by-length"

    def __init__(self) -> None:
        self.requested: list[tuple[str, Sequence[str]]] = []

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        self.requested.append((query, passages))
        return [-float(len(passage)) for passage in passages]


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    for doc_id, text in TEXTS.items():
        world.ingest(made, text, PUBLIC, path=f"/nowhere/{doc_id}.txt", doc_id=doc_id)
    return made


def asking(tenant: str, user: str | None = None) -> Caller:
    principal = Principal(tenant, user, frozenset())
    return Caller(principal, "kid", KeyKind.ACT_AS, frozenset({Scope.SEARCH}), ALL_COLLECTIONS, USUAL_OPTIONS)


def searching(world: World, reranker: Reranker | None) -> Search:
    services = world.services
    return Search(
        services.stores.indexes,
        services.models.embedders,
        services.stores.documents,
        services.stores.collections,
        reranker,
        (),
        services.clock,
    )


def ids(trace: Trace) -> list[str]:
    return [passage.segment.doc_id for passage in trace.answer]


def test_a_reranker_orders_what_survived_by_the_users_own_words(world: World, tenant: str) -> None:
    reranker = ByLength()
    trace = searching(world, reranker).traced(*requested(asking(tenant), ["pump valve", "hose"], 8))
    assert ids(trace) == ["short", "valve", "other", "long"]
    assert sorted(ids(trace)) == sorted(passage.segment.doc_id for passage in trace.distinct)
    [(question, passages)] = reranker.requested
    assert question == "pump valve"
    assert [text.partition("\n")[2] for text in passages] == [p.segment.text for p in trace.distinct]


def test_a_reranker_sees_more_passages_than_are_answered_and_none_that_may_not_be_read(
    world: World, tenant: str
) -> None:
    world.services.administration.document_admin.override_policy(tenant, "short", NO_READERS)
    reranker = ByLength()
    assert ids(searching(world, reranker).traced(*requested(asking(tenant), ["pump valve"], 1))) == ["valve"]
    [(_, passages)] = reranker.requested
    assert len(passages) == 3
    assert not any(text.endswith(TEXTS["short"]) for text in passages)


def test_a_search_that_finds_nothing_calls_no_reranker(world: World) -> None:
    reranker = ByLength()
    assert searching(world, reranker)(*requested(asking(world.tenant("birch")), ["pump"], 8)).passages == ()
    assert reranker.requested == []


def test_a_filter_narrows_what_may_be_read_and_opens_nothing(world: World, tenant: str) -> None:
    search = world.services.reading.search
    world.services.administration.document_admin.override_policy(tenant, "short", NO_READERS)
    assert search(*requested(asking(tenant), ["pump"], 8, parse_filter("year = 2024"))).passages == ()
    everything = parse_filter("not (year = 2024)")
    assert {p.segment.doc_id for p in search(*requested(asking(tenant), ["pump"], 8, everything)).passages} == {
        "long",
        "valve",
        "other",
    }


def test_phrases_are_embedded_by_the_model_that_made_the_index(world: World, tenant: str) -> None:
    class Request(OnlyHashedWords):
        def for_model(self, model: ModelId) -> HashedWords:
            raise NotFound(f"There is no model {model.name!r} here.")

    services = world.services
    embedders = cast("Embedders", Request())
    search = Search(
        services.stores.indexes,
        embedders,
        services.stores.documents,
        services.stores.collections,
        None,
        (),
        services.clock,
    )
    with pytest.raises(NotFound, match="hashed-words"):
        search(*requested(asking(tenant), ["pump"], 8))


def test_as_many_are_looked_up_as_may_be_read_at_once_unless_more_are_wanted(world: World, tenant: str) -> None:
    pages = "\n\n".join(f"Pump {number} of the series, {number * 7919} in all." for number in range(160))
    world.ingest(tenant, pages, PUBLIC, path="/nowhere/series.txt")
    search = world.services.reading.search
    looked_up = {
        top_n: len(search.traced(*requested(asking(tenant), ["pump"], top_n), depth=200).fused) for top_n in (1, 20, 90)
    }
    assert looked_up == {1: 24, 20: 60, 90: MAX_REGISTRY_READS}
    assert len(search.traced(*requested(asking(tenant), ["pump"], 150), depth=200).answer) == 150


def test_an_explanation_reports_the_ranks_of_every_step(world: World, tenant: str) -> None:
    world.ingest(tenant, TEXTS["valve"], PUBLIC, path="/nowhere/copy.txt", doc_id="copy")
    world.services.administration.document_admin.override_policy(tenant, "long", NO_READERS)
    trace = searching(world, ByLength()).traced(*requested(asking(tenant), ["a valve for the pump"], 8))
    short, valve, other = explain(trace)
    assert [each.passage.segment.doc_id for each in (short, valve, other)] == ["short", "valve", "other"]
    assert (valve.fused, valve.admitted, valve.distinct, valve.reranked) == (1, 1, 1, 2)
    assert (short.fused, short.distinct, short.reranked) == (3, 2, 1)
    assert [other_.segment.doc_id for other_ in valve.passage.also_in] == ["copy"]
    assert short.rerank_score is not None
    assert valve.main_contribution.bm25_rank == valve.main_contribution.vector_rank == 1
    assert other.main_contribution.bm25_rank is None


def test_the_shares_of_phrases_add_up_to_the_score_and_the_largest_is_named(world: World, tenant: str) -> None:
    trace = world.services.reading.search.traced(*requested(asking(tenant), ["pump", "holidays in spring"], 8))
    found = {each.passage.segment.doc_id: each for each in explain(trace)}
    for each in found.values():
        assert sum(view.share for view in each.by_phrase) == pytest.approx(each.passage.score)
    assert found["other"].main_contribution.phrase == "holidays in spring"
    assert found["short"].main_contribution.phrase == "pump"
    assert found["short"].reranked is None


def test_an_explanation_quotes_the_window_that_matched_best(world: World, tenant: str) -> None:
    filler = "Nothing of interest stands in this sentence about the weather of the coast. " * 5
    telling = "The zebra has its lair behind the old mill and sleeps there until noon. " * 4
    world.ingest(tenant, f"{filler}{telling}{filler}".strip(), PUBLIC, path="/nowhere/tale.txt", doc_id="tale")
    [tale, *_] = explain(world.services.reading.search.traced(*requested(asking(tenant), ["zebra lair mill"], 8)))
    window = tale.main_contribution.window
    assert tale.passage.segment.doc_id == "tale"
    assert window is not None
    assert "zebra" in window
    assert len(window) < len(tale.passage.segment.text) / 2
    assert tale.main_contribution.vector > (tale.main_contribution.passage or 0)
