"""Index maintenance in a background thread that ends with its work, so that no search waits for it."""

import operator
import sqlite3
import threading
from contextlib import closing
from dataclasses import dataclass

from groundwire.adapters.local.index.lexical.postings import PostingsSegment, is_merged, merge_segments
from groundwire.adapters.local.index.snapshots import cache_builder
from groundwire.adapters.local.index.snapshots.cache import cached_sequence
from groundwire.adapters.local.index.snapshots.snapshot import Snapshot
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
        # A refresh may have read everything anew, and postings merged before do not fit then.
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
