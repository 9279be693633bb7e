"""Opening and making SQLite files."""

import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

from groundwire.adapters.local.filesystem import atomic_files
from groundwire.adapters.local.sqlite.errors import DatabaseKind, newer_schema_error, translate_sqlite_errors

_COPY_BUSY_SECONDS: Final = 10.0


def connect(path: Path, pragmas: Sequence[str], busy_seconds: float) -> sqlite3.Connection:
    """A connection to a file that exists, ready for explicit transactions.

    Args:
        path: of the file.
        pragmas: run before anything else.
        busy_seconds: how long a statement waits for another process.
    """
    # mode=rw: a file that vanished is an error, not an empty one.
    uri = f"file:{quote(str(path.absolute()))}?mode=rw"
    connection = sqlite3.connect(uri, busy_seconds, isolation_level=None, check_same_thread=False, uri=True)
    try:
        for pragma in pragmas:
            connection.execute(pragma)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def create(
    path: Path, open_file: Callable[[Path], sqlite3.Connection], fill: Callable[[sqlite3.Connection], None]
) -> None:
    """Builds the file beside its place and links it in, so that it is never seen half-made.

    Args:
        path: where it shall be; a file that another process has made there meanwhile is kept.
        open_file: gives a connection to the empty file.
        fill: makes tables and first rows, committed when it returns.
    """
    with tempfile.TemporaryDirectory(prefix=atomic_files.PARTIAL_PREFIX, dir=path.parent) as folder:
        fresh = Path(folder) / path.name
        fresh.touch(mode=0o600)
        connection = open_file(fresh)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            fill(connection)
        finally:
            connection.close()
        atomic_files.link_into_place(fresh, path)


def check_version(path: Path, connection: sqlite3.Connection, known: int, kind: DatabaseKind) -> None:
    """The file has the schema that this version of Groundwire knows.

    Raises:
        Conflict: a newer Groundwire wrote it, or an earlier one.
        Unavailable: it is no such file.
    """
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if found > known:
        raise newer_schema_error(path, found, known)
    if 0 < found < known and kind.outdated_error is not None:
        raise kind.outdated_error(path)
    if found < known:
        raise kind.damaged_error(path)


def copy(path: Path, to: Path, kind: DatabaseKind) -> None:
    """`to` is made, readable by its owner only, and holds what the file held at one moment; writers are not held up.

    Raises:
        Unavailable: the file is damaged or does not answer, or the disk is full.
    """
    to.touch(mode=0o600, exist_ok=False)
    with (
        translate_sqlite_errors(path, kind),
        closing(connect(path, (), _COPY_BUSY_SECONDS)) as source,
        closing(sqlite3.connect(to)) as target,
    ):
        source.backup(target)
