from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest

from groundwire.adapters.opensearch.connection import client
from groundwire.adapters.opensearch.write import bulk
from groundwire.ports import Index
from tests.server.adapters.opensearch.rows import held
from tests.support.documents.index_documents import MODEL, TENANT
from tests.support.opensearch.emulator.node import spares
from tests.support.opensearch.indexes import SETTINGS, Opened, opened


@pytest.fixture(scope="module", params=SETTINGS)
def service(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def there(service: str, opensearch_url: str, tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    """Indexes whose writes are seen at once; a new one takes the engine a second, so a module shares them."""
    with opened(opensearch_url, service, tmp_path_factory.mktemp(service), MODEL) as made:
        yield made


@pytest.fixture
def anew(service: str, opensearch_url: str, tmp_path: Path) -> Generator[Opened]:
    """Indexes with nothing that was made before, so that each has but the fields of its own languages."""
    with spares.kept(opensearch_url), opened(opensearch_url, service, tmp_path, MODEL) as made:
        yield made


@pytest.fixture
def index(there: Opened) -> Generator[Index]:
    """The tenant's index, empty."""
    index = there.indexes.for_tenant(TENANT)
    yield index
    there.emulated.failures.clear()
    for doc_id in ("d", "e"):
        index.prune(doc_id, None)
    assert not held(there)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses before a repeat cost nothing."""
    for module in (bulk, client):
        monkeypatch.setattr(module, "_BACKOFF", replace(module._BACKOFF, longest_s=0.0))
