"""Files that exist whole or not at all, after a crash too, and that only their owner can read."""

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

PARTIAL_PREFIX: Final = ".part-"
"""Begins the name of a file that is still being written, or that a crash left behind."""


def ensure_private_folder(folder: Path) -> None:
    """`folder` exists; when it is made here, only its owner may enter it.

    The mode of a folder that existed before is left alone: it may be one that others rightly use.
    """
    for missing in reversed([level for level in (folder, *folder.parents) if not level.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    if not folder.is_dir():
        raise NotADirectoryError(20, "Not a directory", str(folder))


def replace(path: Path, content: bytes, prefix: str = PARTIAL_PREFIX) -> None:
    """`path` holds `content`, whatever it held before; `prefix` begins the name of the file until it is whole."""
    with _partial_file(path, content, prefix) as part:
        part.replace(path)


def create(path: Path, content: bytes) -> bool:
    """`path` exists; true when it was made here with `content`, false when another was faster."""
    with _partial_file(path, content, PARTIAL_PREFIX) as part:
        return link_into_place(part, path)


def link_into_place(part: Path, path: Path) -> bool:
    """Gives a finished file its name, unless the name is taken: then false."""
    try:
        # A link fails on an existing name where a rename would replace what another process just made.
        path.hardlink_to(part)
    except FileExistsError:
        return False
    sync_folder(path.parent)
    return True


def sync_folder(folder: Path) -> None:
    """The names in `folder` are on disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _partial_file(path: Path, content: bytes, prefix: str) -> Generator[Path]:
    # Late: with it comes `random`, which a function that only reads would load for nothing.
    import tempfile

    descriptor, name = tempfile.mkstemp(prefix=prefix, dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield part
        sync_folder(path.parent)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
