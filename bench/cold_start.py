"""CPU of a cold start beside its peer's: `python -m bench.cold_start [--rounds N] [--json]`.

A fresh process loads the mcp function and answers one `server/discover` event; in turn with it, a fresh process
loads a function on awslabs.mcp-lambda-handler and answers `initialize`. The peer's environment is made in
`.venv-bench` from `bench/requirements-peers.txt` on the first run.
"""

import argparse
import hashlib
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from bench.machine import this_machine
from bench.report import Figures, Goal, Report
from bench.server import ROOT, plain_environment

COLD: Final = ROOT / "bench" / "cold"
PEERS: Final = ROOT / "bench" / "requirements-peers.txt"
_EXACTLY: Final = ("--no-deps", "--require-hashes")
PEER_ENVIRONMENT: Final = ROOT / ".venv-bench"
RATIO: Final = 0.5
SHOWN_IMPORTS: Final = 10


@dataclass(frozen=True, slots=True)
class Start:
    """A program that answers once and ends.

    Attributes:
        proof: stands in the answer, so that a start that failed is not taken for a fast one.
    """

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    proof: str

    def cpu_ms(self) -> float:
        """User and system time of one fresh process; Raises RuntimeError when it does not answer."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.run(self.command)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return 1e3 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)

    def run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """The ended process."""
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode != 0 or self.proof not in done.stdout:
            raise RuntimeError(f"{self.name} did not answer: {done.stdout}{done.stderr}")
        return done


def our_start(home: Path) -> Start:
    """The mcp function, in this interpreter, with an empty home."""
    environment = {
        **plain_environment(),
        "GROUNDWIRE_HOME": str(home),
        "FUNCTION_FOLDER": str(ROOT / "functions" / "mcp"),
        "EVENT_FILE": str(ROOT / "events" / "discover.json"),
    }
    return Start("groundwire", (sys.executable, str(COLD / "ours.py")), environment, '"supportedVersions"')


def peer_start() -> Start:
    """The peer, in its own environment."""
    command = (str(_peer_python()), str(COLD / "peer.py"))
    return Start("awslabs.mcp-lambda-handler", command, plain_environment(), '"protocolVersion"')


def bare_start(start: Start) -> Start:
    """The interpreter alone, of the same environment."""
    return Start(f"Python alone ({start.name})", (start.command[0], str(COLD / "empty.py")), start.environment, "")


def _peer_python() -> Path:
    """The peer's interpreter, its packages as they are pinned."""
    python, stamp = PEER_ENVIRONMENT / "bin" / "python", PEER_ENVIRONMENT / "installed"
    wanted = hashlib.sha256(PEERS.read_bytes()).hexdigest()
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", PEER_ENVIRONMENT], check=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *_EXACTLY, "-r", PEERS],
            check=True,
            stdout=sys.stderr,
        )
        stamp.write_text(wanted, encoding="utf-8")
    return python


def in_turn(starts: Sequence[Start], rounds: int) -> list[list[float]]:
    """CPU milliseconds by start; one round before them fills the caches and writes the byte code."""
    taken: list[list[float]] = [[] for _ in starts]
    for number in range(rounds + 1):
        for start, times in zip(starts, taken, strict=True):
            milliseconds = start.cpu_ms()
            if number > 0:
                times.append(milliseconds)
    return taken


def imports(start: Start) -> list[tuple[str, float, float]]:
    """Module, its own milliseconds, and those with what it imports; the most expensive first."""
    python, *rest = start.command
    lines = start.run([python, "-X", "importtime", *rest]).stderr.splitlines()
    fields = [line.removeprefix("import time:").split("|") for line in lines if line.startswith("import time:")]
    rows = [(name.strip(), int(own) / 1e3, int(all_) / 1e3) for own, all_, name in fields[1:]]
    return sorted(rows, key=lambda row: row[1], reverse=True)[:SHOWN_IMPORTS]


def pinned_peer() -> str:
    """Name and version of the peer, as its lock has them."""
    return PEERS.read_text(encoding="utf-8").split(maxsplit=1)[0]


def run(home: Path, rounds: int) -> Report:
    """The whole bench."""
    machine = this_machine()
    ours, peer = our_start(home), peer_start()
    starts = (ours, peer, bare_start(ours), bare_start(peer))
    taken = in_turn(starts, rounds)
    middle, floor = [median(times) for times in taken], [min(times) for times in taken]
    return Report(
        "Cold start: fresh process to the first answer, CPU",
        machine,
        {"rounds": rounds, "peer": pinned_peer()},
        [
            Goal("CPU ours / peer's, median", middle[0] / middle[1], "×", f"peer {middle[1]:.0f} ms", RATIO),
            Goal("CPU ours / peer's, minimum", floor[0] / floor[1], "×", f"peer {floor[1]:.0f} ms", RATIO),
        ],
        [
            Figures(
                "User and system time of the whole process, ms",
                ("", "median", "min"),
                [(start.name, *both) for start, *both in zip(starts, middle, floor, strict=True)],
                digits=1,
            ),
            Figures("Our most expensive imports (one run, -X importtime), ms", ("", "own", "all"), imports(ours)),
        ],
        ["Ours logs the call, counts it and writes its audit line; the peer does nothing of the kind."],
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=40)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with TemporaryDirectory(prefix="groundwire-bench-") as folder:
        run(Path(folder), chosen.rounds).show(as_json=chosen.json)


if __name__ == "__main__":
    main()
