"""Backup of a whole home folder while it is served.

It holds all that a start needs. It includes the secrets, without which no key and no link would work, so it is readable
by its owner only. It omits caches and locks, which are rebuilt, and incomplete files of a crash. SQLite copies the
databases, each as of one moment, the registry last: its access data is never older than the indexes. No ingestion runs
meanwhile. Policies and deletions of that time are marked in the copy's registry, so that its next ingestion reconciles
index and originals.
"""

import fcntl
import os
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from groundwire.adapters.local.backup import marks
from groundwire.adapters.local.filesystem import atomic_files
from groundwire.adapters.local.filesystem.os_errors import translate_os_errors
from groundwire.adapters.local.index.store.file import copy_index
from groundwire.adapters.local.ingest.lock import FileIngestLock
from groundwire.adapters.local.registry.errors import REGISTRY_KIND
from groundwire.adapters.local.sqlite import database_files
from groundwire.domain import errors

REGISTRY_FILE: Final = "registry.db"
AUDIT_FILES: Final = ("audit.jsonl", "audit.head")
_INDEX_FILE: Final = re.compile(r"index(-\d+)?\.db")
_NOT_COPIED: Final = re.compile(
    rf".*(\.cache|\.lock|\.db-wal|\.db-shm)|audit-index\.db|backup\.json|{re.escape(atomic_files.PARTIAL_PREFIX)}.*"
)


@dataclass(frozen=True, slots=True)
class BackupSummary:
    """Size of a backup."""

    file_count: int
    size_bytes: int


def back_up(home: Path, to: Path) -> BackupSummary:
    """Make `to` a complete home with the content of `home`; it is whole, or it does not exist.

    Raises:
        InvalidInput: `to` exists and is not an empty folder, or lies in `home`.
        Unavailable: something cannot be read, or `to` cannot be written.
    """
    to, home = to.absolute(), home.absolute()
    if to.resolve().is_relative_to(home.resolve()):
        raise errors.InvalidInput(f"{to} lies in the home folder: choose a folder outside of it.")
    with translate_os_errors(to, "name another folder for the copy"):
        if to.exists() and (not to.is_dir() or any(to.iterdir())):
            raise errors.InvalidInput(f"{to} is not empty: choose a folder that does not exist yet.")
        atomic_files.ensure_private_folder(to.parent)
        with _scratch(to.parent) as scratch:
            part = scratch / "home"
            part.mkdir(mode=0o700)
            _copy_home(home, part)
            marks.write_mark(part, to.name, time.time())
            copied = [file for file in part.rglob("*") if file.is_file()]
            result = BackupSummary(len(copied), sum(file.stat().st_size for file in copied))
            for file in copied:
                _fsync(file)
            part.replace(to)
        atomic_files.sync_folder(to.parent)
    return result


@contextmanager
def _scratch(parent: Path) -> Generator[Path]:
    """Make a locked folder for the copy, and remove those of killed commands, which hold secrets."""
    for abandoned in parent.glob(f"{marks.REMOVAL_PREFIX}*"):
        # BlockingIOError is an OSError: the folder of a command that still runs stays.
        with suppress(OSError), _locked(abandoned):
            shutil.rmtree(abandoned)
    with tempfile.TemporaryDirectory(prefix=marks.REMOVAL_PREFIX, dir=parent) as scratch, _locked(Path(scratch)):
        yield Path(scratch)


@contextmanager
def _locked(folder: Path) -> Generator[None]:
    """Lock the folder for the block.

    Raises:
        BlockingIOError: another process has locked it.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def _copy_home(home: Path, to: Path) -> None:
    started_at = time.time()
    tenants = home / "tenants"
    lock = FileIngestLock(tenants)
    with ExitStack() as locks:
        # In one order, so that two backups never wait for each other.
        for folder in sorted(tenants.iterdir()) if tenants.is_dir() else ():
            if folder.is_dir():
                locks.enter_context(lock.hold(folder.name))
        for file in _files_to_copy(home):
            _copy_file(file, to / file.relative_to(home))
        if (home / REGISTRY_FILE).is_file():
            database_files.copy(home / REGISTRY_FILE, to / REGISTRY_FILE, REGISTRY_KIND)
            _mark_index_stale(to / REGISTRY_FILE, started_at)
    copy_audit(home, to)


def _mark_index_stale(registry: Path, started_at: float) -> None:
    """Mark documents changed during the backup: their files may have been copied before the change."""
    with closing(sqlite3.connect(registry)) as connection, connection:
        connection.execute("UPDATE documents SET index_stale = 1 WHERE updated_at >= ?", (started_at,))


def _files_to_copy(folder: Path) -> Iterator[Path]:
    """Yield every file but those that need their own way of copying."""
    for entry in sorted(folder.iterdir()):
        if _NOT_COPIED.fullmatch(entry.name) or entry.name in {REGISTRY_FILE, *AUDIT_FILES}:
            continue
        if entry.is_dir() and not entry.is_symlink():
            yield from _files_to_copy(entry)
        elif entry.is_file():
            yield entry


def _copy_file(file: Path, to: Path) -> None:
    atomic_files.ensure_private_folder(to.parent)
    if _INDEX_FILE.fullmatch(file.name):
        copy_index(file, to)
        return
    # `copyfile` keeps the mode of an existing file, so the copy is never readable by others.
    to.touch(mode=0o600)
    try:
        shutil.copyfile(file, to)
    except FileNotFoundError:
        # Deleted since the folder was listed.
        to.unlink()


def copy_audit(home: Path, to: Path) -> None:
    """Copy the log up to the end that its head has at the same moment."""
    log, head = (home / name for name in AUDIT_FILES)
    if not head.is_file() or not log.is_file():
        return
    with head.open("rb") as locked:
        fcntl.flock(locked, fcntl.LOCK_SH)
        head_content, size = locked.read(), log.stat().st_size
    for name in AUDIT_FILES:
        (to / name).touch(mode=0o600)
    shutil.copyfile(log, to / log.name)
    os.truncate(to / log.name, size)
    (to / head.name).write_bytes(head_content)


def _fsync(file: Path) -> None:
    with file.open("rb") as opened:
        os.fsync(opened.fileno())
