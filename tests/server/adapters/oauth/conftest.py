"""A provider for each test; its first key is made once, since it takes a while."""

from collections.abc import Iterator

import pytest

from tests.support.registry.token_issuer import Issuer, running


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with running() as issuer:
        yield issuer
