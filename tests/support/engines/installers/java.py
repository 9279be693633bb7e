"""Java homes of this machine."""

import os
import re
import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Final

from tests.support.engines.missing import Absent

_MACHINES: Final = Path("/usr/lib/jvm")
_VERSION: Final = re.compile(r'^JAVA_VERSION="(\d+)', re.MULTILINE)


def java(at_least: int, *variables: str) -> Path:
    """The `java` of a JDK that is new enough: that of one of these variables, else any that is installed.

    Raises:
        Absent: there is none.
    """
    for home in _homes(*variables):
        found = home / "bin" / "java"
        if found.is_file() and _version(home) >= at_least:
            return found
    named = " or ".join(variables)
    raise Absent(f"a JDK {at_least} or newer is needed: install one, or name its home by {named}.")


def _homes(*variables: str) -> Generator[Path]:
    yield from (Path(home) for name in variables if (home := os.environ.get(name)))
    if on_path := shutil.which("java"):
        yield Path(on_path).resolve().parents[1]
    if _MACHINES.is_dir():
        yield from sorted(_MACHINES.iterdir(), key=_version, reverse=True)


def _version(home: Path) -> int:
    try:
        stated = _VERSION.search((home / "release").read_text(encoding="utf-8"))
    except OSError:
        return 0
    return int(stated[1]) if stated else 0
