"""An ingestion as it is watched: files done, segments a second, and how long it will take."""

from collections import Counter
from collections.abc import Sequence
from time import monotonic
from typing import Final

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from groundwire import wiring
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.cli.console import ERR, warn
from groundwire.entry.cli.ingest.report import outcome_rows
from groundwire.entry.cli.long_runs.lock_wait import show_lock_wait
from groundwire.entry.cli.long_runs.progress import StatusLineProgress
from groundwire.services.ingest.request import IngestRequest, IngestResult

_LINE_INTERVAL_S: Final = 10.0
"""Where no bar can move, a line says now and then that the work goes on."""


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
        """How many files it has not come to, or has not finished."""
        return len(self._requests) - self._throughput.files

    @property
    def summary(self) -> str:
        """Return the work done until now, in one line."""
        met = Counter(outcome.status.value for outcome in self.outcomes)
        counts = [f"{number:,} {status}" for status, number in met.items()]
        return ", ".join([*counts, f"{self.not_yet_read:,} not yet read"])

    def json_summary(self) -> dict[str, object]:
        """The same as data."""
        return {"files": outcome_rows(self.outcomes), "not_yet_read": self.not_yet_read}

    def __call__(self) -> list[IngestResult]:
        """Brings the files in; returns one outcome per file and attachment."""
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
        )
        with StatusLineProgress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as bars:
            show = bars.show_line if ERR.is_terminal else None
            with show_lock_wait([self._tenant], "another ingestion", show):
                self._ingest(bars)
        return self.outcomes

    def _ingest(self, bars: Progress) -> None:
        pace, tenant = self._throughput, self._tenant.tenant
        files = bars.add_task("files", total=len(self._requests), pace="")
        segments = bars.add_task("segments of this file", total=None, pace="")
        services = wiring.local_services()

        def embedded(done: int, total: int) -> None:
            pace.report_segments(done)
            bars.update(segments, completed=done, total=total, pace=pace.rate())
            services.ingest_lock.report(tenant, pace.files, len(self._requests))

        for outcome in services.ingest_batch(tenant, self._collection, self._requests, embedded):
            self.outcomes.append(outcome)
            pace.finish_file(outcome)
            bars.update(files, completed=pace.files, pace=pace.rate())
            services.ingest_lock.report(tenant, pace.files, len(self._requests))
            if not ERR.is_terminal and (line := pace.due_line()):
                warn(line, style="dim")


class _Throughput:
    """How far the work is, and how fast it went until now."""

    def __init__(self, total: int) -> None:
        self.files = 0
        self._total = total
        self._segments = 0
        self._segments_of_file = 0
        self._started_at = self._last_line_at = monotonic()

    def report_segments(self, done: int) -> None:
        """So many segments of the present file are ready."""
        self._segments_of_file = done

    def finish_file(self, outcome: IngestResult) -> None:
        """A file, or one of its attachments, is done."""
        self._segments += outcome.embedded_count
        self._segments_of_file = 0
        if outcome.document is None or outcome.document.parent is None:
            self.files = min(self.files + 1, self._total)

    def rate(self) -> str:
        """Empty as long as nothing was embedded."""
        done = self._segments + self._segments_of_file
        return f"{done / max(monotonic() - self._started_at, 0.001):.0f} segments/s" if done else ""

    def due_line(self) -> str | None:
        """What to say now; None: nothing yet."""
        now = monotonic()
        if now - self._last_line_at < _LINE_INTERVAL_S:
            return None
        self._last_line_at = now
        left = (now - self._started_at) / max(self.files, 1) * (self._total - self.files)
        parts = (f"{self.files} of {self._total} files done", self.rate(), f"about {left:.0f} s left")
        return ", ".join(part for part in parts if part)
