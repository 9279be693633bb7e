from collections.abc import Generator

import pytest

from tests.server.adapters.aws.deployment import Deployment, deployed
from tests.server.adapters.aws.tables import Cloud, watched


@pytest.fixture
def cloud() -> Generator[Cloud]:
    with watched() as cloud:
        yield cloud


@pytest.fixture
def deployment(monkeypatch: pytest.MonkeyPatch) -> Generator[Deployment]:
    with deployed(monkeypatch) as deployment:
        yield deployment
