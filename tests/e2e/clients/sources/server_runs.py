"""Servers that other projects' libraries make, each in its environment, until a test ends."""

import os
import shutil
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Final

from tests.e2e.clients.environments import ROOT, environment, interpreter
from tests.e2e.clients.sources.catalogue import ServerKind
from tests.support.engines.installers.node import NODE

_SCRIPTS: Final = Path(__file__).parent / "servers"
_START_S: Final = 60
_KEPT_FROM_SCRIPTS: Final = ("GROUNDWIRE_", "COV_", "COVERAGE", "PYTEST", "PYTHON", "VIRTUAL_ENV", "NODE_", "npm_")


class RealServer:
    """A server that runs."""

    def __init__(self, output: IO[str]) -> None:
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._output = output
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.port = 0

    def wait_for(self, start: str, seconds: float) -> str:
        """The first line from now on that starts so, without the start.

        Raises:
            Empty: there was none in time.
        """
        while not (line := self._lines.get(timeout=seconds)).startswith(start):
            pass
        return line.removeprefix(start).strip()

    def join(self) -> None:
        self._reader.join()

    def _read(self) -> None:
        for line in self._output:
            self._lines.put(line)


@contextmanager
def real_server(kind: ServerKind) -> Generator[RealServer]:
    """The server until the end of the block.

    Raises:
        Absent: its library cannot be had here.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_KEPT_FROM_SCRIPTS)}
    variables = kept | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "DO_NOT_TRACK": "1"}
    command = _command(kind, environment(kind.environment))
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=null, env=variables, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        running = RealServer(process.stdout)
        try:
            running.port = int(running.wait_for("port ", _START_S))
            yield running
        except Empty as silent:
            raise AssertionError(f"{kind.name} reported nothing in time; it ended with {process.poll()}") from silent
        finally:
            process.stdin.close()
            process.wait(_START_S)
            running.join()


def _command(kind: ServerKind, folder: Path) -> list[str]:
    script = _SCRIPTS / kind.script
    modes = kind.mode.split()
    if script.suffix == ".mjs":
        # Node looks for packages from where a module lies.
        place = folder / "sources"
        place.mkdir(exist_ok=True)
        for module in _SCRIPTS.glob("*.mjs"):
            shutil.copyfile(module, place / module.name)
        return [str(NODE), str(place / script.name), *modes]
    return [str(interpreter(folder)), "-m", f"tests.e2e.clients.sources.servers.{script.stem}", *modes]
