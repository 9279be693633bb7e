"""Reserve of a home: space that only calls get, so that people can search while the disk is full."""

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

from groundwire.adapters.local.filesystem import os_errors

_FILE_NAME: Final = "reserve"
RESERVE_BYTES: Final = 16 << 20
"""Bytes of the reserve. The registry's write-ahead log takes 4 MB of them at most, and a call some 500 bytes of the
audit log, so that they last for about 20,000 calls.
"""
_LEAST_FREE_BYTES: Final = 10 * RESERVE_BYTES
_BLOCK_BYTES: Final = 1 << 20


def keep(home: Path) -> None:
    """Write the reserve if it is missing and the disk has ten times its size; a disk that refuses it has none."""
    reserve = home / _FILE_NAME
    with suppress(OSError):
        if reserve.exists() or shutil.disk_usage(home).free < _LEAST_FREE_BYTES:
            return
        with reserve.open("wb") as file:
            for _ in range(RESERVE_BYTES // _BLOCK_BYTES):
                # Some file systems store zeros without taking space for them.
                file.write(os.urandom(_BLOCK_BYTES))


def release(home: Path) -> bool:
    """Give the reserve to the next writes where the disk is full; return False if it is not, or has no reserve."""
    if not os_errors.has_no_space(home):
        return False
    try:
        (home / _FILE_NAME).unlink()
    except OSError:
        return False
    # Only here: a function's first answer loads no library of logs.
    import logging

    logging.getLogger(__name__).warning(
        "The disk that holds %s is full. Calls go on in its last %d MB: free some space.", home, RESERVE_BYTES >> 20
    )
    return True
