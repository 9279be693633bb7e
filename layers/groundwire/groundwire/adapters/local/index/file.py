"""The SQLite file of one index: making, opening, reading and writing it."""

import sqlite3
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from groundwire.adapters.local import durable
from groundwire.adapters.local.faults import filesystem
from groundwire.adapters.local.index import schema
from groundwire.adapters.local.index.faults import INDEX, other_model
from groundwire.adapters.local.sqlite import files
from groundwire.adapters.local.sqlite.faults import sqlite_faults
from groundwire.ports import ModelId

NAME: Final = "index.db"
SIDE_FILES: Final = ("-wal", "-shm")
"""What SQLite keeps beside the file while it is in use."""

_BUSY_SECONDS: Final = 10.0
_READY: Final = (
    "PRAGMA foreign_keys = ON",
    # What was acknowledged survives a power cut.
    "PRAGMA synchronous = FULL",
    # On macOS a plain fsync leaves the data in the drive's cache; elsewhere this changes nothing.
    "PRAGMA fullfsync = ON",
    # The text of a deleted document does not stay behind in the file.
    "PRAGMA secure_delete = ON",
)


class IndexFile:
    """`index.db` in `folder`, made on first use; one connection reads, one writes, each for one thread at a time.

    Raises:
        Unavailable: the folder cannot be used, or the file is damaged.
        Conflict: another model or a newer Groundwire wrote the file.
    """

    def __init__(self, folder: Path, model: ModelId) -> None:
        self.path = folder / NAME
        self._locks = threading.Lock(), threading.Lock()
        with filesystem(folder), sqlite_faults(self.path, INDEX):
            durable.private_folder(folder)
            if not self.path.exists():
                _create(self.path, model)
            self._identity = _identity(self.path)
        with sqlite_faults(self.path, INDEX), ExitStack() as half_open:
            self._reader = connect(self.path)
            half_open.callback(self._reader.close)
            _check(self.path, self._reader, model)
            self._writer = connect(self.path)
            half_open.pop_all()

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """All statements of the block see one state, unless none of them has begun yet."""
        with sqlite_faults(self.path, INDEX), self._locks[0], _transaction(self._reader, "BEGIN"):
            yield self._reader

    @contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """What the block writes is on disk when it ends, and undone when it raises."""
        with sqlite_faults(self.path, INDEX), self._locks[1], _transaction(self._writer, "BEGIN IMMEDIATE"):
            yield self._writer

    def is_in_place(self) -> bool:
        """Whether the path still leads to the file that is open here: another process may have dropped it."""
        return _identity(self.path) == self._identity

    def close(self) -> None:
        """Waits for what is going on; using the file afterwards raises Unavailable."""
        for lock, connection in zip(self._locks, (self._reader, self._writer), strict=True):
            with lock:
                connection.close()


def connect(path: Path) -> sqlite3.Connection:
    """A connection to an index that exists."""
    return files.connect(path, _READY, _BUSY_SECONDS)


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Generator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    finally:
        # SQLite undoes some failed transactions by itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _create(path: Path, model: ModelId) -> None:
    def fill(connection: sqlite3.Connection) -> None:
        connection.executescript(f"BEGIN; {schema.TABLES} PRAGMA user_version = {schema.VERSION};")
        connection.execute(
            "INSERT INTO meta VALUES ('model', ?), ('dimension', ?), ('log_floor', 0)", (model.name, model.dimension)
        )
        connection.execute("COMMIT")

    files.create(path, connect, fill)


def _check(path: Path, connection: sqlite3.Connection, model: ModelId) -> None:
    files.check_version(path, connection, schema.VERSION, INDEX)
    meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    if not meta.keys() >= {"model", "dimension", "log_floor"}:
        raise INDEX.damaged(path)
    if (built := ModelId(meta["model"], meta["dimension"])) != model:
        raise other_model(path, built, model)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino
