"""What SQLite refuses of an index, told as a line that says what to do."""

import sqlite3
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from groundwire.adapters.local import faults
from groundwire.domain import errors
from groundwire.ports import ModelId

_PRIMARY: Final = 0xFF
"""The low byte of an extended result code is the primary one."""


class Undecodable(sqlite3.DatabaseError):
    """A row that SQLite reads and that no index has written."""


@contextmanager
def index_faults(file: Path) -> Generator[None]:
    """A SQLite error inside becomes a `Problem`; so does text that is no Unicode."""
    try:
        yield
    except sqlite3.Error as error:
        raise _problem(error, file) from error
    except UnicodeEncodeError as error:
        raise errors.Invalid("A name or text is not valid Unicode: correct it and repeat.") from error


def damaged(file: Path) -> errors.Unavailable:
    """The file is no index, or no longer one."""
    return errors.Unavailable(
        f"{file} is damaged: restore it from a backup, or move it away and run `groundwire ingest` again. "
        "Nothing was deleted."
    )


def newer(file: Path, found: int, known: int) -> errors.Conflict:
    """The file was written by a version of Groundwire that this one cannot follow."""
    return errors.Conflict(
        f"{file} was written by a newer Groundwire (schema {found}, this one knows {known}): upgrade Groundwire."
    )


def other_model(file: Path, built: ModelId, configured: ModelId) -> errors.Conflict:
    """Vectors of two models must not be compared."""
    return errors.Conflict(
        f"{file} was built with the model {_told(built)}, and {_told(configured)} is configured: configure the "
        "first again, or move the file away and run `groundwire ingest` to build it anew."
    )


def _told(model: ModelId) -> str:
    return f"{model.name} ({model.dimension} dimensions)"


def _busy(file: Path) -> errors.Unavailable:
    return errors.Unavailable(f"{file} is held by another process: repeat in a moment.", retry_after_s=1)


def _disk_full(file: Path) -> errors.Unavailable:
    return faults.disk_full(file.parent)


def _not_writable(file: Path) -> errors.Unavailable:
    return faults.not_writable(file.parent)


_BY_CODE: Final[Mapping[int, Callable[[Path], errors.Problem]]] = {
    sqlite3.SQLITE_BUSY: _busy,
    sqlite3.SQLITE_LOCKED: _busy,
    sqlite3.SQLITE_FULL: _disk_full,
    sqlite3.SQLITE_PERM: _not_writable,
    sqlite3.SQLITE_READONLY: _not_writable,
    sqlite3.SQLITE_CANTOPEN: _not_writable,
    sqlite3.SQLITE_CORRUPT: damaged,
    sqlite3.SQLITE_NOTADB: damaged,
}


def _problem(error: sqlite3.Error, file: Path) -> errors.Problem:
    if isinstance(error, Undecodable):
        return damaged(file)
    # Errors of the Python layer carry no code.
    code = int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR))
    if code == sqlite3.SQLITE_CONSTRAINT_UNIQUE:
        return errors.Conflict("A segment of this uid and version belongs to another document: give it another id.")
    if code & _PRIMARY in _BY_CODE:
        return _BY_CODE[code & _PRIMARY](file)
    return errors.Unavailable(f"{file} does not answer ({error}): check its disk, and run `groundwire doctor`.")
