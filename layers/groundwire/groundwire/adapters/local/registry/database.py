"""SQLite database of the registry: connection pool, migrations, and transactions with two levels of durability."""

import os
import sqlite3
from collections import deque
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Final

from groundwire.adapters.local.filesystem import atomic_files, disk_reserve, os_errors
from groundwire.adapters.local.registry import schema
from groundwire.adapters.local.registry.errors import REGISTRY_KIND
from groundwire.adapters.local.registry.migrations import MIGRATIONS
from groundwire.adapters.local.sqlite import database_files
from groundwire.adapters.local.sqlite.errors import TRANSLATED, to_domain_error, translate_sqlite_errors
from groundwire.domain import errors

_BUSY_SECONDS: Final = 5.0
"""Time that a statement waits for the lock of another process."""
_PRAGMAS: Final = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = NORMAL",
    # On macOS a plain fsync leaves the data in the drive's cache; elsewhere this changes nothing.
    "PRAGMA fullfsync = ON",
    "PRAGMA checkpoint_fullfsync = ON",
    # Deleted content is overwritten with zeros, not left in free pages.
    "PRAGMA secure_delete = ON",
)


class Database:
    """`registry.db` in `folder`, created on first use and shared by the threads of any number of processes.

    A connection serves one thread at a time and returns to a pool, so that threads may come and go. After a fork the
    child opens connections of its own: SQLite forbids sharing them.

    Raises:
        Unavailable: the folder cannot be used, or the file is damaged.
        Conflict: a newer Groundwire wrote the file.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / "registry.db"
        self._inherited: list[deque[sqlite3.Connection]] = []
        self._reset_pool()
        with os_errors.translate_os_errors(folder), translate_sqlite_errors(self._file, REGISTRY_KIND):
            atomic_files.ensure_private_folder(folder)
            if not self._file.exists():
                database_files.create(self._file, _open, _create_tables)
        self._migrate()
        with self.read() as connection:
            database_files.check_version(self._file, connection, schema.VERSION, REGISTRY_KIND)
        self._add_missing()

    def read(self) -> AbstractContextManager[sqlite3.Connection]:
        """Lend a connection for single statements: each sees one consistent state, the latest committed."""
        if self._process != os.getpid():
            self._set_aside_inherited()
        return _Loan(self._idle, self._file)

    @contextmanager
    def write(self) -> Generator[sqlite3.Connection]:
        """Run a transaction that is on disk when the block ends, and rolled back when it raises.

        A revocation, a policy or a deletion must not be lost in a power cut.
        """
        with self._write_lock_of_process(), self.read() as connection:
            connection.execute("PRAGMA synchronous = FULL")
            try:
                with connection:
                    connection.execute("BEGIN IMMEDIATE")
                    yield connection
            finally:
                connection.execute("PRAGMA synchronous = NORMAL")

    @contextmanager
    def write_relaxed(self) -> Generator[sqlite3.Connection]:
        """Run a transaction that survives a crash of the process, but does not wait for the disk; for rate limits.

        A power cut may undo the last transactions, which only refunds some calls; waiting for the disk would cost each
        call milliseconds. Where the disk is full, it raises once, and the next calls get the reserve of the home.
        """
        try:
            with self._write_lock_of_process(), self.read() as connection, connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
        except errors.Unavailable:
            disk_reserve.release(self._file.parent)
            raise

    def truncate_wal(self) -> None:
        """Empty the write-ahead log, whose pages have the content from before a deletion.

        While another process reads for longer than the lock timeout, it is not emptied; the next call does it.
        """
        with self._write_lock_of_process(), self.read() as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def integrity_errors(self) -> list[str]:
        """Return the errors that SQLite's own check finds; empty for a sound file. Reads the whole file."""
        try:
            with self.read() as connection:
                messages = [str(row[0]) for row in connection.execute("PRAGMA quick_check(20)")]
        except errors.Unavailable as problem:
            return [str(problem)]
        return [] if messages == ["ok"] else messages

    def close(self) -> None:
        """Close all idle connections; a later use opens new ones."""
        while self._idle:
            self._idle.pop().close()

    def _migrate(self) -> None:
        """Migrate a file of an earlier schema, one version at a time, each in one transaction."""
        with self.read() as connection:
            version = _version(connection)
        while version in MIGRATIONS:
            with self.write() as connection:
                # Only the first of several processes that open the file at once migrates it.
                if _version(connection) == version:
                    for statement in _statements(MIGRATIONS[version]):
                        connection.execute(statement)
                    connection.execute(f"PRAGMA user_version = {version + 1}")
            version += 1

    def _add_missing(self) -> None:
        """Add the optional tables, columns and indexes of `schema` that the file lacks; its version stays."""
        with self.read() as connection:
            if not (_missing_tables(connection) or _missing_columns(connection) or _missing_indexes(connection)):
                return
        with self.write() as connection:
            # Only the first of several processes that open the file at once adds them.
            _add_optional(connection)

    def _reset_pool(self) -> None:
        self._process = os.getpid()
        self._idle: deque[sqlite3.Connection] = deque()
        # Threads queue here for writing, because SQLite's own waiting sleeps for milliseconds between attempts.
        self._write_lock = Lock()

    def _write_lock_of_process(self) -> Lock:
        if self._process != os.getpid():
            self._set_aside_inherited()
        return self._write_lock

    def _set_aside_inherited(self) -> None:
        # Kept, not closed: closing a connection that was open across a fork can harm the parent's.
        self._inherited.append(self._idle)
        self._reset_pool()


class _Loan:
    """Connection that is lent to a block, whose SQLite errors become domain errors.

    A class, since a search borrows four times: three nested generators took five times as many calls.
    """

    __slots__ = ("_connection", "_file", "_idle")

    def __init__(self, idle: deque[sqlite3.Connection], file: Path) -> None:
        self._idle = idle
        self._file = file
        self._connection: sqlite3.Connection | None = None

    def __enter__(self) -> sqlite3.Connection:
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._open()
        self._connection = connection
        return connection

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        connection = self._connection
        # A transaction that could be neither ended nor undone must not reach the next borrower.
        if connection is not None and connection.in_transaction:
            connection.close()
        elif connection is not None:
            self._idle.append(connection)
        if isinstance(error, TRANSLATED):
            raise to_domain_error(error, self._file, REGISTRY_KIND) from error

    def _open(self) -> sqlite3.Connection:
        with translate_sqlite_errors(self._file, REGISTRY_KIND):
            return _open(self._file)


def _open(file: Path) -> sqlite3.Connection:
    connection = database_files.connect(file, _PRAGMAS, _BUSY_SECONDS)
    connection.row_factory = sqlite3.Row
    return connection


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _missing_tables(connection: sqlite3.Connection) -> list[str]:
    present = {row["name"] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return [table for table in schema.OPTIONAL_TABLES if table not in present]


def _missing_indexes(connection: sqlite3.Connection) -> list[str]:
    present = {row["name"] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'index'")}
    return [name for name in schema.OPTIONAL_INDEXES if name not in present]


def _missing_columns(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    present = {
        (table, row["name"])
        for table in {table for table, _ in schema.OPTIONAL_COLUMNS}
        for row in connection.execute(f"PRAGMA table_info({table})")
    }
    return [column for column in schema.OPTIONAL_COLUMNS if column not in present]


def _add_optional(connection: sqlite3.Connection) -> None:
    for table in _missing_tables(connection):
        connection.execute(schema.OPTIONAL_TABLES[table])
    for table, name in _missing_columns(connection):
        connection.execute(f"ALTER TABLE {table} ADD COLUMN {name} {schema.OPTIONAL_COLUMNS[table, name]}")
    for name in _missing_indexes(connection):
        connection.execute(schema.OPTIONAL_INDEXES[name])


def _statements(script: str) -> list[str]:
    """Split the script into statements, because `executescript` would commit the open transaction."""
    return [statement for statement in script.split(";") if statement.strip()]


def _create_tables(connection: sqlite3.Connection) -> None:
    connection.executescript(f"BEGIN; {_whole_schema()} PRAGMA user_version = {schema.VERSION}; COMMIT;")


@cache
def _whole_schema() -> str:
    """Return the statements that make a new file with all that an earlier one may lack."""
    # SQLite reads the whole schema again for each added column, so a process does that once.
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    try:
        connection.executescript(schema.TABLES)
        _add_optional(connection)
        stated = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
        return "".join(f"{row['sql']};" for row in stated)
    finally:
        connection.close()
