"""Files that speak of others: found under their exact name, read without following links, each field said once."""

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from groundwire.domain.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class SidecarKind:
    """What one kind of them is called.

    Attributes:
        file_name: in each folder.
        label: in a message, as "a policy file".
        near_miss_pattern: names by which people mean one; to pass over it would leave the folder to what stands above.
        near_miss_names: looked for by name where a folder may be entered but not listed.
    """

    file_name: str
    label: str
    near_miss_pattern: re.Pattern[str]
    near_miss_names: tuple[str, ...]


def refuse_near_misses(folder: Path, sidecar: SidecarKind) -> None:
    """Raises Invalid where a name in the folder is nearly the right one, or the folder cannot be looked through."""
    for name in _file_names(folder, sidecar):
        if name != sidecar.file_name and sidecar.near_miss_pattern.fullmatch(name):
            raise InvalidInput(
                f"{folder / name} is not read: {sidecar.label} is called {sidecar.file_name}. Rename it or remove it."
            )


def read_sidecar(path: Path, max_bytes: int, *, require_ownership: bool) -> str | None:
    """The file's text, None when there is no such name; whatever else stands there was meant and is refused.

    Args:
        path: of the file.
        max_bytes: of its text; a longer file is refused.
        require_ownership: whether another user's is refused.

    Raises:
        Invalid: it cannot be read as text, or is not a file of its own.
    """
    try:
        _require_regular_file(path, path.lstat(), require_ownership=require_ownership)
        # The name may have come to stand for something else since; what is open can no longer change its kind.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
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
