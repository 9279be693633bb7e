"""Index and indexes of every kind of adapter, each test with its own."""

from collections.abc import Generator
from pathlib import Path

import pytest

from groundwire.ports import Index, VectorIndex, WakeableIndexes
from tests.contract.index.adapters import ADAPTERS, ONE_OF_EACH_KIND, VECTOR_STORES, open_vectors
from tests.support.documents.index_documents import TENANT, both_halves


@pytest.fixture(params=ONE_OF_EACH_KIND)
def indexes(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[WakeableIndexes]:
    with ADAPTERS[str(request.param)](request, tmp_path) as opened:
        yield opened


@pytest.fixture
def index(indexes: WakeableIndexes) -> Index:
    """Return the index of an engine with both halves."""
    return both_halves(indexes.for_tenant(TENANT))


@pytest.fixture(params=[*ONE_OF_EACH_KIND, *VECTOR_STORES])
def vectors(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[VectorIndex]:
    """Return the first half: of an engine, also with its words hidden, and of a store that has no other."""
    with open_vectors(str(request.param), request, tmp_path) as opened:
        yield opened
