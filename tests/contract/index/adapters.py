"""Adapters of the index: the suite runs on each kind, and on every service where the rules of a service can show."""

from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Final, cast

import pytest

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.ports import VectorIndex, WakeableIndexes
from tests.support.documents.index_documents import MODEL, TENANT
from tests.support.documents.vector_index import InMemoryVectorIndex
from tests.support.opensearch.indexes import READINGS, opened

REPRESENTATIVE_SERVICE: Final = "serverless-classic"
"""Service of OpenSearch that represents all others: the one with the fewest calls, scripts and ids."""


@contextmanager
def _embedded(request: pytest.FixtureRequest, folder: Path) -> Generator[WakeableIndexes]:
    indexes = EmbeddedIndexes(folder / "indexes", MODEL)
    yield indexes
    indexes.close()


@contextmanager
def _on_opensearch(service: str, request: pytest.FixtureRequest, folder: Path) -> Generator[WakeableIndexes]:
    with opened(request.getfixturevalue("opensearch_url"), service, folder, MODEL) as there:
        yield there.indexes


ADAPTERS: Final[Mapping[str, Callable[[pytest.FixtureRequest, Path], AbstractContextManager[WakeableIndexes]]]] = {
    "embedded": _embedded,
    **{service: partial(_on_opensearch, service) for service in READINGS},
}
"""Ways to open the indexes: of the embedded engine, and by what may be behind the services that settings can select."""

ONE_OF_EACH_KIND: Final = [name for name in ADAPTERS if name not in READINGS or name == REPRESENTATIVE_SERVICE]
EVERY_SERVICE: Final = pytest.mark.parametrize("indexes", list(ADAPTERS), indirect=True)
"""Mark for a test that runs on every adapter, not only on the service that represents all of OpenSearch.

For tests that write rows twice, change, delete or count them, or read vectors back: there the services differ, in ids,
refreshes and vectors that are not shown. What a search finds is asked of one service, whose searches may do the least.
"""

IN_MEMORY: Final = "in memory"
"""Store of vectors alone, which the lexical half of the suite leaves out."""

WITHOUT_WORDS: Final = [f"{name} without words" for name in ONE_OF_EACH_KIND]
"""Engines of which the first half alone is used, so that a search takes `nearest`."""

VECTOR_STORES: Final = [IN_MEMORY, *WITHOUT_WORDS]
EVERY_VECTOR_STORE: Final = pytest.mark.parametrize("vectors", [*ADAPTERS, *VECTOR_STORES], indirect=True)
"""Mark like `EVERY_SERVICE` for the half of the suite that needs no words."""


class VectorHalf:
    """The first half of an engine, which hides its words."""

    lexical = None

    def __init__(self, index: VectorIndex) -> None:
        self._index = index

    def __getattr__(self, name: str) -> object:
        return getattr(self._index, name)


@contextmanager
def open_vectors(name: str, request: pytest.FixtureRequest, folder: Path) -> Generator[VectorIndex]:
    """Open the first half that a mark names."""
    if name == IN_MEMORY:
        yield InMemoryVectorIndex(TENANT, MODEL)
        return
    with ADAPTERS[name.removesuffix(" without words")](request, folder) as opened:
        index = opened.for_tenant(TENANT)
        yield cast("VectorIndex", VectorHalf(index)) if name in WITHOUT_WORDS else index
