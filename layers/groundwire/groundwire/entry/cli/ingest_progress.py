"""An ingestion as it is watched: files done, segments a second, and how long it will take."""

from collections.abc import Iterator
from time import monotonic
from typing import Final

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from groundwire import wiring
from groundwire.entry.cli.console import ERR, warn
from groundwire.services.ingest.request import IngestOutcome, IngestRequest

_TOLD_EVERY_S: Final = 10.0
"""Where no bar can move, a line says now and then that the work goes on."""


def run_ingest(tenant: str, collection: str, requests: list[IngestRequest]) -> list[IngestOutcome]:
    """Ingests under a progress display on standard error; returns one outcome per file and attachment."""
    pace = _Pace(len(requests))
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[pace]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Progress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as bars:
        files = bars.add_task("files", total=len(requests), pace="")
        segments = bars.add_task("segments of this file", total=None, pace="")

        def embedded(done: int, total: int) -> None:
            pace.within(done)
            bars.update(segments, completed=done, total=total, pace=pace.rate())

        def watched() -> Iterator[IngestOutcome]:
            for outcome in wiring.current().ingest_batch(tenant, collection, requests, embedded):
                pace.finished(outcome)
                bars.update(files, completed=pace.files, pace=pace.rate())
                if not ERR.is_terminal and (line := pace.line()):
                    warn(line, style="dim")
                yield outcome

        return list(watched())


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
