"""The second `make run` to its first answer: `python -m bench.first_answer [--starts N] [--json]`.

`make run` prepares a temporary home once and is stopped. Then it is started again, as often as asked; each time
from the start of `make` until `rag_search` answers over HTTP. One more start, with the stopwatch in the command
and without `make`, says where the time goes.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from bench import watched
from bench.machine import this_machine
from bench.report import Figures, Goal, Report
from bench.server import ROOT, Client, free_port, plain_environment, segments_in

TARGET_S: Final = 3.0
QUESTION: Final = "How many days of leave do I have?"
IDENTITY: Final = {"x-user-id": "elif@weirhaven.example", "x-session-tags": '["department:sales"]'}
_FIRST_RUN_S: Final = 900
_SECOND_RUN_S: Final = 120
_BETWEEN_TRIES_S: Final = 0.005
_STOP_S: Final = 30


@contextmanager
def running(command: Sequence[str], environment: Mapping[str, str]) -> Generator[None]:
    """The command in a process group of its own, which is interrupted at the end as by Ctrl-C."""
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=sys.stderr, start_new_session=True) as process:
        try:
            yield
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
            process.wait(_STOP_S)


def seconds_to_answer(command: Sequence[str], home: Path, port: int, timeout_s: float) -> float:
    """From the start of the command to the first whole answer; Raises RuntimeError when there is none."""
    environment = {**plain_environment(), "GROUNDWIRE_HOME": str(home), "PORT": str(port)}
    started = time.perf_counter()
    with running(command, environment):
        while time.perf_counter() - started < timeout_s:
            if _answers(home, port):
                return time.perf_counter() - started
            time.sleep(_BETWEEN_TRIES_S)
    raise RuntimeError(f"No answer within {timeout_s:.0f} s.")


def _answers(home: Path, port: int) -> bool:
    keys = home / "demo-keys.json"
    if not keys.is_file():
        return False
    try:
        client = Client(
            port, {"Authorization": f"Bearer {json.loads(keys.read_text(encoding='utf-8'))['act_as']}", **IDENTITY}
        )
        try:
            return segments_in(client.exchange(client.request([QUESTION]))) > 0
        finally:
            client.close()
    except (ConnectionError, json.JSONDecodeError):
        return False


def stages(home: Path, results: Path) -> list[tuple[str, float]]:
    """Seconds by stage of a start of the command alone."""
    port = free_port()
    command = (sys.executable, "-m", "bench.watched", str(results), "demo", "--port", str(port))
    whole = seconds_to_answer(command, home, port, _SECOND_RUN_S)
    calls: list[dict[str, float]] = json.loads(results.read_text(encoding="utf-8"))
    known = [(stage, sum(call.get(stage, 0.0) for call in calls)) for stage in watched.START_STAGES]
    return [*known, ("the rest: interpreter, uvicorn, first call", whole - sum(s for _, s in known)), ("all", whole)]


def run(folder: Path, starts: int) -> Report:
    """The whole bench in an empty folder."""
    machine = this_machine()
    home = folder / "home"
    first = seconds_to_answer(("make", "run"), home, free_port(), _FIRST_RUN_S)
    again = [seconds_to_answer(("make", "run"), home, free_port(), _SECOND_RUN_S) for _ in range(starts)]
    by_stage = stages(home, folder / "stages.json")
    anchor = f"first run {first:.2f} s"
    return Report(
        "Second `make run` to the first answer",
        machine,
        {"starts": starts},
        [Goal("second `make run` to the first answer, median", median(again), "s", anchor, TARGET_S)],
        [
            Figures(
                "From the start of `make` to the first answer, s",
                ("", "median", "min", "max"),
                [("first run, empty home", first, first, first), ("later runs", median(again), min(again), max(again))],
            ),
            Figures(
                "Where the time of a later start goes (stopwatch in the command, without make), s",
                ("stage", "s"),
                by_stage,
                3,
            ),
        ],
        ["The first run found environment and model ready: it made tenant, keys and index."],
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--starts", type=int, default=5)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with TemporaryDirectory(prefix="groundwire-bench-") as folder:
        run(Path(folder), chosen.starts).show(as_json=chosen.json)


if __name__ == "__main__":
    main()
