"""Files of a pinned package with a model's weights: installed already, or fetched by uv or pip.

The package is opened, but never installed or imported.
"""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from groundwire.adapters.onnx.models.manifest import ModelSource, sha256
from groundwire.domain.errors import InvalidInput, Unavailable

ReadFile = Callable[[str], bytes]
"""Function that returns the content of a package's file by its path in the wheel."""

_POLL_SECONDS: Final = 0.25
_REQUIREMENTS: Final = "requirements.txt"
_FETCHED: Final = "fetched"
_OTHER_MODEL_HINT: Final = "or set GROUNDWIRE_MODEL to the folder of another model"
_HASH_DIFFERS: Final = ("DO NOT MATCH THE HASHES", "Hash mismatch")
"""Words of pip and uv about a file with another digest."""


@dataclass(frozen=True, slots=True)
class PinnedWheel:
    """A wheel with the weights of a model.

    Attributes:
        weights: path of the weights inside the wheel.
        size_bytes: its size, for progress.
        platform: the tag of a wheel that was made for one platform, since its weights serve all; None: made for any.
    """

    source: ModelSource
    weights: str
    size_bytes: int
    platform: str | None = None


def open_package(wheel: PinnedWheel, folder: Path, progress: Callable[[float], None]) -> ReadFile:
    """Return how the files of the package are read: of this environment where it has the pinned weights, else fetched.

    uv fetches under uv, whose environments have no pip and whose user has set its index. Else pip does. Either checks
    the sha256 of the wheel.

    Args:
        wheel: what is pinned.
        folder: an empty place for what is fetched.
        progress: receives the finished fraction, 0 to 1.

    Raises:
        Unavailable: there is neither pip nor uv, or the wheel could not be fetched.
        InvalidInput: the fetched wheel is not the pinned one.
    """
    installed = _installed(wheel)
    if installed is not None:
        return installed
    (folder / _REQUIREMENTS).write_text(f"{wheel.source.package} --hash=sha256:{wheel.source.wheel_sha256}\n")
    uv = _uv()
    if uv is not None and (_is_under_uv() or find_spec("pip") is None):
        _run(wheel, [uv, *_uv_arguments(wheel, folder)], os.environ, folder, progress)
        return lambda name: (folder / _FETCHED / name).read_bytes()
    # -P prevents a folder called `pip` in the working directory from being run instead of pip, which downloads into its
    # temporary folder: the size of one that is known here measures the progress.
    command = [sys.executable, "-P", "-m", "pip", *_pip_arguments(wheel, folder)]
    _run(wheel, command, os.environ | {"TMPDIR": str(folder)}, folder, progress)
    (fetched,) = (folder / _FETCHED).glob("*.whl")
    # pip has checked the same, but what pip does depends on the machine's configuration.
    if sha256(fetched.read_bytes()) != wheel.source.wheel_sha256:
        raise _wrong_wheel(wheel)
    return lambda name: _member(fetched, name)


def _installed(wheel: PinnedWheel) -> ReadFile | None:
    """Return how the files are read of the package that this environment has; None without the pinned weights."""
    name, _, version = wheel.source.package.partition("==")
    try:
        found = distribution(name)
        if found.version != version or sha256(_read(found.locate_file(wheel.weights))) != wheel.source.weights_sha256:
            return None
    except (PackageNotFoundError, OSError):
        return None
    return lambda path: _read(found.locate_file(path))


def _read(place: object) -> bytes:
    return Path(str(place)).read_bytes()


def _member(wheel: Path, name: str) -> bytes:
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(name)


def _uv() -> str | None:
    """Return uv's program: that of a parent process, which uv names, else the one on the path."""
    return os.environ.get("UV") or shutil.which("uv")


def _is_under_uv() -> bool:
    """Return whether uv runs this process or has made its environment, which it notes in `pyvenv.cfg`."""
    if "UV" in os.environ:
        return True
    with contextlib.suppress(OSError):
        return "\nuv = " in f"\n{(Path(sys.prefix) / 'pyvenv.cfg').read_text(encoding='utf-8')}"
    return False


def _uv_arguments(wheel: PinnedWheel, folder: Path) -> list[str]:
    # A folder as the target is no installation: nothing of it is on the path of any Python.
    arguments = ["pip", "install", "--quiet", "--no-progress", "--no-deps", "--only-binary", ":all:"]
    arguments += ["--require-hashes", "--requirement", str(folder / _REQUIREMENTS)]
    arguments += ["--python", sys.executable, "--target", str(folder / _FETCHED)]
    if wheel.platform is not None:
        # uv writes the tag `manylinux2014_x86_64` the other way round.
        system, _, processor = wheel.platform.partition("_")
        arguments += ["--python-platform", f"{processor}-{system}"]
    return arguments


def _pip_arguments(wheel: PinnedWheel, folder: Path) -> list[str]:
    arguments = ["download", "--quiet", "--no-input", "--disable-pip-version-check"]
    # A wheel is only unpacked, but a source package would run its build.
    arguments += ["--no-deps", "--only-binary", ":all:", "--require-hashes"]
    arguments += ["--requirement", str(folder / _REQUIREMENTS), "--dest", str(folder / _FETCHED)]
    return arguments if wheel.platform is None else [*arguments, "--platform", wheel.platform]


def _run(
    wheel: PinnedWheel,
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    progress: Callable[[float], None],
) -> None:
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    ) as process:
        stderr = _wait(process, lambda: progress(min(bytes_in(folder) / wheel.size_bytes, 1.0)))
    if process.returncode != 0:
        raise _failure(wheel, stderr)


def _wait(process: subprocess.Popen[str], tick: Callable[[], None]) -> str:
    """Call `tick` until the process has ended; return its stderr."""
    while True:
        try:
            return process.communicate(timeout=_POLL_SECONDS)[1]
        except subprocess.TimeoutExpired:
            tick()


def bytes_in(folder: Path) -> int:
    """Return the bytes of all files in a folder, while another program writes, renames and removes them."""
    total = 0
    # pip removes temporary folders, too, which `walk` passes over and `rglob` does not.
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                total += (Path(place) / name).stat().st_size
    return total


def _failure(wheel: PinnedWheel, stderr: str) -> InvalidInput | Unavailable:
    if any(words in stderr for words in _HASH_DIFFERS):
        return _wrong_wheel(wheel)
    if "No module named pip" in stderr:
        return Unavailable(
            f"this Python has neither pip nor uv, which fetch the model's weights:"
            f" run `{sys.executable} -m ensurepip` and try again, {_OTHER_MODEL_HINT}"
        )
    return Unavailable(
        f"{wheel.source.package} could not be fetched ({_reason(stderr)}):"
        f" check the network and the index of pip or uv, {_OTHER_MODEL_HINT}"
    )


def _reason(stderr: str) -> str:
    """Return the first error of pip, which marks them, else the last line of uv, which states the cause."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    # uv draws a tree of causes.
    last = re.sub(r"^[^\w'`(]+", "", lines[-1]) if lines else "the program ended without a message"
    return next(iter(errors), last)


def _wrong_wheel(wheel: PinnedWheel) -> InvalidInput:
    return InvalidInput(
        f"the index serves another {wheel.source.package} than the published one (sha256 differs):"
        f" check which index pip or uv is set to, {_OTHER_MODEL_HINT}"
    )
