"""The embedding function as its image would run it, and the model of this process beside it."""

import os
import platform
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from groundwire.adapters.onnx.inference.embedder import OnnxEmbedder
from groundwire_model_builder.install.builder import build_model
from groundwire_model_builder.install.published_weights import ALL_MINILM_L6_V2
from tests.support.engines import lambda_runtime
from tests.support.engines.missing import Absent, answer
from tests.support.entry.dockerfile import Stage, carried_out

ROOT = Path(__file__).parents[4]
DOCKERFILE = ROOT / "functions" / "embedding" / "Dockerfile"
MODEL = ROOT / ".cache" / "models" / ALL_MINILM_L6_V2.name
THREADS = 2


@dataclass(frozen=True)
class Running:
    """The function under AWS's emulator.

    Attributes:
        cold_s: how long its first call took.
    """

    function: lambda_runtime.Function
    cold_s: float

    @property
    def address(self) -> str:
        """Return the address of the Lambda service; the function's name there is `function`."""
        return f"http://127.0.0.1:{self.function.port}"


@pytest.fixture(scope="session")
def in_process() -> OnnxEmbedder:
    """The model as one machine uses it."""
    build_model(MODEL, lambda _step, _part: None)
    return OnnxEmbedder.load(MODEL, THREADS)


@pytest.fixture(scope="session")
def image(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """Return the folder that the Dockerfile builds from an empty one."""
    return carried_out(DOCKERFILE, ROOT, tmp_path_factory.mktemp("image"), os.environ)


@pytest.fixture(scope="session")
def running(image: Stage) -> Iterator[Running]:
    """The image's entry point under the emulator."""
    (command,) = image.command
    variables = {**image.variables, "GROUNDWIRE_THREADS": str(THREADS)}
    try:
        with lambda_runtime.running(image.folder, variables=variables, handler=command, timeout_s=60) as function:
            started = time.perf_counter()
            assert function.invoke({"warm": True}) == {"warm": True}
            cold_s = time.perf_counter() - started
            sys.stdout.write(f"embedding function, cold: {cold_s:.2f} s on {platform.machine()}\n")
            yield Running(function, cold_s)
    except Absent as absent:
        answer(absent)
