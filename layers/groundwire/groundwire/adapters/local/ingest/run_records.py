"""Records of the last runs of `groundwire ingest` as files in the home, one a run, which the run itself rewrites."""

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Final

from groundwire.adapters.local.filesystem import atomic_files, os_errors
from groundwire.adapters.local.filesystem.tenant_folder import drop_part, tenant_folder
from groundwire.domain.errors import NotFound
from groundwire.domain.limits import MAX_INGESTION_RUNS
from groundwire.domain.text.json_values import mapping_or_empty
from groundwire.ports.ingestion import IngestionRun, RunProgress

# Ids of callers become names of files.
_RUN_ID: Final = re.compile(r"r_[0-9a-f]{16}")
_SUFFIX: Final = ".json"
_CANCELLED_SUFFIX: Final = ".cancel"


class RunRecords:
    """Implements `ports.IngestionRuns` in `folder/<tenant>/runs`.

    Args:
        folder: of all tenants.
        is_running: returns whether a process still runs the run of this id.
        has_tenant: returns whether the tenant of this id exists.
    """

    def __init__(self, folder: Path, is_running: Callable[[str], bool], has_tenant: Callable[[str], bool]) -> None:
        self._folder = folder
        self._is_running = is_running
        self._has_tenant = has_tenant

    def put(self, tenant: str, run: str, progress: RunProgress) -> None:
        """Store the progress of a run.

        Raises:
            NotFound: the tenant was deleted meanwhile; nothing is stored.
        """
        path = self._path(tenant, run)
        is_new = not path.exists()
        with os_errors.translate_os_errors(path.parent):
            atomic_files.ensure_private_folder(path.parent)
            atomic_files.replace(path, json.dumps(asdict(progress)).encode())
        # After the write: a deletion that begins later finds the file, and one that ended before has left it to this.
        if not self._has_tenant(tenant):
            self.drop(tenant)
            raise NotFound("There is no such tenant.", "tenant")
        if is_new:
            self._delete_oldest(tenant)

    def all(self, tenant: str) -> list[IngestionRun]:
        """Return the runs, the latest first."""
        folder = self._of_tenant(tenant)
        with os_errors.translate_os_errors(folder):
            ids = [path.stem for path in folder.glob(f"*{_SUFFIX}")]
        runs = [run for each in ids if (run := self.find(tenant, each)) is not None]
        return sorted(runs, key=lambda run: (-run.progress.started_at, run.run))

    def find(self, tenant: str, run: str) -> IngestionRun | None:
        """Return a run; None where it is missing or damaged."""
        if not _RUN_ID.fullmatch(run):
            return None
        path = self._path(tenant, run)
        with os_errors.translate_os_errors(path.parent):
            try:
                members = mapping_or_empty(json.loads(path.read_bytes()))
                known = {name: members[name] for name in RunProgress.__dataclass_fields__}
            # A record is of use while it can be read, and no answer depends on it.
            except (FileNotFoundError, ValueError, KeyError):
                return None
        progress = RunProgress(**known)  # pyright: ignore[reportArgumentType] - as `put` wrote them
        return IngestionRun(
            run,
            progress,
            is_running=progress.outcome is None and self._is_running(run),
            is_cancel_requested=self.is_cancel_requested(tenant, run),
        )

    def request_cancel(self, tenant: str, run: str) -> None:
        """Request that a stored run ends after its present file."""
        path = self._path(tenant, run).with_suffix(_CANCELLED_SUFFIX)
        with os_errors.translate_os_errors(path.parent):
            path.touch(mode=0o600)

    def is_cancel_requested(self, tenant: str, run: str) -> bool:
        """Return whether somebody requested that the run ends."""
        return self._path(tenant, run).with_suffix(_CANCELLED_SUFFIX).exists()

    def drop(self, tenant: str) -> None:
        """Delete all of the tenant."""
        folder = self._of_tenant(tenant)
        with os_errors.translate_os_errors(folder):
            drop_part(folder)

    def _delete_oldest(self, tenant: str) -> None:
        for oldest in self.all(tenant)[MAX_INGESTION_RUNS:]:
            path = self._path(tenant, oldest.run)
            with os_errors.translate_os_errors(path.parent):
                for each in (path, path.with_suffix(_CANCELLED_SUFFIX)):
                    each.unlink(missing_ok=True)

    def _of_tenant(self, tenant: str) -> Path:
        return tenant_folder(self._folder, tenant) / "runs"

    def _path(self, tenant: str, run: str) -> Path:
        return self._of_tenant(tenant) / f"{run}{_SUFFIX}"
