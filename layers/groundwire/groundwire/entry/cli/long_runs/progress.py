"""Progress displays of long commands."""

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from time import monotonic
from typing import Final

from rich.console import RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from groundwire.entry.cli.console import ERR, warn
from groundwire.entry.cli.long_runs.process import exit_on_signal

_LINE_INTERVAL_S: Final = 10.0


class StatusLineProgress(Progress):
    """Progress bars with a status line above them."""

    _line = ""

    def show_line(self, line: str) -> None:
        """Set the status line; an empty one is not shown."""
        self._line = line

    def get_renderables(self) -> Iterable[RenderableType]:
        """Yield the status line, then the bars."""
        if self._line:
            yield Text(self._line, style="dim")
        yield from super().get_renderables()


@contextmanager
def stage_progress() -> Generator[Callable[[str, float], None]]:
    """Show a bar on standard error; yield a function that takes the stage's name and the finished fraction, 0 to 1."""
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=ERR,
        transient=True,
        disable=not ERR.is_terminal,
    ) as bar:
        task = bar.add_task("starting", total=1.0)

        def report(stage: str, fraction: float) -> None:
            bar.update(task, description=stage, completed=fraction)

        yield report


@contextmanager
def counted_progress() -> Generator[Callable[[str, int, int], None]]:
    """Show a bar with the remaining time on standard error; yield a function that takes stage, done and total.

    Where no bar can be drawn, lines report the progress at intervals. On SIGINT and SIGTERM the process ends with a
    line on the progress: each of these commands continues when it is run again.
    """
    summary = "nothing is done yet"
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with (
        exit_on_signal(lambda: summary),
        Progress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as bar,
    ):
        stages: dict[str, _Stage] = {}

        def report(stage: str, done: int, total: int) -> None:
            nonlocal summary
            summary = f"{done:,} of {total:,} {stage}"
            current = stages.get(stage) or stages.setdefault(stage, _Stage(bar.add_task(stage)))
            bar.update(current.task, completed=done, total=total)
            # The log of a scheduled run cannot redraw a bar.
            if not ERR.is_terminal and (line := current.due_line(stage, done, total)):
                warn(line, style="dim")

        yield report


class _Stage:
    """One stage of the work, and the time of its last progress line."""

    def __init__(self, task: TaskID) -> None:
        self.task = task
        self._started_at = self._last_line_at = monotonic()

    def due_line(self, name: str, done: int, total: int) -> str | None:
        """Return a line on the progress; None when it is too early for another one."""
        now = monotonic()
        if now - self._last_line_at < _LINE_INTERVAL_S or not 0 < done < total:
            return None
        self._last_line_at = now
        seconds_left = (now - self._started_at) / done * (total - done)
        return f"{name}: {done} of {total}, about {seconds_left:.0f} s left"
