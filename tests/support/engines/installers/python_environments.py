"""Python environments of their own, for tools whose pins would clash with the product's; made once, by one process."""

import shutil
import sys
from pathlib import Path
from typing import Final

from tests.support.engines.installers.locks import alone, install
from tests.support.engines.missing import Absent

_ROOT: Final = Path(__file__).parents[4]
_STAMP: Final = "installed.lock"
INSTALLS_UNCOMPILED: Final = {"PIP_NO_COMPILE": "1"}
"""A setting of pip: Python compiles what a program imports; pip would compile every module of every package."""


def environment(name: str) -> Path:
    """Return the `bin` folder of `.venv-NAME`, which holds exactly the packages of `requirements-NAME.lock`.

    Raises:
        Absent: pip cannot install it here.
    """
    place, lock = _ROOT / f".venv-{name}", _ROOT / f"requirements-{name}.lock"
    with alone(_ROOT / ".cache" / "engines" / place.name):
        stamp = place / _STAMP
        if not stamp.is_file() or stamp.read_bytes() != lock.read_bytes():
            _make(name, place, lock)
            shutil.copyfile(lock, stamp)
    return place / "bin"


def _make(name: str, place: Path, lock: Path) -> None:
    pip = [place / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    try:
        install([sys.executable, "-m", "venv", "--clear", place], _ROOT)
        # The lock is complete, and pip does not take `name==1` for the pin of `name[extra]`.
        install([*pip, "--no-deps", "--require-hashes", "-r", lock], _ROOT)
    except Absent as reason:
        raise Absent(f"the environment of {name} cannot be made: {reason}") from None
