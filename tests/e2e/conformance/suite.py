"""The suite: had from npm by its lock, run to its end, its own summary read."""

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.e2e.conformance.revisions import FROZEN
from tests.support.engines.installers.node import NODE, packages

HERE: Final = Path(__file__).parent
_CACHE: Final = HERE.parents[2] / ".cache" / "conformance"
_PROGRAM: Final = Path("@modelcontextprotocol") / "conformance" / "dist" / "index.js"
_TIMEOUT_S: Final = 120
_COLOUR: Final = re.compile("\x1b\\[[0-9;]*m")
_SUMMARY: Final = "=== SUMMARY ==="
_SCENARIO: Final = re.compile(r"^[✓✗] (\S+): (\d+) passed, (\d+) failed$", re.MULTILINE)
_EXPECTED: Final = re.compile(r"^  ~ (\S+)$", re.MULTILINE)
_OF_ONE: Final = re.compile(r"^Passed: (\d+)/(\d+), (\d+) failed, (\d+) warnings$", re.MULTILINE)
_REQUIRED: Final = re.compile(r"^  - (\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Score:
    """The checks of one scenario."""

    passed: int
    failed: int


@dataclass(frozen=True, slots=True)
class Report:
    """Result of the conformance suite for a server.

    Attributes:
        code: 0 when nothing failed that is scored but what the baseline expects, and all of that did.
        scores: every scenario that ran, those that are not scored among them.
        expected: checks of the baseline that failed, as they should.
        text: the whole, from the summary on.
    """

    code: int
    scores: Mapping[str, Score]
    expected: frozenset[str]
    text: str

    @property
    def passed(self) -> frozenset[str]:
        """Scenarios in which checks were made, and all was well; a warning counts where the baseline expects it."""
        wrong = self.failed | {check.partition(":")[0] for check in self.expected}
        return frozenset(name for name, score in self.scores.items() if score.passed) - wrong

    @property
    def failed(self) -> frozenset[str]:
        """Scenarios in which a check failed, expected or not."""
        return frozenset(name for name, score in self.scores.items() if score.failed)


@dataclass(frozen=True, slots=True)
class Suite:
    """The program, installed."""

    program: Path

    @classmethod
    def installed(cls) -> "Suite":
        """The suite in the checkout's cache; Raises Absent."""
        return cls(packages(HERE / "package-lock.json", _CACHE) / _PROGRAM)

    def required(self, revision: str) -> frozenset[str]:
        """The scenarios that a revision asks of a server, as the suite froze them when the revision came out."""
        stated = self._run("list", "--server", "--requirements", revision).stdout
        servers = stated.partition("Server scenarios")[2].partition("Client scenarios")[0]
        return frozenset(_REQUIRED.findall(servers))

    def run(self, url: str, revision: str, baseline: str) -> Report:
        """The report on the server at this address, held against what a baseline expects to fail, and only that."""
        # Nothing is frozen for revisions before 2025-11-25: theirs is whatever the suite has that applies to them.
        chosen = ("--requirements", revision) if revision in FROZEN else ("--suite", "all", "--spec-version", revision)
        expected = HERE / "baselines" / f"{baseline}-{revision}.yml"
        done = self._run("server", "--url", url, *chosen, "--expected-failures", str(expected))
        stated = _COLOUR.sub("", done.stdout)
        text = stated.partition(_SUMMARY)[2]
        assert text, f"the suite came to no summary:\n{stated}\n{done.stderr}"
        scores = {name: Score(int(passed), int(failed)) for name, passed, failed in _SCENARIO.findall(text)}
        return Report(done.returncode, scores, frozenset(_EXPECTED.findall(text)), text)

    def score(self, url: str, scenario: str, revision: str) -> tuple[int, int, int]:
        """Passed, failed and warned checks of one scenario, of an extension too, which no revision requires."""
        done = self._run(
            "server", "--url", url, "--scenario", scenario, "--spec-version", revision, "--force", "--verbose"
        )
        found = _OF_ONE.search(_COLOUR.sub("", done.stdout))
        assert found, f"the suite came to no count:\n{done.stdout}\n{done.stderr}"
        passed, _, failed, warned = map(int, found.groups())
        return passed, failed, warned

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [NODE, self.program, *arguments],
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
