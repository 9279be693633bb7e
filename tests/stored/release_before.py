"""The release before: while a deployment rolls, its code reads what the present code writes."""

import json
import os
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from tests.engines.absence import Absent

COMMIT: Final = "11b346f2b049a373638223e8f56903de1238db0b"
"""Commit of that release, which made `first/`."""
READERS: Final = "tests.stored.reading"
"""Readers that run with its code."""

_ROOT: Final = Path(__file__).parents[2]
_PARTS: Final = ("layers/groundwire/groundwire", "functions", "template.yaml")
_TIMEOUT_S: Final = 300


def unpack(folder: Path) -> Path:
    """Write the release's code into the folder and return the folder that holds its package; Raises Absent."""
    archive = ["git", "-c", "safe.directory=*", "archive", COMMIT, *_PARTS]
    try:
        found = subprocess.run(archive, cwd=_ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as missing:
        raise Absent(f"the commit {COMMIT[:12]} of the release before (git fetch --unshallow)") from missing
    with tarfile.open(fileobj=BytesIO(found.stdout)) as files:
        files.extractall(folder, filter="data")
    return folder / "layers" / "groundwire"


def read(package: Path, *arguments: str) -> Any:
    """Return what the release's code reads, in a process of its own; `arguments` are those of the readers."""
    facts = json.loads(_run(READERS, *arguments, package=package))
    assert Path(facts["package"]).is_relative_to(package), facts["package"]
    return facts


def generate(folder: Path, scratch: Path) -> None:
    """Write what the present code stores, in a process of its own: its clock stands still."""
    present = _ROOT / "layers" / "groundwire"
    _run("tests.stored.generate", str(folder), "--scratch", str(scratch), package=present)


def _run(module: str, *arguments: str, package: Path) -> str:
    path = os.pathsep.join(map(str, (package, _ROOT)))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GROUNDWIRE_")}
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=_ROOT,
        env={**environment, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
