"""Process that changes an index and kills itself with SIGKILL after a given number of statements.

Its arguments are FOLDER, CHANGE and STATEMENTS; it ends with 0 when the change took fewer statements.
"""

import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.domain.access.policy import single_policy
from groundwire.ports import Index
from tests.support.documents.index_documents import MODEL, TENANT, for_tags, put

OLD = ["kept", "old one", "old two"]
NEW = ["kept", "new one", "new two", "new three"]

CHANGES: dict[str, Callable[[Index], object]] = {
    "put": lambda index: put(index, "d", NEW, for_tags("new")),
    "next_version": lambda index: put(index, "d", NEW, for_tags("new"), version=2),
    "prune": lambda index: index.prune("d", None),
    "set_readers": lambda index: index.set_readers("d", single_policy(for_tags("new"))),
}


class Mortal(sqlite3.Connection):
    """Its process dies when the statements that are left have run."""

    left = sys.maxsize

    def execute(self, *given: Any) -> sqlite3.Cursor:  # pyright: ignore[reportIncompatibleMethodOverride]
        if Mortal.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        Mortal.left -= 1
        return super().execute(*given)


def main() -> None:
    folder, change, statements = Path(sys.argv[1]), CHANGES[sys.argv[2]], int(sys.argv[3])
    sqlite3.connect = partial(sqlite3.connect, factory=Mortal)
    index = EmbeddedIndexes(folder, MODEL).for_tenant(TENANT)
    Mortal.left = statements
    change(index)


if __name__ == "__main__":
    main()
