from collections.abc import Generator

import pytest

from tests.aws.deployment import Deployment, deployed
from tests.aws.tables import Cloud, watched


@pytest.fixture
def cloud() -> Generator[Cloud]:
    with watched() as cloud:
        yield cloud


@pytest.fixture
def deployment(monkeypatch: pytest.MonkeyPatch) -> Generator[Deployment]:
    with deployed(monkeypatch) as deployment:
        yield deployment
