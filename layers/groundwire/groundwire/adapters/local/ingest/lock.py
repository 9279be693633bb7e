"""Ingest lock per tenant on this machine, an advisory lock on a file.

While it is held the file contains one JSON object for those who wait: `{"pid": 123, "done": 302, "total": 2022}`, the
last two only where the holder reports them. The object only informs; the lock decides. A killed holder leaves its
object behind.

A second file is the turnstile: whoever waits for the lock holds it. A run that frees the lock between its files has to
pass the turnstile for the next one, so those who wait come in between.

A third file is held for a whole run over many files. Runs follow each other, so the one whose turn comes later decides
on content and policies. It declares the policy of each file anew when it comes to that file.
"""

import fcntl
import json
import os
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from groundwire.adapters.local.filesystem import atomic_files, os_errors
from groundwire.adapters.local.filesystem.partial_files import remove_abandoned_files
from groundwire.adapters.local.filesystem.tenant_folder import tenant_folder
from groundwire.domain.text.json_values import integer_member, load_mapping
from groundwire.ports import LockHolder

_LOCK_FILE: Final = "ingest.lock"
_TURNSTILE_FILE: Final = "ingest.turnstile"
_RUN_FILE: Final = "ingest.run"
_NOTE_BYTES: Final = 120
"""Length of a note, padded, so that one write replaces the whole previous note."""


class FileIngestLock:
    """Lock on `folder/<tenant>/ingest.lock`; the kernel releases it when the holder dies."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock_files: dict[str, BinaryIO] = {}

    @contextmanager
    def hold(self, tenant: str) -> Generator[None]:
        """Wait for the lock and hold it; removes incomplete files of a killed holder.

        Raises:
            Unavailable: the lock file cannot be used.
        """
        with self._open(tenant, _LOCK_FILE) as file:
            with self._open(tenant, _TURNSTILE_FILE) as turnstile:
                fcntl.flock(turnstile, fcntl.LOCK_EX)
                fcntl.flock(file, fcntl.LOCK_EX)
            with self._publish_holder(tenant, file):
                remove_abandoned_files(self._folder / tenant)
                yield

    @contextmanager
    def hold_run(self, tenant: str) -> Generator[None]:
        """Wait until no other run over the tenant's files is under way, and hold off others; single files come in.

        Raises:
            Unavailable: the lock file cannot be used.
        """
        with self._open(tenant, _RUN_FILE) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    @contextmanager
    def hold_if_free(self, tenant: str) -> Generator[bool]:
        """Hold the lock for the block if it is free, and yield whether it was.

        Raises:
            Unavailable: the lock file cannot be used.
        """
        with self._open(tenant, _LOCK_FILE) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                with self._publish_holder(tenant, file):
                    remove_abandoned_files(self._path(tenant, _LOCK_FILE).parent)
                    yield True

    @contextmanager
    def hold_run_if_free(self, tenant: str) -> Generator[bool]:
        """Hold off other runs for the block if none is under way, and yield whether that is so.

        Raises:
            Unavailable: the lock file cannot be used.
        """
        with self._open(tenant, _RUN_FILE) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True

    def hold_for_deletion(self, tenant: str) -> AbstractContextManager[None]:
        """Hold the lock, as `hold` does."""
        return self.hold(tenant)

    def holder(self, tenant: str) -> LockHolder | None:
        """Return the holder's note; locks for a moment only where a killed holder may have left the note."""
        path = self._path(tenant, _LOCK_FILE)
        try:
            with path.open("rb") as file:
                note = file.read(_NOTE_BYTES).strip()
                if not note or _is_free(file):
                    return None
        except OSError:
            return None
        return _read(note)

    def report(self, tenant: str, done: int, total: int) -> None:
        """Publish how many of the holder's files are done; called by the holder."""
        if (file := self._lock_files.get(tenant)) is not None:
            _write(file, LockHolder(os.getpid(), done, total))

    def drop(self, tenant: str) -> None:
        """Delete the lock files, and the tenant's folder when nothing else is in it.

        A process that waits for the lock gets that of the deleted file. The tenant's id is never used again, so nobody
        can hold another.
        """
        for name in (_LOCK_FILE, _TURNSTILE_FILE, _RUN_FILE):
            path = self._path(tenant, name)
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

    def _open(self, tenant: str, name: str) -> BinaryIO:
        path = self._path(tenant, name)
        try:
            return _open_file(path)
        except OSError as error:
            raise os_errors.to_unavailable(error, path.parent) from error

    def _path(self, tenant: str, name: str) -> Path:
        return tenant_folder(self._folder, tenant) / name


def _open_file(path: Path) -> BinaryIO:
    # Not emptied: the opener may have to wait for the holder whose note is in it.
    flags = os.O_RDWR | os.O_CREAT
    try:
        descriptor = os.open(path, flags, 0o600)
    except FileNotFoundError:
        # Only a tenant's first lock has to make the folder.
        atomic_files.ensure_private_folder(path.parent)
        descriptor = os.open(path, flags, 0o600)
    return os.fdopen(descriptor, "r+b", buffering=0)


def _is_free(file: BinaryIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write(file: BinaryIO, holder: LockHolder) -> None:
    """Write the note; a full disk only leaves it out."""
    members = {"pid": holder.pid, "done": holder.files_done, "total": holder.files_total}
    note = json.dumps({name: value for name, value in members.items() if value is not None})
    with suppress(OSError):
        os.pwrite(file.fileno(), note.ljust(_NOTE_BYTES).encode(), 0)


def _read(note: bytes) -> LockHolder:
    members = load_mapping(note) or {}
    return LockHolder(*(integer_member(members, name) for name in ("pid", "done", "total")))
