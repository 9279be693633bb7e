"""A full disk without the right to mount one: no file of the process may grow beyond a size, which fails alike."""

import subprocess
import sys
from pathlib import Path

from tests.support.entry.command import Finished, clean_environment

_RUN = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
del sys.argv[1]
from groundwire.entry.cli.main import main
main()
"""


def small_disk(room: int) -> tuple[str, ...]:
    """The command as a process whose files may have `room` bytes each."""
    return (sys.executable, "-B", "-c", _RUN, str(room))


def run_on_a_disk_with(room: int, home: Path, *arguments: str) -> Finished:
    """Run the command on a disk with this much room, and return its result."""
    done = subprocess.run(
        [*small_disk(room), *arguments],
        env=clean_environment() | {"GROUNDWIRE_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return Finished(done.returncode, done.stdout, done.stderr)
