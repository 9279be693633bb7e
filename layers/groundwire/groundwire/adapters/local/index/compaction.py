"""Compaction: frees the space of deleted rows while others search and write."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from groundwire.adapters.local.filesystem.os_errors import translate_os_errors
from groundwire.adapters.local.index.snapshots import cache_builder
from groundwire.adapters.local.index.snapshots.follower import CACHE_MIN_ROWS
from groundwire.adapters.local.index.store import writer
from groundwire.adapters.local.index.store.errors import INDEX_KIND
from groundwire.adapters.local.index.store.file import IndexFile, connect
from groundwire.adapters.local.index.store.generations import SQLITE_SUFFIXES, cache_path
from groundwire.adapters.local.sqlite.errors import translate_sqlite_errors


@dataclass(frozen=True, slots=True)
class CompactionResult:
    """Bytes on disk of the file, SQLite's files beside it, and the cache."""

    bytes_before: int
    bytes_after: int


def compact(file: IndexFile) -> CompactionResult:
    """Purge deleted rows from the log, free all unused pages, and rebuild the cache.

    Raises:
        Unavailable: another process writes for too long, or the disk has no room for a second copy.
    """
    before = _disk_bytes(file.path)
    with file.write_transaction() as connection:
        writer.purge_deleted(connection)
    with (
        translate_sqlite_errors(file.path, INDEX_KIND),
        translate_os_errors(file.path.parent),
        closing(connect(file.path)) as connection,
    ):
        # SQLite refuses VACUUM within a transaction.
        connection.execute("VACUUM")
        # VACUUM writes its copy into the log, which only a checkpoint shortens.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        _renew_cache(connection, file)
    return CompactionResult(before, _disk_bytes(file.path))


def _renew_cache(connection: sqlite3.Connection, file: IndexFile) -> None:
    with cache_builder.cache_lock(file.path, wait=True):
        connection.execute("BEGIN")
        rows = int(connection.execute("SELECT count(*) FROM segments").fetchone()[0])
        if rows >= CACHE_MIN_ROWS:
            cache_builder.build(connection, file.path, file.cache_origin)
        else:
            shutil.rmtree(cache_path(file.path), ignore_errors=True)
        connection.execute("COMMIT")


def _disk_bytes(path: Path) -> int:
    # Blocks, not lengths: the files of the cache are sparse.
    return sum(512 * file.stat().st_blocks for file in _files(path) if file.is_file())


def _files(path: Path) -> Iterator[Path]:
    yield path
    yield from (path.with_name(path.name + suffix) for suffix in SQLITE_SUFFIXES)
    if cache_path(path).is_dir():
        yield from cache_path(path).iterdir()
