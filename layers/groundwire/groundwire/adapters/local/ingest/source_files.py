"""Files to ingest: found in a fixed order, read without following links, named so that any name can be stored."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from groundwire.adapters.local.filesystem.unlinked_files import open_unlinked
from groundwire.adapters.local.ingest.metadata_files import SUFFIX as METADATA_SUFFIX
from groundwire.domain.errors import DocumentRefused, InvalidInput
from groundwire.domain.limits import MAX_DOCUMENT_BYTES

_LINK: Final = "a link: ingest the file it leads to where its own policy stands"
_NOT_A_FILE: Final = "not a regular file but a pipe, a socket or a device: save its content to a file"
_UNLISTED: Final = "a folder that cannot be looked into: check who may list it"


def find_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files at and below `paths`, sorted per folder, without hidden files, metadata files and linked folders.

    A named path is resolved first, so that the policy at its target applies. Links below a folder come from anybody who
    may write to it: they are found, and refused by `read_file`.

    Raises:
        InvalidInput: a path does not exist.
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
    """Return the content of a regular file, at most one byte more than a document may have.

    Raises:
        DocumentRefused: a link, a pipe, a device, or a file that cannot be read.
    """
    try:
        # Checked before opening, because opening hangs on some devices. Checked again when open, because the name may
        # denote another file by then.
        _require_regular_file(path.lstat())
        descriptor = open_unlinked(path)
        with os.fdopen(descriptor, "rb") as file:
            _require_regular_file(os.fstat(descriptor))
            return file.read(MAX_DOCUMENT_BYTES + 1)
    except OSError as error:
        raise DocumentRefused(f"the file cannot be read: {error.strerror}") from error


def is_missing(path: str) -> bool:
    """Return whether nothing has this name for certain; an inaccessible name may exist."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False


def printable_path(path: Path) -> str:
    r"""Return the path as text that can be stored: bytes that are not UTF-8 become `\xNN`."""
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
    # Yielded like unreadable files, so that the caller reports them.
    yield from unlisted
