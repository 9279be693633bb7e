"""A query's documents and mode narrow before candidates are chosen, and never admit what the access rule denies."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.domain.access.policy import single_policy
from groundwire.domain.filters.expression import Compare, Filter, Operator
from groundwire.domain.search.request import ALL_DOCUMENTS, DocumentSelection, SearchMode
from groundwire.ports import Index, Phrase, VectorIndex
from tests.contract.index.adapters import EVERY_VECTOR_STORE
from tests.support.documents.index_documents import (
    ANYONE,
    PUBLIC,
    doc_ids,
    for_tags,
    found,
    phrase,
    put,
    put_segments,
    query,
    readable,
    search,
    segment,
    someone,
    texts,
)
from tests.support.plugins.draws import examples

COLLECTIONS = ("handbook", "finance")
DOCUMENTS = [f"d{number}" for number in range(8)]
UNKNOWN = "unknown"


def test_only_the_named_documents_are_searched(vectors: VectorIndex) -> None:
    for doc_id in ("a", "b", "c"):
        put(vectors, doc_id, [f"text of {doc_id}"])
    assert readable(vectors, ANYONE, documents=frozenset({"a", "c", UNKNOWN})) == {"a", "c"}
    assert readable(vectors, ANYONE, documents=frozenset({UNKNOWN})) == set()
    assert readable(vectors, ANYONE, documents=frozenset()) == set()
    assert readable(vectors, ANYONE, documents=ALL_DOCUMENTS) == {"a", "b", "c"}


@pytest.mark.parametrize("odd", ["", " ", '"', "*", "\x00", "a' OR '1'='1", "\U0001f600", "x" * 2_000])
def test_any_text_is_an_ordinary_id(vectors: VectorIndex, odd: str) -> None:
    put(vectors, "a", ["text"])
    assert readable(vectors, ANYONE, documents=frozenset({odd})) == set()


def test_a_named_document_that_is_hidden_answers_as_an_unknown_one(vectors: VectorIndex) -> None:
    put(vectors, "closed", ["text one"], for_tags("hr"))
    put(vectors, "elsewhere", ["text two"], collection="vault")
    closed, other_place, unknown = (
        found(vectors, documents=frozenset({name})) for name in ("closed", "elsewhere", UNKNOWN)
    )
    assert closed == other_place == unknown
    assert not closed.keys
    assert readable(vectors, someone("hr"), documents=frozenset({"closed"})) == {"closed"}


def test_documents_narrow_before_the_candidates_are_chosen(vectors: VectorIndex) -> None:
    put(vectors, "noise", [f"holiday allowance {number}" for number in range(60)])
    put(vectors, "wanted", ["holiday"])
    assert texts(found(vectors, "holiday allowance", depth=1, documents=frozenset({"wanted"}))) == ["holiday"]


@EVERY_VECTOR_STORE
def test_every_version_and_every_changed_policy_of_a_named_document_counts(vectors: VectorIndex) -> None:
    put(vectors, "d", ["text one"], version=1)
    put(vectors, "d", ["text two"], version=2)
    named = frozenset({"d"})
    assert sorted(texts(found(vectors, documents=named))) == ["text one", "text two"]
    vectors.prune("d", 2)
    assert texts(found(vectors, documents=named)) == ["text two"]
    vectors.set_readers("d", single_policy(for_tags("hr")))
    assert texts(found(vectors, documents=named)) == []


def test_a_lexical_search_ignores_vectors(index: Index) -> None:
    put(index, "d", ["cats sleep", "dogs run"])
    (lexical,) = search(index, query([phrase("cats")], mode=SearchMode.LEXICAL))
    (unembedded,) = search(index, query([Phrase("cats", None)]))
    assert lexical == unembedded
    assert (texts(lexical), list(lexical.vector)) == (["cats sleep"], [0])


def test_a_lexical_search_finds_the_raw_value_of_a_cell(index: Index) -> None:
    put(index, "other", ["Kiel 48,173.3"])
    put_segments(index, [replace(segment("d", 0, "Aarau 48,173.3"), raw_values=("48173.269418",))])
    (by_value,) = search(index, query([phrase("48173.269418")], mode=SearchMode.LEXICAL))
    assert texts(by_value) == ["Aarau 48,173.3"]


def test_a_semantic_search_ignores_words(index: Index) -> None:
    put(index, "d", [f"cats {number}" for number in range(20)])
    put(index, "e", ["kettle"])
    requested = Phrase("cats", phrase("kettle").vector)
    (semantic,) = search(index, query([requested], depth=1, mode=SearchMode.SEMANTIC))
    assert (texts(semantic), list(semantic.bm25)) == (["kettle"], [0])
    assert semantic.vector[0] == pytest.approx(1, abs=2e-3)
    (nothing,) = search(index, query([Phrase("cats", None)], mode=SearchMode.SEMANTIC))
    assert not nothing.keys


def test_semantic_and_lexical_candidates_are_those_of_both_together(index: Index) -> None:
    put(index, "d", [f"note {number} about tea" for number in range(30)])
    put(index, "e", [f"kettle {number}" for number in range(30)])
    requested = query([phrase("kettle 3")], depth=5)
    keys = {mode: set(search(index, replace(requested, mode=mode))[0].keys) for mode in SearchMode}
    assert keys[SearchMode.HYBRID] == keys[SearchMode.LEXICAL] | keys[SearchMode.SEMANTIC]


def fill(index: Index) -> None:
    """Documents that differ in collection, readers and metadata, each with two passages."""
    for number, doc_id in enumerate(DOCUMENTS):
        policy = PUBLIC if number % 2 else for_tags("hr")
        written = [f"tea {doc_id}", f"kettle {number}"]
        put(index, doc_id, written, policy, collection=COLLECTIONS[number // 4], metadata={"n": float(number % 3)})


def test_whatever_a_query_asks_for_it_finds_nothing_that_it_would_not_find_unnarrowed(index: Index) -> None:
    fill(index)

    @settings(deadline=None, max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        documents=st.just(ALL_DOCUMENTS) | st.frozensets(st.sampled_from([*DOCUMENTS, UNKNOWN])),
        collections=st.lists(st.sampled_from([*COLLECTIONS, UNKNOWN])),
        where=st.none() | st.builds(Compare, st.just("n"), st.sampled_from(list(Operator)[:2]), st.just(1.0)),
        mode=st.sampled_from(SearchMode),
        tags=st.sampled_from([(), ("hr",), ("it",)]),
        depth=st.integers(0, 20),
    )
    def narrowed(
        documents: DocumentSelection,
        collections: list[str],
        where: Filter | None,
        mode: SearchMode,
        tags: tuple[str, ...],
        depth: int,
    ) -> None:
        phrases, who = [phrase("tea kettle")], someone(*tags)
        (whole,) = search(index, query(phrases, who, COLLECTIONS))
        requested = query(phrases, who, collections, depth, where=where, documents=documents, mode=mode)
        (some,) = search(index, requested)
        assert set(some.keys) <= set(whole.keys)
        assert documents == ALL_DOCUMENTS or doc_ids(some) <= documents

    narrowed()
