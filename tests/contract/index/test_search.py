import pytest

from groundwire.domain import errors
from groundwire.ports import Index, Phrase
from tests.contract.index.adapters import EVERY_SERVICE
from tests.support.documents.index_documents import (
    MODEL,
    found,
    matching,
    numbers,
    phrase,
    put,
    put_segments,
    query,
    search,
    segment,
    texts,
    vector,
)

ODD_PHRASES = [
    "",
    "   ",
    "?!…",
    '"AND NOT *',
    "\U0001f600\U0001f468\u200d\U0001f469",
    "\x00",
    "\ud800",
    "(((",
    "a" * 4_000,
]


@EVERY_SERVICE
def test_every_candidate_has_both_scores_and_its_collection(index: Index) -> None:
    put(index, "d", ["cats sleep", "dogs run"], collection="animals")
    put(index, "e", ["running costs"], collection="finance")
    scores = found(index, "run", collections=("animals", "finance"))
    assert len(scores.keys) == len(scores.collections) == len(scores.bm25) == len(scores.vector) == 3
    rows = zip(texts(scores), scores.collections, scores.bm25, scores.vector, strict=True)
    by_text = {text: (collection, lexical, cosine) for text, collection, lexical, cosine in rows}
    assert by_text["cats sleep"][:2] == ("animals", 0)
    assert by_text["running costs"][0] == "finance"
    assert by_text["running costs"][1] > 0
    for text, (_, _, cosine) in by_text.items():
        exact = sum(a * b for a, b in zip(numbers(vector(text)), numbers(vector("run")), strict=True))
        assert cosine == pytest.approx(exact, abs=2e-3)


def test_a_candidate_of_either_signal_has_the_similarity_of_its_whole_passage(index: Index) -> None:
    put(index, "d", [f"note {number} about tea" for number in range(60)])
    put(index, "e", ["a kettle boils", "kettles are sold here and there and everywhere"])
    scores = found(index, "kettle note", depth=3)
    lexical = [at for at, score in enumerate(scores.bm25) if score > 0]
    semantic = sorted(range(len(scores.keys)), key=lambda at: -scores.passage[at])[:3]
    assert set(lexical) - set(semantic), "words found none that is not near"
    for text, similarity in zip(texts(scores), scores.passage, strict=True):
        exact = sum(a * b for a, b in zip(numbers(vector(text)), numbers(vector("kettle note")), strict=True))
        assert similarity == pytest.approx(exact, abs=2e-3)


def test_a_phrase_without_a_vector_finds_by_its_words_alone(index: Index) -> None:
    put(index, "d", ["cats sleep", "dogs run"])
    requested = [Phrase("cats", None), phrase("dogs run")]
    by_keywords, by_both = search(index, query(requested))
    assert texts(by_keywords) == ["cats sleep"]
    assert list(by_keywords.vector) == [0]
    assert set(texts(by_both)) == {"cats sleep", "dogs run"}


def test_only_the_named_collections_are_searched(index: Index) -> None:
    put(index, "d", ["one"], collection="a")
    put(index, "e", ["two"], collection="b")
    assert texts(found(index, collections=("b",))) == ["two"]
    assert texts(found(index, collections=("unknown",))) == []
    assert texts(found(index, collections=("b", "unknown", "b"))) == ["two"]


def test_no_collection_and_no_phrase_mean_no_candidate(index: Index) -> None:
    put(index, "d", ["one"])
    assert [list(scores.keys) for scores in search(index, query([phrase("one")], collections=()))] == [[]]
    assert search(index, query([])) == []


def test_an_empty_index_has_no_candidates(index: Index) -> None:
    assert [list(s.keys) for s in search(index, query([phrase("a"), phrase("b")]))] == [[], []]


def test_each_phrase_gets_its_own_candidates_in_order(index: Index) -> None:
    put(index, "d", ["alpha one", "beta two"])
    both = search(index, query([phrase("alpha one"), phrase("beta two")], depth=1))
    assert [texts(scores) for scores in both] == [["alpha one"], ["beta two"]]


def test_depth_bounds_each_signal(index: Index) -> None:
    put(index, "d", [f"shared word {number}" for number in range(40)])
    put(index, "e", [f"other {number}" for number in range(40)])
    scores = found(index, "shared word", depth=5)
    assert 5 <= len(scores.keys) <= 10
    assert found(index, depth=0).keys in ([], ())


def test_the_best_of_each_signal_are_among_the_candidates(index: Index) -> None:
    put(index, "d", [f"note {number} about tea" for number in range(300)])
    put(index, "e", ["kettle"])
    everything, some = found(index, "kettle"), found(index, "kettle", depth=20)
    best = sorted(zip(everything.vector, everything.keys, strict=True), reverse=True)[:20]
    assert {key for _, key in best} <= set(some.keys)
    assert matching(index, "kettle") == {"kettle"}


def test_of_equal_candidates_the_same_ones_are_chosen_every_time(index: Index) -> None:
    for number in range(30):
        put(index, f"d{number}", ["same text"])
    first_three = found(index, "same text").keys[:3]
    assert all(found(index, "same text", depth=3).keys == first_three for _ in range(3))


def test_words_of_headings_count(index: Index) -> None:
    put_segments(index, [segment("d", 0, "twenty days", heading="Holiday allowance")])
    assert matching(index, "holidays") == {"twenty days"}


@pytest.mark.parametrize("odd", ODD_PHRASES)
def test_any_text_is_an_ordinary_phrase(index: Index, odd: str) -> None:
    put(index, "d", ["plain words"])
    (scores,) = search(index, query([Phrase(odd, vector("odd"))]))
    assert texts(scores) == ["plain words"]
    assert list(scores.bm25) == [0]


def test_operators_are_only_words(index: Index) -> None:
    put(index, "d", ["cats", "dogs"])
    assert matching(index, 'cats NOT "dogs"') == {"cats", "dogs"}
    assert matching(index, "text:cats OR dog*") == {"cats", "dogs"}


def test_a_phrase_vector_of_another_length_is_refused(index: Index) -> None:
    put(index, "d", ["one"])
    with pytest.raises(errors.InvalidInput):
        search(index, query([Phrase("one", vector("one", MODEL.dimension + 1))]))
