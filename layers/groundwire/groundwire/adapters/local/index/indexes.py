"""The embedded indexes of all tenants of a machine."""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from groundwire.adapters.local.filesystem.os_errors import to_unavailable, translate_os_errors
from groundwire.adapters.local.filesystem.tenant_folder import tenant_folder
from groundwire.adapters.local.index.compaction import CompactionResult
from groundwire.adapters.local.index.index import EmbeddedIndex
from groundwire.adapters.local.index.store import generations
from groundwire.adapters.local.index.store.errors import model_conflict
from groundwire.adapters.local.index.store.file import connect, exclude_writers
from groundwire.adapters.local.index.store.generations import PointerStamp
from groundwire.domain import errors
from groundwire.ports import IndexInspection, ModelId


@dataclass(frozen=True, slots=True)
class _OpenIndex:
    """Index that this process has opened, its folder, and the stamp of the pointer file when the index became live."""

    index: EmbeddedIndex
    folder: Path
    pointer: PointerStamp

    def is_live(self) -> bool:
        """Return whether it is still the live one: another process may swap it.

        Raises:
            OSError: the folder cannot be used.
        """
        return self.pointer == generations.pointer_stamp(self.folder) and self.index.is_in_place()


class EmbeddedIndexes:
    """`Indexes` in `folder/<tenant>/`, each opened at its first use.

    Args:
        folder: folder of all tenants' indexes.
        model: model of a new tenant's index, or a function that returns it.
    """

    def __init__(self, folder: Path, model: ModelId | Callable[[], ModelId]) -> None:
        self._folder = folder
        self._model = model
        self._open: dict[str, _OpenIndex] = {}
        self._building: dict[str, EmbeddedIndex] = {}
        self._lock = threading.Lock()

    def for_tenant(self, tenant: str) -> EmbeddedIndex:
        """Return the tenant's index, created on first use; call it once per request: another process may swap it.

        Raises:
            Conflict: an older or a newer Groundwire wrote the file.
            InvalidInput: `tenant` is no tenant id.
        """
        with self._lock:
            opened = self._open.get(tenant)
            # Only ids of tenants are among the open ones.
            folder = tenant_folder(self._folder, tenant) if opened is None else opened.folder
            try:
                if opened is None or not opened.is_live():
                    # A search in progress holds the previous one until it ends.
                    opened = self._open[tenant] = self._open_live(folder, tenant)
            except OSError as error:
                raise to_unavailable(error, folder) from error
            return opened.index

    def exists(self, tenant: str) -> bool:
        """Return whether the tenant has an index, without creating one."""
        folder = tenant_folder(self._folder, tenant)
        with translate_os_errors(folder):
            return generations.index_path(folder, generations.live_number(folder)).exists()

    def start_generation(self, tenant: str, model: ModelId) -> EmbeddedIndex:
        """Return an index of another model beside the live one, empty or as far as it was filled before.

        Raises:
            Conflict: the next generation was started with a third model; `abandon` it first.
        """
        folder = tenant_folder(self._folder, tenant)
        with self._lock, translate_os_errors(folder):
            index = self._next_index(folder, tenant, model)
            if index.model != model:
                raise model_conflict(index.model, model)
            return index

    def building_generation(self, tenant: str) -> EmbeddedIndex | None:
        """Return the generation that this or another process is building; None if it is missing."""
        folder = tenant_folder(self._folder, tenant)
        with self._lock, translate_os_errors(folder):
            exists = generations.index_path(folder, generations.live_number(folder) + 1).exists()
            return self._next_index(folder, tenant, self._model) if exists else None

    def swap(self, tenant: str) -> None:
        """Make the next generation live in every process, and delete the previous one.

        Raises:
            NotFound: there is no next generation.
        """
        folder = tenant_folder(self._folder, tenant)
        with self._lock, translate_os_errors(folder):
            number = generations.live_number(folder)
            if not generations.index_path(folder, number + 1).exists():
                raise errors.NotFound("The tenant has no next index that could take the place of this one.")
            before = generations.index_path(folder, number)
            # A write to the old file between the two steps would be lost.
            with exclude_writers(before):
                generations.set_live(folder, number + 1)
                generations.erase(before)
            self._open.pop(tenant, None)
            if (index := self._building.pop(tenant, None)) is not None and index.is_in_place():
                self._open[tenant] = _OpenIndex(index, folder, generations.pointer_stamp(folder))

    def abandon(self, tenant: str) -> None:
        """Delete the next generation, if there is one."""
        folder = tenant_folder(self._folder, tenant)
        with self._lock, translate_os_errors(folder):
            self._building.pop(tenant, None)
            file = generations.index_path(folder, generations.live_number(folder) + 1)
            if file.exists():
                with exclude_writers(file):
                    generations.erase(file)

    def compact(self, tenant: str) -> CompactionResult:
        """Free the disk space that the rows of the tenant's index do not need.

        Raises:
            Unavailable: the file does not answer.
        """
        return self.for_tenant(tenant).compact()

    def drop(self, tenant: str) -> int:
        """Delete the tenant's index, damaged or not; return the number of its rows, 0 where they cannot be counted."""
        folder = tenant_folder(self._folder, tenant)
        with self._lock, translate_os_errors(folder):
            self._building.pop(tenant, None)
            if (opened := self._open.pop(tenant, None)) is not None:
                opened.index.close()
            if not folder.is_dir():
                return 0
            rows = _count_rows(folder)
            generations.erase_all(folder)
            # Others may keep something of the tenant in the same folder.
            with suppress(OSError):
                folder.rmdir()
        return rows

    def outdated_tenants(self, *, may_wake: bool) -> list[str]:  # noqa: ARG002 - the port's
        """Return tenants whose live index has rows of an earlier form; the embedded index never sleeps.

        Raises:
            Unavailable: a file cannot be read.
        """
        with translate_os_errors(self._folder):
            tenants = {file.parent.name for file in self._folder.glob("*/index*.db")}
        return [tenant for tenant in sorted(tenants) if self.for_tenant(tenant).outdated_documents("", 1)]

    def inspect(self, tenant: str) -> IndexInspection | None:
        """Return the model of the tenant's live index; None where it has none. Opening it checks its schema."""
        if not self.exists(tenant):
            return None
        try:
            model = self.for_tenant(tenant).model
        except errors.Conflict as error:
            return IndexInspection("embedded", "unknown", custom_ids=True, defect=str(error))
        return IndexInspection("embedded", f"{model.name}/{model.dimension}", custom_ids=True, defect=None)

    def wake(self) -> None:
        """Do nothing: the embedded index never sleeps."""

    def close(self) -> None:
        """Close all indexes; an index that is used later is opened again."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].index.close()
            while self._building:
                self._building.popitem()[1].close()

    def _next_index(self, folder: Path, tenant: str, model: ModelId | Callable[[], ModelId]) -> EmbeddedIndex:
        """Return the generation after the live one; `model` is the model of one that is created."""
        index = self._building.get(tenant)
        file = generations.index_path(folder, generations.live_number(folder) + 1)
        if index is None or index.path != file or not index.is_in_place():
            index = self._building[tenant] = EmbeddedIndex(file, tenant, model)
        return index

    def _open_live(self, folder: Path, tenant: str) -> _OpenIndex:
        """Open the live generation; another process may swap it meanwhile."""
        while True:
            pointer = generations.pointer_stamp(folder)
            number = generations.live_number(folder)
            index = EmbeddedIndex(generations.index_path(folder, number), tenant, self._model)
            if pointer == generations.pointer_stamp(folder) and index.is_in_place():
                generations.erase_before(folder, number)
                return _OpenIndex(index, folder, pointer)
            index.close()


def _count_rows(folder: Path) -> int:
    """Return the number of rows in the live file, even where the folder is damaged otherwise."""
    with suppress(sqlite3.Error, errors.Unavailable):
        file = generations.index_path(folder, generations.live_number(folder))
        with closing(connect(file)) as connection:
            return int(connection.execute("SELECT count(*) FROM segments").fetchone()[0])
    return 0
