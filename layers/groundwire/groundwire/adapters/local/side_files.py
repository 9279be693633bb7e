"""Files that speak of others: found under their exact name, read without following links, each field said once."""

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from groundwire.domain.errors import Invalid


@dataclass(frozen=True, slots=True)
class SideFile:
    """What one kind of them is called.

    Attributes:
        name: in each folder.
        kind: in a message, as "a policy file".
        meant: names by which people mean one; to pass over it would leave the folder to what stands above.
        meant_most: looked for by name where a folder may be entered but not listed.
    """

    name: str
    kind: str
    meant: re.Pattern[str]
    meant_most: tuple[str, ...]


def refuse_near_misses(folder: Path, side: SideFile) -> None:
    """Raises Invalid where a name in the folder is nearly the right one, or the folder cannot be looked through."""
    for name in _names(folder, side):
        if name != side.name and side.meant.fullmatch(name):
            raise Invalid(f"{folder / name} is not read: {side.kind} is called {side.name}. Rename it or remove it.")


def text_of(path: Path, max_bytes: int, *, only_ours: bool) -> str | None:
    """The file's text, None when there is no such name; whatever else stands there was meant and is refused.

    Args:
        path: of the file.
        max_bytes: of its text; a longer file is refused.
        only_ours: whether another user's is refused.

    Raises:
        Invalid: it cannot be read as text, or is not a file of its own.
    """
    try:
        _regular(path, path.lstat(), only_ours=only_ours)
        # The name may have come to stand for something else since; what is open can no longer change its kind.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            _regular(path, os.fstat(descriptor), only_ours=only_ours)
            content = file.read(max_bytes + 1)
        if len(content) > max_bytes:
            raise Invalid(f"{path} is too long: {max_bytes} bytes at most.")
        return content.decode()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from error


def _names(folder: Path, side: SideFile) -> list[str]:
    try:
        return sorted(path.name for path in folder.iterdir())
    except PermissionError:
        return [name for name in side.meant_most if os.path.lexists(folder / name)]
    except OSError as error:
        raise Invalid(f"{folder} cannot be looked through for {side.name}: {error.strerror}.") from error


def _regular(path: Path, found: os.stat_result, *, only_ours: bool) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise Invalid(
            f"{path} must be a file of its own, not a link, a folder or a device: put one there, or remove it."
        )
    if only_ours and found.st_uid not in {os.getuid(), 0}:
        raise Invalid(f"{path} belongs to another user, who would say who may read: take it over or remove it.")


def _unreadable(path: Path, error: Exception) -> Invalid:
    return Invalid(f"{path} cannot be read: {' '.join(str(error).split())}")
