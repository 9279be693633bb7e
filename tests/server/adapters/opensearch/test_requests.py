"""A search and the reading of what it found are three requests, seldom four, and two for one signal."""

from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.opensearch import SERVICES
from groundwire.adapters.opensearch.backing_indexes import BackingIndex, backing_index_name
from groundwire.adapters.opensearch.index import OpenSearchIndex
from groundwire.adapters.opensearch.write.index_mapping import IndexMapping
from groundwire.domain.access.policy import single_policy
from groundwire.domain.limits import CANDIDATES_PER_SIGNAL, MAX_REGISTRY_READS
from groundwire.domain.search.fusion import fuse
from groundwire.domain.search.request import SearchMode
from groundwire.ports import DocumentVersion, Index, Phrase, SelectRows
from groundwire.ports.indexes import IndexKind
from tests.server.adapters.opensearch.random_engine import RandomEngine
from tests.support.documents.index_documents import (
    MODEL,
    PUBLIC,
    TENANT,
    normalised,
    phrase,
    put_segments,
    query,
    search,
    segment,
    with_vectors,
)
from tests.support.opensearch.indexes import Opened, opened
from tests.support.opensearch.signed_calls import call
from tests.support.plugins.draws import examples

_SEARCHES = 200
_DOCUMENTS = 8
_PASSAGES = 60


def index_on(engine: RandomEngine) -> Index:
    name = backing_index_name(TENANT, 1, IndexKind.PASSAGES)
    rules = SERVICES["opensearch"]
    backing = BackingIndex(name, MODEL, IndexMapping(engine, rules, name, MODEL), lambda: None)
    return OpenSearchIndex(engine, rules, TENANT, MODEL, lambda: backing, lambda: backing)


def selecting(weight: float, limit: int) -> SelectRows:
    """Selects as a search does: the best by both signals."""
    return lambda scores: [each.key for each in fuse(scores, {"handbook": weight}, limit)]


def phrase_of(number: int) -> Phrase:
    return Phrase(str(number), normalised([float(place == number) for place in range(MODEL.dimension)]))


@settings(deadline=None, max_examples=examples(60))
@given(
    seed=st.integers(0, 2**32),
    rows=st.integers(0, 120),
    phrases=st.integers(1, 5),
    depth=st.integers(1, CANDIDATES_PER_SIGNAL),
    weight=st.floats(0, 1),
    limit=st.integers(1, MAX_REGISTRY_READS),
)
def test_whatever_the_scores_all_that_is_read_is_there_after_four_requests(
    seed: int, rows: int, phrases: int, depth: int, weight: float, limit: int
) -> None:
    engine = RandomEngine(Random(seed), rows, phrases)
    index = index_on(engine)
    requested = query([phrase_of(number) for number in range(phrases)], depth=depth)
    hits = index.search(requested, selecting(weight, limit))
    keys = selecting(weight, limit)(hits.scores)
    assert hits.segments == {key: engine.segments[str(key)] for key in keys}
    assert engine.requested <= 4


@settings(deadline=None, max_examples=examples(30))
@given(
    seed=st.integers(0, 2**32),
    rows=st.integers(0, 120),
    depth=st.integers(1, CANDIDATES_PER_SIGNAL),
    mode=st.sampled_from([SearchMode.LEXICAL, SearchMode.SEMANTIC]),
)
def test_a_search_by_one_signal_is_two_requests_at_most(seed: int, rows: int, depth: int, mode: SearchMode) -> None:
    engine = RandomEngine(Random(seed), rows, phrases=3)
    requested = query([phrase_of(number) for number in range(3)], depth=depth, mode=mode)
    hits = index_on(engine).search(requested, selecting(0.4, 20))
    assert hits.segments.keys() == set(selecting(0.4, 20)(hits.scores))
    assert engine.requested <= 2


def test_rows_deleted_since_they_were_found_are_not_requested_again() -> None:
    engine = RandomEngine(Random(7), rows=120, phrases=2)
    index, requested = index_on(engine), query([phrase_of(0), phrase_of(1)], depth=20)
    keys = [str(key) for key in index.search(requested, selecting(0.4, 30)).segments]
    engine.vanish_behind(1, keys[:3])
    assert list(index.search(requested, lambda _: keys).segments) == keys[3:]
    assert engine.requested <= 3 + 3


def test_a_deeper_search_than_any_call_makes_is_read_by_itself() -> None:
    engine = RandomEngine(Random(7), rows=1_200, phrases=1)
    index = index_on(engine)
    (scores,) = search(index, query([phrase_of(0)], depth=700))
    assert len(scores.keys) > 750
    assert len(scores.segments) == len(scores.keys)
    assert engine.requested == 3


def test_of_random_searches_of_a_real_engine_one_in_ten_at_most_takes_a_fourth_request(
    opensearch_url: str, tmp_path: Path
) -> None:
    chance, words = Random(11), [f"word{number}" for number in range(60)]

    def some(number: int) -> str:
        return " ".join(chance.choices(words, k=number))

    with opened(opensearch_url, "opensearch", tmp_path, MODEL) as there:
        index = there.indexes.for_tenant(TENANT)
        for document in range(_DOCUMENTS):
            texts = [segment(f"d{document}", ordinal, some(12)) for ordinal in range(_PASSAGES)]
            inputs = [with_vectors(each, *[some(4) for _ in range(chance.randrange(3))]) for each in texts]
            index.put(DocumentVersion(f"d{document}", 1), single_policy(PUBLIC), inputs)
        needed: list[int] = []
        for _ in range(_SEARCHES):
            before = len(there.emulated.calls)
            phrases = [phrase(some(chance.randint(1, 6))) for _ in range(chance.randint(1, 5))]
            requested = query(phrases, depth=chance.choice([5, 20, CANDIDATES_PER_SIGNAL]))
            select = selecting(chance.random(), chance.randint(1, 60))
            hits = index.search(requested, select)
            assert list(hits.segments) == select(hits.scores)
            needed.append(len(there.emulated.calls) - before)
        assert max(needed) <= 4
        assert sum(number == 4 for number in needed) <= _SEARCHES // 10
        there.indexes.drop(TENANT)


def test_a_segment_too_large_for_a_doc_value_is_read_all_the_same(anew: Opened) -> None:
    noise = Random(3)
    large = " ".join(f"{noise.getrandbits(64):x}" for _ in range(6_000))
    index = anew.indexes.for_tenant(TENANT)
    put_segments(index, [segment("d", 0, large), segment("d", 1, "a small text")])
    anew.emulated.become_visible()
    for mode in SearchMode:
        (scores,) = search(index, query([phrase(large.split()[0])], mode=mode))
        if mode is not SearchMode.LEXICAL:
            assert {each.text for each in scores.segments.values()} == {large, "a small text"}
        else:
            assert [each.text for each in scores.segments.values()] == [large]
    assert [each.text for each in index.segments(DocumentVersion("d", 1))] == [large, "a small text"]


def test_a_passage_that_is_there_twice_takes_no_place_of_another(opensearch_url: str, tmp_path: Path) -> None:
    with opened(opensearch_url, "serverless-classic", tmp_path, MODEL) as there:
        index = there.indexes.for_tenant(TENANT)
        put_segments(index, [segment("d", ordinal, f"text {ordinal}") for ordinal in range(10)])
        copy_all(there)
        put_segments(index, [segment("e", ordinal, f"text {ordinal}") for ordinal in range(10)])
        there.emulated.become_visible()
        (scores,) = search(index, query([phrase("text 3")], depth=15))
        assert len(scores.segments) == len(scores.keys) > 10
        there.indexes.drop(TENANT)


def copy_all(there: Opened) -> None:
    """Store each document twice, as after a bulk request with an unknown outcome."""
    name = backing_index_name(TENANT, 1, IndexKind.PASSAGES)
    there.emulated.become_visible()
    _, answer = call(there.emulated.url, "POST", f"/{name}/_search", {"size": 1_000})
    lines: list[object] = []
    for hit in answer["hits"]["hits"]:
        lines += [{"index": {"_index": name}}, hit["_source"]]
    call(there.emulated.url, "POST", "/_bulk", lines)
    there.emulated.become_visible()
