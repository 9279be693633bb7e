"""The embedded indexes of all tenants of a machine."""

import sqlite3
import threading
from contextlib import suppress
from pathlib import Path

from groundwire.adapters.local import durable
from groundwire.adapters.local.faults import filesystem
from groundwire.adapters.local.index.file import NAME, SIDE_FILES, connect
from groundwire.adapters.local.index.index import EmbeddedIndex
from groundwire.adapters.local.names import tenant_folder
from groundwire.ports import ModelId


class EmbeddedIndexes:
    """`Indexes` in `folder/<tenant>/index.db`, each opened when it is first asked for."""

    def __init__(self, folder: Path, model: ModelId) -> None:
        self._folder = folder
        self._model = model
        self._open: dict[str, EmbeddedIndex] = {}
        self._lock = threading.Lock()

    def of(self, tenant: str) -> EmbeddedIndex:
        """The tenant's index, made on first use; ask for it per call, as another process may drop it.

        Raises:
            Conflict: the index was built with another embedding model.
            Invalid: `tenant` is no tenant id.
        """
        folder = tenant_folder(self._folder, tenant)
        with self._lock:
            index = self._open.get(tenant)
            if index is not None and not index.is_in_place():
                self._open.pop(tenant).close()
                index = None
            if index is None:
                index = self._open[tenant] = EmbeddedIndex(folder, tenant, self._model)
            return index

    def drop(self, tenant: str) -> int:
        """The tenant's index is gone, damaged or not; returns how many rows it had, as far as they can be counted."""
        folder = tenant_folder(self._folder, tenant)
        with self._lock:
            if (index := self._open.pop(tenant, None)) is not None:
                index.close()
            rows = _rows(folder / NAME)
            with filesystem(folder):
                _erase(folder)
        return rows

    def close(self) -> None:
        """All indexes are closed; those asked for later are opened anew."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()


def _rows(file: Path) -> int:
    """Asks the file itself, whatever model it was built with."""
    if not file.exists():
        return 0
    with suppress(sqlite3.Error):
        connection = connect(file)
        try:
            return int(connection.execute("SELECT count(*) FROM segments").fetchone()[0])
        finally:
            connection.close()
    return 0


def _erase(folder: Path) -> None:
    """The file first: SQLite throws away what stands beside a file that is not there."""
    if not folder.is_dir():
        return
    for name in (NAME, *(NAME + suffix for suffix in SIDE_FILES)):
        (folder / name).unlink(missing_ok=True)
    durable.sync_folder(folder)
    # Others may keep something of the tenant in the same folder.
    with suppress(OSError):
        folder.rmdir()
