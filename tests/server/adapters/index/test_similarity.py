import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.local.index.arrays.parallel import parallel_for
from groundwire.adapters.local.index.arrays.similarity import cosines
from tests.support.plugins.draws import examples

DIMENSION = 24


def unit_vectors(rows: int, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    numbers = np.random.default_rng(seed).standard_normal((rows, DIMENSION)).astype(np.float32)
    return (numbers / np.linalg.norm(numbers, axis=1, keepdims=True)).astype(np.float32)


@settings(deadline=None, max_examples=examples(30))
@given(st.sampled_from([0, 1, 127, 128, 129, 4096, 9001]), st.sampled_from([0.0, 0.02, 0.5, 0.7, 1.0]))
def test_every_admitted_row_is_compared_however_many_rows_are_admitted(rows: int, share: float) -> None:
    vectors, queries = unit_vectors(rows, 1), unit_vectors(3, 2)
    admitted = np.flatnonzero(np.random.default_rng(3).random(rows) < share)
    found = cosines(vectors, queries, admitted)
    assert found.shape == (3, len(admitted))
    assert np.allclose(found, queries @ vectors[admitted].T, atol=1e-6)


@settings(deadline=None, max_examples=examples(30))
@given(st.integers(0, 500), st.integers(1, 90))
def test_work_done_together_is_done_once_for_every_row(rows: int, step: int) -> None:
    done = np.zeros(rows, np.int64)

    def count(some: slice) -> None:
        done[some] += 1

    parallel_for(count, rows, step)
    assert (done == 1).all()


def test_work_that_fails_on_any_thread_fails_the_call() -> None:
    def refuse(some: slice) -> None:
        if some.start == 20:
            raise ValueError("no such row")

    with pytest.raises(ValueError, match="no such row"):
        parallel_for(refuse, 30, 1)


def test_a_caller_does_not_wait_for_helpers_that_are_busy() -> None:
    may_leave = threading.Event()

    def occupy(_: slice) -> None:
        may_leave.wait()

    occupied = [threading.Thread(target=parallel_for, args=(occupy, 8, 1)) for _ in range(4)]
    for thread in occupied:
        thread.start()
    done: list[int] = []

    def note(some: slice) -> None:
        done.append(some.start)

    parallel_for(note, 5, 1)
    assert sorted(done) == [0, 1, 2, 3, 4]
    may_leave.set()
    for thread in occupied:
        thread.join()
