"""The cases find every bug in what searches are narrowed by, and nothing in the adapter as it is."""

from collections.abc import Generator

import pytest

from groundwire.ports import Index
from tests.server.adapters.opensearch.cases import fill, wrong
from tests.server.adapters.opensearch.leaks import ASKING
from tests.support.documents.index_documents import TENANT
from tests.support.opensearch.indexes import Opened


@pytest.fixture(scope="module")
def filled(there: Opened) -> Generator[Index]:
    index = there.indexes.for_tenant(TENANT)
    fill(index)
    yield index
    there.indexes.drop(TENANT)


def test_everybody_meets_exactly_what_the_oracle_lets_them_read(filled: Index) -> None:
    assert wrong(filled) == []


@pytest.mark.parametrize("bug", ASKING)
def test_the_cases_find_an_adapter_in_which(bug: str, filled: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    ASKING[bug](monkeypatch)
    assert wrong(filled) != []
