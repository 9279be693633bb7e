"""One server for all clients of a test process: none of them changes anything."""

from collections.abc import Iterator

import pytest

from tests.e2e.clients.company import Company, open_company


@pytest.fixture(scope="session")
def company(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Company]:
    with open_company(tmp_path_factory.mktemp("company")) as company:
        yield company
