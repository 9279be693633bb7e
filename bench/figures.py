"""All promised figures in one table: `python -m bench.figures [--scale SEGMENTS …] [--write] [--json]`.

Each bench runs in a process of its own, one after the other. `--scale` adds searches over so many segments, in homes
that are kept in `build/bench`. `--write` writes the table into `docs/operate/benches.md`, with its date and commit.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from bench.machine import this_machine
from bench.report import Goal, Report
from bench.server import ROOT

PAGE: Final = ROOT / "docs" / "operate" / "benches.md"
START: Final = "<!-- figures: python -m bench.figures --write -->\n"
END: Final = "<!-- end of figures -->\n"
BENCHES: Final = ("rag_search", "protocol", "first_answer", "answer_tokens", "dialects", "subqueries", "sources")
CALLS: Final = 1_000
FILES: Final = 95
GROWTH: Final = 3.0
TENTH_P50: Final = "filter admits a tenth, p50"
ALL_P50: Final = "all admitted, p50"
"""Goals of `bench.scale` whose growth with the number of segments is a goal."""
_TIMES: Final = 10
_COUNTS: Final = "tests.shape.budgets.programs.warm_work"

Commands = Mapping[str, Sequence[str]]
"""Arguments of the interpreter by the name of what it measures; each prints one JSON document."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A bench that did not end well, with the end of its error output."""

    name: str
    errors: str


def commands(sizes: Sequence[int]) -> dict[str, Sequence[str]]:
    """Return the command of each bench, those of scale at these numbers of segments."""
    found: dict[str, Sequence[str]] = {name: ("-m", f"bench.{name}", "--json") for name in BENCHES}
    for size in sizes:
        home = str(Path("build", "bench", str(size)))
        found[of_size(size)] = ("-m", "bench.scale", "--segments", str(size), "--home", home, "--json")
    return found


def of_size(size: int) -> str:
    """Return the name of the bench of scale at this number of segments."""
    return f"{size:,} segments"


def measure(programs: Commands) -> Iterator[tuple[str, list[Goal] | Failed]]:
    """Run each command; yield its goals with what was measured."""
    for name, arguments in programs.items():
        # A bench may have a progress of minutes: its errors and notes are shown as they come.
        print(f"{name} …", file=sys.stderr, flush=True)
        done = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            yield name, Failed(name, done.stderr[-2_000:])
            continue
        # Services in the bench's own process may log to the same stream before it.
        document: dict[str, Any] = json.loads(done.stdout[done.stdout.index("{\n") :])
        yield name, [_goal(each) for each in document["goals"]]


def _goal(document: Mapping[str, Any]) -> Goal:
    return Goal(**{name: value for name, value in document.items() if name != "met"})


def count_calls() -> list[Goal]:
    """Return the counts of a warm search, which no other work of the machine changes."""
    done = subprocess.run([sys.executable, "-m", _COUNTS], cwd=ROOT, capture_output=True, text=True, check=True)
    search: dict[str, int] = json.loads(done.stdout.splitlines()[-1])["calls.search"]
    return [
        Goal("calls of own functions in a warm search", search["calls"], "", "two phrases, four documents", CALLS),
        Goal("files of these functions", search["files"], "", "two phrases, four documents", FILES),
    ]


def growth(goals: Mapping[str, Sequence[Goal]], sizes: Sequence[int]) -> Iterator[Goal]:
    """Yield by how much a call grows with ten times as many segments."""
    for small in sizes:
        if small * _TIMES not in sizes:
            continue
        before, after = ({goal.what: goal for goal in goals.get(of_size(size), ())} for size in (small, small * _TIMES))
        for what in (TENTH_P50, ALL_P50):
            if what in before and what in after:
                times = after[what].measured / before[what].measured
                anchor = f"{before[what].measured:.1f} ms"
                yield Goal(f"{what}: {of_size(small * _TIMES)} / {of_size(small)}", times, "×", anchor, GROWTH)


def with_names(goals: Mapping[str, Sequence[Goal]]) -> list[Goal]:
    """Return all goals, each with the name of its bench before it."""
    return [
        Goal(f"{name}: {goal.what}", goal.measured, goal.unit, goal.anchor, goal.target)
        for name, each in goals.items()
        for goal in each
    ]


def table(report: Report, on: str, commit: str) -> str:
    """Return the report as a table of a page."""
    lines = [
        f"Measured on {on} with commit `{commit}`, on {report.machine}.",
        "",
        "| figure | measured | goal | met | measured beside it |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {goal.what} | {goal.measured:.2f} {goal.unit} | ≤ {goal.target:.2f} {goal.unit} | "
        f"{'yes' if goal.met else 'no'} | {goal.anchor} |"
        for goal in report.goals
    ]
    return "".join(f"{line}\n" for line in lines)


def write(page: Path, text: str) -> None:
    """Put the text between the marks of the page; ValueError where they are missing."""
    before, start, rest = page.read_text(encoding="utf-8").partition(START)
    _, end, after = rest.partition(END)
    if not (start and end):
        raise ValueError(f"{page} has no marks for the figures.")
    page.write_text(f"{before}{START}\n{text}\n{END}{after}", encoding="utf-8")


def run(programs: Commands, sizes: Sequence[int]) -> tuple[Report, list[Failed]]:
    """Measure everything; return the report, and the benches that failed."""
    machine = this_machine()
    taken = dict(measure(programs))
    goals = {name: each for name, each in taken.items() if not isinstance(each, Failed)}
    failed = [each for each in taken.values() if isinstance(each, Failed)]
    everything = [*with_names(goals), *growth(goals, sizes), *count_calls()]
    setting = {"benches": len(taken), "goals": len(everything), "met": sum(goal.met for goal in everything)}
    return Report("Figures and their goals", machine, setting, everything, [], []), failed


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--scale", type=int, nargs="+", default=[], metavar="SEGMENTS")
    arguments.add_argument("--write", action="store_true", help="into docs/operate/benches.md")
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    report, failed = run(commands(chosen.scale), chosen.scale)
    report.show(as_json=chosen.json)
    if failed:
        sys.exit("\n".join(f"bench {each.name} failed:\n{each.errors}" for each in failed))
    if chosen.write:
        write(PAGE, table(report, str(datetime.now(UTC).date()), _commit()))


if __name__ == "__main__":
    main()
