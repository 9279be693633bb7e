"""A process that leaves descendants and ends them: `python -m … ATTEMPTS`; it prints what its cleanup found, twice."""

import json
import os
import signal
import sys
from unittest.mock import patch

from groundwire.adapters.parse.function import own_process
from groundwire.adapters.parse.function.own_process import OwnProcess


def _start(ready: int, *, leaves_its_parent: bool) -> int:
    """Start a process that ignores SIGTERM and never ends; return the id of the child that starts it or is it."""
    pid = os.fork()
    if pid:
        return pid
    if leaves_its_parent:
        os.setsid()
        if os.fork():
            os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.write(ready, b"x")
    while True:
        signal.pause()


def main(attempts: int) -> list[tuple[int, str]]:
    """Return what two cleanups found; the second may use every attempt."""
    process = OwnProcess()
    process.protect()
    started, ready = os.pipe()
    _start(ready, leaves_its_parent=False)
    os.waitpid(_start(ready, leaves_its_parent=True), 0)
    for _ in range(2):
        os.read(started, 1)
    with patch.object(own_process, "_ATTEMPTS", attempts):
        first = process.end_descendants(None)
    return [first, process.end_descendants(None)]


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]))))  # noqa: T201 - what the test reads
