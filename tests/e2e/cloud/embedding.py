"""The embedding function of the stack, which the emulator makes and, as it has no Docker, does not run.

Its handler runs under the runtime emulator, with the libraries that its image locks. That the image itself holds all
of this is proven where its Dockerfile is carried out, in tests/server/adapters/embedding.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from groundwire_model_builder.install.builder import build_model
from groundwire_model_builder.install.published_weights import ALL_MINILM_L6_V2
from tests.e2e.cloud import invoking
from tests.e2e.cloud.invoking import Invocations
from tests.support.aws.deployment.artifacts import ROOT, Artifact
from tests.support.engines import lambda_runtime
from tests.support.engines.installers.locks import alone, install

_SOURCE: Final = ROOT / "functions" / "embedding"
_LOCK: Final = _SOURCE / "requirements.txt"
_LIBRARIES: Final = ROOT / ".cache" / "artifacts" / "EmbeddingLibraries"
_MODEL: Final = ROOT / ".cache" / "models" / ALL_MINILM_L6_V2.name
_TIMEOUT_S: Final = 60


@contextmanager
def serving(package: Artifact) -> Generator[Invocations]:
    """Lambda's address for invocations, where every function is this one; Raises Absent.

    Args:
        package: the layer in which the package of this checkout was built.
    """
    build_model(_MODEL, lambda _step, _part: None)
    variables = {"GROUNDWIRE_MODEL": str(_MODEL), "OMP_NUM_THREADS": "1", "GROUNDWIRE_THREADS": "1"}
    layers = [_libraries(), package.folder]
    with (
        lambda_runtime.running(_SOURCE, layers, variables, timeout_s=_TIMEOUT_S) as function,
        invoking.serving(function.raw) as invocations,
    ):
        yield invocations


def _libraries() -> Path:
    place = _LIBRARIES.with_name(f"{_LIBRARIES.name}-{hashlib.sha256(_LOCK.read_bytes()).hexdigest()[:16]}")
    with alone(_LIBRARIES):
        if not place.is_dir():
            for old in _LIBRARIES.parent.glob(f"{_LIBRARIES.name}-*"):
                shutil.rmtree(old)
            target = place.with_suffix(".scratch")
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
            install([*pip, "--only-binary=:all:", "--target", target / "python", "-r", _LOCK], ROOT, dict(os.environ))
            target.rename(place)
    return place
