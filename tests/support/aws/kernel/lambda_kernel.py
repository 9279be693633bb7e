"""The launcher as a prefix of commands, where this machine has what it needs."""

import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

from tests.support.engines.missing import Absent

_LAUNCHER: Final = Path(__file__).with_name("launcher.py")
_ENDS_AT_ONCE: Final = "pass"


@cache
def under_lambda_kernel() -> tuple[str, ...]:
    """Return the beginning of a command line whose rest runs as on Lambda's kernel.

    Raises:
        Absent: this system or its kernel has no filters of system calls.
    """
    if sys.platform != "linux":
        raise Absent("Only Linux has filters of system calls.")
    prefix = (sys.executable, "-S", str(_LAUNCHER))
    tried = subprocess.run(
        [*prefix, sys.executable, "-S", "-c", _ENDS_AT_ONCE], capture_output=True, text=True, check=False
    )
    if tried.returncode != 0:
        raise Absent(f"This kernel refuses filters: {tried.stderr[-300:]}")
    return prefix
