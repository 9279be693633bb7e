"""One ingestion at a time per tenant on this machine, by an advisory lock on a file.

While it is held the file contains one JSON object for those who wait: `{"pid": 123, "done": 302, "total": 2022}`, the
last two only where the holder reports them. It informs; the lock alone decides. A holder that was killed leaves it.
"""

import fcntl
import json
import os
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, cast

from groundwire.adapters.local.filesystem import atomic_files, os_errors
from groundwire.adapters.local.filesystem.partial_files import remove_abandoned_files
from groundwire.adapters.local.filesystem.tenant_folder import tenant_folder
from groundwire.ports import LockHolder

_NOTE_BYTES: Final = 120
"""Every note is padded to this length, so that one write replaces all of the note before it."""


class FileIngestLock:
    """Locks `folder/<tenant>/ingest.lock`; the kernel frees it when the holder dies."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock_files: dict[str, BinaryIO] = {}

    @contextmanager
    def hold(self, tenant: str) -> Generator[None]:
        """Waits until no other process ingests for the tenant; Raises Unavailable.

        Half-written files that a killed holder left are gone.
        """
        with self._open(tenant) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            with self._publish_holder(tenant, file):
                remove_abandoned_files(self._path(tenant).parent)
                yield

    @contextmanager
    def hold_if_free(self, tenant: str) -> Generator[bool]:
        """Whether nobody else ingests for the tenant, who is kept from it as long as the block; Raises Unavailable."""
        with self._open(tenant) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                with self._publish_holder(tenant, file):
                    remove_abandoned_files(self._path(tenant).parent)
                    yield True

    def hold_for_deletion(self, tenant: str) -> AbstractContextManager[None]:
        """As `hold`."""
        return self.hold(tenant)

    def holder(self, tenant: str) -> LockHolder | None:
        """Reads the holder's note; takes the lock for a moment only where a killed holder may have left the note."""
        path = self._path(tenant)
        try:
            with path.open("rb") as file:
                note = file.read(_NOTE_BYTES).strip()
                if not note or _is_free(file):
                    return None
        except OSError:
            return None
        return _read(note)

    def report(self, tenant: str, done: int, total: int) -> None:
        """Tells those who wait how many of the holder's files are done; called by the holder."""
        if (file := self._lock_files.get(tenant)) is not None:
            _write(file, LockHolder(os.getpid(), done, total))

    def drop(self, tenant: str) -> None:
        """The file is gone, and the tenant's folder when nothing else is in it.

        Who waits for the lock meanwhile gets that of the old file: the tenant's id is never used again, so
        nobody can hold another.
        """
        path = self._path(tenant)
        with os_errors.translate_os_errors(path.parent):
            path.unlink(missing_ok=True)
        with suppress(OSError):
            path.parent.rmdir()

    @contextmanager
    def _publish_holder(self, tenant: str, file: BinaryIO) -> Generator[None]:
        self._lock_files[tenant] = file
        _write(file, LockHolder(os.getpid(), None, None))
        try:
            yield
        finally:
            del self._lock_files[tenant]
            with suppress(OSError):
                file.truncate(0)

    def _open(self, tenant: str) -> BinaryIO:
        path = self._path(tenant)
        with os_errors.translate_os_errors(path.parent):
            atomic_files.ensure_private_folder(path.parent)
            # Not emptied: whoever opens it may have to wait for the one whose note is in it.
            return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0)

    def _path(self, tenant: str) -> Path:
        return tenant_folder(self._folder, tenant) / "ingest.lock"


def _is_free(file: BinaryIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write(file: BinaryIO, holder: LockHolder) -> None:
    """A disk that is full costs those who wait their information, and the holder nothing."""
    members = {"pid": holder.pid, "done": holder.files_done, "total": holder.files_total}
    note = json.dumps({name: value for name, value in members.items() if value is not None})
    with suppress(OSError):
        os.pwrite(file.fileno(), note.ljust(_NOTE_BYTES).encode(), 0)


def _read(note: bytes) -> LockHolder:
    try:
        found: object = json.loads(note)
    except ValueError:
        found = None
    members = cast("dict[str, object]", found) if isinstance(found, dict) else {}
    numbers = [value if isinstance(value := members.get(name), int) else None for name in ("pid", "done", "total")]
    return LockHolder(*numbers)
