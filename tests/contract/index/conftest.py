"""The suite runs once per adapter: another one joins with one more way to open its indexes.

Of the services of OpenSearch one stands for all: the one with the fewest calls, scripts and ids. Tests in which the
rules of a service can show run on each, by `EVERY_SERVICE`.
"""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

import pytest

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.ports import Index, Indexes
from tests.support.documents.index_documents import MODEL, TENANT
from tests.support.opensearch.indexes import SETTINGS, opened


@contextmanager
def embedded(request: pytest.FixtureRequest, folder: Path) -> Generator[Indexes]:
    indexes = EmbeddedIndexes(folder / "indexes", MODEL)
    yield indexes
    indexes.close()


@contextmanager
def on_opensearch(service: str, request: pytest.FixtureRequest, folder: Path) -> Generator[Indexes]:
    with opened(request.getfixturevalue("opensearch_url"), service, folder, MODEL) as there:
        yield there.indexes


ADAPTERS: dict[str, Callable[[pytest.FixtureRequest, Path], AbstractContextManager[Indexes]]] = {
    "embedded": embedded,
    **{service: partial(on_opensearch, service) for service in SETTINGS},
}


@pytest.fixture(params=["embedded", "serverless-classic"])
def indexes(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Indexes]:
    with ADAPTERS[str(request.param)](request, tmp_path) as opened:
        yield opened


@pytest.fixture
def index(indexes: Indexes) -> Index:
    return indexes.for_tenant(TENANT)
