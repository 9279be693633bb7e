"""Scores against a second computation of them, written plainly from the formulas."""

import math
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.lexical.analyzer import analyzer_for
from groundwire.adapters.lexical.weighting import HEADING_WEIGHT, TITLE_WEIGHT, pivot_length
from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.domain.documents.segment import Segment
from groundwire.domain.search.request import ALL_DOCUMENTS, DocumentSelection, SearchMode
from groundwire.ports import Index
from tests.support.documents.index_documents import (
    ANYONE,
    MODEL,
    TENANT,
    for_tags,
    found,
    numbers,
    phrase,
    put,
    put_segments,
    query,
    search,
    segment,
    someone,
    vector,
)
from tests.support.plugins.draws import examples

WORDS = st.sampled_from(["tea", "teas", "kettle", "cup", "the", "die", "brewing", "brew", "leaf-7", "水出し", "cup's"])
TEXT = st.lists(WORDS, max_size=12).map(" ".join)
TEXTS = st.lists(TEXT, min_size=1, max_size=25)
LANGUAGES = st.sampled_from(["en", "de", "und", "zz"])


@st.composite
def passages(draw: st.DrawFn) -> list[Segment]:
    """With every field that is searched."""
    return [
        replace(
            segment("d", number, text, heading=draw(TEXT)),
            title=draw(TEXT),
            language=draw(LANGUAGES),
            context=draw(TEXT),
            questions=tuple(draw(st.lists(TEXT, max_size=2))),
        )
        for number, text in enumerate(draw(TEXTS))
    ]


@contextmanager
def fresh_index() -> Generator[Index]:
    with tempfile.TemporaryDirectory() as folder:
        indexes = EmbeddedIndexes(Path(folder), MODEL)
        yield indexes.for_tenant(TENANT)
        indexes.close()


Counts = Mapping[str, float]

NINE_BITS: float = 2.0**-8
"""Relative difference of a weight that is cut to nine significant bits."""


def plain_bm25(passages: Sequence[Counts], question: Sequence[str], pivot: float) -> list[float]:
    """Term by term, passage by passage."""

    def score(passage: Counts) -> float:
        total = 0.0
        for term in question:
            frequency = sum(term in counts for counts in passages)
            idf = math.log(1 + (len(passages) - frequency + 0.5) / (frequency + 0.5))
            if count := passage.get(term, 0):
                total += idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * sum(passage.values()) / pivot))
        return total

    return [score(passage) for passage in passages]


def weighted_counts(one: Segment) -> Counts:
    """Every word as often as its field weighs."""
    stems = analyzer_for(one.language).stems
    counts: dict[str, float] = {}
    path = [] if one.heading_path[:1] and one.heading_path[0].split() == one.title.split() else one.heading_path
    body = [one.text, one.context, *one.questions]
    for texts, weight in ((body, 1.0), (path, HEADING_WEIGHT), ([one.title], TITLE_WEIGHT)):
        for stem in (stem for text in texts for stem in stems(text)):
            counts[stem] = counts.get(stem, 0) + weight
    return counts


def bm25_by_uid(index: Index, question: str) -> Mapping[str, float]:
    scores = found(index, question)
    segments = scores.segments
    return {segments[key].uid: score for key, score in zip(scores.keys, scores.bm25, strict=True)}


def expected(segments: Sequence[Segment], question: str) -> Mapping[str, float]:
    """Each language by itself."""
    scores: dict[str, float] = {}
    for language in {analyzer_for(one.language).language for one in segments}:
        own = [one for one in segments if analyzer_for(one.language).language == language]
        requested = analyzer_for(language).stems(question)
        found = plain_bm25([weighted_counts(one) for one in own], requested, pivot_length(language))
        scores |= {one.uid: score for one, score in zip(own, found, strict=True)}
    return scores


@settings(deadline=None, max_examples=examples(40))
@given(passages(), TEXT)
def test_bm25_is_what_the_formula_states_over_weighted_fields_in_each_language(
    segments: list[Segment], question: str
) -> None:
    with fresh_index() as index:
        put_segments(index, segments)
        assert bm25_by_uid(index, question) == pytest.approx(expected(segments, question), rel=NINE_BITS, abs=1e-6)


@settings(deadline=None, max_examples=examples(25))
@given(st.lists(st.tuples(TEXTS, st.booleans()), min_size=1, max_size=6), TEXT)
def test_rows_that_no_longer_exist_leave_no_trace_in_any_score(
    documents: list[tuple[list[str], bool]], question: str
) -> None:
    kept: list[Segment] = []
    with fresh_index() as index:
        for number, (texts, stays) in enumerate(documents):
            segments = [segment(f"d{number}", ordinal, text) for ordinal, text in enumerate(texts)]
            put_segments(index, segments)
            bm25_by_uid(index, question)
            if stays:
                kept += segments
            else:
                index.prune(f"d{number}", None)
        want = expected(kept, question) if kept else {}
        assert bm25_by_uid(index, question) == pytest.approx(want, rel=NINE_BITS, abs=1e-6)


@pytest.mark.parametrize("narrowed", [frozenset({"mine"}), ALL_DOCUMENTS])
def test_statistics_are_of_the_rows_that_the_caller_may_read(index: Index, narrowed: DocumentSelection) -> None:
    mine = segment("mine", 0, "rare tea")
    put_segments(index, [mine], for_tags("me"))
    ours = [segment("ours", number, "rare kettle") for number in range(9)]
    put_segments(index, ours, for_tags("me", "others"))
    put_segments(index, [segment("theirs", number, "tea") for number in range(5)], for_tags("others"))
    requested = query([phrase("rare tea")], someone("me"), documents=narrowed)
    (scores,) = search(index, requested)
    found = {scores.segments[key].uid: score for key, score in zip(scores.keys, scores.bm25, strict=True)}
    assert found[mine.uid] == pytest.approx(expected([mine, *ours], "rare tea")[mine.uid], rel=NINE_BITS)


def test_collections_beyond_the_key_count_in_no_statistic(index: Index) -> None:
    mine = segment("mine", 0, "rare tea")
    put_segments(index, [mine])
    put_segments(index, [segment("theirs", number, "tea", collection="vault") for number in range(5)])
    (scores,) = search(index, query([phrase("rare tea")], granted=frozenset({"handbook"})))
    assert list(scores.bm25) == pytest.approx([expected([mine], "rare tea")[mine.uid]], rel=NINE_BITS)


@pytest.mark.parametrize("share", [3, 50, 100])
def test_vector_scores_are_the_exact_cosines_however_much_the_filter_admits(index: Index, share: int) -> None:
    for number in range(100):
        put_segments(
            index,
            [segment(f"d{number}", n, f"{number} {n}") for n in range(7)],
            for_tags("in" if number < share else "out"),
        )
    scores = found(index, "question", someone("in"))
    segments = scores.segments
    question = numbers(vector("question"))
    exact = [sum(map(float.__mul__, question, numbers(vector(segments[key].text)))) for key in scores.keys]
    assert len(exact) == 7 * share
    assert list(scores.vector) == pytest.approx(exact, abs=2e-3)
    assert len(found(index, "question", ANYONE).keys) == 0


@settings(deadline=None, max_examples=examples(25))
@given(passages(), TEXT)
def test_no_score_exceeds_the_limit_of_its_phrase(segments: list[Segment], question: str) -> None:
    with fresh_index() as index:
        put_segments(index, segments)
        scores = found(index, question)
        assert max(scores.bm25) <= scores.bm25_limit
        assert found(index, question, someone("tag")).bm25_limit == scores.bm25_limit


def test_the_limit_counts_words_that_no_passage_has(index: Index) -> None:
    put(index, "d", ["rare tea", "tea"])
    assert found(index, "tea").bm25_limit == pytest.approx(2.2 * math.log(1 + 0.5 / 2.5))
    assert found(index, "tea quetzal").bm25_limit == pytest.approx(2.2 * (math.log(1 + 0.5 / 2.5) + math.log(6)))
    (by_vectors,) = search(index, query([phrase("tea")], mode=SearchMode.SEMANTIC))
    assert by_vectors.bm25_limit == 0
