"""Files of an earlier commit of this repository."""

import subprocess
from pathlib import Path
from typing import Final

from tests.support.engines.missing import Absent

_ROOT: Final = Path(__file__).parents[4]


def archive(commit: str, *parts: str) -> bytes:
    """Return these files of the commit as a tar archive; may raise Absent."""
    command = ["git", "-c", "safe.directory=*", "archive", commit, *parts]
    try:
        return subprocess.run(command, cwd=_ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as missing:
        raise Absent(f"the commit {commit[:12]} of the release before (git fetch --unshallow)") from missing
