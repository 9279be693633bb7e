"""The best sentence window of a passage joins its vector signal."""

import pytest

from groundwire.domain.access.policy import single_policy
from groundwire.domain.search.fusion import semantic_score
from groundwire.ports import DocumentVersion, VectorIndex
from tests.contract.index.adapters import EVERY_VECTOR_STORE
from tests.support.documents.index_documents import (
    PUBLIC,
    FoundPhrase,
    found,
    numbers,
    phrase,
    put,
    query,
    search,
    segment,
    texts,
    vector,
    with_vectors,
)

Signals = tuple[float, float, int]
"""Vector and passage similarity, and the number of the best window."""


def cosine(first: str, second: str) -> float:
    return sum(a * b for a, b in zip(numbers(vector(first)), numbers(vector(second)), strict=True))


def put_with_windows(vectors: VectorIndex, doc_id: str, *passages: tuple[str, list[str]]) -> None:
    inputs = [with_vectors(segment(doc_id, number, text), *parts) for number, (text, parts) in enumerate(passages)]
    vectors.put(DocumentVersion(doc_id, 1), single_policy(PUBLIC), inputs)


def signals(scores: FoundPhrase) -> dict[str, Signals]:
    rows = zip(scores.vector, scores.passage, scores.window, strict=True)
    return dict(zip(texts(scores), rows, strict=True))


def expected(question: str, text: str, windows: list[str]) -> Signals:
    passage = cosine(question, text)
    similarities = [cosine(question, window) for window in windows]
    best = max(similarities, default=passage)
    return semantic_score(passage, best), passage, similarities.index(best) if windows else -1


def test_the_best_window_joins_the_signal_and_is_named(vectors: VectorIndex) -> None:
    passages = {f"passage {n}": [f"window {n} {part}" for part in range(n % 4)] for n in range(12)}
    put_with_windows(vectors, "d", *passages.items())
    both = search(vectors, query([phrase("window 3 1"), phrase("something")]))
    for question, scores in zip(("window 3 1", "something"), both, strict=True):
        for text, (signal, passage, window) in signals(scores).items():
            signal_, passage_, window_ = expected(question, text, passages[text])
            assert (signal, passage, window) == (
                pytest.approx(signal_, abs=3e-3),
                pytest.approx(passage_, abs=3e-3),
                window_,
            )
    assert signals(both[0])["passage 3"][2] == 1


def test_a_telling_window_outranks_a_passage_that_is_as_near_as_its_own(vectors: VectorIndex) -> None:
    put_with_windows(vectors, "d", ("same text", []), ("same text", ["noise", "the answer"]))
    scores = found(vectors, "the answer")
    assert scores.passage[0] == scores.passage[1]
    assert scores.vector[1] > scores.vector[0]


def test_a_passage_without_windows_is_its_own_window(vectors: VectorIndex) -> None:
    put(vectors, "d", ["one", "two"])
    scores = found(vectors, "question")
    assert list(scores.window) == [-1, -1]
    assert list(scores.vector) == pytest.approx(list(scores.passage), abs=1e-6)


def test_of_equally_good_windows_the_first_is_named(vectors: VectorIndex) -> None:
    put_with_windows(vectors, "d", ("text", ["noise", "echo", "echo"]))
    assert list(found(vectors, "echo").window) == [1]


@EVERY_VECTOR_STORE
def test_other_windows_of_the_same_text_replace_those_before(vectors: VectorIndex) -> None:
    put_with_windows(vectors, "d", ("text", ["first", "second"]))
    put_with_windows(vectors, "d", ("text", ["second"]))
    assert list(found(vectors, "second").window) == [0]
    assert vectors.count_rows() == 1
    put_with_windows(vectors, "d", ("text", []))
    assert list(found(vectors, "second").window) == [-1]


@EVERY_VECTOR_STORE
def test_windows_go_with_their_rows(vectors: VectorIndex) -> None:
    put_with_windows(vectors, "d", ("text", ["window"]))
    put_with_windows(vectors, "e", ("other", ["window"]))
    vectors.prune("d", None)
    assert vectors.vectors("d") == {}
    assert signals(found(vectors, "window")).keys() == {"other"}
