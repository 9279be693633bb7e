import os
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.support.engines.installers.python_environments import environment
from tests.support.engines.missing import Absent, answer

ROOT: Final = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone with the files of this checkout, and with the tools of a release."""
    folder = tmp_path_factory.mktemp("release") / "clone"
    try:
        tools = {name: environment(name).parent for name in ("sam", "release")}
    except Absent as absent:
        answer(absent)
    subprocess.run(["git", "clone", "--quiet", "--shared", str(ROOT), str(folder)], check=True)
    changed = subprocess.run(["git", "diff", "--binary", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
    if changed:
        subprocess.run(["git", "apply"], cwd=folder, input=changed, check=True)
    for name, place in tools.items():
        (folder / f".venv-{name}").symlink_to(place)
        # As after the installation: make compares the times of lock and stamp, and the clone's locks are new.
        os.utime(folder / f"requirements-{name}.lock", (0, 0))
    return folder
