"""Generations of a tenant's index: one file each, and a pointer to the live one.

The next generation is built beside the live one and then replaces it. A SQLite file in WAL mode must not be renamed
over another, because its log stays beside it under its name. So each generation has a name of its own, and an atomic
replacement of the pointer file makes one live.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from groundwire.adapters.local.filesystem import atomic_files
from groundwire.domain import errors

POINTER_FILE: Final = "index.generation"
"""Pointer file with the number of the live generation; without the file it is 0."""

SQLITE_SUFFIXES: Final = ("-wal", "-shm")
"""Suffixes of the files that SQLite keeps beside a file in use."""

_NAME: Final = re.compile(r"index(?:-([1-9][0-9]{0,8}))?\.db")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}\n")

PointerStamp = tuple[int, int] | None
"""Stamp that differs when the pointer has been replaced."""


def index_path(folder: Path, number: int) -> Path:
    """Return the path of the generation's file, which may not exist."""
    return folder / (f"index-{number}.db" if number else "index.db")


def cache_path(file: Path) -> Path:
    """Return the folder of the file's cache."""
    return file.with_suffix(".cache")


def cache_lock_path(file: Path) -> Path:
    """Return the lock file for writers of the file's cache."""
    return file.with_suffix(".lock")


def live_number(folder: Path) -> int:
    """Return the number of the live generation.

    Raises:
        Unavailable: the pointer is damaged.
    """
    try:
        content = (folder / POINTER_FILE).read_text(encoding="ascii")
    except FileNotFoundError:
        return 0
    except UnicodeDecodeError:
        content = ""
    if _NUMBER.fullmatch(content) is None:
        raise errors.Unavailable(f"{folder / POINTER_FILE} is damaged: restore it from a backup.")
    return int(content)


def pointer_stamp(folder: Path) -> PointerStamp:
    """Return the stamp of the current pointer."""
    try:
        status = (folder / POINTER_FILE).stat()
    except FileNotFoundError:
        return None
    # The next file may get the inode of the one before.
    return status.st_ino, status.st_mtime_ns


def set_live(folder: Path, number: int) -> None:
    """Make this generation live."""
    atomic_files.replace(folder / POINTER_FILE, f"{number}\n".encode("ascii"))


def erase(file: Path) -> None:
    """Delete the file and everything beside it; the file first, because SQLite discards a log without a file."""
    for name in (file.name, *(file.name + suffix for suffix in SQLITE_SUFFIXES), cache_lock_path(file).name):
        (file.parent / name).unlink(missing_ok=True)
    shutil.rmtree(cache_path(file), ignore_errors=True)
    atomic_files.sync_folder(file.parent)


def erase_before(folder: Path, number: int) -> None:
    """Delete earlier generations that a crash left behind."""
    for earlier, file in list(_generations(folder)):
        if earlier < number:
            erase(file)


def erase_all(folder: Path) -> None:
    """Delete all generations; the newest first, so that an earlier one never becomes live."""
    for _, file in sorted(_generations(folder), reverse=True):
        erase(file)
    (folder / POINTER_FILE).unlink(missing_ok=True)
    atomic_files.sync_folder(folder)


def _generations(folder: Path) -> Iterator[tuple[int, Path]]:
    for file in folder.iterdir():
        if (named := _NAME.fullmatch(file.name)) is not None:
            yield int(named[1] or 0), file
