"""Errors of SQLite, translated to domain errors."""

import sqlite3
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from groundwire.adapters.local.filesystem import os_errors
from groundwire.domain import errors

_PRIMARY_CODE_MASK: Final = 0xFF
"""Mask for the low byte of an extended result code, which is the primary code."""


class UndecodableRow(sqlite3.DatabaseError):
    """Error for a row that SQLite can read, but with content that Groundwire never writes."""


@dataclass(frozen=True, slots=True)
class DatabaseKind:
    """Error texts for one kind of file.

    Attributes:
        damaged_error: error for a path that is no such file, or no longer one.
        constraint_errors: error of a violated constraint, by extended result code.
        outdated_error: error for a file of an earlier Groundwire, where there is no migration.
    """

    damaged_error: Callable[[Path], errors.Unavailable]
    constraint_errors: Mapping[int, Callable[[], errors.DomainError]]
    outdated_error: Callable[[Path], errors.Conflict] | None = None


TRANSLATED: Final = (sqlite3.Error, UnicodeEncodeError)
"""Errors of statements that `to_domain_error` takes; the second is that of a broken file name."""


@contextmanager
def translate_sqlite_errors(file: Path, kind: DatabaseKind) -> Generator[None]:
    """Translate a SQLite error inside to a domain error, and an encoding error, as of a broken file name."""
    try:
        yield
    except TRANSLATED as error:
        raise to_domain_error(error, file, kind) from error


def newer_schema_error(file: Path, found: int, known: int) -> errors.Conflict:
    """Return the error for a file of a newer version of Groundwire."""
    return errors.Conflict(
        f"{file} was written by a newer Groundwire (schema {found}, this one knows {known}): upgrade Groundwire."
    )


def _busy(file: Path) -> errors.Unavailable:
    return errors.Unavailable(f"{file} is held by another process: try again in a moment.", retry_after_s=1)


def _disk_full(file: Path) -> errors.Unavailable:
    return os_errors.disk_full(file.parent)


def _not_writable(file: Path) -> errors.Unavailable:
    return os_errors.not_writable(file.parent)


_ERROR_BY_CODE: Final[Mapping[int, Callable[[Path], errors.DomainError]]] = {
    sqlite3.SQLITE_BUSY: _busy,
    sqlite3.SQLITE_LOCKED: _busy,
    sqlite3.SQLITE_FULL: _disk_full,
    sqlite3.SQLITE_PERM: _not_writable,
    sqlite3.SQLITE_READONLY: _not_writable,
    sqlite3.SQLITE_CANTOPEN: _not_writable,
}
_CODES_OF_FULL_DISKS: Final = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOTADB})
_CORRUPTION_CODES: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def is_corruption(error: sqlite3.Error) -> bool:
    """Return whether the error means a corrupt file, which no repeat repairs."""
    return isinstance(error, UndecodableRow) or _result_code(error) & _PRIMARY_CODE_MASK in _CORRUPTION_CODES


def _result_code(error: sqlite3.Error) -> int:
    # Errors of the Python layer have no code.
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR))


def to_domain_error(error: sqlite3.Error | UnicodeEncodeError, file: Path, kind: DatabaseKind) -> errors.DomainError:
    """Return the error to raise for one of `TRANSLATED`."""
    if isinstance(error, UnicodeEncodeError):
        return errors.InvalidInput("A name or text is not valid Unicode: rename the file or correct the text.")
    code = _result_code(error)
    # SQLite reports a full disk so only where it writes pages. Where it cannot create a file beside the database it
    # reports an I/O error, and where it could not write the first page, a file that is no database.
    if code & _PRIMARY_CODE_MASK in _CODES_OF_FULL_DISKS and os_errors.has_no_space(file.parent):
        return _disk_full(file)
    if is_corruption(error):
        return kind.damaged_error(file)
    if code in kind.constraint_errors:
        return kind.constraint_errors[code]()
    if code & _PRIMARY_CODE_MASK in _ERROR_BY_CODE:
        return _ERROR_BY_CODE[code & _PRIMARY_CODE_MASK](file)
    return errors.Unavailable(f"{file} cannot be used ({error}): check its disk.", remedy="run_doctor")
