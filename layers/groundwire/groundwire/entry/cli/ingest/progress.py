"""Progress of an ingestion: finished files, segments per second, and the remaining time."""

from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from time import monotonic
from typing import Final

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from groundwire import wiring
from groundwire.domain.audit.ingestion import IngestionOrigin, IngestionScope, RunAudit
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.cli.console import ERR, warn
from groundwire.entry.cli.ingest.report import outcome_rows
from groundwire.entry.cli.long_runs.lock_wait import show_lock_wait
from groundwire.entry.cli.long_runs.progress import StatusLineProgress
from groundwire.entry.cli.long_runs.run_record import RunRecord
from groundwire.services.ingest.request import IngestRequest, IngestResult

_LINE_INTERVAL_S: Final = 10.0
"""Seconds between progress lines where no bar can be drawn."""
_MAX_NAME_CHARACTERS: Final = 30


class LocalIngestRun:
    """One ingestion under a progress display on standard error."""

    def __init__(self, tenant: Tenant, collection: str, requests: Sequence[IngestRequest]) -> None:
        self.outcomes: list[IngestResult] = []
        self._tenant = tenant
        self._collection = collection
        self._requests = requests
        self._throughput = _Throughput(len(requests))

    @property
    def not_yet_read(self) -> int:
        """The number of files that are not finished."""
        return len(self._requests) - self._throughput.files

    @property
    def summary(self) -> str:
        """The finished work, in one line."""
        status_counts = Counter(outcome.status.value for outcome in self.outcomes)
        counts = [f"{number:,} {status}" for status, number in status_counts.items()]
        return ", ".join([*counts, f"{self.not_yet_read:,} not yet read"])

    def json_summary(self) -> dict[str, object]:
        """Return the finished work as JSON members."""
        return {"files": outcome_rows(self.outcomes), "not_yet_read": self.not_yet_read}

    def clean_up(self) -> None:
        """Remove the records of files that this run announced and will not read."""
        wiring.local_services().ingestion.forget_abandoned_files(self._tenant.tenant)

    def begin_audit(self) -> RunAudit:
        """Write the first audit line of this ingestion.

        Raises:
            Unavailable: it cannot be written.
        """
        services = wiring.local_services()
        scope = IngestionScope(
            self._tenant.tenant, self._collection, IngestionOrigin.COMMAND, services.installation.os_user
        )
        return services.administration.ingestion_audit.begin(scope, len(self._requests))

    @contextmanager
    def hold(self) -> Generator[None]:
        """Hold off other runs over the tenant's files for the block; shows which one it waits for."""
        with ExitStack() as held:
            with show_lock_wait([self._tenant], "another ingestion"):
                held.enter_context(wiring.local_services().ingestion.batch.hold_run(self._tenant.tenant))
            yield

    def begin_record(self, audit: RunAudit) -> RunRecord:
        """Return the record of this run, by which administrators see its progress."""
        return RunRecord(self._tenant.tenant, audit.run, self._collection, len(self._requests))

    def __call__(self, audit: RunAudit, record: RunRecord) -> list[IngestResult]:
        """Ingest the files, and record them; return one outcome per file and attachment.

        The caller holds the run.
        """
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
        )
        with StatusLineProgress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as bars:
            show = bars.show_line if ERR.is_terminal else None
            with show_lock_wait([self._tenant], "another ingestion", show):
                self._ingest(bars, audit, record)
        return self.outcomes

    def _ingest(self, bars: Progress, audit: RunAudit, record: RunRecord) -> None:
        throughput, tenant = self._throughput, self._tenant.tenant
        files = bars.add_task("files", total=len(self._requests), pace="")
        segments = bars.add_task(f"passages of {self._present_name()}", total=None, pace="")
        services = wiring.local_services()

        def report_embedded(done: int, total: int) -> None:
            throughput.report_segments(done)
            bars.update(segments, completed=done, total=total, pace=throughput.rate())
            services.stores.ingest_lock.report(tenant, throughput.files, len(self._requests))

        for outcome in services.ingestion.batch.ingest_within_run(
            tenant, self._collection, self._requests, report_embedded
        ):
            self.outcomes.append(outcome)
            audit.finished(outcome.status.value, outcome.finished_document)
            throughput.finish_file(outcome)
            bars.update(files, completed=throughput.files, pace=throughput.rate())
            bars.update(segments, description=f"passages of {self._present_name()}")
            services.stores.ingest_lock.report(tenant, throughput.files, len(self._requests))
            record.finished(outcome, throughput.files)
            if not ERR.is_terminal and (line := throughput.due_line()):
                warn(f"{line}, at {self._present_name()}", style="dim")

    def _present_name(self) -> str:
        """Return the name of the first file that is not finished, or of the last one; files are read in their order."""
        if not self._requests:
            return "no file"
        name = self._requests[min(self._throughput.files, len(self._requests) - 1)].file_name
        return name if len(name) <= _MAX_NAME_CHARACTERS else f"{name[: _MAX_NAME_CHARACTERS - 1]}…"


class _Throughput:
    """Finished work and its speed until now."""

    def __init__(self, total: int) -> None:
        self.files = 0
        self._total = total
        self._segments = 0
        self._segments_of_file = 0
        self._started_at = self._last_line_at = monotonic()

    def report_segments(self, done: int) -> None:
        """Set the number of finished segments of the present file."""
        self._segments_of_file = done

    def finish_file(self, outcome: IngestResult) -> None:
        """Count a finished file or attachment."""
        self._segments += outcome.embedded_count
        self._segments_of_file = 0
        if outcome.document is None or outcome.document.parent is None:
            self.files = min(self.files + 1, self._total)

    def rate(self) -> str:
        """Return the segments per second; empty as long as none is embedded."""
        done = self._segments + self._segments_of_file
        # The first report may come within one tick of the clock.
        return f"{done / max(monotonic() - self._started_at, 0.001):.0f} passages/s" if done else ""

    def due_line(self) -> str | None:
        """Return a line on the progress; None when it is too early for another one."""
        now = monotonic()
        if now - self._last_line_at < _LINE_INTERVAL_S:
            return None
        self._last_line_at = now
        seconds_left = (now - self._started_at) / max(self.files, 1) * (self._total - self.files)
        parts = (f"{self.files} of {self._total} files done", self.rate(), f"about {seconds_left:.0f} s left")
        return ", ".join(part for part in parts if part)
