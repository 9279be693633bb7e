"""Record of a run of `groundwire ingest`, by which administrators see its progress and end it."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from groundwire import wiring
from groundwire.domain.errors import DomainError
from groundwire.ports.ingestion import RunProgress

if TYPE_CHECKING:
    from groundwire.services.ingest.request import IngestResult

_INTERVAL_S: Final = 1.0
"""Seconds between two writes of the progress."""


class RunCancelled(KeyboardInterrupt):
    """An administrator ended the run; the command ends as after Ctrl-C."""


class RunRecord:
    """Record of one run; as a context manager it stores how the run ended.

    A record that cannot be written is left out: no run fails for it.

    Args:
        tenant: owner of the documents.
        run: id of the run.
        collection: collection of the files.
        files: number of files.
    """

    def __init__(self, tenant: str, run: str, collection: str, files: int) -> None:
        services = wiring.local_services()
        self._tenant = tenant
        self._run = run
        self._runs, self._clock = services.installation.ingestion_runs, services.clock
        self._counts = Counter[str]()
        now = self._clock()
        self._progress = RunProgress(collection, now, now, services.installation.os_user, files, 0, {}, None)
        self._written_at = 0.0

    def finished(self, outcome: "IngestResult", files_done: int) -> None:
        """Count a finished file or attachment.

        Raises:
            RunCancelled: an administrator ended the run.
        """
        self._counts[outcome.status.value] += 1
        self._progress = replace(self._progress, files_done=files_done)
        if monotonic() - self._written_at >= _INTERVAL_S:
            self._write(None)
        # After the last file nothing is left to cancel.
        is_last = files_done == self._progress.files
        if not is_last and self._runs.is_cancel_requested(self._tenant, self._run):
            raise RunCancelled

    def __enter__(self) -> Self:
        self._write(None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is None:
            self._write("done")
        elif isinstance(error, RunCancelled):
            self._write("cancelled")
        else:
            self._write("interrupted" if isinstance(error, KeyboardInterrupt) else "failed")

    def _write(self, outcome: str | None) -> None:
        self._progress = replace(self._progress, counts=dict(self._counts), updated_at=self._clock(), outcome=outcome)
        with suppress(DomainError):
            self._runs.put(self._tenant, self._run, self._progress)
        self._written_at = monotonic()
