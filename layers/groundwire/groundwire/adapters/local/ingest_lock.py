"""One ingestion at a time per tenant on this machine, by an advisory lock on a file."""

import fcntl
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TextIO

from groundwire.adapters.local import durable, faults
from groundwire.adapters.local.names import tenant_folder


class FileIngestLock:
    """Locks `folder/<tenant>/ingest.lock`; the kernel frees it when the holder dies."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def hold(self, tenant: str) -> Generator[None]:
        """Waits until no other process ingests for the tenant; Raises Unavailable."""
        with self._opened(tenant) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    @contextmanager
    def hold_if_free(self, tenant: str) -> Generator[bool]:
        """Whether nobody else ingests for the tenant, who is kept from it as long as the block; Raises Unavailable."""
        with self._opened(tenant) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True

    def hold_last(self, tenant: str) -> AbstractContextManager[None]:
        """As `hold`."""
        return self.hold(tenant)

    def drop(self, tenant: str) -> None:
        """The file is gone, and the tenant's folder when nothing else is in it.

        Who waits for the lock meanwhile gets that of the old file: the tenant's id is never used again, so
        nobody can hold another.
        """
        path = self._path(tenant)
        with faults.filesystem(path.parent):
            path.unlink(missing_ok=True)
        with suppress(OSError):
            path.parent.rmdir()

    def _opened(self, tenant: str) -> TextIO:
        path = self._path(tenant)
        with faults.filesystem(path.parent):
            durable.private_folder(path.parent)
            return path.open("w")

    def _path(self, tenant: str) -> Path:
        return tenant_folder(self._folder, tenant) / "ingest.lock"
