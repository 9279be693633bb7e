"""CEL filters on the embedded index: what it finds is what the filter's truth is in the documents."""

from random import Random

from groundwire.dialects.vertex.filter.parser import parse_cel
from groundwire.domain.documents.indexed_fields import ROWS_FIELD, ROWS_FORM
from groundwire.domain.filters.expression import matches
from groundwire.domain.search.request import SearchMode
from groundwire.ports import Index, Phrase
from tests.support.documents.filters.cel_cases import any_document, any_filter
from tests.support.documents.index_documents import put, query, search

FILTERS = 2_000
DOCUMENTS = 30


def test_two_thousand_random_filters_find_what_memory_finds(index: Index) -> None:
    random = Random(41)
    documents = {f"d{number}": any_document(random) for number in range(DOCUMENTS)}
    for doc_id, held in documents.items():
        put(index, doc_id, ["tea"], metadata={**held, ROWS_FIELD: ROWS_FORM})
    met = 0
    for _ in range(FILTERS):
        text = any_filter(random).ours
        where = parse_cel(text, {})
        (scores,) = search(index, query([Phrase("tea", None)], where=where, mode=SearchMode.LEXICAL))
        expected = {doc_id for doc_id, held in documents.items() if matches(where, held)}
        assert {each.doc_id for each in scores.segments.values()} == expected, text
        met += len(expected)
    assert met > FILTERS
