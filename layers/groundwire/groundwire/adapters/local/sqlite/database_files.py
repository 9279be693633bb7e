"""SQLite files: opening, creation, copies."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

from groundwire.adapters.local.filesystem import atomic_files
from groundwire.adapters.local.sqlite.errors import DatabaseKind, newer_schema_error, translate_sqlite_errors

_COPY_BUSY_SECONDS: Final = 10.0


def connect(path: Path, pragmas: Sequence[str], busy_seconds: float) -> sqlite3.Connection:
    """Connect to an existing file, for explicit transactions.

    Args:
        path: the file.
        pragmas: statements to run first.
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
    """Build the file in a temporary folder and link it into place, so that it is never seen incomplete.

    Args:
        path: the final path; a file that another process has made there meanwhile stays.
        open_file: connects to the empty file.
        fill: makes tables and first rows, committed when it returns.
    """
    # Imported here: most processes create no file, and the import takes a tenth of a cold start.
    import tempfile

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
    """Check that the file has the schema of this version of Groundwire.

    Raises:
        Conflict: a newer or an older Groundwire wrote it.
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
    """Copy the file as of one moment to `to`, readable by its owner only; writers do not wait.

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
