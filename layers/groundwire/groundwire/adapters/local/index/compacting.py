"""Giving back what rows that have gone still take, while others search and write."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from groundwire.adapters.local.faults import filesystem
from groundwire.adapters.local.index import cache_keeping, writing
from groundwire.adapters.local.index.faults import INDEX
from groundwire.adapters.local.index.file import IndexFile, connect
from groundwire.adapters.local.index.following import WORTH_A_CACHE
from groundwire.adapters.local.index.generations import SIDE_FILES, cache_of
from groundwire.adapters.local.sqlite.faults import sqlite_faults


@dataclass(frozen=True, slots=True)
class Compacted:
    """Bytes on disk, of the file, what SQLite keeps beside it, and the cache."""

    before: int
    after: int


def compact(file: IndexFile) -> Compacted:
    """The file holds no free page, its log nothing of rows that have gone, and the cache only rows that are there.

    Raises:
        Unavailable: another process writes for too long, or the disk has no room for a second copy.
    """
    before = _bytes(file.path)
    with file.writing() as connection:
        writing.forget_the_gone(connection)
    with sqlite_faults(file.path, INDEX), filesystem(file.path.parent), closing(connect(file.path)) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        _renew_cache(connection, file)
    return Compacted(before, _bytes(file.path))


def _renew_cache(connection: sqlite3.Connection, file: IndexFile) -> None:
    with cache_keeping.alone(file.path, wait=True):
        connection.execute("BEGIN")
        rows = int(connection.execute("SELECT count(*) FROM segments").fetchone()[0])
        if rows >= WORTH_A_CACHE:
            cache_keeping.build(connection, file.path, file.origin)
        else:
            shutil.rmtree(cache_of(file.path), ignore_errors=True)
        connection.execute("COMMIT")


def _bytes(path: Path) -> int:
    return sum(512 * file.stat().st_blocks for file in _files(path) if file.is_file())


def _files(path: Path) -> Iterator[Path]:
    yield path
    yield from (path.with_name(path.name + suffix) for suffix in SIDE_FILES)
    if cache_of(path).is_dir():
        yield from cache_of(path).iterdir()
