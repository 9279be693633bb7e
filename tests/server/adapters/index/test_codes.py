"""Codes of vectors skip the rows that are far from a phrase, and change nothing else."""

import json
import zlib
from collections.abc import Generator
from pathlib import Path

import numpy as np
import pytest

from groundwire.adapters.local.index import EmbeddedIndexes, candidates
from groundwire.adapters.local.index.arrays import prefetch, vector_codes
from groundwire.adapters.local.index.arrays.dtypes import F32, Bools
from groundwire.adapters.local.index.arrays.vector_codes import VectorCodes, empty_vector_codes
from groundwire.adapters.local.index.snapshots import follower
from groundwire.domain.access.policy import single_policy
from groundwire.domain.search.request import SearchMode
from groundwire.ports import DocumentVersion, Index, SegmentInput
from tests.support.documents.index_documents import (
    ANYONE,
    MODEL,
    PUBLIC,
    TENANT,
    for_tags,
    phrase,
    query,
    search,
    segment,
    someone,
    vector,
)

ROWS = 3_000
DIMENSION = 96


@pytest.fixture(autouse=True)
def low_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes are used from a hundred rows on, and the cache from eight."""
    monkeypatch.setattr(candidates, "EXACT_SEARCH_MAX_ROWS", 100)
    monkeypatch.setattr(candidates, "_COARSE_ROWS", 0.1)
    monkeypatch.setattr(candidates, "_FINE_ROWS", 2)
    monkeypatch.setattr(follower, "CACHE_MIN_ROWS", 8)


def unit_vectors(rows: int, seed: int) -> F32:
    numbers = np.random.default_rng(seed).standard_normal((rows, DIMENSION)).astype(np.float32)
    return (numbers / np.linalg.norm(numbers, axis=1, keepdims=True)).astype(np.float32)


def near(vectors: F32, seed: int) -> F32:
    """A query near each of these vectors."""
    return unit_vectors(len(vectors), seed) * np.float32(0.3) + vectors


def coded(vectors: F32) -> VectorCodes:
    codes = empty_vector_codes(DIMENSION)
    assert codes.extend(vectors)
    return codes


def exact(vectors: F32, queries: F32, admitted: Bools, depth: int) -> list[set[int]]:
    rows = np.flatnonzero(admitted)
    return [{*rows[np.argsort(-(vectors[rows] @ one), kind="stable")[:depth]].tolist()} for one in queries]


@pytest.mark.parametrize("share", [0.1, 0.4, 0.7, 1.0])
def test_of_clear_neighbours_none_is_missed_however_much_the_filter_admits(share: float) -> None:
    vectors = unit_vectors(ROWS, 1)
    # Forty neighbours around each of five rows, of all rows.
    for centre in range(5):
        vectors[centre::75] = near(vectors[[centre]].repeat(40, 0), centre)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    queries = near(vectors[:5], 9)
    admitted = np.random.default_rng(3).random(ROWS) < share
    assert candidates.uses_codes(int(admitted.sum()), 50)
    found = candidates.nearest_rows(vectors, coded(vectors), queries, admitted, 50)
    for centre, rows in enumerate(found):
        neighbours = np.flatnonzero(admitted[centre::75]) * 75 + centre
        assert {*neighbours.tolist()} <= {*rows.tolist()}


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.95])
def test_a_row_that_is_not_admitted_is_never_found(share: float) -> None:
    vectors = unit_vectors(ROWS, 1)
    admitted = np.random.default_rng(4).random(ROWS) < share
    # The nearest rows of all are closed.
    admitted[:5] = False
    found = candidates.nearest_rows(vectors, coded(vectors), vectors[:5], admitted, 50)
    for rows in found:
        assert len({*rows.tolist()}) == 50
        assert admitted[rows].all()


def test_hidden_rows_change_no_hit() -> None:
    vectors, queries = unit_vectors(ROWS, 1), unit_vectors(5, 2)
    admitted = np.random.default_rng(4).random(ROWS) < 0.6
    alone = vectors[admitted]
    found = candidates.nearest_rows(vectors, coded(vectors), queries, admitted, 50)
    numbers = np.flatnonzero(admitted)
    expected = candidates.nearest_rows(alone, coded(alone), queries, np.ones(len(alone), np.bool_), 50)
    assert [{*rows.tolist()} for rows in found] == [{*numbers[rows].tolist()} for rows in expected]


def test_codes_are_the_same_whether_rows_come_at_once_or_one_by_one() -> None:
    vectors = unit_vectors(70, 5)
    grown = empty_vector_codes(DIMENSION)
    for rows in (1, 2, 40, 70):
        assert grown.extend(vectors[:rows])
    assert grown.rows == 70
    for one, other in zip(grown.signs(70), coded(vectors).signs(70), strict=True):
        assert np.array_equal(one, other)


def test_too_many_rows_without_codes_are_compared_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_codes, "_MAX_MISSING_PRODUCTS", ROWS * DIMENSION**2 - 1)
    vectors, queries = unit_vectors(ROWS, 1), unit_vectors(5, 2)
    admitted, codes = np.ones(ROWS, np.bool_), empty_vector_codes(DIMENSION)
    found = candidates.nearest_rows(vectors, codes, queries, admitted, 50)
    assert [{*rows.tolist()} for rows in found] == exact(vectors, queries, admitted, 50)
    assert codes.rows == 0


@pytest.mark.parametrize(("rows", "part"), [(100, "vectors"), (ROWS, "codes")])
def test_touched_bytes_are_of_all_vectors_up_to_the_limit_and_of_codes_above_it(rows: int, part: str) -> None:
    vectors, queries = unit_vectors(rows, 1), unit_vectors(5, 2)
    with prefetch.counting() as counts:
        candidates.nearest_rows(vectors, coded(vectors), queries, np.ones(rows, np.bool_), 10)
    coarse, fine = candidates._preselected(rows, 10)
    expected = {
        "vectors": {"vectors": vectors.nbytes},
        "codes": {"codes": 16 * (rows + 10 * coarse), "vectors": counts["vectors"]},
    }[part]
    assert counts == expected
    assert part == "vectors" or 5 * fine <= counts["vectors"] / (4 * DIMENSION) < 10 * fine
    prefetch.touch("vectors", 1)
    assert counts == expected


def put_rows(index: Index, doc_id: str, rows: int, tag: str | None = None) -> None:
    inputs = [
        SegmentInput(segment(doc_id, number, f"{doc_id} {number}"), vector(f"{doc_id} {number}"), ())
        for number in range(rows)
    ]
    index.put(DocumentVersion(doc_id, 1), single_policy(for_tags(tag) if tag else PUBLIC), inputs)


def documents_found(index: Index, text: str) -> set[str]:
    """Documents among the nearest rows, of somebody with the tag `in`."""
    found: set[str] = set()
    for who in (someone("in"), ANYONE):
        (scores,) = search(index, query([phrase(text)], who, mode=SearchMode.SEMANTIC))
        found |= {one.doc_id for one in scores.segments.values()}
    return found


def test_a_deleted_row_and_a_hidden_one_are_not_found_by_codes(indexes: EmbeddedIndexes) -> None:
    index = indexes.for_tenant(TENANT)
    put_rows(index, "open", 400)
    put_rows(index, "closed", 50, "out")
    put_rows(index, "short", 50)
    assert documents_found(index, "short 3") == {"open", "short"}
    index.prune("short", None)
    assert documents_found(index, "short 3") == {"open"}
    assert documents_found(index, "closed 3") == {"open"}
    put_rows(index, "later", 50, "in")
    assert documents_found(index, "later 3") == {"open", "later"}


def reopened(folder: Path) -> Generator[EmbeddedIndexes]:
    """Indexes as processes that start one after the other open them."""
    while True:
        opened = EmbeddedIndexes(folder, MODEL)
        try:
            yield opened
        finally:
            opened.close()


def best(indexes: EmbeddedIndexes) -> object:
    (scores,) = search(indexes.for_tenant(TENANT), query([phrase("d 7")], depth=1, mode=SearchMode.SEMANTIC))
    return scores.keys, scores.vector


@pytest.mark.parametrize("version", [None, 0, 99])
def test_a_cache_of_another_release_opens_and_gets_its_codes_beside_the_searches(
    folder: Path, version: int | None
) -> None:
    opened = reopened(folder)
    first = next(opened)
    put_rows(first.for_tenant(TENANT), "d", 300)
    expected = best(first)
    best(next(opened))
    header = folder / TENANT / "index.cache" / "header.json"
    body = json.loads(header.read_text().split("\n")[0])
    assert body["facts"]["codes"] == vector_codes.CODES_VERSION
    del body["facts"]["codes"]
    body["facts"] |= {} if version is None else {"codes": version}
    text = json.dumps(body)
    header.write_text(f"{text}\n{zlib.crc32(text.encode()):08x}\n")
    assert best(next(opened)) == expected
    # The rewriting is in a thread of the index, which closing waits for.
    assert best(next(opened)) == expected
    assert json.loads(header.read_text().split("\n")[0])["facts"]["codes"] == vector_codes.CODES_VERSION
    opened.close()
