"""Environments in which the wheels of the packages are installed, without an index."""

import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
FOLDERS: Final = sorted(
    file.parent for file in ROOT.glob("*/*/pyproject.toml") if file.parts[-3] in {"layers", "tools"}
)
PIP: Final = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input")


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, env={}, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def environment(place: Path) -> Path:
    """Make an environment without pip; return its Python."""
    run(sys.executable, "-m", "venv", "--without-pip", place, cwd=place.parent)
    return place / "bin" / "python"
