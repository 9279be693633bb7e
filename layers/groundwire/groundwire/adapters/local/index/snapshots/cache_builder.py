"""Writing of a cache: into a temporary folder first, by one process at a time."""

import fcntl
import shutil
import sqlite3
import tempfile
from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from groundwire.adapters.local.filesystem import atomic_files
from groundwire.adapters.local.index.arrays.dtypes import I64
from groundwire.adapters.local.index.arrays.similarity import SentenceWindows
from groundwire.adapters.local.index.snapshots import refresh
from groundwire.adapters.local.index.snapshots.cache import CacheWriter
from groundwire.adapters.local.index.snapshots.snapshot import Snapshot, read_stored_windows
from groundwire.adapters.local.index.store.file import CacheOrigin
from groundwire.adapters.local.index.store.generations import cache_lock_path, cache_path

_PART_ROWS: Final = 1 << 16
"""Rows in memory at once while a cache is built from the file: about 300 MB."""


@contextmanager
def cache_lock(file: Path, *, wait: bool) -> Generator[bool]:
    """Hold the cache lock of this file for the block; yields False where another process has it.

    Args:
        file: the index file.
        wait: wait for the lock; then it never yields False.
    """
    with cache_lock_path(file).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def build(connection: sqlite3.Connection, file: Path, origin: CacheOrigin) -> None:
    """Build the cache of the whole file, part by part, so that memory does not grow with the file.

    Raises:
        OSError: the folder cannot be written.
    """
    _write(connection, file, origin, refresh.read_in_parts(connection, origin.dimension, _PART_ROWS))


def rewrite(connection: sqlite3.Connection, file: Path, origin: CacheOrigin, snapshot: Snapshot) -> None:
    """Write the cache from the live rows of the snapshot.

    Raises:
        OSError: the folder cannot be written.
    """
    _write(connection, file, origin, [snapshot])


def _write(connection: sqlite3.Connection, file: Path, origin: CacheOrigin, parts: Iterable[Snapshot]) -> None:
    def read(ids: I64) -> SentenceWindows:
        return read_stored_windows(connection, ids, origin.dimension)

    target = cache_path(file)
    prefix = f"{atomic_files.PARTIAL_PREFIX}{target.name}-"
    # A crash leaves these behind; the lock excludes a writer that is alive.
    for abandoned in target.parent.glob(f"{prefix}*"):
        shutil.rmtree(abandoned, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=prefix, dir=target.parent, ignore_cleanup_errors=True) as scratch:
        fresh, old = Path(scratch) / "new", Path(scratch) / "old"
        fresh.mkdir(mode=0o700)
        with closing(CacheWriter(fresh)) as writer:
            writer.write(origin, parts, read)
        # Two steps, because a folder cannot be renamed over another; a reader in between finds no cache, and waits.
        if target.exists():
            target.rename(old)
        fresh.rename(target)
    atomic_files.sync_folder(target.parent)
