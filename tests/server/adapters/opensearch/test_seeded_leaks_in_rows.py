"""The cases find every bug in what rows say of their policy, before it changes and after."""

from collections.abc import Generator

import pytest

from groundwire.domain.access.policy import single_policy
from groundwire.ports import DocumentVersion, Index
from tests.server.adapters.opensearch.cases import fill, wrong
from tests.server.adapters.opensearch.leaks import WRITING, windows_stay_behind
from tests.support.documents.index_documents import (
    ANYONE,
    PUBLIC,
    TENANT,
    for_tags,
    readable,
    segment,
    someone,
    with_vectors,
)
from tests.support.opensearch.indexes import Opened


@pytest.fixture
def index(there: Opened) -> Generator[Index]:
    yield there.indexes.for_tenant(TENANT)
    there.indexes.drop(TENANT)


@pytest.mark.parametrize("bug", WRITING)
def test_the_cases_find_rows_in_which(bug: str, index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    WRITING[bug](monkeypatch)
    fill(index)
    assert wrong(index) != []


def closed_to_all_but_hr(index: Index) -> set[str]:
    """Restrict a public document to `hr`, and return what others still find."""
    index.put(
        DocumentVersion("d", 1), single_policy(PUBLIC), [with_vectors(segment("d", 0, "secret"), "a window", "another")]
    )
    assert readable(index, ANYONE) == {"d"}
    index.set_readers("d", single_policy(for_tags("hr")))
    return readable(index, ANYONE)


def test_a_changed_policy_reaches_the_windows_too(index: Index) -> None:
    assert closed_to_all_but_hr(index) == set()
    assert readable(index, someone("hr")) == {"d"}


def test_windows_that_stay_behind_are_found(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    windows_stay_behind(monkeypatch)
    assert closed_to_all_but_hr(index) == {"d"}
