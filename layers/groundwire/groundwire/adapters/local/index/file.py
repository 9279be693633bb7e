"""The SQLite file of one index: making, opening, reading and writing it."""

import secrets
import sqlite3
import threading
import weakref
from collections.abc import Generator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

from groundwire.adapters.local import durable
from groundwire.adapters.local.faults import filesystem
from groundwire.adapters.local.index import schema
from groundwire.adapters.local.index.cache import Origin
from groundwire.adapters.local.index.faults import INDEX, replaced
from groundwire.adapters.local.sqlite import files
from groundwire.adapters.local.sqlite.faults import is_damage, sqlite_faults
from groundwire.ports import ModelId

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
    """The file, made on first use; one connection reads, one writes, each for one thread at a time.

    Whoever holds it can use it to the end, even when the file has lost its place meanwhile; it closes when the last
    one lets go.

    Args:
        path: of the file. model: of a file that is made; one that exists says its own.

    Attributes:
        model: whose vectors the file holds. origin: what a cache of it is known by.

    Raises:
        Unavailable: the folder cannot be used, or the file is damaged.
        Conflict: an older or a newer Groundwire wrote the file.
    """

    def __init__(self, path: Path, model: ModelId) -> None:
        self.path = path
        self._locks = threading.Lock(), threading.Lock()
        with filesystem(path.parent), sqlite_faults(path, INDEX):
            durable.private_folder(path.parent)
            if not path.exists():
                _create(path, model)
            self._identity = _identity(path)
        with sqlite_faults(path, INDEX), ExitStack() as half_open:
            self._reader = connect(path)
            half_open.callback(self._reader.close)
            self.model, identity = _checked(path, self._reader)
            inode = 0 if self._identity is None else self._identity[1]
            self.origin = Origin(identity, inode, self.model.dimension)
            self._writer = connect(path)
            half_open.pop_all()
        weakref.finalize(self, _close, self._reader, self._writer).atexit = False

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """All statements of the block see one state, unless none of them has begun yet."""
        with sqlite_faults(self.path, INDEX), self._locks[0], _transaction(self._reader, "BEGIN"):
            yield self._reader

    @contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """What the block writes is on disk when it ends, and undone when it raises.

        Raises:
            Unavailable: also when the file has lost its place, where nobody would read what is written.
        """
        with sqlite_faults(self.path, INDEX), self._locks[1], _transaction(self._writer, "BEGIN IMMEDIATE"):
            if not self.is_in_place():
                raise replaced(self.path)
            yield self._writer

    def is_in_place(self) -> bool:
        """Whether the path still leads to the file that is open here: another process may have removed it."""
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
def kept_from_writers(path: Path) -> Generator[None]:
    """Nobody writes to the file during the block, or to what is left of it afterwards; a damaged one needs no care.

    Raises:
        Unavailable: somebody else writes for too long.
    """
    with ExitStack() as held, sqlite_faults(path, INDEX):
        try:
            connection = held.enter_context(closing(connect(path)))
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            if path.exists() and not is_damage(error):
                raise
        yield


def _close(*connections: sqlite3.Connection) -> None:
    for connection in connections:
        connection.close()


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
            "INSERT INTO meta VALUES ('model', ?), ('dimension', ?), ('log_floor', 0), ('identity', ?)",
            (model.name, model.dimension, secrets.token_hex(16)),
        )
        connection.execute("COMMIT")

    files.create(path, connect, fill)


def _checked(path: Path, connection: sqlite3.Connection) -> tuple[ModelId, str]:
    """The model whose vectors the file says it holds, and its identity."""
    files.check_version(path, connection, schema.VERSION, INDEX)
    meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    if not meta.keys() >= {"model", "dimension", "log_floor", "identity"}:
        raise INDEX.damaged(path)
    return ModelId(meta["model"], meta["dimension"]), meta["identity"]


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino
