"""Index of the audit log, `audit-index.db` beside it: where the lines with a term are, and counts by month.

It is a cache. It holds hashes of terms and positions, which are read from the log again, and it is filled forward from
where it ended. A log that does not continue the indexed one makes it start anew.
"""

import sqlite3
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from groundwire.adapters.codecs.audit_line import parse_record
from groundwire.adapters.local.sqlite import database_files
from groundwire.adapters.local.sqlite.errors import DatabaseKind, is_corruption, translate_sqlite_errors
from groundwire.domain import errors
from groundwire.domain.audit.selection import AuditTerm, line_terms
from groundwire.domain.audit.trail import month_of, usage_counts

INDEX_FILE_NAME: Final = "audit-index.db"
EVERY_TERM: Final[AuditTerm] = ("tenant", "")
"""Term of every line of a tenant."""
NO_TENANT: Final = ""
"""Tenant of the terms of lines without one, such as refused calls with an unknown key."""
_VERSION: Final = 2
_BUSY_SECONDS: Final = 10.0
_SPAN_LINES: Final = 1_000
_TABLES: Final = """
    CREATE TABLE ends (first TEXT NOT NULL, size INTEGER NOT NULL, last_start INTEGER NOT NULL, last TEXT NOT NULL);
    CREATE TABLE postings (term INTEGER NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (term, position))
        WITHOUT ROWID;
    CREATE TABLE spans (
        start INTEGER PRIMARY KEY, stop INTEGER NOT NULL, lines INTEGER NOT NULL, earliest REAL, latest REAL
    );
    CREATE TABLE counts (
        tenant TEXT NOT NULL, month TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL,
        PRIMARY KEY (tenant, month, name)
    ) WITHOUT ROWID;
    CREATE TABLE tenants (tenant TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_TABLE_NAMES: Final = ("ends", "postings", "spans", "counts", "tenants")


def _damaged(file: Path) -> errors.Unavailable:
    return errors.Unavailable(f"{file} is damaged and is built again: try again in a moment.", 1)


_KIND: Final = DatabaseKind(_damaged, {})


class IndexEnd(NamedTuple):
    """Part of the log that the index has.

    Attributes:
        first: digest of the first line, which identifies the log. last: digest of the last indexed line.
        size: position after the last indexed line. last_start: position of that line.
    """

    first: str
    size: int
    last_start: int
    last: str


EMPTY: Final = IndexEnd("", 0, 0, "")


# Few keys, tools and outcomes are in most lines.
@lru_cache(8_192)
def term_code(tenant: str, term: AuditTerm) -> int:
    """Return the number of a term in the lines of a tenant; two may share one, so that each line is compared again."""
    name, value = term
    # With their lengths, so that no choice of names and values reads like that of another tenant.
    text = f"{len(tenant)} {tenant} {name} {value}"
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), signed=True)


@contextmanager
def open_index(folder: Path) -> Generator[sqlite3.Connection]:
    """Open the index of this folder's log for a block, and create it if it is missing.

    Raises:
        Unavailable: it cannot be used; a damaged one is removed, so that the next use builds it again.
    """
    file = folder / INDEX_FILE_NAME
    with translate_sqlite_errors(file, _KIND):
        try:
            if not file.exists():
                database_files.create(file, _connect, _create_tables)
            with closing(_connect(file)) as connection:
                yield connection
        except sqlite3.Error as error:
            if is_corruption(error):
                for path in (file, *(file.with_name(f"{file.name}-{end}") for end in ("wal", "shm"))):
                    with suppress(OSError):
                        path.unlink(missing_ok=True)
            raise


def catch_up(connection: sqlite3.Connection, log: BinaryIO, most_lines: int) -> tuple[IndexEnd, bool]:
    """Index at most so many further lines; return what is indexed, and whether that is every complete line."""
    end = _read_end(connection)
    if end != EMPTY and _continues(log, end):
        log.seek(end.size)
        # The usual case needs no lock: nothing was appended.
        if not log.readline().endswith(b"\n"):
            return end, True
    connection.execute("BEGIN IMMEDIATE")
    # The block commits at its end, and rolls back after an error.
    with connection:
        # Another process may have indexed further lines meanwhile.
        end = _read_end(connection)
        if not _continues(log, end):
            _start_anew(connection)
            end = EMPTY
        end, is_whole = _append(connection, log, end, most_lines)
    return end, is_whole


def _connect(file: Path) -> sqlite3.Connection:
    return database_files.connect(file, ("PRAGMA synchronous = NORMAL", "PRAGMA cache_size = -32000"), _BUSY_SECONDS)


def _create_tables(connection: sqlite3.Connection) -> None:
    connection.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {_VERSION}; COMMIT;")


def _start_anew(connection: sqlite3.Connection) -> None:
    for name in _TABLE_NAMES:
        connection.execute(f"DROP TABLE IF EXISTS {name}")
    for statement in filter(str.strip, _TABLES.split(";")):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {_VERSION}")


def _read_end(connection: sqlite3.Connection) -> IndexEnd:
    # An index of another version of Groundwire is built again.
    if connection.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
        return IndexEnd("other", 0, 0, "")
    row = connection.execute("SELECT first, size, last_start, last FROM ends").fetchone()
    return EMPTY if row is None else IndexEnd(*row)


def _continues(log: BinaryIO, end: IndexEnd) -> bool:
    """Return whether the log begins with what is indexed, as far as its first and its last line show."""
    if end == EMPTY:
        return True
    log.seek(0)
    if _digest(log.readline()) != end.first:
        return False
    log.seek(end.last_start)
    return _digest(log.readline()) == end.last and log.tell() == end.size


def _digest(raw: bytes) -> str:
    return blake2b(raw, digest_size=8).hexdigest()


class _Batch:
    """Rows of the lines that one transaction adds."""

    def __init__(self) -> None:
        self.postings: list[tuple[int, int]] = []
        self.counts: Counter[tuple[str, str, str]] = Counter()
        self.tenants: set[str] = set()

    def add(self, position: int, record: Mapping[str, object]) -> None:
        named = record.get("tenant")
        tenant = named if isinstance(named, str) else NO_TENANT
        self.tenants.add(tenant)
        self.postings += [(term_code(tenant, term), position) for term in (EVERY_TERM, *line_terms(record))]
        month = month_of(record)
        if month is not None and tenant != NO_TENANT:
            for name, number in usage_counts(record):
                self.counts[tenant, month, name] += number


def _append(connection: sqlite3.Connection, log: BinaryIO, end: IndexEnd, most_lines: int) -> tuple[IndexEnd, bool]:
    batch, span, is_whole = _Batch(), _last_span(connection, end), True
    first, size, last_start, last = end
    for number, raw in enumerate(_complete_lines(log, end.size)):
        if number == most_lines:
            is_whole = False
            break
        first, last_start, last = first or _digest(raw), size, _digest(raw)
        record = parse_record(raw) or {}
        batch.add(size, record)
        size += len(raw)
        if span.lines == _SPAN_LINES:
            _store_span(connection, span)
            span = _TimeSpan(last_start)
        span.add(size, record.get("time"))
    if span.lines:
        _store_span(connection, span)
    # In their order, so that neighbours are written to one page of the file.
    connection.executemany("INSERT OR IGNORE INTO postings VALUES (?, ?)", sorted(batch.postings))
    connection.executemany(
        "INSERT INTO counts VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET number = number + excluded.number",
        [(*key, number) for key, number in batch.counts.items()],
    )
    connection.executemany("INSERT OR IGNORE INTO tenants VALUES (?)", [(tenant,) for tenant in batch.tenants])
    reached = IndexEnd(first, size, last_start, last)
    connection.execute("DELETE FROM ends")
    connection.execute("INSERT INTO ends VALUES (?, ?, ?, ?)", reached)
    return reached, is_whole


def _complete_lines(log: BinaryIO, start: int) -> Iterator[bytes]:
    log.seek(start)
    # What follows the last line feed is a line that is being written, or one of a crash.
    return (raw for raw in log if raw.endswith(b"\n"))


class _TimeSpan:
    """Consecutive lines, with their earliest and latest time: lines of several processes are not in order of time."""

    def __init__(self, start: int) -> None:
        self.start, self.stop, self.lines = start, start, 0
        self.earliest: float | None = None
        self.latest: float | None = None

    def add(self, stop: int, time: object) -> None:
        self.stop, self.lines = stop, self.lines + 1
        if isinstance(time, int | float):
            self.earliest = time if self.earliest is None else min(self.earliest, time)
            self.latest = time if self.latest is None else max(self.latest, time)


def _last_span(connection: sqlite3.Connection, end: IndexEnd) -> _TimeSpan:
    span = _TimeSpan(end.size)
    row = connection.execute("SELECT start, stop, lines, earliest, latest FROM spans ORDER BY start DESC").fetchone()
    if row is not None:
        span.start, span.stop, span.lines, span.earliest, span.latest = row
    return span


def _store_span(connection: sqlite3.Connection, span: _TimeSpan) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO spans VALUES (?, ?, ?, ?, ?)",
        (span.start, span.stop, span.lines, span.earliest, span.latest),
    )
