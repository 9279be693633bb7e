from collections.abc import Generator
from pathlib import Path

import pytest

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.ports import Index
from tests.support.documents.index_documents import MODEL, TENANT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "indexes"


@pytest.fixture
def indexes(folder: Path) -> Generator[EmbeddedIndexes]:
    opened = EmbeddedIndexes(folder, MODEL)
    yield opened
    opened.close()


@pytest.fixture
def index(indexes: EmbeddedIndexes) -> Index:
    return indexes.for_tenant(TENANT)


@pytest.fixture
def file(folder: Path) -> Path:
    """Of the tenant's index, once it is made."""
    return folder / TENANT / "index.db"
