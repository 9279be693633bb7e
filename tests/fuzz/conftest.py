from collections.abc import Iterator

import pytest

from tests.fuzz.estate import Estate, opened, opened_with_fixtures


@pytest.fixture(scope="module")
def estate() -> Iterator[Estate]:
    with opened() as estate:
        yield estate


@pytest.fixture(scope="module")
def fixtures() -> Iterator[Estate]:
    with opened_with_fixtures() as estate:
        yield estate
