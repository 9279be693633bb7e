"""Atomic files: whole or absent, after a crash too, and readable by their owner only."""

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

PARTIAL_PREFIX: Final = ".part-"
"""Name prefix of a file that is being written, or that a crash left behind."""


def ensure_private_folder(folder: Path) -> None:
    """Create `folder` if it is missing; then only its owner may enter it.

    The mode of an existing folder stays: others may use it rightly.
    """
    # `mkdir` with `parents` would make the folders above with their usual mode.
    for missing in reversed([level for level in (folder, *folder.parents) if not level.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    if not folder.is_dir():
        raise NotADirectoryError(20, "Not a directory", str(folder))


def replace(path: Path, content: bytes, prefix: str = PARTIAL_PREFIX) -> None:
    """Replace the content of `path`; `prefix` begins the name of the temporary file."""
    with _partial_file(path, content, prefix) as part:
        part.replace(path)


def create(path: Path, content: bytes) -> bool:
    """Create `path` with `content`; return False when another process was faster."""
    with _partial_file(path, content, PARTIAL_PREFIX) as part:
        return link_into_place(part, path)


def link_into_place(part: Path, path: Path) -> bool:
    """Link a finished file to its name; return False when the name is taken."""
    try:
        # A link fails on an existing name where a rename would replace what another process just made.
        path.hardlink_to(part)
    except FileExistsError:
        return False
    sync_folder(path.parent)
    return True


def sync_folder(folder: Path) -> None:
    """Sync the names in `folder` to disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _partial_file(path: Path, content: bytes, prefix: str) -> Generator[Path]:
    # Imported lazily: it loads `random`, which a function that only reads does not need.
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
        # After a rename the name is gone; after a link it is a second one.
        with suppress(FileNotFoundError):
            part.unlink()
