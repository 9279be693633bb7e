"""Report of a bench: tables for people, or one JSON document."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isnan

from rich.console import Console
from rich.table import Table

from bench.machine import Machine


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure that must not be larger than its target.

    Attributes:
        anchor: what it is compared with, measured in the same run.
    """

    what: str
    measured: float
    unit: str
    anchor: str
    target: float

    @property
    def met(self) -> bool:
        """Whether the target is reached."""
        return self.measured <= self.target


@dataclass(frozen=True, slots=True)
class Figures:
    """A table of measurements: a label and one number per column; NaN where there is none."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, *tuple[float, ...]]]
    digits: int = 2


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one run found."""

    title: str
    machine: Machine
    setting: Mapping[str, object]
    goals: Sequence[Goal]
    figures: Sequence[Figures]
    notes: Sequence[str]

    def show(self, *, as_json: bool) -> None:
        """On standard output."""
        if as_json:
            print(json.dumps(self._document(), indent=2))
            return
        console = Console(width=max(Console().width, 110), highlight=False)
        console.print(f"\n[bold]{self.title}[/bold]")
        console.print(str(self.machine), markup=False)
        console.print(", ".join(f"{name} {value}" for name, value in self.setting.items()), markup=False)
        if self.goals:
            console.print(_goals(self.goals))
        for figures in self.figures:
            console.print(_table(figures))
        for note in self.notes:
            console.print(note, markup=False)

    def _document(self) -> dict[str, object]:
        goals = [asdict(goal) | {"met": goal.met} for goal in self.goals]
        tables = [
            {"title": table.title, "rows": [_named(table.columns, row) for row in table.rows]} for table in self.figures
        ]
        return {
            "bench": self.title,
            "machine": asdict(self.machine),
            "setting": dict(self.setting),
            "goals": goals,
            "tables": tables,
            "notes": list(self.notes),
        }


def _named(columns: tuple[str, ...], row: tuple[str, *tuple[float, ...]]) -> dict[str, object]:
    """JSON has no NaN: what was not measured is null."""
    pairs = zip(columns, row, strict=True)
    return {name: None if isinstance(value, float) and isnan(value) else value for name, value in pairs}


def _goals(goals: Sequence[Goal]) -> Table:
    table = Table("figure", "measured", "anchor of the same run", "target", "", title_justify="left")
    for goal in goals:
        decision = "[green]met[/green]" if goal.met else "[bold red]missed[/bold red]"
        table.add_row(
            goal.what, f"{goal.measured:.2f} {goal.unit}", goal.anchor, f"≤ {goal.target:g} {goal.unit}", decision
        )
    return table


def _table(figures: Figures) -> Table:
    table = Table(title=figures.title, title_justify="left")
    for number, column in enumerate(figures.columns):
        table.add_column(column, justify="right" if number else "left")
    for label, *numbers in figures.rows:
        table.add_row(label, *("–" if isnan(number) else f"{number:.{figures.digits}f}" for number in numbers))
    return table
