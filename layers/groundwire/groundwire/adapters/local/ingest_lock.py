"""One ingestion at a time per tenant on this machine, by an advisory lock on a file."""

import fcntl
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from groundwire.domain.errors import Unavailable


class FileIngestLock:
    """Locks `folder/<tenant>/ingest.lock`; the kernel frees it when the holder dies."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def hold(self, tenant: str) -> Generator[None]:
        """Waits until no other process ingests for the tenant."""
        path = self._folder / tenant / "ingest.lock"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("w")
        except OSError as error:
            raise Unavailable(
                f"Cannot write {path.parent}: {error.strerror}. Check its owner and free space."
            ) from error
        with file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
