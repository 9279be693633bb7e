"""A reader's terminal: commands are run as they are typed, one after the other, and what they set stays set."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.docs.coverage_of_commands import ONLY_HELP

PRINTED_ADDRESS: Final = "http://127.0.0.1:8080"
"""The address that the pages use; commands get that of the server that runs here."""
BIN: Final = Path(sys.executable).parent
_DROPPED: Final = ("GROUNDWIRE_", "MAKE", "COVERAGE")
"""Measuring these processes would double their time; the command itself is measured by its own tests."""
_READY: Final = "Serving MCP on "
_TIME_S: Final = 120


@dataclass(frozen=True, slots=True)
class Terminal:
    """A shell in `folder`; `variables` are what its user has set."""

    folder: Path
    home: Path
    variables: Mapping[str, str]
    server: str = PRINTED_ADDRESS

    def run(self, command: str) -> str:
        """What the command prints; one that fails fails the test with its last words."""
        if command.startswith(ONLY_HELP):
            command += " --help"
        state = self.home.with_suffix(".state")
        state.touch()
        script = f"source {state}; set -a; {command.replace(PRINTED_ADDRESS, self.server)}\nexport -p > {state}"
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=_TIME_S,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def environment(self) -> dict[str, str]:
        """That of the test, without what would change the product's behaviour."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(_DROPPED)}
        own = {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "200", "GROUNDWIRE_HOME": str(self.home)}
        return inherited | own | dict(self.variables)

    @contextmanager
    def serving(self, command: str) -> Generator[str]:
        """The address of a server that this command started, on this machine and on a port that is free."""
        arguments = command.replace("--host 0.0.0.0", "--host 127.0.0.1").replace("--port 8080", "").split()
        with subprocess.Popen(
            [*arguments, "--port", str(free_port())],
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            overdue = threading.Timer(_TIME_S, process.kill)
            overdue.start()
            said = process.stdout.readline()
            overdue.cancel()
            try:
                assert said.startswith(_READY), said
                yield said.removeprefix(_READY).partition("/mcp")[0]
            finally:
                process.send_signal(signal.SIGINT)
                process.wait(timeout=30)
        assert process.returncode == 0


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]
