"""Environments of clients: made once from their locks, under a lock of their own, in `.cache/clients`.

Clients pin libraries that exclude each other, and the product's environment is none of theirs. A lock is written anew
with `uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate
--no-emit-index-url requirements.in -o requirements.txt`, or `npm install --package-lock-only
--omit-lockfile-registry-resolved`.
"""

import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.support.engines.installers.locks import alone, install
from tests.support.engines.installers.node import install_packages
from tests.support.engines.missing import Absent

ROOT: Final = Path(__file__).parents[3]
LOCKS: Final = Path(__file__).parent / "locks"
CACHE: Final = ROOT / ".cache" / "clients"
_MADE: Final = "made.lock"


def environment(name: str) -> Path:
    """Return the folder of the environment that the lock of this name describes; it holds exactly the locked packages.

    Raises:
        Absent: something of it could not be installed.
    """
    lock = LOCKS / name / "requirements.txt"
    fill = _install_python
    if not lock.is_file():
        lock, fill = LOCKS / name / "package-lock.json", install_packages
    folder = CACHE / name
    with alone(folder):
        stamp = folder / _MADE
        if not stamp.is_file() or stamp.read_bytes() != lock.read_bytes():
            _make(folder, lock, fill)
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


def _make(folder: Path, lock: Path, fill: Callable[[Path, Path], None]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        fill(lock, folder)
    except Absent as reason:
        raise Absent(f"the MCP client {folder.name}: {reason}") from None


def _install_python(lock: Path, folder: Path) -> None:
    install([sys.executable, "-m", "venv", "--without-pip", str(folder)], folder)
    pip = [sys.executable, "-m", "pip", "--python", str(interpreter(folder)), "install", "--quiet"]
    # A package without a wheel for this Python is a client that cannot be had, not a compiler's afternoon.
    flags = ["--disable-pip-version-check", "--only-binary=:all:", "--no-deps", "--require-hashes"]
    install([*pip, *flags, "-r", str(lock)], folder)
