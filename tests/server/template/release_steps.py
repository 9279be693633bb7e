"""Steps of a release: targets of the Makefile in a clone, with programs of the test in front of the others."""

import os
import subprocess
import sys
from pathlib import Path


def program(clone: Path, name: str, script: str) -> None:
    """Put a program of this name in front of the others."""
    file = clone / "build" / "tools" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)


def make(clone: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    path = f"{clone / 'build' / 'tools'}{os.pathsep}{os.environ['PATH']}"
    given = {"PATH": path, "PYTHON": sys.executable, "SAM_CLI_TELEMETRY": "0", "AWS_DEFAULT_REGION": "eu-central-1"}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", *arguments],
        cwd=clone,
        env=inherited | given | variables,
        capture_output=True,
        text=True,
        check=False,
    )
