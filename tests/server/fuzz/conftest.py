from collections.abc import Iterator

import pytest

from tests.support.worlds.two_tenants import TwoTenants, opened, opened_with_fixtures


@pytest.fixture(scope="module")
def two_tenants() -> Iterator[TwoTenants]:
    with opened() as two_tenants:
        yield two_tenants


@pytest.fixture(scope="module")
def fixtures() -> Iterator[TwoTenants]:
    with opened_with_fixtures() as two_tenants:
        yield two_tenants
