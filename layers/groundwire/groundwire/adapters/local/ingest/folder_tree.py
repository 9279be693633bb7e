"""Folders opened by descriptors: each within the one before it, never through a link, and the same one all along.

Whoever may write to a folder could exchange a folder in it for a link, or for a folder of their own, between two steps
of a run. So no path is followed by the system: each folder of it is opened by its name alone, and a folder that was
exchanged since it was first opened is refused.
"""

import errno
import os
import weakref
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Final

# `O_PATH` needs no right to list the folder; macOS does not have it.
_ENTER: Final = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LIST: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_NAMES: Final = frozenset({"", ".", ".."})
_EXCHANGED: Final = "it was exchanged for another folder during the run"
_ESCAPE: Final = "\\x"


class FolderTree:
    """The folders of this machine; those that were named are held open, and all below is opened from them.

    Paths are absolute, as `printable_path` writes them; those of folders end with a slash.
    """

    def __init__(self) -> None:
        self._identities: dict[str, tuple[int, int]] = {}
        self._held: dict[str, int] = {}
        self._hold(os.sep, os.open(os.sep, _ENTER))

    def hold(self, folder: Path) -> str:
        """Open a named folder, whose path holds no link, and keep it open; return its path.

        Raises:
            OSError: the folder cannot be opened.
        """
        path = folder_path(folder)
        if path not in self._held:
            with self.open_folder(path) as descriptor:
                self._hold(path, os.dup(descriptor))
        return path

    @contextmanager
    def open_folder(self, path: str) -> Generator[int]:
        """Yield a descriptor of the folder, from which names in it are looked up.

        Raises:
            OSError: there is no such folder, a part of the path is a link, or another folder has taken its place.
        """
        start = max((held for held in self._held if path.startswith(held)), key=len, default="")
        if not start:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        opened, descriptor = start, os.dup(self._held[start])
        try:
            for name in path[len(start) :].split("/")[:-1]:
                opened += f"{name}/"
                inner = os.open(stored_name(descriptor, name), _ENTER, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
                self._check_identity(opened, descriptor)
            yield descriptor
        finally:
            os.close(descriptor)

    def _hold(self, path: str, descriptor: int) -> None:
        self._held[path] = descriptor
        # The descriptors are open as long as the tree exists, which nobody closes.
        weakref.finalize(self, os.close, descriptor)

    def _check_identity(self, path: str, descriptor: int) -> None:
        status = os.fstat(descriptor)
        identity = (status.st_dev, status.st_ino)
        if self._identities.setdefault(path, identity) != identity:
            raise OSError(errno.ESTALE, _EXCHANGED, path)


@contextmanager
def scan_folder(descriptor: int) -> Generator[Iterable[os.DirEntry[str]]]:
    """Yield the entries of an open folder.

    Raises:
        OSError: the folder cannot be listed.
    """
    # A descriptor of `O_PATH` cannot be listed.
    listed = os.open(".", _LIST, dir_fd=descriptor)
    try:
        with os.scandir(listed) as entries:
            yield entries
    finally:
        os.close(listed)


def entry_exists(folder: int, name: str) -> bool:
    """Return whether an open folder has an entry of this name.

    Raises:
        OSError: the folder cannot be entered.
    """
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        # A name that is too long for the file system has no entry.
        if error.errno in {errno.ENOENT, errno.ENAMETOOLONG}:
            return False
        raise
    return True


def stored_name(folder: int, name: str) -> str:
    r"""Return the name on the disk that is printed as `name`, where bytes that are not UTF-8 are written as `\xNN`.

    Raises:
        OSError: no entry can have this name.
    """
    if name in _NO_NAMES or not _is_encodable(name):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    if _ESCAPE not in name or entry_exists(folder, name):
        return name
    with scan_folder(folder) as entries:
        return next((each.name for each in entries if printable_name(each.name) == name), name)


def printable_name(name: str) -> str:
    r"""Return the name or path as text that can be stored: bytes that are not UTF-8 become `\xNN`."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def folder_path(folder: Path) -> str:
    """Return the printable path of a folder, with a slash at its end."""
    return printable_name(str(folder)).rstrip("/") + "/"


def _is_encodable(name: str) -> bool:
    try:
        return b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:
        return False
