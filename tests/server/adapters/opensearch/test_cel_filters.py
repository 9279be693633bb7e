"""CEL filters on a real engine: its answers are the filters' truths, or wider where rows cannot decide."""

from collections.abc import Generator
from pathlib import Path
from random import Random

import pytest

from groundwire.dialects.vertex.filter.parser import parse_cel
from groundwire.domain.filters.expression import matches
from groundwire.domain.filters.index.index_filter import index_filter
from tests.server.adapters.opensearch.test_filter_trees import DOCUMENTS, found
from tests.support.documents.filters.cel_cases import any_document, any_filter
from tests.support.documents.index_documents import MODEL, TENANT, put
from tests.support.opensearch.indexes import Opened, opened

FILTERS = 2_000
PER_REQUEST = 1_000


@pytest.fixture
def plain(opensearch_url: str, tmp_path: Path) -> Generator[Opened]:
    with opened(opensearch_url, "opensearch", tmp_path, MODEL) as there:
        yield there


def test_two_thousand_random_filters_find_what_memory_finds(plain: Opened) -> None:
    random, index = Random(43), plain.indexes.for_tenant(TENANT)
    documents = {f"d{number:02}": any_document(random) for number in range(DOCUMENTS)}
    for doc_id, held in documents.items():
        put(index, doc_id, ["tea"], metadata=held)
    exact = 0
    for _ in range(FILTERS // PER_REQUEST):
        filters = [parse_cel(any_filter(random).ours, {}) for _ in range(PER_REQUEST)]
        for where, admitted in zip(filters, found(plain.emulated.url, filters), strict=True):
            expected = {doc_id for doc_id, held in documents.items() if matches(where, held)}
            is_exact = index_filter(where).is_exact
            assert admitted == expected if is_exact else admitted >= expected, where
            exact += is_exact
    assert exact > FILTERS * 0.7
