"""The suite runs once per adapter: another one joins with one more way to open its indexes."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.ports import Index, Indexes
from tests.contract.index.material import MODEL, TENANT


@contextmanager
def embedded(folder: Path) -> Generator[Indexes]:
    indexes = EmbeddedIndexes(folder / "indexes", MODEL)
    yield indexes
    indexes.close()


ADAPTERS: dict[str, Callable[[Path], AbstractContextManager[Indexes]]] = {"embedded": embedded}


@pytest.fixture(params=ADAPTERS)
def indexes(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Indexes]:
    with ADAPTERS[str(request.param)](tmp_path) as opened:
        yield opened


@pytest.fixture
def index(indexes: Indexes) -> Index:
    return indexes.of(TENANT)
