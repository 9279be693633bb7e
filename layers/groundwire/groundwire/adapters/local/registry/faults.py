"""What SQLite refuses, told as a line that says what to do."""

import sqlite3
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from groundwire.adapters.local import faults
from groundwire.domain import errors

_PRIMARY: Final = 0xFF
"""The low byte of an extended result code is the primary one."""


@contextmanager
def registry_faults(file: Path) -> Generator[None]:
    """A SQLite error inside becomes a `Problem`; so does text that is no Unicode, such as a broken file name."""
    try:
        yield
    except sqlite3.Error as error:
        raise _problem(error, file) from error
    except UnicodeEncodeError as error:
        raise errors.Invalid("A name or text is not valid Unicode: rename the file or correct the text.") from error


def damaged(file: Path) -> errors.Unavailable:
    """The file is no registry, or no longer one."""
    return errors.Unavailable(
        f"{file} is damaged or no registry: stop Groundwire and restore {file.name} from a backup, "
        "or move it away to begin with an empty one."
    )


def newer(file: Path, found: int, known: int) -> errors.Conflict:
    """The file was written by a version of Groundwire that this one cannot follow."""
    return errors.Conflict(
        f"{file} was written by a newer Groundwire (schema {found}, this one knows {known}): upgrade Groundwire."
    )


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
    # Errors of the Python layer carry no code.
    code = int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR))
    if code == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
        return errors.NotFound("There is no such tenant: create it first.")
    if code & _PRIMARY in _BY_CODE:
        return _BY_CODE[code & _PRIMARY](file)
    return errors.Unavailable(f"{file} does not answer ({error}): check its disk, and run `groundwire doctor`.")
