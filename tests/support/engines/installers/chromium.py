"""Chromium: that of this machine, else Debian's packages, unpacked into the checkout's cache without root."""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support.engines.installers.locks import alone, install
from tests.support.engines.missing import Absent

_PLACE: Final = Path(__file__).parents[4] / ".cache" / "engines" / "chromium"
_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
_NEEDED: Final = ("apt-get", "dpkg-deb")
_PROGRAM: Final = Path("usr/lib/chromium/chromium")


@dataclass(frozen=True, slots=True)
class Chromium:
    """The program, and the variables with which it finds its libraries."""

    program: Path
    variables: Mapping[str, str]


def chromium() -> Chromium:
    """The browser of this machine; Raises Absent."""
    for name in _NAMES:
        if found := shutil.which(name):
            return Chromium(Path(found), {})
    if missing := [name for name in _NEEDED if shutil.which(name) is None]:
        raise Absent(f"Chromium is needed: install it, or {' and '.join(missing)}, which can get it from Debian")
    root = _PLACE / "root"
    with alone(_PLACE):
        if not (root / _PROGRAM).is_file():
            _unpack(root)
    libraries = [*root.glob("usr/lib/*-linux-gnu"), *root.glob("usr/lib/*-linux-gnu/pulseaudio")]
    return Chromium(root / _PROGRAM, {"LD_LIBRARY_PATH": ":".join(map(str, libraries))})


def _unpack(root: Path) -> None:
    """Downloads the packages that this machine lacks, checked by apt's own keys, and unpacks them."""
    shutil.rmtree(_PLACE, ignore_errors=True)
    for name in ("lists/partial", "archives/partial", "unpacked"):
        (_PLACE / name).mkdir(parents=True)
    # Folders of its own: the machine's are root's, and nothing of it is to change.
    own = (f"Dir::State::lists={_PLACE}/lists", f"Dir::Cache={_PLACE}", "Debug::NoLocking=1")
    apt = ["apt-get", "-q", *(part for option in own for part in ("-o", option))]
    try:
        install([*apt, "update"], _PLACE)
        install([*apt, "install", "--download-only", "--no-install-recommends", "-y", "chromium"], _PLACE)
        for archive in sorted(_PLACE.glob("archives/*.deb")):
            subprocess.run(["dpkg-deb", "-x", archive, _PLACE / "unpacked"], check=True, capture_output=True)
    except Absent as reason:
        raise Absent(f"Chromium is needed, and apt cannot download it: {reason}") from None
    for name in ("lists", "archives"):
        shutil.rmtree(_PLACE / name)
    if not (_PLACE / "unpacked" / _PROGRAM).is_file():
        raise Absent("Chromium is needed, and the packages of this system hold none")
    (_PLACE / "unpacked").rename(root)
