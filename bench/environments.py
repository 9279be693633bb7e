"""Environments of peers: made once from what is pinned for them, and again when that changes."""

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.server import ROOT

EXACTLY: Final = ("--no-deps", "--require-hashes")
"""For a lock that names everything with its hash."""


def interpreter(name: str, pinned: Path, *flags: str) -> Path:
    """The Python of `.venv-bench-NAME`, in which the packages of `pinned` are installed; Raises CalledProcessError."""
    environment = ROOT / f".venv-bench-{name}"
    python, stamp = environment / "bin" / "python", environment / "installed"
    wanted = hashlib.sha256(pinned.read_bytes()).hexdigest()
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *flags, "-r", pinned]
        subprocess.run(install, check=True, stdout=sys.stderr)
        stamp.write_text(wanted, encoding="utf-8")
    return python
