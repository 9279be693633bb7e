"""Mark of a backup, `backup.json` in its folder, and the removal of old backups by it."""

import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, NamedTuple

from groundwire.adapters.local.audit.log import LOG_FILE_NAME
from groundwire.adapters.local.filesystem import atomic_files
from groundwire.adapters.local.filesystem.os_errors import translate_os_errors
from groundwire.domain.text.json_values import load_mapping

MARK_FILE: Final = "backup.json"
REMOVAL_PREFIX: Final = f"{atomic_files.PARTIAL_PREFIX}backup-"


@dataclass(frozen=True, slots=True)
class BackupMark:
    """Mark that a backup makes in its folder.

    Attributes:
        name: of the folder.
        made_at: epoch seconds.
        audit_bytes: size of the audit log: a larger one shows that the folder was used as a home.
    """

    name: str
    made_at: float
    audit_bytes: int


class Retention(NamedTuple):
    """Names of the backups that were removed, and of old ones that were used as a home and stay."""

    removed: list[str]
    used: list[str]


def write_mark(folder: Path, name: str, made_at: float) -> None:
    """Write the mark of a complete copy in `folder`, which gets this name."""
    mark = BackupMark(name, made_at, _audit_size(folder))
    atomic_files.replace(folder / MARK_FILE, json.dumps(asdict(mark)).encode())


def read_mark(folder: Path) -> BackupMark | None:
    """Return the mark of a backup; None for any other folder, such as a home, or a backup under another name."""
    try:
        stored = load_mapping((folder / MARK_FILE).read_bytes()) or {}
    except OSError:
        return None
    name, made_at, size = stored.get("name"), stored.get("made_at"), stored.get("audit_bytes")
    if name != folder.name or not isinstance(made_at, int | float) or not isinstance(size, int):
        return None
    return BackupMark(folder.name, made_at, size)


def remove_older(newest: Path, keep: int, home: Path) -> Retention:
    """Remove the oldest backups beside the newest one, so that so many are left.

    A folder without a mark is no backup and stays, and so does the home.

    Raises:
        Unavailable: a folder cannot be removed.
    """
    with translate_os_errors(newest.parent):
        folders = (each for each in newest.parent.iterdir() if each.is_dir() and not each.is_symlink())
        marked = [(mark.made_at, each) for each in folders if (mark := read_mark(each)) is not None]
        old = [folder for _, folder in sorted(marked, reverse=True) if folder != home][keep:]
        used = [folder for folder in old if _is_used(folder)]
        removed = [folder for folder in old if folder not in used]
        for folder in removed:
            # A killed removal leaves a folder that the next backup removes, and never a part of a backup.
            part = folder.with_name(f"{REMOVAL_PREFIX}{folder.name}")
            folder.rename(part)
            shutil.rmtree(part)
    return Retention([each.name for each in removed], [each.name for each in used])


def _is_used(folder: Path) -> bool:
    mark = read_mark(folder)
    return mark is None or _audit_size(folder) != mark.audit_bytes


def _audit_size(folder: Path) -> int:
    log = folder / LOG_FILE_NAME
    return log.stat().st_size if log.exists() else 0
