"""Half-written files that a killed process left in a tenant's folder; only who holds the ingest lock removes them."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from groundwire.adapters.local import durable

ORIGINAL_PREFIX: Final = f"{durable.PART_PREFIX}original-"
"""Prefix of an original while it is written; its writer holds the tenant's ingest lock."""
_CACHE: Final = ".cache-"
"""Part of the name of a cache while it is written; the cache's own lock guards its removal."""
_DEAD_AFTER_S: Final = 3_600.0
"""Uploads are written without the lock; one that pauses for more than some seconds is ended."""


def remove_left_parts(folder: Path) -> None:
    """Remove what killed writers left in a tenant's folder and among its originals; what cannot be removed stays."""
    for part in [*_parts(folder), *_parts(folder / "blobs")]:
        if part.is_dir(follow_symlinks=False):
            shutil.rmtree(part.path, ignore_errors=True)
        else:
            with suppress(OSError):
                Path(part.path).unlink()


def _parts(folder: Path) -> Iterator["os.DirEntry[str]"]:
    with suppress(OSError), os.scandir(folder) as entries:
        yield from (each for each in entries if each.name.startswith(durable.PART_PREFIX) and _is_left(each))


def _is_left(part: "os.DirEntry[str]") -> bool:
    if part.name.startswith(ORIGINAL_PREFIX):
        return True
    return _CACHE not in part.name and time.time() - part.stat(follow_symlinks=False).st_mtime > _DEAD_AFTER_S
