"""A reader's terminal: commands run as typed, in order; variables stay set and are exported only on request."""

import os
import shlex
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

from tests.support.documentation.command_coverage import ONLY_HELP
from tests.support.documentation.wiki import PRINTED_WIKI

PRINTED_ADDRESS: Final = "http://127.0.0.1:8080"
"""The address that the pages use; commands get that of the server that runs here."""
BIN: Final = Path(sys.executable).parent
_DROPPED: Final = ("GROUNDWIRE_", "MAKE", "COVERAGE")
"""Measuring these processes would double their time; the command itself is measured by its own tests."""
_READY: Final = "Serving MCP on "
_TIME_S: Final = 600


_KEPT: Final = "declare -p | grep -v '^declare -[a-zA-Z]*r'; declare -f"
"""Prints the shell's functions and variables with their export flags, but for those that Bash holds read-only."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """A shell in `folder`; `variables` are what its user has set, without exporting them.

    Attributes:
        wiki: host and port of the MCP server that the pages register as a source.
        programs: folder whose `groundwire` commands of `run` find first.
    """

    folder: Path
    home: Path
    variables: Mapping[str, str]
    server: str = PRINTED_ADDRESS
    wiki: str = PRINTED_WIKI
    programs: Path = BIN

    def run(self, command: str) -> str:
        """Return the output of the command; one that fails fails the test with the tail of its output."""
        if command.startswith(ONLY_HELP):
            command += " --help"
        state = self._state
        if not state.exists():
            state.write_text("".join(f"{name}={shlex.quote(value)}\n" for name, value in self.variables.items()))
        typed = command.replace(PRINTED_ADDRESS, self.server).replace(PRINTED_WIKI, self.wiki)
        script = f"source {state}; {typed}\n{{ {_KEPT}; }} > {state}"
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=self.folder,
            env=self.environment() | {"PATH": os.pathsep.join((str(self.programs), str(BIN), os.environ["PATH"]))},
            capture_output=True,
            text=True,
            check=False,
            timeout=_TIME_S,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def forget(self) -> None:
        """The next command finds only `variables` set."""
        self._state.unlink(missing_ok=True)

    @property
    def _state(self) -> Path:
        return self.home.with_suffix(".state")

    def environment(self) -> dict[str, str]:
        """That of the test, without what would change the product's behaviour."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(_DROPPED)}
        own = {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "200", "GROUNDWIRE_HOME": str(self.home)}
        return inherited | own

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
            line = process.stdout.readline()
            overdue.cancel()
            try:
                assert line.startswith(_READY), line
                yield line.removeprefix(_READY).partition("/mcp")[0]
            finally:
                process.send_signal(signal.SIGINT)
                process.wait(timeout=30)
        assert process.returncode == 0


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]
