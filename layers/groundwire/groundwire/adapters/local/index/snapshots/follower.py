"""Snapshot follower: a search sees everything that was written before it began.

The index is maintained in a background thread that ends with its work, so that no search waits for it.
"""

import math
import operator
import sqlite3
import threading
import time
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from groundwire.adapters.local.index.lexical.bm25 import Bm25
from groundwire.adapters.local.index.lexical.postings import PostingsSegment, is_merged, merge_segments
from groundwire.adapters.local.index.snapshots import cache, cache_builder
from groundwire.adapters.local.index.snapshots.cache import cached_sequence
from groundwire.adapters.local.index.snapshots.refresh import log_bounds, refresh_snapshot
from groundwire.adapters.local.index.snapshots.snapshot import DELETED, Snapshot, empty_snapshot
from groundwire.adapters.local.index.snapshots.statistics import build_bm25
from groundwire.adapters.local.index.store.file import IndexFile, connect
from groundwire.adapters.local.index.store.generations import cache_path

Postings = tuple[PostingsSegment, ...]


@dataclass(frozen=True, slots=True)
class MaintenanceResult:
    """Result of the maintenance since the last call.

    Attributes:
        postings: the same postings, merged as far as the work has come.
        has_new_cache: there is a newer cache than before, from this or another process.
    """

    postings: Postings
    has_new_cache: bool


class IndexMaintenance:
    """Background work on one file: merges postings and writes the cache; a result waits until it is taken."""

    def __init__(self, file: IndexFile) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._merged: tuple[Postings, Postings] = (), ()
        self._has_written = False
        self._has_failed = False

    def start(self, snapshot: Snapshot, cached_sequence: int, *, write_cache: bool) -> None:
        """Start the work, unless other work is running or its result waits.

        Args:
            snapshot: the current snapshot.
            cached_sequence: sequence of the cache that the snapshot started from.
            write_cache: write the cache, too.
        """
        writes = write_cache and not self._has_failed
        is_busy = self._thread is not None and self._thread.is_alive()
        if is_busy or self._has_written or (is_merged(snapshot.postings) and not writes):
            return
        self._thread = threading.Thread(
            target=self._work,
            args=(snapshot, cached_sequence, writes),
            name="groundwire-tidying",
            # No daemon: the interpreter waits, so that it does not end in the middle of a file.
            daemon=False,
        )
        self._thread.start()

    def take_result(self, postings: Postings) -> MaintenanceResult:
        """Return the result once.

        Args:
            postings: the current postings.
        """
        with self._lock:
            (before, after), has_written = self._merged, self._has_written
            self._merged, self._has_written = ((), ()), False
        # A refresh may have read all rows again, and postings merged before do not fit then.
        is_same = len(before) > 0 and len(postings) >= len(before) and all(map(operator.is_, postings, before))
        return MaintenanceResult((*after, *postings[len(before) :]) if is_same else postings, has_written)

    def close(self) -> None:
        """Wait for the running work."""
        if self._thread is not None:
            self._thread.join()

    def _work(self, snapshot: Snapshot, cached: int, writes: bool) -> None:  # noqa: FBT001 - from this module alone
        if not is_merged(snapshot.postings):
            merged = snapshot.postings, merge_segments(snapshot.postings)
            with self._lock:
                self._merged = merged
        if writes:
            try:
                has_written = self._write(snapshot, cached)
            except (OSError, sqlite3.Error):
                # A missing cache only slows the next start; searches do not retry the disk.
                self._has_failed = True
            else:
                with self._lock:
                    self._has_written = has_written

    def _write(self, snapshot: Snapshot, cached: int) -> bool:
        path, origin = self._file.path, self._file.cache_origin
        with cache_builder.cache_lock(path, wait=False) as is_locked:
            if not is_locked or not self._file.is_in_place():
                return False
            if cached_sequence(cache_path(path), origin) <= cached:
                with closing(connect(path)) as connection:
                    cache_builder.rewrite(connection, path, origin, snapshot)
            return True


_UNREAD: Final = -1
"""Marker that is neither a data version of SQLite nor a sequence of a log."""

CACHE_MIN_ROWS: Final = 10_000
"""Number of rows from which a cache replaces reading the file at every start."""

_REWRITE_RATIO: Final = 4
"""Rewrite ratio: the cache is rewritten when the new and deleted rows are a quarter of its rows."""

DELETED_RETENTION_SECONDS: Final = 3_600.0
"""Age at which a search rewrites a cache that still holds numbers derived from deleted texts."""


class SnapshotFollower:
    """Rows of a file as of its last change, with their statistics; for one thread at a time."""

    def __init__(self, file: IndexFile) -> None:
        self._file = file
        self._maintenance = IndexMaintenance(file)
        self._data_version = _UNREAD
        self._snapshot = empty_snapshot(file.model.dimension, epoch=0)
        self._bm25 = build_bm25(self._snapshot)
        self._cached_sequence = _UNREAD
        self._lacks_codes = False
        self._purge_due_at = math.inf

    def current(self, connection: sqlite3.Connection) -> tuple[Snapshot, Bm25]:
        """Return the snapshot and its statistics as of now; the connection is in a transaction.

        Raises:
            sqlite3.Error: the file is damaged or does not answer.
        """
        # Within the transaction, so it is the version of the rows that are read next.
        version = int(connection.execute("PRAGMA data_version").fetchone()[0])
        done = self._maintenance.take_result(self._snapshot.postings)
        if version != self._data_version or done.has_new_cache:
            self._refresh(connection, has_new_cache=done.has_new_cache)
            self._data_version = version
        elif done.postings is not self._snapshot.postings:
            self._snapshot = replace(self._snapshot, postings=done.postings)
            self._bm25 = replace(self._bm25, postings=done.postings)
        elif not self._is_purge_overdue():
            return self._snapshot, self._bm25
        self._maintenance.start(self._snapshot, self._cached_sequence, write_cache=self._needs_cache_write())
        return self._snapshot, self._bm25

    def close(self) -> None:
        """Wait for the background work."""
        self._maintenance.close()

    def _refresh(self, connection: sqlite3.Connection, *, has_new_cache: bool) -> None:
        base = self._snapshot
        _, floor = log_bounds(connection)
        if has_new_cache or not len(base.ids) or base.sequence < floor:
            base = self._from_cache(connection) or base
        self._snapshot = refresh_snapshot(connection, base, self._file.model.dimension)
        self._bm25 = build_bm25(self._snapshot)

    def _from_cache(self, connection: sqlite3.Connection) -> Snapshot | None:
        """Open the cache; builds it first if it is missing and the file has many rows."""
        found = self._open_cache(connection)
        if found is None and not len(self._snapshot.ids) and _count_rows(connection) >= CACHE_MIN_ROWS:
            # A disk without room for a cache must not prevent searching.
            with suppress(OSError), cache_builder.cache_lock(self._file.path, wait=True):
                found = self._open_cache(connection)
                if found is None:
                    cache_builder.build(connection, self._file.path, self._file.cache_origin)
                    found = self._open_cache(connection)
        if found is not None:
            self._cached_sequence, self._purge_due_at = found.sequence, math.inf
            self._lacks_codes = found.codes.rows < len(found.ids)
        return found

    def _open_cache(self, connection: sqlite3.Connection) -> Snapshot | None:
        epoch = self._snapshot.epoch + 1
        return cache.open_cache(cache_path(self._file.path), self._file.cache_origin, connection, epoch)

    def _needs_cache_write(self) -> bool:
        cached, rows = len(self._snapshot.windows.starts) - 1, len(self._snapshot.ids)
        deleted = int(np.count_nonzero(self._snapshot.policy_of[:cached] == DELETED))
        if deleted and self._purge_due_at == math.inf:
            self._purge_due_at = cache.written_at(cache_path(self._file.path)) + DELETED_RETENTION_SECONDS
        is_outdated = rows - cached + deleted >= max(CACHE_MIN_ROWS, cached // _REWRITE_RATIO)
        return is_outdated or self._lacks_codes or self._is_purge_overdue()

    def _is_purge_overdue(self) -> bool:
        return time.time() >= self._purge_due_at


def _count_rows(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM segments").fetchone()[0])
