"""Files to ingest: found in a fixed order, read without following links, named so that any name can be stored."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from groundwire.adapters.local.ingest.metadata_files import SUFFIX as METADATA_SUFFIX
from groundwire.domain.errors import DocumentRefused, InvalidInput
from groundwire.domain.limits import MAX_DOCUMENT_BYTES

_LINK: Final = "a link: ingest the file it leads to where its own policy stands"
_NOT_A_FILE: Final = "not a regular file but a pipe, a socket or a device: save its content to a file"
_UNLISTED: Final = "a folder that cannot be looked into: check who may list it"


def find_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files at and beneath `paths`, sorted within each folder; not hidden ones, metadata files, links to folders.

    A path that is named is followed to where it leads, so that the policy there is the one that counts. Links
    beneath a folder were put there by whoever may write to it: they are found, and refused by `read_file`.

    Raises:
        Invalid: a path that does not exist.
    """
    for path in paths:
        real = Path(os.path.realpath(path))
        if real.is_dir():
            yield from _walk(real)
        elif os.path.lexists(real) and not real.is_symlink():
            yield real
        else:
            raise InvalidInput(f"{printable_path(path)} does not exist.")


def read_file(path: Path) -> bytes:
    """The content of a regular file, at most one byte more than a document may have.

    Raises:
        DocumentRefused: a link, a pipe, a device, or a file that cannot be read.
    """
    try:
        # Looked at before it is opened, since opening is enough to hang on some devices, and once more when it is
        # open, since the name may have come to stand for something else in between.
        _require_regular_file(path.lstat())
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            _require_regular_file(os.fstat(descriptor))
            return file.read(MAX_DOCUMENT_BYTES + 1)
    except OSError as error:
        raise DocumentRefused(f"the file cannot be read: {error.strerror}") from error


def is_missing(path: str) -> bool:
    """Whether there is surely nothing of this name: what cannot be looked at may be there."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False


def printable_path(path: Path) -> str:
    r"""The path as text that can be stored: bytes that are not UTF-8 are written as `\xNN`."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _require_regular_file(found: os.stat_result) -> None:
    if stat.S_ISLNK(found.st_mode):
        raise DocumentRefused(_LINK)
    if stat.S_ISDIR(found.st_mode):
        raise DocumentRefused(_UNLISTED)
    if not stat.S_ISREG(found.st_mode):
        raise DocumentRefused(_NOT_A_FILE)


def _walk(folder: Path) -> Iterator[Path]:
    unlisted: list[Path] = []
    for parent, folders, files in os.walk(folder, onerror=lambda error: unlisted.append(Path(error.filename))):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if not name.startswith(".") and not name.endswith(METADATA_SUFFIX):
                yield Path(parent, name)
    # Found like a file that cannot be read, so that what lies in them is missed aloud.
    yield from unlisted
