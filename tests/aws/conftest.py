from collections.abc import Generator

import pytest

from tests.aws.tables import Cloud, watched


@pytest.fixture
def cloud() -> Generator[Cloud]:
    with watched() as cloud:
        yield cloud
