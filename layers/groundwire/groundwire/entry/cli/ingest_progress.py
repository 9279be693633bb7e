"""An ingestion as it is watched: files done, segments a second, and how long it will take."""

from collections import Counter
from collections.abc import Sequence
from time import monotonic
from typing import Final

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from groundwire import wiring
from groundwire.domain.credentials import Tenant
from groundwire.entry.cli.console import ERR, warn
from groundwire.entry.cli.ingest_report import rows
from groundwire.entry.cli.progress import LinedProgress
from groundwire.entry.cli.waiting import waiting_shown
from groundwire.services.ingest.request import IngestOutcome, IngestRequest

_TOLD_EVERY_S: Final = 10.0
"""Where no bar can move, a line says now and then that the work goes on."""


class IngestRun:
    """One ingestion under a progress display on standard error."""

    def __init__(self, tenant: Tenant, collection: str, requests: Sequence[IngestRequest]) -> None:
        self.outcomes: list[IngestOutcome] = []
        self._tenant = tenant
        self._collection = collection
        self._requests = requests
        self._pace = _Pace(len(requests))

    @property
    def not_yet_read(self) -> int:
        """How many files it has not come to, or has not finished."""
        return len(self._requests) - self._pace.files

    @property
    def done(self) -> str:
        """Return the work done until now, in one line."""
        met = Counter(outcome.status.value for outcome in self.outcomes)
        counts = [f"{number:,} {status}" for status, number in met.items()]
        return ", ".join([*counts, f"{self.not_yet_read:,} not yet read"])

    def facts(self) -> dict[str, object]:
        """The same as data."""
        return {"files": rows(self.outcomes), "not_yet_read": self.not_yet_read}

    def __call__(self) -> list[IngestOutcome]:
        """Brings the files in; returns one outcome per file and attachment."""
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
        )
        with LinedProgress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as bars:
            show = bars.show if ERR.is_terminal else None
            with waiting_shown([self._tenant], "another ingestion", show):
                self._bring_in(bars)
        return self.outcomes

    def _bring_in(self, bars: Progress) -> None:
        pace, tenant = self._pace, self._tenant.tenant
        files = bars.add_task("files", total=len(self._requests), pace="")
        segments = bars.add_task("segments of this file", total=None, pace="")
        services = wiring.current()

        def embedded(done: int, total: int) -> None:
            pace.within(done)
            bars.update(segments, completed=done, total=total, pace=pace.rate())
            services.ingest_lock.report(tenant, pace.files, len(self._requests))

        for outcome in services.ingest_batch(tenant, self._collection, self._requests, embedded):
            self.outcomes.append(outcome)
            pace.finished(outcome)
            bars.update(files, completed=pace.files, pace=pace.rate())
            services.ingest_lock.report(tenant, pace.files, len(self._requests))
            if not ERR.is_terminal and (line := pace.line()):
                warn(line, style="dim")


class _Pace:
    """How far the work is, and how fast it went until now."""

    def __init__(self, total: int) -> None:
        self.files = 0
        self._total = total
        self._segments = 0
        self._of_this_file = 0
        self._begun = self._told = monotonic()

    def within(self, done: int) -> None:
        """So many segments of the present file are ready."""
        self._of_this_file = done

    def finished(self, outcome: IngestOutcome) -> None:
        """A file, or one of its attachments, is done."""
        self._segments += outcome.embedded
        self._of_this_file = 0
        if outcome.document is None or outcome.document.parent is None:
            self.files = min(self.files + 1, self._total)

    def rate(self) -> str:
        """Empty as long as nothing was embedded."""
        done = self._segments + self._of_this_file
        return f"{done / max(monotonic() - self._begun, 0.001):.0f} segments/s" if done else ""

    def line(self) -> str | None:
        """What to say now; None: nothing yet."""
        now = monotonic()
        if now - self._told < _TOLD_EVERY_S:
            return None
        self._told = now
        left = (now - self._begun) / max(self.files, 1) * (self._total - self.files)
        parts = (f"{self.files} of {self._total} files done", self.rate(), f"about {left:.0f} s left")
        return ", ".join(part for part in parts if part)
