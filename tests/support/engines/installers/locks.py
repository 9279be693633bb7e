"""Runs of installers of other projects: one process at a time, and their errors are reported in one line."""

import fcntl
import os
import subprocess
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.support.engines.missing import Absent

_TIMEOUT_S: Final = 600
_NOTHING: Final[Mapping[str, str]] = {}


@contextmanager
def alone(place: Path) -> Generator[None]:
    """Nobody else makes or checks this place meanwhile, in this process or another."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.with_name(f"{place.name}.lock").open("w", encoding="utf-8") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def install(command: Sequence[str | Path], folder: Path, variables: Mapping[str, str] = _NOTHING) -> None:
    """Runs an installer in the folder.

    Raises:
        Absent: it failed, and said so, or took too long.
    """
    try:
        subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            check=True,
            timeout=_TIMEOUT_S,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.CalledProcessError as failed:
        # Installers say what and why in the first two of them; Maven says it where others tell how far they are.
        lines = f"{failed.stderr}\n{failed.stdout}".splitlines()
        errors = [line.strip() for line in lines if "error" in line.lower()][:2]
        raise Absent("; ".join(errors) or f"the installer ended with {failed.returncode}") from None
    except subprocess.TimeoutExpired:
        raise Absent(f"the installation took more than {_TIMEOUT_S} s") from None
