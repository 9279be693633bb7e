"""Compaction returns the space of deleted rows, and readers and writers continue as before."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from groundwire.adapters.local.index import EmbeddedIndexes, compaction
from groundwire.adapters.local.index.snapshots import follower
from tests.support.documents.index_documents import MODEL, TENANT, for_tags, put, readable, someone


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "CACHE_MIN_ROWS", 8)
    monkeypatch.setattr(compaction, "CACHE_MIN_ROWS", 8)


def filled(indexes: EmbeddedIndexes) -> None:
    for number in range(12):
        put(
            indexes.for_tenant(TENANT),
            f"d{number}",
            [f"{number} {n} " + "word " * 400 for n in range(5)],
            for_tags("a"),
        )
    assert len(readable(indexes.for_tenant(TENANT), someone("a"))) == 12
    for number in range(10):
        indexes.for_tenant(TENANT).prune(f"d{number}", None)


def test_the_file_the_log_and_the_cache_hold_only_what_is_there(
    folder: Path, file: Path, indexes: EmbeddedIndexes
) -> None:
    filled(indexes)
    compacted = indexes.compact(TENANT)
    assert compacted.bytes_after < compacted.bytes_before
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA freelist_count").fetchone()[0] == 0
        assert connection.execute("SELECT count(*) FROM log").fetchone()[0] == 10
    assert (folder / TENANT / "index.cache" / "ids.bin").stat().st_size == 10 * 8
    assert readable(indexes.for_tenant(TENANT), someone("a")) == {"d10", "d11"}


def test_others_continue_searching_and_writing(folder: Path, indexes: EmbeddedIndexes) -> None:
    filled(indexes)
    behind, abreast = EmbeddedIndexes(folder, MODEL), EmbeddedIndexes(folder, MODEL)
    assert readable(behind.for_tenant(TENANT), someone("a")) == {"d10", "d11"}
    indexes.for_tenant(TENANT).prune("d10", None)
    assert readable(abreast.for_tenant(TENANT), someone("a")) == {"d11"}
    indexes.compact(TENANT)
    assert readable(behind.for_tenant(TENANT), someone("a")) == {"d11"}
    assert readable(abreast.for_tenant(TENANT), someone("a")) == {"d11"}
    put(abreast.for_tenant(TENANT), "new", ["text"], for_tags("a"))
    assert readable(behind.for_tenant(TENANT), someone("a")) == {"d11", "new"}
    behind.close()
    abreast.close()


def test_an_index_that_has_become_small_has_no_cache(folder: Path, indexes: EmbeddedIndexes) -> None:
    filled(indexes)
    indexes.for_tenant(TENANT).prune("d10", None)
    indexes.compact(TENANT)
    assert not (folder / TENANT / "index.cache").exists()
    assert readable(indexes.for_tenant(TENANT), someone("a")) == {"d11"}


def test_an_empty_index_can_be_compacted(indexes: EmbeddedIndexes) -> None:
    assert indexes.compact(TENANT).bytes_after > 0
    assert indexes.for_tenant(TENANT).count_rows() == 0
