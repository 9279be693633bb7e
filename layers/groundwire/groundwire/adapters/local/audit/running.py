"""Marks of running ingestions: a locked file per run in the home folder.

The kernel frees the lock when the process ends, however it ends. The next run removes the file of a killed one.
"""

import fcntl
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from groundwire.adapters.local.filesystem import os_errors

_PREFIX: Final = "run-"
_SUFFIX: Final = ".lock"
_FLAGS: Final = os.O_RDWR | os.O_CLOEXEC


class RunMarks:
    """Marks in `folder`, for any number of processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def mark(self, run: str) -> Callable[[], None]:
        """Mark the run as running until the returned function is called or this process ends.

        Raises:
            Unavailable: the folder cannot be written.
        """
        path = self._path(run)
        with os_errors.translate_os_errors(self._folder):
            self._remove_abandoned()
            descriptor = os.open(path, _FLAGS | os.O_CREAT, 0o600)
            fcntl.flock(descriptor, fcntl.LOCK_EX)

        def unmark() -> None:
            # Before the lock ends: a file without one counts as that of a killed run.
            with suppress(OSError):
                path.unlink()
            os.close(descriptor)

        return unmark

    def is_running(self, run: str) -> bool:
        """Return whether a process runs it."""
        return _is_locked(self._path(run))

    def _remove_abandoned(self) -> None:
        for path in self._folder.glob(f"{_PREFIX}*{_SUFFIX}"):
            if not _is_locked(path):
                path.unlink(missing_ok=True)

    def _path(self, run: str) -> Path:
        return self._folder / f"{_PREFIX}{run}{_SUFFIX}"


def _is_locked(path: Path) -> bool:
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
