"""Environments that hold a wheel of this checkout with one extra, as people install it, in the versions of the lock."""

import hashlib
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.support.engines.installers.locks import alone, install
from tests.support.engines.missing import Absent

_ROOT: Final = Path(__file__).parents[4]
_PLACE: Final = _ROOT / ".cache" / "engines" / "extras"
_WHEEL: Final = _PLACE.with_name("wheel")
_SOURCES: Final = ("pyproject.toml", "setup.py", "MANIFEST.in", "template.yaml", "README.md", "LICENSE", "NOTICE")
_PACKAGES: Final = ("layers", "tools")
_SERVED: Final = ("functions", "samples")
"""Folders that the build packs into the wheel besides packages."""
_PIN: Final = re.compile(r"^([a-z0-9-]+)(?:\[[^\]]*\])?(==[^\\\n]+)", re.MULTILINE)
_STAMP: Final = "installed.sha256"

PIP: Final = (sys.executable, "-m", "pip", "--disable-pip-version-check")


def documented_extras() -> list[str]:
    """Return the extras of the package that people install; `dev` and `editable` belong to the Makefile."""
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [name for name in project["optional-dependencies"] if name not in {"dev", "editable"}]


def environment_with(extra: str) -> Path:
    """Return the `bin` folder of an environment with the wheel and the extra.

    Its packages are kept until the lock or pyproject.toml changes, the wheel until a module changes.

    Args:
        extra: name of the extra; empty for none.

    Raises:
        Absent: pip cannot install it here.
    """
    place = _PLACE / (extra or "none")
    packages = _digest([_ROOT / "requirements-dev.lock", _ROOT / "pyproject.toml"])
    modules = _digest(sorted(path for name in _PACKAGES for path in (_ROOT / name).rglob("*.py")))
    stamp = place / _STAMP
    with alone(place), tempfile.TemporaryDirectory() as made:
        installed = stamp.read_text(encoding="utf-8").split() if stamp.is_file() else []
        if installed[:1] != [packages]:
            wheel = checkout_wheel()
            _make(place, f"{wheel}[{extra}]" if extra else str(wheel), Path(made))
        elif installed != [packages, modules]:
            _install(place, "--no-deps", "--force-reinstall", str(checkout_wheel()))
        stamp.write_text(f"{packages} {modules}", encoding="utf-8")
    return place / "bin"


def checkout_wheel() -> Path:
    """Return the wheel of this checkout, which the environments of all extras share; built when a file has changed.

    Raises:
        Absent: pip cannot build it here.
    """
    with alone(_WHEEL), tempfile.TemporaryDirectory() as made:
        copy = Path(made) / "checkout"
        _copy_sources(copy)
        files = sorted(file for file in copy.rglob("*") if file.is_file())
        place = _WHEEL / _digest(files, copy)
        if not place.is_dir():
            shutil.rmtree(_WHEEL, ignore_errors=True)
            built = Path(made) / "built"
            install([*PIP, "wheel", "--quiet", "--no-build-isolation", "--no-deps", "-w", built, "."], copy)
            shutil.copytree(built, place)
    [wheel] = place.glob("*.whl")
    return wheel


def _copy_sources(copy: Path) -> None:
    """Copy what a wheel is built of: setuptools leaves files beside the sources, and would pack them again."""
    copy.mkdir()
    for name in _SOURCES:
        shutil.copyfile(_ROOT / name, copy / name)
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in (*_PACKAGES, *_SERVED):
        shutil.copytree(_ROOT / name, copy / name, ignore=ignored)


def _make(place: Path, requirement: str, folder: Path) -> None:
    pins = folder / "pins.txt"
    lock = (_ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
    # Constraints take neither extras nor the hash of a wheel that was built a moment ago.
    pins.write_text("".join(f"{name}{version}\n" for name, version in _PIN.findall(lock)), encoding="utf-8")
    try:
        install([sys.executable, "-m", "venv", "--clear", "--without-pip", place], _ROOT)
        _install(place, "-c", str(pins), requirement)
    except Absent as reason:
        raise Absent(f"the environment of {requirement} cannot be made: {reason}") from None


def _install(place: Path, *arguments: str) -> None:
    # Python compiles what a command imports; pip would compile every module of every package.
    install([*PIP, "--python", place / "bin" / "python", "install", "--quiet", "--no-compile", *arguments], _ROOT)


def _digest(files: Iterable[Path], root: Path = _ROOT) -> str:
    digest = hashlib.sha256(sys.version.encode())
    for file in files:
        digest.update(f"{file.relative_to(root)}\0".encode() + file.read_bytes())
    return digest.hexdigest()
