"""Progress of long steps that report a stage and a fraction."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from groundwire.entry.cli.console import ERR


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
