"""OData filters on the embedded index: what it finds is what the filter's truth is in the documents."""

from collections.abc import Mapping
from random import Random

import pytest

from groundwire.dialects.azure.filter.parser import parse_odata
from groundwire.domain.documents.indexed_fields import ROWS_FIELD, ROWS_FORM
from groundwire.domain.documents.metadata import Metadata, metadata_from_mapping
from groundwire.domain.filters.expression import Filter, matches
from groundwire.domain.search.request import SearchMode
from groundwire.ports import Index, Phrase
from tests.support.documents.filters import odata_table
from tests.support.documents.filters.odata_cases import DEFINED, KNOWN, any_filter, any_row, text_of
from tests.support.documents.index_documents import put, query, search

FILTERS = 2_000
DOCUMENTS = 30


def fill(index: Index, documents: Mapping[str, Metadata]) -> None:
    for doc_id, held in documents.items():
        put(index, doc_id, ["tea"], metadata={**held, ROWS_FIELD: ROWS_FORM})


def found(index: Index, where: Filter) -> set[str]:
    (scores,) = search(index, query([Phrase("tea", None)], where=where, mode=SearchMode.LEXICAL))
    return {each.doc_id for each in scores.segments.values()}


def test_two_thousand_random_filters_find_what_memory_finds(index: Index) -> None:
    random = Random(54)
    documents = {f"d{number}": metadata_from_mapping(any_row(random)) for number in range(DOCUMENTS)}
    fill(index, documents)
    met = 0
    for _ in range(FILTERS):
        text = text_of(any_filter(random), random)
        where = parse_odata(text, KNOWN, DEFINED)
        expected = {doc_id for doc_id, held in documents.items() if matches(where, held)}
        assert found(index, where) == expected, text
        met += len(expected)
    assert met > FILTERS


@pytest.mark.parametrize("rows", [odata_table.ROWS, odata_table.WITH_EMPTY_ROWS])
def test_the_filters_of_the_table_find_their_documents(index: Index, rows: Mapping[str, Metadata]) -> None:
    fill(index, rows)
    for text, passes in odata_table.STORABLE:
        assert found(index, parse_odata(text, odata_table.KNOWN)) == set(passes), text
