"""Lexical and semantic searches find rows that the previous release stored, and reveal nothing of hidden ones."""

from collections.abc import Sequence

import pytest

from groundwire.adapters.opensearch.backing_indexes import backing_index_name
from groundwire.domain.access.policy import Policy
from groundwire.domain.search.request import SearchMode
from groundwire.ports import GenerationState, Index, IndexGeneration
from groundwire.ports.indexes import IndexKind
from tests.support.documents.index_documents import (
    MODEL,
    PUBLIC,
    TENANT,
    FoundPhrase,
    for_tags,
    found,
    matching,
    phrase,
    put,
    query,
    search,
    segment,
    texts,
)
from tests.support.opensearch.earlier_release import body_before, put_before
from tests.support.opensearch.indexes import Opened
from tests.support.opensearch.signed_calls import call

FIRST = backing_index_name(TENANT, 1, IndexKind.PASSAGES)
NOTES = ("the pump of the plant", "pumps and valves", "a contract about pumps", "東京都の休暇")


@pytest.fixture
def index(anew: Opened) -> Index:
    assert call(anew.emulated.url, "PUT", f"/{FIRST}", body_before(anew.emulated.name, MODEL))[0] == 200
    generation = IndexGeneration(1, MODEL)
    anew.index_generations.write(TENANT, GenerationState(live=generation, building=None, highest_number=1), None)
    store(anew, "old", NOTES, PUBLIC)
    return anew.indexes.for_tenant(TENANT)


def store(there: Opened, doc_id: str, notes: Sequence[str], policy: Policy) -> None:
    custom_ids = there.emulated.name != "serverless-classic"
    segments = [segment(doc_id, number, text) for number, text in enumerate(notes)]
    put_before(there.emulated.url, FIRST, segments, policy, MODEL, custom_ids=custom_ids)
    there.emulated.become_visible()


def by_keywords(index: Index, text: str) -> set[str]:
    (scores,) = search(index, query([phrase(text)], mode=SearchMode.LEXICAL))
    return set(texts(scores))


def numbers(scores: FoundPhrase) -> list[object]:
    return [*zip(scores.keys, scores.bm25, scores.vector, scores.window, strict=True), scores.bm25_limit]


def test_they_are_found_by_keywords_alone_beside_new_ones(anew: Opened, index: Index) -> None:
    assert by_keywords(index, "contracts") == {"a contract about pumps"}
    assert by_keywords(index, "休暇") == {"東京都の休暇"}
    put(index, "new", ["a pump, brand new"])
    anew.emulated.become_visible()
    assert by_keywords(index, "pump") == {*NOTES[:3], "a pump, brand new"}
    assert matching(index, "valve") == {"pumps and valves"}


def test_one_that_only_its_words_found_has_its_similarities(anew: Opened, index: Index) -> None:
    before = len(anew.emulated.calls)
    (shallow,) = search(index, query([phrase("contract")], depth=1))
    assert len(anew.emulated.calls) - before <= 3
    deep = found(index, "contract")
    known = dict(zip(deep.keys, zip(deep.vector, deep.window, strict=True), strict=True))
    for key, near, window in zip(shallow.keys, shallow.vector, shallow.window, strict=True):
        assert (pytest.approx(near, abs=1e-6), window) == known[key]
    assert any(score > 0 for score in shallow.bm25)


def test_hidden_ones_change_no_bit(anew: Opened, index: Index) -> None:
    before = [numbers(found(index, text)) for text in ("pump contract", "quetzal")]
    store(anew, "closed", ["quetzal contract", "pump " * 20], for_tags("board"))
    assert [numbers(found(index, text)) for text in ("pump contract", "quetzal")] == before


def test_the_next_ingestion_of_the_document_replaces_them(anew: Opened, index: Index) -> None:
    put(index, "old", NOTES)
    anew.emulated.become_visible()
    assert index.count_rows() == len(NOTES)
    (scores,) = search(index, query([phrase("pump")]))
    assert scores.bm25_limit > 0
    assert sorted(texts(scores)) == sorted(NOTES)
