"""Steps of a restoration: the check of the backup, the audit log that goes on, and the exchange of the folders."""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from typing import Final

from groundwire.adapters.codecs.audit_line import parse_record
from groundwire.adapters.local.audit import FileAudit
from groundwire.adapters.local.audit.head import ChainHead, read_head
from groundwire.adapters.local.audit.log import LOG_FILE_NAME
from groundwire.adapters.local.backup.home_copy import AUDIT_FILES, REGISTRY_FILE, copy_audit
from groundwire.adapters.local.filesystem import atomic_files
from groundwire.adapters.local.filesystem.os_errors import translate_os_errors
from groundwire.adapters.local.registry.errors import REGISTRY_KIND
from groundwire.adapters.local.sqlite import database_files
from groundwire.adapters.local.sqlite.errors import translate_sqlite_errors
from groundwire.domain.errors import Conflict, InvalidInput, Unavailable

_NO_WAIT: Final = 0.0
_SECRETS_FILE: Final = "secrets.json"


def check_backup(backup: Path, home: Path) -> None:
    """Check that a folder is a whole backup, which can replace the home.

    Raises:
        InvalidInput: it is no backup, or one of the folders lies in the other.
        Unavailable: a file of it is damaged.
    """
    missing = [name for name in (REGISTRY_FILE, _SECRETS_FILE) if not (backup / name).is_file()]
    if missing:
        raise InvalidInput(f"{backup} is no backup: it has no {' and no '.join(missing)}.")
    here, there = home.resolve(), backup.resolve()
    if here.is_relative_to(there) or there.is_relative_to(here):
        raise InvalidInput(f"{backup} and the home folder {home} must not lie in each other: move the backup first.")
    for file in (backup / REGISTRY_FILE, *sorted(backup.glob("tenants/*/index*.db"))):
        with translate_sqlite_errors(file, REGISTRY_KIND), closing(database_files.connect(file, (), 1.0)) as database:
            [answer] = database.execute("PRAGMA quick_check(1)").fetchone()
        if answer != "ok":
            raise Unavailable(f"{file} is damaged ({answer}): take another backup.", 0)
    problem = FileAudit(backup).verify().problem
    if problem is not None:
        raise Unavailable(f"The audit log of {backup} is not as it was written: {problem} Take another backup.", 0)


def refuse_if_open(home: Path) -> None:
    """Check that no process has opened the registry of a home, which would continue with the replaced folder.

    Raises:
        Conflict: a process has.
    """
    registry = home / REGISTRY_FILE
    with closing(database_files.connect(registry, (), _NO_WAIT)) as connection:
        try:
            # SQLite ends this mode only for the one process that has the file open.
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            raise Conflict(
                f"A server or a command uses {home}, and would go on with the old files. Stop it, and run this again."
            ) from error


def later_lines(home: Path, backup: Path) -> Iterator[Mapping[str, object]]:
    """Yield the records of the home's audit log that the backup's log does not have, oldest first."""
    head = _shared_end(home, backup)
    known = frozenset[object]() if head else frozenset(each.get("hash") for each in FileAudit(backup).read_all())
    log = home / LOG_FILE_NAME
    if not log.exists():
        return
    with translate_os_errors(home), log.open("rb") as file:
        file.seek(head.size_bytes if head else 0)
        records = (parse_record(raw) for raw in file)
        yield from (each for each in records if each is not None and each.get("hash") not in known)


def continue_log(home: Path, copy: Path) -> bool:
    """Give the copy of a backup the home's audit log, if the backup's log is the beginning of it.

    So no line is lost, and a second restoration finds the decisions that this one finds.
    """
    if _shared_end(home, copy) is None:
        return False
    for name in AUDIT_FILES:
        (copy / name).unlink(missing_ok=True)
    copy_audit(home, copy)
    return True


def exchange(copy: Path, home: Path, now: float) -> Path | None:
    """Put the copy in the place of the home; return the folder of the replaced one, None without one."""
    with translate_os_errors(home):
        kept = None
        if home.exists():
            time = datetime.fromtimestamp(now, UTC).strftime("%Y%m%d-%H%M%S")
            names = chain(
                [f"{home.name}.before-{time}"], (f"{home.name}.before-{time}-{number}" for number in count(2))
            )
            free = next(path for name in names if not (path := home.with_name(name)).exists())
            kept = home.rename(free)
        try:
            copy.rename(home)
        except OSError:
            if kept is not None:
                with suppress(OSError):
                    kept.rename(home)
            raise
        atomic_files.sync_folder(home.parent)
    return kept


def _shared_end(home: Path, backup: Path) -> ChainHead | None:
    """Return the end of the backup's log within the home's log; None if the one does not begin with the other."""
    head, log = _head(backup), home / LOG_FILE_NAME
    if head is None or not log.exists() or log.stat().st_size < head.size_bytes:
        return None
    end = f'"hash":"{head.hash}"}}\n'.encode()
    with log.open("rb") as file:
        file.seek(max(0, head.size_bytes - len(end)))
        return head if file.read(len(end)) == end else None


def _head(folder: Path) -> ChainHead | None:
    try:
        descriptor = os.open(folder / AUDIT_FILES[1], os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        return read_head(descriptor)
    finally:
        os.close(descriptor)
