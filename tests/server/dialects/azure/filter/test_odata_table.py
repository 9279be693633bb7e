"""The table of OData filters over five documents: what each filter passes, in memory and as clauses on rows."""

from collections.abc import Mapping

import pytest

from groundwire.dialects.azure.filter.parser import parse_odata
from groundwire.domain.documents.metadata import Metadata
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import Not, matches, surely_fails
from groundwire.domain.filters.index.index_filter import index_filter
from tests.support.documents.filters.clauses import row_passes
from tests.support.documents.filters.odata_table import (
    ADMITTED,
    ALL,
    DOCUMENTS,
    FILTERS,
    KNOWN,
    REFUSED,
    WITH_EMPTY_LISTS,
)


@pytest.mark.parametrize(("text", "passes"), FILTERS)
def test_a_filter_of_the_table_passes_its_documents_or_is_refused(text: str, passes: str) -> None:
    if passes == REFUSED:
        with pytest.raises(InvalidInput, match=r"^Invalid expression: "):
            parse_odata(text, KNOWN)
        return
    where = parse_odata(text, KNOWN)
    for documents in (DOCUMENTS, WITH_EMPTY_LISTS):
        assert "".join(name for name, held in documents.items() if matches(where, held)) == passes
        others = [name for name, held in documents.items() if surely_fails(where, held)]
        assert {*passes, *others} == {*ALL}
        assert "".join(name for name, held in documents.items() if matches(Not(where), held)) == "".join(others)


@pytest.mark.parametrize("documents", [DOCUMENTS, WITH_EMPTY_LISTS])
def test_rows_decide_every_filter_of_the_table_exactly(documents: Mapping[str, Metadata]) -> None:
    for text, passes in ADMITTED:
        compiled = index_filter(parse_odata(text, KNOWN))
        assert compiled.is_exact, text
        assert "".join(name for name, held in documents.items() if row_passes(compiled.clause, held)) == passes, text


def test_the_table_has_eighty_nine_filters_and_no_two_are_equal() -> None:
    assert len(FILTERS) == len(dict(FILTERS)) == 89
    assert len(ADMITTED) == 55
