"""Sidecar files: found under their exact name, and read without following links."""

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from groundwire.adapters.local.filesystem.unlinked_files import open_unlinked
from groundwire.domain.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class SidecarKind:
    """Names of one kind of sidecar file.

    Attributes:
        file_name: the name in each folder.
        label: its name in a message, as "a policy file".
        near_miss_pattern: similar names; to ignore one would leave the folder to the sidecar file of an outer folder.
        near_miss_names: checked by name where a folder may be entered but not listed.
    """

    file_name: str
    label: str
    near_miss_pattern: re.Pattern[str]
    near_miss_names: tuple[str, ...]


def refuse_near_misses(folder: Path, sidecar: SidecarKind) -> None:
    """Refuse a folder with a similar, wrong name.

    Raises:
        InvalidInput: a name is nearly the right one, or the folder cannot be listed.
    """
    for name in _file_names(folder, sidecar):
        if name != sidecar.file_name and sidecar.near_miss_pattern.fullmatch(name):
            raise InvalidInput(
                f"{folder / name} is not read: {sidecar.label} is called {sidecar.file_name}. Rename it or remove it."
            )


def read_sidecar(path: Path, max_bytes: int, *, require_ownership: bool) -> str | None:
    """Return the file's text; None when there is no such name. Anything but a regular file is refused.

    Args:
        path: the file.
        max_bytes: limit of its size; a longer file is refused.
        require_ownership: whether another user's file is refused.

    Raises:
        InvalidInput: it cannot be read as text, or is no regular file.
    """
    try:
        _require_regular_file(path, path.lstat(), require_ownership=require_ownership)
        # The name may denote another file since the check; an open file cannot change its kind.
        descriptor = open_unlinked(path)
        with os.fdopen(descriptor, "rb") as file:
            _require_regular_file(path, os.fstat(descriptor), require_ownership=require_ownership)
            content = file.read(max_bytes + 1)
        if len(content) > max_bytes:
            raise InvalidInput(f"{path} is too long: {max_bytes} bytes at most.")
        return content.decode()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from error


def _file_names(folder: Path, sidecar: SidecarKind) -> list[str]:
    try:
        return sorted(path.name for path in folder.iterdir())
    except PermissionError:
        return [name for name in sidecar.near_miss_names if os.path.lexists(folder / name)]
    except OSError as error:
        raise InvalidInput(f"{folder} cannot be looked through for {sidecar.file_name}: {error.strerror}.") from error


def _require_regular_file(path: Path, found: os.stat_result, *, require_ownership: bool) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise InvalidInput(
            f"{path} must be a file of its own, not a link, a folder or a device: put one there, or remove it."
        )
    if require_ownership and found.st_uid not in {os.getuid(), 0}:
        raise InvalidInput(f"{path} belongs to another user, who would say who may read: take it over or remove it.")


def _unreadable(path: Path, error: Exception) -> InvalidInput:
    return InvalidInput(f"{path} cannot be read: {' '.join(str(error).split())}")
