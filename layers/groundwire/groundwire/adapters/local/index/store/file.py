"""SQLite file of one index: creation, opening, transactions."""

import secrets
import sqlite3
import threading
import weakref
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final

from groundwire.adapters.local.filesystem import atomic_files
from groundwire.adapters.local.filesystem.os_errors import translate_os_errors
from groundwire.adapters.local.index.store import schema
from groundwire.adapters.local.index.store.errors import INDEX_KIND, file_replaced
from groundwire.adapters.local.sqlite import database_files
from groundwire.adapters.local.sqlite.errors import TRANSLATED, is_corruption, to_domain_error, translate_sqlite_errors
from groundwire.ports import ModelId

_BUSY_SECONDS: Final = 10.0
_PRAGMAS: Final = (
    "PRAGMA foreign_keys = ON",
    # A committed write survives a power cut.
    "PRAGMA synchronous = FULL",
    # On macOS a plain fsync leaves the data in the drive's cache; elsewhere this changes nothing.
    "PRAGMA fullfsync = ON",
    # The text of a deleted document must not stay in the file.
    "PRAGMA secure_delete = ON",
)


class IndexFile:
    """SQLite file of one index, made on first use; one connection reads, one writes, each for one thread at a time.

    A holder can use the file to the end, even when another file has replaced it; the last reference closes it.

    Args:
        path: the file.
        model: model of a new file, or a function that returns it; an existing file names its own.

    Attributes:
        model: model of the vectors in the file.
        cache_origin: identity that a cache of the file must have.

    Raises:
        Unavailable: the folder cannot be used, or the file is damaged.
        Conflict: an older or a newer Groundwire wrote the file.
    """

    def __init__(self, path: Path, model: ModelId | Callable[[], ModelId]) -> None:
        self.path = path
        self._locks = threading.Lock(), threading.Lock()
        with translate_os_errors(path.parent), translate_sqlite_errors(path, INDEX_KIND):
            atomic_files.ensure_private_folder(path.parent)
            if not path.exists():
                _create(path, model if isinstance(model, ModelId) else model())
            self._file_id = _file_id(path)
        with translate_sqlite_errors(path, INDEX_KIND), ExitStack() as half_open:
            self._reader = connect(path)
            half_open.callback(self._reader.close)
            self.model, identity = _read_meta(path, self._reader)
            inode = 0 if self._file_id is None else self._file_id[1]
            self.cache_origin = CacheOrigin(identity, inode, self.model.dimension)
            # A file of an earlier release gets them with its first write: to open it waits for no other process.
            self._empty_tables = schema.empty_tables(
                [row[0] for row in self._reader.execute(schema.LATER_TABLES_OF_FILE)]
            )
            for statement in self._empty_tables.values():
                self._reader.execute(statement)
            self._writer = connect(path)
            half_open.pop_all()
        weakref.finalize(self, _close, self._reader, self._writer).atexit = False

    def read_transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        """Run a read transaction: all statements of the block see one state, which the first of them fixes."""
        return _ReadTransaction(self.path, self._locks[0], self._reader)

    @contextmanager
    def write_transaction(self) -> Generator[sqlite3.Connection]:
        """Run a transaction that is on disk when the block ends, and rolled back when it raises.

        Raises:
            Unavailable: also when the file was replaced, because nobody would read what is written.
        """
        with (
            translate_sqlite_errors(self.path, INDEX_KIND),
            self._locks[1],
            # The write lock comes first: a transaction that asks for it later can fail without waiting.
            _transaction(self._writer, "BEGIN IMMEDIATE"),
        ):
            if not self.is_in_place():
                raise file_replaced(self.path)
            for statement in schema.LATER_TABLES:
                self._writer.execute(statement)
            yield self._writer
        if self._empty_tables:
            self._read_stored_tables()

    def is_in_place(self) -> bool:
        """Return whether the path still denotes the open file: another process may have removed it."""
        return _file_id(self.path) == self._file_id

    def _read_stored_tables(self) -> None:
        with translate_sqlite_errors(self.path, INDEX_KIND), self._locks[0]:
            for name in self._empty_tables:
                self._reader.execute(f"DROP TABLE IF EXISTS temp.{name}")
        self._empty_tables = dict[str, str]()

    def close(self) -> None:
        """Close the connections, after the running transactions; using the file afterwards raises Unavailable."""
        for lock, connection in zip(self._locks, (self._reader, self._writer), strict=True):
            with lock:
                connection.close()


def connect(path: Path) -> sqlite3.Connection:
    """Connect to an existing index."""
    return database_files.connect(path, _PRAGMAS, _BUSY_SECONDS)


@contextmanager
def exclude_writers(path: Path) -> Generator[None]:
    """Exclude other writers during the block; ignores a missing or damaged file, which nobody can write.

    Raises:
        Unavailable: another process writes for too long.
    """
    with ExitStack() as transaction, translate_sqlite_errors(path, INDEX_KIND):
        try:
            connection = transaction.enter_context(closing(connect(path)))
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            if path.exists() and not is_corruption(error):
                raise
        yield


def _close(*connections: sqlite3.Connection) -> None:
    for connection in connections:
        connection.close()


class _ReadTransaction:
    """Context manager of a block that reads one snapshot; its SQLite errors become domain errors.

    A class, since each search has one: three nested generators took three times as many calls.
    """

    __slots__ = ("_connection", "_lock", "_path")

    def __init__(self, path: Path, lock: threading.Lock, connection: sqlite3.Connection) -> None:
        self._path = path
        self._lock = lock
        self._connection = connection

    def __enter__(self) -> sqlite3.Connection:
        self._lock.acquire()
        try:
            self._connection.execute("BEGIN")
        except BaseException as error:
            self._lock.release()
            if isinstance(error, TRANSLATED):
                raise to_domain_error(error, self._path, INDEX_KIND) from error
            raise
        return self._connection

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        try:
            self._end("COMMIT" if error is None else "ROLLBACK")
        except sqlite3.Error as problem:
            raise to_domain_error(problem, self._path, INDEX_KIND) from problem
        finally:
            self._lock.release()
        if isinstance(error, TRANSLATED):
            raise to_domain_error(error, self._path, INDEX_KIND) from error

    def _end(self, statement: str) -> None:
        try:
            # SQLite rolls back some failed transactions by itself.
            if self._connection.in_transaction:
                self._connection.execute(statement)
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Generator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    finally:
        # SQLite rolls back some failed transactions by itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _create(path: Path, model: ModelId) -> None:
    def fill(connection: sqlite3.Connection) -> None:
        tables = schema.TABLES + "".join(schema.LATER_TABLES)
        connection.executescript(f"BEGIN; {tables} PRAGMA user_version = {schema.VERSION};")
        connection.execute(
            "INSERT INTO meta VALUES ('model', ?), ('dimension', ?), ('log_floor', 0), ('identity', ?)",
            (model.name, model.dimension, secrets.token_hex(16)),
        )
        connection.execute("COMMIT")

    database_files.create(path, connect, fill)


def _read_meta(path: Path, connection: sqlite3.Connection) -> tuple[ModelId, str]:
    """Return the model and the identity that the file names."""
    database_files.check_version(path, connection, schema.VERSION, INDEX_KIND)
    meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    if not meta.keys() >= {"model", "dimension", "log_floor", "identity"}:
        raise INDEX_KIND.damaged_error(path)
    return ModelId(meta["model"], meta["dimension"]), meta["identity"]


def _file_id(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


_CACHE_VERSION: Final = 1
"""Version of the arrays; a cache of another version is built again."""


@dataclass(frozen=True, slots=True)
class CacheOrigin:
    """Identity of the file that a cache was built from.

    Attributes:
        identity: random name in the file's table `meta`.
        inode: inode of the file; a restored file has another.
    """

    identity: str
    inode: int
    dimension: int

    def header_fields(self) -> dict[str, object]:
        """Return the header fields of a cache of this file."""
        identity_fields = {"identity": self.identity, "inode": self.inode, "dimension": self.dimension}
        return {"version": _CACHE_VERSION, "schema": schema.VERSION, **identity_fields}


def copy_index(path: Path, to: Path) -> None:
    """Copy the index as of one moment to `to`, with a new identity, so that no cache is taken for the other's.

    Raises:
        Unavailable: the file is damaged or does not answer, or the disk is full.
    """
    database_files.copy(path, to, INDEX_KIND)
    with closing(connect(to)) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'identity'", (secrets.token_hex(16),))
