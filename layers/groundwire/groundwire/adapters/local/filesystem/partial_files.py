"""Incomplete files of killed processes in a tenant's folder; only the holder of the ingest lock removes them."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from groundwire.adapters.local.filesystem import atomic_files

PARTIAL_ORIGINAL_PREFIX: Final = f"{atomic_files.PARTIAL_PREFIX}original-"
"""Prefix of an original while it is written; its writer holds the tenant's ingest lock."""
_CACHE_MARK: Final = ".cache-"
"""Part of the name of a cache while it is written; the cache's own lock guards its removal."""
_ABANDONED_AFTER_SECONDS: Final = 3_600.0
"""Age of an abandoned upload: uploads are written without the lock, but one that pauses for some seconds is ended."""


def remove_abandoned_files(folder: Path) -> None:
    """Remove incomplete files from a tenant's folder and its originals; ignores those that cannot be removed."""
    for part in [*_abandoned_files(folder), *_abandoned_files(folder / "blobs")]:
        if part.is_dir(follow_symlinks=False):
            shutil.rmtree(part.path, ignore_errors=True)
        else:
            with suppress(OSError):
                Path(part.path).unlink()


def _abandoned_files(folder: Path) -> Iterator["os.DirEntry[str]"]:
    with suppress(OSError), os.scandir(folder) as entries:
        yield from (
            each for each in entries if each.name.startswith(atomic_files.PARTIAL_PREFIX) and _is_abandoned(each)
        )


def _is_abandoned(part: "os.DirEntry[str]") -> bool:
    if part.name.startswith(PARTIAL_ORIGINAL_PREFIX):
        return True
    return (
        _CACHE_MARK not in part.name
        and time.time() - part.stat(follow_symlinks=False).st_mtime > _ABANDONED_AFTER_SECONDS
    )
