"""What MCP costs, beside its peers: `python -m bench.protocol [--rounds N] [--calls N] [--json]`.

From cold, a fresh process loads a server and answers once; warm, one process answers again and again. All peers run
in environments of their own, made in `.venv-bench-NAME` from `bench/protocol/NAME.txt` on the first run.
"""

import argparse
from collections.abc import Callable, Sequence
from math import nan
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from bench.machine import this_machine
from bench.protocol.program import Program, bare, ours, peers, pinned, prepare, with_sessions
from bench.report import Figures, Goal, Report
from tests.support.engines import dynamodb

DISCOVERY: Final = 0.5
SESSIONS: Final = 0.6
WARM_MS: Final = 0.08
OPERATIONS: Final = ("initialize", "discover", "list", "call")
SHOWN_IMPORTS: Final = 10
NOTES: Final = (
    "Ours logs each call, counts it and writes its audit line; the peers do nothing of the kind.",
    "call: ours looks a citation up in its registry, a peer returns a constant.",
    "with sessions: both write theirs to DynamoDB Local; all else of ours is in a home folder.",
    "mcp and fastmcp need a fresh app for each call behind Mangum: their session manager runs once.",
)


def cold(programs: Sequence[Program], round_trips: int) -> dict[str, dict[str, list[float]]]:
    """CPU milliseconds by program and operation, in turn; one round before them fills the caches."""
    taken: dict[str, dict[str, list[float]]] = {one.name: {name: [] for name in one.operations} for one in programs}
    for number in range(round_trips + 1):
        for one in programs:
            for operation in one.operations:
                milliseconds = one.cold_ms(operation)
                if number > 0:
                    taken[one.name][operation].append(milliseconds)
    return taken


def imports(program: Program) -> list[tuple[str, float, float]]:
    """Module, its own milliseconds, and those with what it imports; the most expensive first."""
    lines = program.output("cold", "discover", "-X", "importtime").splitlines()
    fields = [line.removeprefix("import time:").split("|") for line in lines if line.startswith("import time:")]
    rows = [(name.strip(), int(own) / 1e3, int(all_) / 1e3) for own, all_, name in fields[1:]]
    return sorted(rows, key=lambda row: row[1], reverse=True)[:SHOWN_IMPORTS]


def run(
    home: Path, others: Sequence[Program], sessions: tuple[Program, Program] | None, round_trips: int, calls: int
) -> Report:
    """The whole bench; `others` begin with the one that the goals compare with, `sessions` with ours."""
    machine, mine = this_machine(), ours(home)
    prepare(home)
    programs = (mine, *others, *(sessions or ()))
    from_cold = cold(programs, round_trips)
    warm = {one.name: one.warm_us(calls) for one in (*programs, ours(home, "dispatch"))}
    goals = _goals(from_cold, warm, mine.name, [one.name for one in others])
    return Report(
        "MCP: fresh process, and warm",
        machine,
        {"rounds": round_trips, "warm calls": calls, "peers": pinned()},
        goals + (_session_goals(from_cold, sessions) if sessions else []),
        [
            _table("From cold: CPU of the whole process, median ms", from_cold, median, bare(mine)),
            _table("From cold: the same, minimum ms", from_cold, min, bare(mine)),
            Figures("Warm: median µs", ("", *OPERATIONS), [(name, *_row(row)) for name, row in warm.items()], digits=0),
            Figures("Our most expensive imports (one run, -X importtime), ms", ("", "own", "all"), imports(mine)),
        ],
        NOTES,
    )


def _goals(
    from_cold: dict[str, dict[str, list[float]]], warm: dict[str, dict[str, float]], mine: str, others: Sequence[str]
) -> list[Goal]:
    ours_ms, theirs_ms = from_cold[mine]["discover"], from_cold[others[0]]["initialize"]
    goals = [
        Goal(
            f"CPU of a cold discovery, ours / {others[0]}'s initialize, {name}",
            of(ours_ms) / of(theirs_ms),
            "×",
            f"peer {of(theirs_ms):.0f} ms",
            DISCOVERY,
        )
        for name, of in (("median", median), ("minimum", min))
    ]
    slowest = max(warm["groundwire, protocol alone"].values()) / 1e3
    return [*goals, Goal("Warm dispatch, slower of discover and list", slowest, "ms", "absolute", WARM_MS)]


def _session_goals(from_cold: dict[str, dict[str, list[float]]], sessions: tuple[Program, Program]) -> list[Goal]:
    mine, theirs = (from_cold[one.name]["initialize"] for one in sessions)
    return [
        Goal(
            f"CPU of a cold initialize with its session in DynamoDB, ours / awslabs', {name}",
            of(mine) / of(theirs),
            "×",
            f"peer {of(theirs):.0f} ms",
            SESSIONS,
        )
        for name, of in (("median", median), ("minimum", min))
    ]


def _row(by_operation: dict[str, float]) -> tuple[float, ...]:
    return tuple(by_operation.get(operation, nan) for operation in OPERATIONS)


def _table(
    title: str, taken: dict[str, dict[str, list[float]]], of: Callable[[list[float]], float], alone: float
) -> Figures:
    rows = [(name, *_row({operation: of(times) for operation, times in row.items()})) for name, row in taken.items()]
    return Figures(title, ("", *OPERATIONS), [*rows, ("Python alone", alone, nan, nan, nan)], digits=0)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=10)
    arguments.add_argument("--calls", type=int, default=1_000, help="of each operation, in one warm process")
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with TemporaryDirectory(prefix="groundwire-bench-") as folder, dynamodb.running() as url:
        home = Path(folder)
        report = run(home, peers(), with_sessions(home, url), chosen.rounds, chosen.calls)
    report.show(as_json=chosen.json)


if __name__ == "__main__":
    main()
