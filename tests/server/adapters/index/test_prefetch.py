"""A search asks the system for the parts of mapped arrays that it reads next: those, and once."""

import mmap
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.adapters.local.index.arrays import prefetch
from groundwire.adapters.local.index.arrays.array_files import ArrayFolder, ArrayWriter
from groundwire.adapters.local.index.arrays.dtypes import F32, I64
from groundwire.adapters.local.index.arrays.prefetch import prefetch_all, prefetch_rows, prefetch_spans

BLOCK = 1 << 14
ROW_BYTES = 1_536
ROWS = 700
"""About 66 blocks."""
SPANS = st.lists(st.tuples(st.integers(0, ROWS - 1), st.integers(1, 60)), min_size=1, max_size=8)
ONE_FILE = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


class Advised(mmap.mmap):
    """Memory map that records the ranges of its calls of `madvise`."""

    advice: list[tuple[int, int]]

    def madvise(self, option: int, start: int = 0, length: int | None = None) -> None:
        """Note the bytes and pass them on."""
        assert length is not None
        self.advice.append((start, length))
        super().madvise(option, start, length)

    def requested(self) -> set[int]:
        """Return the blocks that were requested since the last call."""
        blocks = [at // BLOCK for start, length in self.advice for at in range(start, start + length, BLOCK)]
        assert len(blocks) == len(set(blocks))
        self.advice = []
        return set(blocks)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "vectors.bin"
    path.write_bytes(b"\1" * (ROW_BYTES * ROWS))
    return path


@pytest.fixture
def file(path: Path) -> Advised:
    return mapped(path)


def mapped(path: Path) -> Advised:
    with path.open("r+b") as opened:
        found = Advised(opened.fileno(), 0)
    found.advice = []
    return found


def array(file: Advised) -> F32:
    return np.ndarray((ROWS, ROW_BYTES // 4), np.float32, file)


def rows(*numbers: int) -> I64:
    return np.array(numbers, np.int64)


def blocks_of(first: int, end: int) -> set[int]:
    """The blocks of these rows."""
    return set(range(first * ROW_BYTES // BLOCK, (end * ROW_BYTES - 1) // BLOCK + 1))


def test_the_blocks_of_rows_are_requested_once(file: Advised) -> None:
    whole = array(file)
    prefetch_rows(whole, rows(0, 1, 400))
    assert file.requested() == blocks_of(0, 2) | blocks_of(400, 401)
    prefetch_rows(whole, rows(1, 2, 400))
    assert file.requested() == set()
    prefetch_rows(whole[300:], rows(0, 100))
    assert file.requested() == blocks_of(300, 301)


@given(spans=SPANS, before=SPANS)
@ONE_FILE
def test_of_any_spans_what_was_not_requested_before_is(
    path: Path, spans: list[tuple[int, int]], before: list[tuple[int, int]]
) -> None:
    file = mapped(path)
    whole = array(file)
    expected: list[set[int]] = []
    requested: list[set[int]] = []
    for some in (before, spans):
        ends = [min(ROWS, start + length) for start, length in some]
        prefetch_spans(whole, rows(*(start for start, _ in some)), rows(*ends))
        expected.append(set[int]().union(*(blocks_of(start, end) for (start, _), end in zip(some, ends, strict=True))))
        requested.append(file.requested())
    assert requested == [expected[0], expected[1] - expected[0]]


def test_a_whole_array_is_requested_in_parts_that_no_system_cuts(file: Advised) -> None:
    prefetch_all(array(file))
    assert max(length for _, length in file.advice) <= 128 * 1024
    assert file.requested() == blocks_of(0, ROWS)


def test_an_array_that_is_not_mapped_and_no_rows_are_no_error(file: Advised) -> None:
    prefetch_all(np.ones((10, 4), np.float32))
    prefetch_all(array(file)[:0])
    prefetch_rows(array(file), rows())
    assert file.requested() == set()


def test_a_system_that_takes_no_advice_still_reads(file: Advised, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> None:
        raise OSError

    monkeypatch.setattr(Advised, "madvise", refuse)
    prefetch_all(array(file))
    monkeypatch.setattr(prefetch, "_WILL_NEED", None)
    prefetch_all(array(file)[1:])
    assert array(file).view(np.uint8).min() == 1


def test_an_array_of_a_cache_is_mapped_so_that_it_can_be_requested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    writer = ArrayWriter(folder)
    writer.append("vectors", np.ones((ROWS, 8), np.float32))
    writer.reserve_rows("vectors", 50)
    writer.finish({})
    requested: list[int] = []
    monkeypatch.setattr(prefetch, "_advise", lambda _file, blocks: requested.append(int(np.count_nonzero(blocks))))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    prefetch_all(ArrayFolder(folder).array_with_reserve("vectors")[:ROWS])
    assert requested == [-(-ROWS * 8 * 4 // BLOCK)]


def test_a_file_without_new_reads_for_long_is_not_prefetched(file: Advised) -> None:
    whole = array(file)
    prefetch_rows(whole, rows(0))
    for _ in range(prefetch._IDLE_CALLS - 1):  # pyright: ignore[reportPrivateUsage]
        prefetch_rows(whole, rows(0))
    prefetch_rows(whole, rows(100))
    assert file.requested() == blocks_of(0, 1) | blocks_of(100, 101)
    for _ in range(prefetch._IDLE_CALLS):  # pyright: ignore[reportPrivateUsage]
        prefetch_rows(whole, rows(0, 100))
    prefetch_rows(whole, rows(400))
    assert file.requested() == set()
