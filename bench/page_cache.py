"""The system's page cache: files that it forgets, and how long they take to read then."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.index_alone import milliseconds

_CHUNK_BYTES: Final = 1 << 20
_READ_BYTES: Final = 256 << 20


def forget(folder: Path) -> bool:
    """Drop a folder's files from the page cache, where no process maps them; return False where that cannot be done."""
    if not hasattr(os, "posix_fadvise"):
        return False
    os.sync()
    for path in _files(folder):
        with path.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return True


def reading(folder: Path) -> float:
    """Return the milliseconds of reading the first 256 MB of the folder's largest file, or all of it, from the disk."""
    forget(folder)
    largest = max(_files(folder), key=lambda path: path.stat().st_size)

    def read() -> None:
        with largest.open("rb", buffering=0) as file:
            for _ in range(_READ_BYTES // _CHUNK_BYTES):
                file.read(_CHUNK_BYTES)

    return milliseconds(read)


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())
