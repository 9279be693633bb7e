"""The `groundwire` command as a process, which can be sent signals, and can have a terminal."""

import os
import pty
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from tests.support.entry.command import Command, clean_environment

_PROGRAM: Final = (sys.executable, "-c", "from groundwire.entry.cli.main import main; main()")
_TIMEOUT_S: Final = 120


@contextmanager
def started(command: Command, *arguments: str, **environment: str) -> Generator[subprocess.Popen[str]]:
    """The command between pipes; killed at the end of the block if it has not ended."""
    out, err = subprocess.PIPE, subprocess.PIPE
    full = _environment(command, environment)
    with subprocess.Popen(
        [*_PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=out, stderr=err, text=True, env=full
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@dataclass(frozen=True)
class OnTerminal:
    """The command with a terminal for its input and its messages; standard output is a pipe."""

    process: subprocess.Popen[str]
    terminal: int

    def read_until(self, words: str) -> str:
        """What is on the terminal once the words are."""
        shown = ""
        while words not in shown:
            shown += os.read(self.terminal, 4096).decode()
        return shown

    def type(self, text: str) -> None:
        """As a person does."""
        os.write(self.terminal, text.encode())

    def finish(self) -> tuple[int, str]:
        """The exit code and standard output; a terminal that nobody reads would hold up the command."""
        with suppress(OSError):
            while os.read(self.terminal, 4096):
                pass
        out, _ = self.process.communicate(timeout=_TIMEOUT_S)
        return self.process.returncode, out


@contextmanager
def on_terminal(command: Command, *arguments: str) -> Generator[OnTerminal]:
    """The command with a terminal of 80 columns; killed at the end of the block if it has not ended.

    Its session is its own, so that it never reads from the terminal of whoever runs the tests.
    """
    ours, its = pty.openpty()
    full = _environment(command, {"TERM": "xterm", "COLUMNS": "80"})
    out = subprocess.PIPE
    with subprocess.Popen(
        [*_PROGRAM, *arguments], stdin=its, stdout=out, stderr=its, text=True, env=full, start_new_session=True
    ) as process:
        os.close(its)
        try:
            yield OnTerminal(process, ours)
        finally:
            process.kill()
            os.close(ours)


def _environment(command: Command, more: dict[str, str]) -> dict[str, str]:
    own = {"GROUNDWIRE_HOME": str(command.home), "COLUMNS": "200", "TERM": "dumb"}
    return clean_environment() | own | dict(command.environment) | more
