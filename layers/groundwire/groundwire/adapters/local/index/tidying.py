"""What takes seconds is done beside the searches, by a thread that ends with its work: none of them waits for it."""

import operator
import sqlite3
import threading
from contextlib import closing
from dataclasses import dataclass

from groundwire.adapters.local.index import cache_keeping
from groundwire.adapters.local.index.cache import sequence_of
from groundwire.adapters.local.index.file import IndexFile, connect
from groundwire.adapters.local.index.generations import cache_of
from groundwire.adapters.local.index.postings import Piece, is_tidy, tidied
from groundwire.adapters.local.index.snapshot import Snapshot

Pieces = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """What has been done since it was last asked for.

    Attributes:
        pieces: the same postings, tidied as far as they have been.
        has_written: there is a newer cache than before, here or by another process.
    """

    pieces: Pieces
    has_written: bool


class Tidying:
    """Merges postings and writes the cache of one file; what it has done waits until somebody takes it."""

    def __init__(self, file: IndexFile) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._merged: tuple[Pieces, Pieces] = (), ()
        self._has_written = False
        self._has_failed = False

    def begin(self, snapshot: Snapshot, cached: int, *, is_to_write: bool) -> None:
        """The work is done some time later; none is begun while there is other work.

        Args:
            snapshot: of now.
            cached: the sequence of the cache that it began with.
            is_to_write: the cache, too.
        """
        writes = is_to_write and not self._has_failed
        is_busy = self._thread is not None and self._thread.is_alive()
        if is_busy or self._has_written or (is_tidy(snapshot.pieces) and not writes):
            return
        self._thread = threading.Thread(
            target=self._work, args=(snapshot, cached, writes), name="groundwire-tidying", daemon=False
        )
        self._thread.start()

    def done(self, pieces: Pieces) -> Done:
        """What has been done, said once.

        Args:
            pieces: of now.
        """
        with self._lock:
            (before, after), has_written = self._merged, self._has_written
            self._merged, self._has_written = ((), ()), False
        is_same = len(before) > 0 and len(pieces) >= len(before) and all(map(operator.is_, pieces, before))
        return Done((*after, *pieces[len(before) :]) if is_same else pieces, has_written)

    def close(self) -> None:
        """Waits for what is being done."""
        if self._thread is not None:
            self._thread.join()

    def _work(self, snapshot: Snapshot, cached: int, writes: bool) -> None:  # noqa: FBT001 - from this module alone
        if not is_tidy(snapshot.pieces):
            merged = snapshot.pieces, tidied(snapshot.pieces)
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
        path, origin = self._file.path, self._file.origin
        with cache_keeping.alone(path, wait=False) as is_alone:
            if not is_alone or not self._file.is_in_place():
                return False
            if sequence_of(cache_of(path), origin) <= cached:
                with closing(connect(path)) as connection:
                    cache_keeping.rewrite(connection, path, origin, snapshot)
            return True
