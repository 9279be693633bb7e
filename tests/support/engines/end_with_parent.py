"""Program that runs a command and ends it, with all that it started, when standard input ends with the parent process.

A Linux program of its own, not to be imported: `python end_with_parent.py COMMAND...`. It needs no other library.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36


def _end_orphans() -> None:
    """What the command leaves behind comes to this process, group and session notwithstanding, and its own after it."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    while orphans := [int(pid) for pid in children.read_text(encoding="ascii").split()]:
        for pid in orphans:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


def _main(command: list[str]) -> int:
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def end_with_the_parent() -> None:
        sys.stdin.buffer.read()
        process.kill()

    threading.Thread(target=end_with_the_parent, daemon=True).start()
    code = process.wait()
    _end_orphans()
    return code


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
