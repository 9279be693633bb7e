"""What takes seconds is done beside the searches, by a thread that ends with its work: none of them waits for it."""

import operator
import sqlite3
import threading
from contextlib import closing
from dataclasses import dataclass

from groundwire.adapters.local.index.lexical.postings import PostingsSegment, is_merged, merge_segments
from groundwire.adapters.local.index.memory import cache_builder
from groundwire.adapters.local.index.memory.cache import cached_sequence
from groundwire.adapters.local.index.memory.snapshot import Snapshot
from groundwire.adapters.local.index.store.file import IndexFile, connect
from groundwire.adapters.local.index.store.generations import cache_path

Postings = tuple[PostingsSegment, ...]


@dataclass(frozen=True, slots=True)
class MaintenanceResult:
    """What has been done since it was last asked for.

    Attributes:
        postings: the same postings, tidied as far as they have been.
        has_new_cache: there is a newer cache than before, here or by another process.
    """

    postings: Postings
    has_new_cache: bool


class IndexMaintenance:
    """Merges postings and writes the cache of one file; what it has done waits until somebody takes it."""

    def __init__(self, file: IndexFile) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._merged: tuple[Postings, Postings] = (), ()
        self._has_written = False
        self._has_failed = False

    def start(self, snapshot: Snapshot, cached_sequence: int, *, write_cache: bool) -> None:
        """The work is done some time later; none is begun while there is other work.

        Args:
            snapshot: of now.
            cached_sequence: the sequence of the cache that it began with.
            write_cache: the cache, too.
        """
        writes = write_cache and not self._has_failed
        is_busy = self._thread is not None and self._thread.is_alive()
        if is_busy or self._has_written or (is_merged(snapshot.postings) and not writes):
            return
        self._thread = threading.Thread(
            target=self._work, args=(snapshot, cached_sequence, writes), name="groundwire-tidying", daemon=False
        )
        self._thread.start()

    def take_result(self, pieces: Postings) -> MaintenanceResult:
        """What has been done, said once.

        Args:
            pieces: of now.
        """
        with self._lock:
            (before, after), has_written = self._merged, self._has_written
            self._merged, self._has_written = ((), ()), False
        is_same = len(before) > 0 and len(pieces) >= len(before) and all(map(operator.is_, pieces, before))
        return MaintenanceResult((*after, *pieces[len(before) :]) if is_same else pieces, has_written)

    def close(self) -> None:
        """Waits for what is being done."""
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
                # Without a cache all is well, only slower to start; the disk is not tried at every search.
                self._has_failed = True
            else:
                with self._lock:
                    self._has_written = has_written

    def _write(self, snapshot: Snapshot, cached: int) -> bool:
        path, origin = self._file.path, self._file.cache_origin
        with cache_builder.cache_lock(path, wait=False) as is_alone:
            if not is_alone or not self._file.is_in_place():
                return False
            if cached_sequence(cache_path(path), origin) <= cached:
                with closing(connect(path)) as connection:
                    cache_builder.rewrite(connection, path, origin, snapshot)
            return True
