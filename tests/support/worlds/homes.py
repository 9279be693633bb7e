"""Homes for short-lived worlds: in memory where the machine offers it, as nearly all their time goes to the disk."""

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_MEMORY: Final = Path("/dev/shm")


@contextmanager
def fresh_home() -> Generator[Path]:
    """Yield a path for a home that does not exist yet; the home is removed at the end of the block."""
    folder = _MEMORY if os.access(_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="groundwire-", dir=folder) as parent:
        yield Path(parent) / "home"
