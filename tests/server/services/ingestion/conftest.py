from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.aws.ingestion_stack import Deployment, deployed


@pytest.fixture
def stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Deployment]:
    with deployed(tmp_path, monkeypatch) as made:
        yield made
