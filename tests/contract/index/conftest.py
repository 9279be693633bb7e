"""Index and indexes of every kind of adapter, each test with its own."""

from collections.abc import Generator
from pathlib import Path

import pytest

from groundwire.ports import Index, WakeableIndexes
from tests.contract.index.adapters import ADAPTERS, ONE_OF_EACH_KIND
from tests.support.documents.index_documents import TENANT, both_halves


@pytest.fixture(params=ONE_OF_EACH_KIND)
def indexes(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[WakeableIndexes]:
    with ADAPTERS[str(request.param)](request, tmp_path) as opened:
        yield opened


@pytest.fixture
def index(indexes: WakeableIndexes) -> Index:
    return both_halves(indexes.for_tenant(TENANT))
