"""OData filters on a real engine: its answers are the filters' truths."""

from collections.abc import Generator, Mapping
from pathlib import Path
from random import Random

import pytest

from groundwire.dialects.azure.filter.parser import parse_odata
from groundwire.domain.documents.metadata import Metadata, metadata_from_mapping
from groundwire.domain.filters.expression import matches
from groundwire.domain.filters.index.index_filter import index_filter
from tests.server.adapters.opensearch.test_filter_trees import DOCUMENTS, found
from tests.support.documents.filters import odata_table
from tests.support.documents.filters.odata_cases import DEFINED, KNOWN, any_filter, any_row, text_of
from tests.support.documents.index_documents import MODEL, TENANT, put
from tests.support.opensearch.indexes import Opened, opened

FILTERS = 2_000
PER_REQUEST = 1_000


@pytest.fixture
def plain(opensearch_url: str, tmp_path: Path) -> Generator[Opened]:
    with opened(opensearch_url, "opensearch", tmp_path, MODEL) as there:
        yield there


def fill(plain: Opened, documents: Mapping[str, Metadata]) -> None:
    index = plain.indexes.for_tenant(TENANT)
    for doc_id, held in documents.items():
        put(index, doc_id, ["tea"], metadata=held)


def test_two_thousand_random_filters_find_what_memory_finds(plain: Opened) -> None:
    random = Random(55)
    documents = {f"d{number:02}": metadata_from_mapping(any_row(random)) for number in range(DOCUMENTS)}
    fill(plain, documents)
    for _ in range(FILTERS // PER_REQUEST):
        texts = [text_of(any_filter(random), random) for _ in range(PER_REQUEST)]
        filters = [parse_odata(text, KNOWN, DEFINED) for text in texts]
        for text, where, admitted in zip(texts, filters, found(plain.emulated.url, filters), strict=True):
            assert index_filter(where).is_exact, text
            assert admitted == {doc_id for doc_id, held in documents.items() if matches(where, held)}, text


@pytest.mark.parametrize("rows", [odata_table.ROWS, odata_table.WITH_EMPTY_ROWS])
def test_the_filters_of_the_table_find_their_documents(plain: Opened, rows: Mapping[str, Metadata]) -> None:
    fill(plain, rows)
    filters = [parse_odata(text, odata_table.KNOWN) for text, _ in odata_table.STORABLE]
    for (text, passes), admitted in zip(odata_table.STORABLE, found(plain.emulated.url, filters), strict=True):
        assert admitted == set(passes), text
