"""The nearest rows by vectors, which every store of vectors finds under the access rule."""

from dataclasses import replace

import pytest

from groundwire.domain import errors
from groundwire.domain.search.request import SearchMode
from groundwire.ports import Index, Phrase, VectorIndex
from tests.support.documents.index_documents import (
    ANYONE,
    MODEL,
    all_keys,
    for_tags,
    phrase,
    put,
    query,
    search,
    someone,
    vector,
)


def found_texts(vectors: VectorIndex, text: str, depth: int, *tags: str) -> list[str]:
    hits = vectors.nearest(query([phrase(text)], someone(*tags), depth=depth), all_keys)
    return [each.text for each in hits.segments.values()]


def test_nearest_returns_the_nearest_rows_that_the_principal_may_read(vectors: VectorIndex) -> None:
    put(vectors, "closed", ["kettle"], for_tags("hr"))
    put(vectors, "open", ["kettle and cups", "tea"])
    assert found_texts(vectors, "kettle", 1, "hr") == ["kettle"]
    assert found_texts(vectors, "tea", 1) == ["tea"]
    assert set(found_texts(vectors, "kettle", 5)) == {"kettle and cups", "tea"}


@pytest.mark.parametrize("mode", SearchMode)
def test_nearest_ignores_words_whatever_the_mode_of_the_query(vectors: VectorIndex, mode: SearchMode) -> None:
    put(vectors, "d", ["cats", "kettle"])
    requested = Phrase("cats", vector("kettle"))
    hits = vectors.nearest(query([requested], depth=1, mode=mode), all_keys)
    assert [each.text for each in hits.segments.values()] == ["kettle"]
    assert [list(each.bm25) for each in hits.scores] == [[0]]


def test_nearest_returns_no_candidate_for_a_phrase_without_a_vector(vectors: VectorIndex) -> None:
    put(vectors, "d", ["cats"])
    hits = vectors.nearest(query([Phrase("cats", None), phrase("cats")]), all_keys)
    assert [len(each.keys) for each in hits.scores] == [0, 1]


def test_nearest_refuses_a_principal_of_another_tenant_and_a_vector_of_another_length(vectors: VectorIndex) -> None:
    put(vectors, "d", ["cats"])
    with pytest.raises(errors.Forbidden):
        vectors.nearest(query([phrase("cats")], replace(ANYONE, tenant="other")), all_keys)
    with pytest.raises(errors.InvalidInput):
        vectors.nearest(query([Phrase("cats", vector("cats", MODEL.dimension + 1))]), all_keys)


def test_nearest_of_an_engine_with_words_is_its_semantic_search(index: Index) -> None:
    put(index, "d", [f"note {number} about tea" for number in range(30)])
    requested = query([phrase("note 3"), phrase("tea")], depth=4)
    semantic = replace(requested, mode=SearchMode.SEMANTIC)
    assert index.nearest(requested, all_keys) == index.search(semantic, all_keys)
    assert [len(each.keys) for each in search(index, semantic)] == [4, 4]
