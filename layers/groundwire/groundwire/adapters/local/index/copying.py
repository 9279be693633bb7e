"""A copy of an index while others search it and write to it."""

import secrets
from contextlib import closing
from pathlib import Path

from groundwire.adapters.local.index.faults import INDEX
from groundwire.adapters.local.index.file import connect
from groundwire.adapters.local.sqlite import files


def copy(path: Path, to: Path) -> None:
    """`to` is the index as of one moment; no cache of the one is taken for a cache of the other.

    Raises:
        Unavailable: the file is damaged or does not answer, or the disk is full.
    """
    files.copy(path, to, INDEX)
    with closing(connect(to)) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'identity'", (secrets.token_hex(16),))
