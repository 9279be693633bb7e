from pathlib import Path

import pytest

from groundwire.settings import environment
from groundwire_model_builder.install.builder import build_model
from tests.support.entry.command import Command


@pytest.fixture(scope="session", autouse=True)
def _model() -> None:
    """The commands find the model where `make run` leaves it; on a fresh checkout it is built there first."""
    build_model(environment.read_settings({}).model, lambda _stage, _fraction: None)


@pytest.fixture
def groundwire(tmp_path: Path) -> Command:
    """The command in an empty home."""
    return Command(tmp_path / "home", {})
