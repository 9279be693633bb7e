"""Scores against a second computation of them, written plainly from the formulas."""

import math
import tempfile
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.adapters.local.index.languages import analyzer
from groundwire.domain.documents import Segment
from groundwire.ports import Index
from tests.contract.index.material import (
    ANYONE,
    DEEP,
    MODEL,
    TENANT,
    for_tags,
    found,
    numbers,
    phrase,
    put_segments,
    segment,
    someone,
    vector,
)

WORDS = st.sampled_from(["tea", "teas", "kettle", "cup", "the", "brewing", "brew", "leaf-7", "水出し", "cup's"])
TEXT = st.lists(WORDS, max_size=12).map(" ".join)
TEXTS = st.lists(TEXT, min_size=1, max_size=25)


@contextmanager
def fresh_index() -> Generator[Index]:
    with tempfile.TemporaryDirectory() as folder:
        indexes = EmbeddedIndexes(Path(folder), MODEL)
        yield indexes.of(TENANT)
        indexes.close()


def plain_bm25(passages: Sequence[Sequence[str]], question: Sequence[str]) -> list[float]:
    """Term by term, passage by passage."""
    average = sum(len(passage) for passage in passages) / len(passages)
    counted = [Counter(passage) for passage in passages]

    def score(passage: int) -> float:
        total = 0.0
        for term in question:
            frequency = sum(term in counts for counts in counted)
            idf = math.log(1 + (len(passages) - frequency + 0.5) / (frequency + 0.5))
            count = counted[passage][term]
            if count:
                total += idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * len(passages[passage]) / average))
        return total

    return [score(number) for number in range(len(passages))]


def bm25_by_uid(index: Index, question: str) -> Mapping[str, float]:
    scores = found(index, question)
    segments = index.read(scores.keys)
    return {segments[key].uid: score for key, score in zip(scores.keys, scores.bm25, strict=True)}


def expected(segments: Sequence[Segment], question: str) -> Mapping[str, float]:
    passages = [analyzer("en").stems("\n".join((*one.heading_path, one.text))) for one in segments]
    scores = plain_bm25(passages, analyzer("en").stems(question))
    return {one.uid: score for one, score in zip(segments, scores, strict=True)}


@settings(deadline=None, max_examples=40)
@given(TEXTS, TEXT)
def test_bm25_is_what_the_formula_says(texts: list[str], question: str) -> None:
    segments = [segment("d", number, text, heading="Tea time") for number, text in enumerate(texts)]
    with fresh_index() as index:
        put_segments(index, segments)
        assert bm25_by_uid(index, question) == pytest.approx(expected(segments, question), rel=1e-5, abs=1e-6)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(TEXTS, st.booleans()), min_size=1, max_size=6), TEXT)
def test_rows_that_have_gone_leave_no_trace_in_any_score(
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
        assert bm25_by_uid(index, question) == pytest.approx(want, rel=1e-5, abs=1e-6)


def test_statistics_are_of_all_rows_whoever_asks(index: Index) -> None:
    mine = segment("mine", 0, "rare tea")
    put_segments(index, [mine], for_tags("me"))
    others = [segment("others", number, "rare kettle") for number in range(9)]
    put_segments(index, others, for_tags("others"))
    (scores,) = index.search(someone("me"), ["handbook"], [phrase("rare tea")], DEEP)
    assert list(scores.bm25) == pytest.approx([expected([mine, *others], "rare tea")[mine.uid]], rel=1e-5)


@pytest.mark.parametrize("share", [3, 50, 100])
def test_vector_scores_are_the_exact_cosines_however_much_the_filter_admits(index: Index, share: int) -> None:
    for number in range(100):
        put_segments(
            index,
            [segment(f"d{number}", n, f"{number} {n}") for n in range(7)],
            for_tags("in" if number < share else "out"),
        )
    scores = found(index, "question", someone("in"))
    segments = index.read(scores.keys)
    question = numbers(vector("question"))
    exact = [sum(map(float.__mul__, question, numbers(vector(segments[key].text)))) for key in scores.keys]
    assert len(exact) == 7 * share
    assert list(scores.vector) == pytest.approx(exact, abs=2e-3)
    assert len(found(index, "question", ANYONE).keys) == 0
