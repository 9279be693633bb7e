"""Progress of long steps."""

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
    """Bars with a line above them."""

    _line = ""

    def show_line(self, line: str) -> None:
        """The line from now on; none where it is empty."""
        self._line = line

    def get_renderables(self) -> Iterable[RenderableType]:
        """The line, then the bars."""
        if self._line:
            yield Text(self._line, style="dim")
        yield from super().get_renderables()


@contextmanager
def stage_progress() -> Generator[Callable[[str, float], None]]:
    """A bar on standard error; call what is yielded with the stage's name and the fraction done, 0 to 1."""
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
    """A bar with the remaining time on standard error; call what is yielded with stage, done and total.

    Where no bar can move, a line says now and then how far the work is. SIGINT and SIGTERM end the process with a line
    that says it: each of these commands continues when it is run again.
    """
    said = "nothing is done yet"
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with (
        exit_on_signal(lambda: said),
        Progress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as bar,
    ):
        stages: dict[str, _Stage] = {}

        def report(stage: str, done: int, total: int) -> None:
            nonlocal said
            said = f"{done:,} of {total:,} {stage}"
            known = stages.get(stage) or stages.setdefault(stage, _Stage(bar.add_task(stage)))
            bar.update(known.task, completed=done, total=total)
            if not ERR.is_terminal and (line := known.due_line(stage, done, total)):
                warn(line, style="dim")

        yield report


class _Stage:
    """One stage of the work, and when it was last spoken of."""

    def __init__(self, task: TaskID) -> None:
        self.task = task
        self._started_at = self._last_line_at = monotonic()

    def due_line(self, name: str, done: int, total: int) -> str | None:
        """What to say now; None: nothing yet."""
        now = monotonic()
        if now - self._last_line_at < _LINE_INTERVAL_S or not 0 < done < total:
            return None
        self._last_line_at = now
        left = (now - self._started_at) / done * (total - done)
        return f"{name}: {done} of {total}, about {left:.0f} s left"
