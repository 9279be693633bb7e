"""The cache beside the file makes starts short, and is never believed against the file."""

import mmap
import shutil
import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

import pytest

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.adapters.local.index.arrays import prefetch
from groundwire.adapters.local.index.lexical import postings
from groundwire.adapters.local.index.snapshots import follower, refresh
from groundwire.domain.access.policy import single_policy
from groundwire.ports import DocumentVersion, Index, SegmentInput
from tests.support.documents.index_documents import (
    MODEL,
    TENANT,
    FoundPhrase,
    for_tags,
    phrase,
    query,
    search,
    segment,
    someone,
    vector,
)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the number of rows from which a cache is used from ten thousand to eight."""
    monkeypatch.setattr(follower, "CACHE_MIN_ROWS", 8)
    monkeypatch.setattr(refresh, "_BATCH_ROWS", 3)


@pytest.fixture
def cache(folder: Path) -> Path:
    return folder / TENANT / "index.cache"


def put_windows(index: Index, doc_id: str, rows: int, tag: str) -> None:
    inputs = [
        SegmentInput(
            segment(doc_id, number, f"tea {doc_id} {number}"),
            vector(f"{doc_id} {number}"),
            tuple(vector(f"{doc_id} {number} {window}") for window in range(number % 3)),
        )
        for number in range(rows)
    ]
    index.put(DocumentVersion(doc_id, 1), single_policy(for_tags(tag)), inputs)


def seen(index: Index) -> list[FoundPhrase]:
    who = [someone("x"), someone("y", "z")]
    return [scores for one in who for scores in search(index, query([phrase("tea"), phrase("a 3")], one))]


@pytest.fixture
def delayed(folder: Path) -> Generator[Callable[[], Index]]:
    """Indexes as processes that start now open them."""
    opened: list[EmbeddedIndexes] = []

    def open_now() -> Index:
        opened.append(EmbeddedIndexes(folder, MODEL))
        return opened[-1].for_tenant(TENANT)

    yield open_now
    for indexes in opened:
        indexes.close()


@pytest.fixture
def truth(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[FoundPhrase]]:
    """Return what an index without a cache finds in the same file."""

    def read() -> list[FoundPhrase]:
        copy = tmp_path / f"copy-{time.monotonic_ns()}"
        (copy / TENANT).mkdir(parents=True)
        for file in (folder / TENANT).glob("index.db*"):
            shutil.copy(file, copy / TENANT)
        with monkeypatch.context() as patch:
            patch.setattr(follower, "CACHE_MIN_ROWS", 1_000_000)
            indexes = EmbeddedIndexes(copy, MODEL)
            found = seen(indexes.for_tenant(TENANT))
            indexes.close()
        assert not (copy / TENANT / "index.cache").exists()
        return found

    return read


def filled(folder: Path, documents: int = 4) -> None:
    """An index whose cache is written."""
    indexes = EmbeddedIndexes(folder, MODEL)
    for number in range(documents):
        put_windows(indexes.for_tenant(TENANT), f"d{number}", 5, "xyz"[number % 3])
    seen(indexes.for_tenant(TENANT))
    indexes.close()


def test_a_start_with_a_cache_finds_what_a_start_without_one_finds(
    folder: Path, cache: Path, delayed: Callable[[], Index], truth: Callable[[], list[FoundPhrase]]
) -> None:
    filled(folder)
    assert cache.is_dir()
    assert seen(delayed()) == truth()
    assert seen(delayed())[0].window


def test_the_first_search_after_a_start_prefetches_its_reads_and_the_next_one_prefetches_nothing(
    folder: Path, cache: Path, delayed: Callable[[], Index], monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(folder)
    requested: list[int] = []

    def note(file: mmap.mmap, _blocks: object) -> None:
        requested.append(len(file))

    monkeypatch.setattr(prefetch, "_advise", note)
    started = delayed()
    seen(started)
    names = ["vectors", "windows", "terms-0", "starts-0", "rows-0", "counts-0"]
    assert {(cache / f"{name}.bin").stat().st_size for name in names} <= set(requested)
    first = len(requested)
    seen(started)
    assert len(requested) == first


def test_few_rows_have_no_cache(folder: Path, cache: Path) -> None:
    filled(folder, documents=1)
    assert not cache.exists()


@pytest.mark.parametrize("seed", range(3))
def test_what_changed_since_the_cache_was_written_is_read_from_the_file(
    folder: Path, delayed: Callable[[], Index], truth: Callable[[], list[FoundPhrase]], seed: int
) -> None:
    filled(folder)
    writer = delayed()
    changes: list[Callable[[], object]] = [
        lambda: put_windows(writer, "new", 3, "x"),
        lambda: writer.prune("d0", None),
        lambda: writer.set_readers("d1", single_policy(for_tags("x"))),
    ]
    for number in range(3):
        changes[(number + seed) % 3]()
        assert seen(delayed()) == truth()
        assert seen(writer) == truth()


def test_an_index_that_outgrows_its_cache_writes_another_meanwhile(
    folder: Path, cache: Path, delayed: Callable[[], Index], truth: Callable[[], list[FoundPhrase]]
) -> None:
    filled(folder)
    before = (cache / "header.json").read_text()
    indexes = EmbeddedIndexes(folder, MODEL)
    for number in range(6):
        put_windows(indexes.for_tenant(TENANT), f"more{number}", 4, "y")
        indexes.for_tenant(TENANT).prune(f"d{number}", None)
        assert seen(indexes.for_tenant(TENANT)) == truth()
    indexes.close()
    assert (cache / "header.json").read_text() != before
    assert seen(delayed()) == truth()


def truncated(folder: Path) -> None:
    with (folder / "vectors.bin").open("r+b") as file:
        file.truncate(64)


def without_header(folder: Path) -> None:
    (folder / "header.json").unlink()


def without_an_array(folder: Path) -> None:
    (folder / "windows.bin").unlink()


def scrambled_header(folder: Path) -> None:
    header = (folder / "header.json").read_text()
    (folder / "header.json").write_text(header.replace('"sequence": ', '"sequence": 1'))


def scrambled_rights(folder: Path) -> None:
    content = (folder / "policy_of.bin").read_bytes()
    (folder / "policy_of.bin").write_bytes(b"\x01\x00\x00\x00" * (len(content) // 4))


def emptied(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


@pytest.mark.parametrize(
    "damage", [truncated, without_header, without_an_array, scrambled_header, scrambled_rights, emptied]
)
def test_a_damaged_cache_is_rewritten(
    folder: Path,
    cache: Path,
    delayed: Callable[[], Index],
    truth: Callable[[], list[FoundPhrase]],
    damage: Callable[[Path], None],
) -> None:
    filled(folder)
    damage(cache)
    assert seen(delayed()) == truth()
    assert seen(delayed()) == truth()
    assert (cache / "header.json").is_file()


def test_the_cache_of_another_file_is_not_believed(
    folder: Path, cache: Path, delayed: Callable[[], Index], tmp_path: Path, truth: Callable[[], list[FoundPhrase]]
) -> None:
    filled(folder)
    shutil.move(cache, tmp_path / "cache")
    indexes = EmbeddedIndexes(folder, MODEL)
    indexes.drop(TENANT)
    filled(folder, documents=5)
    shutil.rmtree(cache)
    shutil.move(tmp_path / "cache", cache)
    assert seen(delayed()) == truth()


def test_a_cache_ahead_of_a_file_that_was_put_back_is_not_believed(
    folder: Path, file: Path, delayed: Callable[[], Index], truth: Callable[[], list[FoundPhrase]], tmp_path: Path
) -> None:
    filled(folder, documents=2)
    shutil.copy(file, tmp_path / "earlier.db")
    filled(folder, documents=6)
    with (tmp_path / "earlier.db").open("rb") as earlier, file.open("r+b") as now:
        now.truncate(0)
        shutil.copyfileobj(earlier, now)
    assert seen(delayed()) == truth()


def test_numbers_made_of_a_text_that_no_longer_exists_do_not_stay_in_the_cache(
    folder: Path, cache: Path, delayed: Callable[[], Index], monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(folder, documents=8)
    rows = (cache / "ids.bin").stat().st_size // 8
    index = delayed()
    index.prune("d0", None)
    seen(index)
    assert (cache / "ids.bin").stat().st_size // 8 == rows
    monkeypatch.setattr(follower, "DELETED_RETENTION_SECONDS", 0.0)
    indexes = EmbeddedIndexes(folder, MODEL)
    seen(indexes.for_tenant(TENANT))
    indexes.close()
    assert (cache / "ids.bin").stat().st_size // 8 == rows - 5


def test_dropping_takes_the_cache(folder: Path, cache: Path, indexes: EmbeddedIndexes) -> None:
    filled(folder)
    indexes.drop(TENANT)
    assert not cache.exists()
    assert not (folder / TENANT).exists()


def test_a_folder_that_cannot_take_a_cache_is_searched_all_the_same(
    folder: Path, cache: Path, delayed: Callable[[], Index], truth: Callable[[], list[FoundPhrase]]
) -> None:
    filled(folder)
    shutil.rmtree(cache)
    cache.write_text("somebody's own file")
    assert seen(delayed()) == truth()


def test_a_cache_that_refers_to_values_that_no_longer_exist_is_not_believed(
    folder: Path, file: Path, delayed: Callable[[], Index]
) -> None:
    filled(folder)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("DELETE FROM policies")
    with pytest.raises(Exception, match="is damaged"):
        seen(delayed())


def test_metadata_that_went_with_its_rows_costs_no_cache(
    folder: Path, cache: Path, delayed: Callable[[], Index], truth: Callable[[], list[FoundPhrase]]
) -> None:
    indexes = EmbeddedIndexes(folder, MODEL)
    inputs = [SegmentInput(segment("own", 0, "tea"), vector("tea"))]
    indexes.for_tenant(TENANT).put(DocumentVersion("own", 1), single_policy(for_tags("x")), inputs, {"year": 2024.0})
    indexes.close()
    filled(folder)
    before = (cache / "header.json").read_text()
    delayed().prune("own", None)
    assert seen(delayed()) == truth()
    assert (cache / "header.json").read_text() == before


def test_postings_that_are_merged_meanwhile_find_the_same(
    indexes: EmbeddedIndexes, truth: Callable[[], list[FoundPhrase]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "CACHE_MIN_ROWS", 1_000_000)
    monkeypatch.setattr(postings, "_MAX_INLINE_MERGE", 0)
    index = indexes.for_tenant(TENANT)
    for number in range(12):
        put_windows(index, f"d{number}", 3, "xyz"[number % 3])
        assert seen(index) == truth()
