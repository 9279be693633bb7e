"""Snapshot follower: a search sees everything that was written before it began."""

import math
import sqlite3
import time
from contextlib import suppress
from dataclasses import replace
from typing import Final

import numpy as np

from groundwire.adapters.local.index.lexical.bm25 import Bm25
from groundwire.adapters.local.index.snapshots import cache, cache_builder
from groundwire.adapters.local.index.snapshots.maintenance import IndexMaintenance
from groundwire.adapters.local.index.snapshots.refresh import log_bounds, refresh_snapshot
from groundwire.adapters.local.index.snapshots.snapshot import DELETED, Snapshot, empty_snapshot
from groundwire.adapters.local.index.snapshots.statistics import build_bm25
from groundwire.adapters.local.index.store.file import IndexFile
from groundwire.adapters.local.index.store.generations import cache_path

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
