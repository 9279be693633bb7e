"""Keeping up with the file: what a search holds is what was written before it began."""

import math
import sqlite3
import time
from contextlib import suppress
from dataclasses import replace
from typing import Final

import numpy as np

from groundwire.adapters.local.index import cache, cache_keeping
from groundwire.adapters.local.index.bm25 import Bm25, statistics
from groundwire.adapters.local.index.catching_up import caught_up, ends
from groundwire.adapters.local.index.file import IndexFile
from groundwire.adapters.local.index.generations import cache_of
from groundwire.adapters.local.index.snapshot import GONE, Snapshot, empty
from groundwire.adapters.local.index.tidying import Tidying

_UNREAD: Final = -1
"""No data version that SQLite gives, and no sequence of a log."""

WORTH_A_CACHE: Final = 10_000
"""So many rows are not read from the file at every start."""

_SHARE: Final = 4
"""The cache is written anew when one row for each so many in it is new or has gone."""

GONE_KEPT_S: Final = 3_600.0
"""The age at which a cache that holds numbers made of texts that have gone is written anew by the next search."""


class Following:
    """The rows of a file as of its last change, with their statistics; for one thread at a time."""

    def __init__(self, file: IndexFile) -> None:
        self._file = file
        self._tidying = Tidying(file)
        self._data_version = _UNREAD
        self._snapshot = empty(file.model.dimension, epoch=0)
        self._bm25 = statistics(self._snapshot)
        self._cached = _UNREAD
        self._purged_by = math.inf

    def now(self, connection: sqlite3.Connection) -> tuple[Snapshot, Bm25]:
        """Of this moment; the connection is in a transaction.

        Raises:
            sqlite3.Error: the file is damaged or does not answer.
        """
        # Within the transaction, so it is the version of what is read next.
        version = int(connection.execute("PRAGMA data_version").fetchone()[0])
        done = self._tidying.done(self._snapshot.pieces)
        if version != self._data_version or done.has_written:
            self._catch_up(connection, has_new_cache=done.has_written)
            self._data_version = version
        elif done.pieces is not self._snapshot.pieces:
            self._snapshot = replace(self._snapshot, pieces=done.pieces)
            self._bm25 = replace(self._bm25, pieces=done.pieces)
        elif not self._is_overdue():
            return self._snapshot, self._bm25
        self._tidying.begin(self._snapshot, self._cached, is_to_write=self._is_to_write())
        return self._snapshot, self._bm25

    def close(self) -> None:
        """Waits for what is done beside the searches."""
        self._tidying.close()

    def _catch_up(self, connection: sqlite3.Connection, *, has_new_cache: bool) -> None:
        begun = self._snapshot
        _, floor = ends(connection)
        if has_new_cache or not len(begun.ids) or begun.sequence < floor:
            begun = self._from_cache(connection) or begun
        self._snapshot = caught_up(connection, begun, self._file.model.dimension)
        self._bm25 = statistics(self._snapshot)

    def _from_cache(self, connection: sqlite3.Connection) -> Snapshot | None:
        """What the cache holds; with many rows one is built first, and then there is always one."""
        found = self._opened(connection)
        if found is None and not len(self._snapshot.ids) and _rows(connection) >= WORTH_A_CACHE:
            # A disk that cannot hold one is no reason not to search.
            with suppress(OSError), cache_keeping.alone(self._file.path, wait=True):
                found = self._opened(connection)
                if found is None:
                    cache_keeping.build(connection, self._file.path, self._file.origin)
                    found = self._opened(connection)
        if found is not None:
            self._cached, self._purged_by = found.sequence, math.inf
        return found

    def _opened(self, connection: sqlite3.Connection) -> Snapshot | None:
        epoch = self._snapshot.epoch + 1
        return cache.opened(cache_of(self._file.path), self._file.origin, connection, epoch)

    def _is_to_write(self) -> bool:
        cached, rows = len(self._snapshot.windows.starts) - 1, len(self._snapshot.ids)
        gone = int(np.count_nonzero(self._snapshot.policy_of[:cached] == GONE))
        if gone and self._purged_by == math.inf:
            self._purged_by = cache.written_at(cache_of(self._file.path)) + GONE_KEPT_S
        return rows - cached + gone >= max(WORTH_A_CACHE, cached // _SHARE) or self._is_overdue()

    def _is_overdue(self) -> bool:
        return time.time() >= self._purged_by


def _rows(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM segments").fetchone()[0])
