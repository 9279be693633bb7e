"""Which file in a tenant's folder is the index that answers.

The next index is filled beside it and then takes its place. A SQLite file in WAL mode must not be renamed over
another, since its log stands beside it under its name: so each generation has a name of its own, and a small file
that is replaced in one step says which of them answers.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from groundwire.adapters.local.filesystem import atomic_files
from groundwire.domain import errors

POINTER_FILE: Final = "index.generation"
"""Holds the number of the generation that answers; while there is none, it is 0."""

SQLITE_SUFFIXES: Final = ("-wal", "-shm")
"""What SQLite keeps beside a file while it is in use."""

_NAME: Final = re.compile(r"index(?:-([1-9][0-9]{0,8}))?\.db")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}\n")

PointerStamp = tuple[int, int] | None
"""Differs when the pointer has been replaced."""


def index_path(folder: Path, number: int) -> Path:
    """Where the generation's file is, made or not."""
    return folder / (f"index-{number}.db" if number else "index.db")


def cache_path(file: Path) -> Path:
    """The folder of what is kept of a file so that it opens fast."""
    return file.with_suffix(".cache")


def cache_lock_path(file: Path) -> Path:
    """Held by whoever writes the cache of a file."""
    return file.with_suffix(".lock")


def live_number(folder: Path) -> int:
    """The number of the generation that answers; Raises Unavailable when the pointer is damaged."""
    try:
        told = (folder / POINTER_FILE).read_text(encoding="ascii")
    except FileNotFoundError:
        return 0
    except UnicodeDecodeError:
        told = ""
    if _NUMBER.fullmatch(told) is None:
        raise errors.Unavailable(f"{folder / POINTER_FILE} is damaged: restore it from a backup.")
    return int(told)


def pointer_stamp(folder: Path) -> PointerStamp:
    """Of the pointer as it is now."""
    try:
        status = (folder / POINTER_FILE).stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns


def set_live(folder: Path, number: int) -> None:
    """From now on this generation answers."""
    atomic_files.replace(folder / POINTER_FILE, f"{number}\n".encode("ascii"))


def erase(file: Path) -> None:
    """The file and what stands beside it are gone; the file first: SQLite throws away what stands beside none."""
    for name in (file.name, *(file.name + suffix for suffix in SQLITE_SUFFIXES), cache_lock_path(file).name):
        (file.parent / name).unlink(missing_ok=True)
    shutil.rmtree(cache_path(file), ignore_errors=True)
    atomic_files.sync_folder(file.parent)


def erase_before(folder: Path, number: int) -> None:
    """What a crash left of earlier generations is gone."""
    for earlier, file in list(_generations(folder)):
        if earlier < number:
            erase(file)


def erase_all(folder: Path) -> None:
    """No generation is left; the newest goes first, so that none ever takes the place of one that has gone."""
    for _, file in sorted(_generations(folder), reverse=True):
        erase(file)
    (folder / POINTER_FILE).unlink(missing_ok=True)
    atomic_files.sync_folder(folder)


def _generations(folder: Path) -> Iterator[tuple[int, Path]]:
    for file in folder.iterdir():
        if (named := _NAME.fullmatch(file.name)) is not None:
            yield int(named[1] or 0), file
