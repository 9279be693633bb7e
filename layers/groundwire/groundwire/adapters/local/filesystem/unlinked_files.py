"""Opening of files whose path holds no link at the moment of opening."""

import os
from pathlib import Path
from typing import Final

_FOLDER: Final = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def open_unlinked(path: Path) -> int:
    """Return a descriptor of the file for reading; each folder is opened within the one before it.

    Whoever may write to a folder of the path could exchange it for a link after the file was found.

    Raises:
        OSError: there is no such file, or a part of the path is a link.
    """
    *folders, name = path.absolute().parts[1:]
    parent = os.open(os.sep, _FOLDER)
    try:
        for folder in folders:
            opened = os.open(folder, _FOLDER, dir_fd=parent)
            os.close(parent)
            parent = opened
        return os.open(name, _FILE, dir_fd=parent)
    finally:
        os.close(parent)
