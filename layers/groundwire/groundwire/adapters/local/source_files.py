"""Files to ingest: found in a fixed order, named so that any name can be stored and shown."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from groundwire.domain.errors import Invalid


def find_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files at and beneath `paths`, sorted within each folder; hidden ones and links to folders are left out.

    Raises:
        Invalid: a path that does not exist.
    """
    for path in paths:
        if path.is_dir():
            yield from _beneath(path)
        elif path.exists():
            yield path
        else:
            raise Invalid(f"{readable(path)} does not exist.")


def readable(path: Path) -> str:
    r"""The path as text that can be stored: bytes that are not UTF-8 are written as `\xNN`."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _beneath(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(parent, name)
            if not name.startswith(".") and path.is_file():
                yield path
