"""The release before: while a deployment rolls, its code reads what the present code writes."""

import json
import os
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from tests.support.engines.installers.commits import archive

COMMIT: Final = "11b346f2b049a373638223e8f56903de1238db0b"
"""Commit of that release, which made `first/`."""
READERS_COMMIT: Final = "6405f511f4e87f3bd60a4f2e7468a084c5bf110c"
"""Commit of the readers that import modules by that release's names."""
READERS: Final = "tests.stored.reading"
"""Name of the readers in that commit."""

_ROOT: Final = Path(__file__).parents[3]
_PARTS: Final = {
    COMMIT: ("layers/groundwire/groundwire", "functions", "template.yaml"),
    READERS_COMMIT: ("tests/__init__.py", "tests/stored/__init__.py", "tests/stored/reading"),
}
_TIMEOUT_S: Final = 300


def unpack(folder: Path) -> Path:
    """Write the release and its readers into the folder; return the folder of its package. May raise Absent."""
    for commit, parts in _PARTS.items():
        with tarfile.open(fileobj=BytesIO(archive(commit, *parts))) as files:
            files.extractall(folder, filter="data")
    return folder / "layers" / "groundwire"


def read(package: Path, *arguments: str) -> Any:
    """Return what the release's code reads, in a process of its own; `arguments` are those of the readers."""
    facts = json.loads(_run(READERS, *arguments, package=package))
    assert Path(facts["package"]).is_relative_to(package), facts["package"]
    return facts


def generate(folder: Path, scratch: Path) -> None:
    """Write what the present code stores, in a process of its own whose clock does not move."""
    present = _ROOT / "layers" / "groundwire"
    _run("tests.contract.stored.generate", str(folder), "--scratch", str(scratch), package=present)


def _run(module: str, *arguments: str, package: Path) -> str:
    checkout = package.parents[1]
    path = os.pathsep.join(map(str, (package, checkout)))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GROUNDWIRE_")}
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=checkout,
        env={**environment, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
