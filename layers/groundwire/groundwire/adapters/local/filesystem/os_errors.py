"""Errors of the operating system, translated to domain errors."""

import errno
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from groundwire.domain import errors

_DISK_FULL_CODES: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_LEAST_FREE_BYTES: Final = 64 * 1024
"""Bytes of the two files that SQLite creates beside a database in its WAL mode, rounded up."""
_ACCESS_DENIED_CODES: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


@contextmanager
def translate_os_errors(folder: Path, alternative: str | None = None) -> Generator[None]:
    """Translate an OSError inside to `errors.Unavailable`, which names `folder`.

    `alternative` is what helps besides access to the folder; None for a folder in the home.
    """
    try:
        yield
    except OSError as error:
        raise to_unavailable(error, folder, alternative) from error


def to_unavailable(error: OSError, folder: Path, alternative: str | None = None) -> errors.Unavailable:
    """Return the error to raise for `error`, which happened in `folder`."""
    if error.errno in _DISK_FULL_CODES:
        return disk_full(folder)
    if error.errno in _ACCESS_DENIED_CODES:
        return not_writable(folder, alternative)
    cause = error.strerror or type(error).__name__
    return _unusable(f"{folder} cannot be used ({cause}): check the folder", alternative)


def has_no_space(folder: Path) -> bool:
    """Return whether the disk of a folder has no space for the files that a database needs; False if it is unknown."""
    try:
        return shutil.disk_usage(folder).free < _LEAST_FREE_BYTES
    except OSError:
        return False


def disk_full(folder: Path) -> errors.Unavailable:
    """Return the error for a full disk."""
    return errors.Unavailable(
        f"The disk that holds {folder} is full: free some space and try again. Stored data is safe."
    )


def not_writable(folder: Path, alternative: str | None = None) -> errors.Unavailable:
    """Return the error for a folder that this process may not read or write."""
    return _unusable(f"{folder} cannot be read and written: give this user access to it", alternative)


def _unusable(text: str, alternative: str | None) -> errors.Unavailable:
    if alternative is None:
        return errors.Unavailable(f"{text}.", remedy="move_home")
    return errors.Unavailable(f"{text}, or {alternative}.")
