"""Writing the cache of a file: into a folder of its own first, by one process at a time."""

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
from groundwire.adapters.local.index.memory import refresh
from groundwire.adapters.local.index.memory.cache import CacheWriter
from groundwire.adapters.local.index.memory.snapshot import Snapshot
from groundwire.adapters.local.index.memory.window_reader import read_stored_windows
from groundwire.adapters.local.index.store.file import CacheOrigin
from groundwire.adapters.local.index.store.generations import cache_lock_path, cache_path
from groundwire.adapters.local.index.vectors.windows import SentenceWindows

_PART_ROWS: Final = 1 << 16
"""Rows that are in memory at once when a cache is built from the file: about 300 MB."""


@contextmanager
def cache_lock(file: Path, *, wait: bool) -> Generator[bool]:
    """Whether nobody else writes the cache of this file during the block.

    Args:
        file: of the index.
        wait: until it is so.
    """
    with cache_lock_path(file).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def build(connection: sqlite3.Connection, file: Path, origin: CacheOrigin) -> None:
    """The cache holds all that the file holds, which takes no more memory for a long file than for a short one.

    Raises:
        OSError: the folder cannot be written.
    """
    _write(connection, file, origin, refresh.read_in_parts(connection, origin.dimension, _PART_ROWS))


def rewrite(connection: sqlite3.Connection, file: Path, origin: CacheOrigin, snapshot: Snapshot) -> None:
    """The cache holds the rows of the snapshot that have not gone; Raises OSError."""
    _write(connection, file, origin, [snapshot])


def _write(connection: sqlite3.Connection, file: Path, origin: CacheOrigin, parts: Iterable[Snapshot]) -> None:
    def read(ids: I64) -> SentenceWindows:
        return read_stored_windows(connection, ids, origin.dimension)

    place = cache_path(file)
    prefix = f"{atomic_files.PARTIAL_PREFIX}{place.name}-"
    for left_by_a_crash in place.parent.glob(f"{prefix}*"):
        shutil.rmtree(left_by_a_crash, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=prefix, dir=place.parent, ignore_cleanup_errors=True) as scratch:
        fresh, old = Path(scratch) / "new", Path(scratch) / "old"
        fresh.mkdir(mode=0o700)
        with closing(CacheWriter(fresh)) as writer:
            writer.write(origin, parts, read)
        # Two steps, since a folder cannot be renamed over another: who comes in between finds none, and waits.
        if place.exists():
            place.rename(old)
        fresh.rename(place)
    atomic_files.sync_folder(place.parent)
