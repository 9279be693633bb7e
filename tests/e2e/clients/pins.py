"""`make pins`: the clients whose pins are behind the newest release, for the steps of a release; nothing is changed.

    python -m tests.e2e.clients.pins [NAME...]

Several locks may pin one package, since people use old versions too: the newest pin is compared. Each package is asked
for by its own client, pip or npm. Ends with 1 where a pin is behind, or where nobody answers.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from packaging.version import InvalidVersion, Version

from tests.e2e.clients.environments import LOCKS
from tests.support.engines.installers.node import npm_command

_PINNED: Final = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+)", re.MULTILINE)
_NEWEST: Final = re.compile(r"\(([^)]+)\)")
_SECONDS: Final = 60


class Pin(NamedTuple):
    """Newest pin of a package.

    Attributes:
        lock: folder of the lock that has it.
    """

    package: str
    version: str
    lock: str
    is_node: bool


class Behind(NamedTuple):
    """A pin, and the newest release; None: nobody answered."""

    pin: Pin
    newest: str | None

    def __str__(self) -> str:
        """Return the line for people."""
        newest = "no answer" if self.newest is None else f"newest is {self.newest}"
        return f"{self.pin.package} {self.pin.version} ({self.pin.lock}): {newest}"


def newest_pins(locks: Path) -> list[Pin]:
    """Return the newest pin of each package that the locks name themselves, by package."""
    found: dict[tuple[bool, str], Pin] = {}
    for pin in _pins(locks):
        known = found.get((pin.is_node, pin.package))
        if known is None or Version(pin.version) > Version(known.version):
            found[pin.is_node, pin.package] = pin
    return [found[each] for each in sorted(found)]


def _pins(locks: Path) -> Iterator[Pin]:
    for file in sorted(locks.glob("*/requirements.in")):
        for package, version in _PINNED.findall(file.read_text(encoding="utf-8")):
            yield Pin(package, version, file.parent.name, is_node=False)
    for file in sorted(locks.glob("*/package.json")):
        for package, version in json.loads(file.read_text(encoding="utf-8"))["dependencies"].items():
            yield Pin(package, version, file.parent.name, is_node=True)


def behind(pins: Iterable[Pin], newest: Callable[[Pin], str | None]) -> list[Behind]:
    """Return the pins that are older than the newest release, and those for which nobody answers."""
    compared = [Behind(pin, newest(pin)) for pin in pins]
    return [each for each in compared if each.newest is None or Version(each.newest) > Version(each.pin.version)]


def ask_registry(pin: Pin) -> str | None:
    """Return the newest release of a package by pip or npm; None: it does not answer with a version."""
    pip = [sys.executable, "-m", "pip", "index", "versions", "--disable-pip-version-check", pin.package]
    command = [*npm_command(), "view", pin.package, "version"] if pin.is_node else pip
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    first = answer.partition("\n")[0]
    named = _NEWEST.search(first)
    return _version(first.strip() if named is None else named[1])


def _version(text: str) -> str | None:
    try:
        return str(Version(text))
    except InvalidVersion:
        return None


def main() -> None:
    """Print the pins that are behind."""
    chosen = [pin for pin in newest_pins(LOCKS) if not sys.argv[1:] or pin.package in sys.argv[1:]]
    found = behind(chosen, ask_registry)
    lines = map(str, found) if found else [f"All {len(chosen)} pins are the newest release."]
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
