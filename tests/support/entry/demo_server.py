"""`groundwire demo` as a person starts it: a process of its own, on a port of its own, over a home of its own."""

import socket
import subprocess
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from tests.support.entry.command import Command, clean_environment

_READY: Final = "Ctrl-C stops"
_START_S: Final = 300
"""The first start of all builds the embedding model."""
_STOP_S: Final = 30
RUN: Final = (sys.executable, "-c", "from groundwire.entry.cli.main import main; main()")
"""The command as a process."""


class Listener:
    """Keeps every line of a stream, and knows when the welcome has ended."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._lines: list[str] = []
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self._listen)
        self.thread.start()

    @property
    def text(self) -> str:
        return "".join(self._lines)

    def _listen(self) -> None:
        for line in self._stream:
            self._lines.append(line)
            if _READY in line:
                self.ready.set()
        self.ready.set()


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answers.

    Attributes:
        printed: what it told the person who started it.
    """

    url: str
    home: Path
    printed: str
    listener: Listener
    process: subprocess.Popen[str]

    @property
    def output(self) -> str:
        """Everything that it has written up to now, on both streams."""
        return self.listener.text

    @property
    def audit(self) -> Path:
        """Where it records calls."""
        return self.home / "audit.jsonl"

    @property
    def command(self) -> Command:
        """The command line beside the server, over the same home."""
        return Command(self.home, {"GROUNDWIRE_PUBLIC_URL": self.url})


@contextmanager
def started(
    home: Path, command: str = "demo", program: Sequence[str] = RUN, options: Sequence[str] = ()
) -> Generator[Server]:
    """Yield the server from its welcome to the end of the block, when it must stop on a signal."""
    port = _free_port()
    full = clean_environment() | {"GROUNDWIRE_HOME": str(home), "PYTHONUNBUFFERED": "1"}
    arguments = [*program, command, *options, "--port", str(port)]
    out, err = subprocess.PIPE, subprocess.STDOUT
    with subprocess.Popen(arguments, stdout=out, stderr=err, text=True, env=full) as process:
        assert process.stdout is not None
        listener = Listener(process.stdout)
        try:
            assert listener.ready.wait(_START_S), listener.text
            assert _READY in listener.text, listener.text
            yield Server(f"http://127.0.0.1:{port}", home, listener.text, listener, process)
        finally:
            process.terminate()
            code = process.wait(_STOP_S)
            listener.thread.join()
        assert code == 0, listener.text


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])
