"""Samples of the documents in which a principal may read something, by collection."""

from collections.abc import Mapping, Sequence

import pytest

from groundwire.domain import errors
from groundwire.domain.access.policy import NO_READERS, Principal, single_policy
from groundwire.domain.search.request import ALL_DOCUMENTS
from groundwire.ports import DocumentsByCollection, Index, RowSelection
from tests.contract.index.adapters import EVERY_SERVICE
from tests.support.documents.index_documents import ANYONE, for_tags, put, someone

NONE: frozenset[str] = frozenset()
EVERY = ("handbook", "vault", "empty")


def documents(
    index: Index, principal: Principal, collections: Sequence[str], excluded: frozenset[str], most: int
) -> Mapping[str, Sequence[str]]:
    rows = RowSelection(principal, collections, ALL_DOCUMENTS, None)
    return index.select(DocumentsByCollection(rows, excluded, most))


def sample(
    index: Index, principal: Principal = ANYONE, excluded: frozenset[str] = NONE, most: int = 5
) -> dict[str, set[str]]:
    found = documents(index, principal, EVERY, excluded, most)
    assert all(len(set(doc_ids)) == len(doc_ids) for doc_ids in found.values())
    return {name: set(doc_ids) for name, doc_ids in found.items()}


def test_only_collections_with_a_row_that_admits_the_principal_are_named(index: Index) -> None:
    put(index, "open", ["one", "two"])
    put(index, "closed", ["three"], for_tags("hr"), collection="vault")
    assert sample(index) == {"handbook": {"open"}}
    assert sample(index, someone("hr")) == {"handbook": {"open"}, "vault": {"closed"}}


def test_a_collection_that_is_not_requested_is_not_sampled(index: Index) -> None:
    put(index, "open", ["one"])
    assert documents(index, ANYONE, ["vault"], NONE, 5) == {}
    assert documents(index, ANYONE, [], NONE, 5) == {}


def test_an_empty_index_has_no_sample(index: Index) -> None:
    assert sample(index) == {}


def test_a_sample_has_at_most_so_many_documents_and_one_where_a_long_document_is_first(index: Index) -> None:
    put(index, "a", [f"text {number}" for number in range(40)])
    for number in range(5):
        put(index, f"b{number}", ["short"])
    put(index, "c", ["closed"], for_tags("hr"))
    found = sample(index, most=3)["handbook"]
    assert 1 <= len(found) <= 3
    assert found <= {"a", "b0", "b1", "b2", "b3", "b4"}


def test_excluded_documents_make_room_for_the_others_until_none_is_left(index: Index) -> None:
    every = {f"d{number}" for number in range(6)}
    for doc_id in every:
        put(index, doc_id, ["text", "more text"])
    seen: frozenset[str] = NONE
    while found := sample(index, excluded=seen, most=2):
        assert found["handbook"].isdisjoint(seen)
        seen |= found["handbook"]
    assert seen == every


@EVERY_SERVICE
def test_a_changed_policy_and_a_deleted_document_hold_from_the_next_sample(index: Index) -> None:
    put(index, "d", ["text"])
    put(index, "e", ["text"], collection="vault")
    index.set_readers("d", single_policy(NO_READERS))
    index.prune("e", None)
    assert sample(index) == {}


@pytest.mark.parametrize("odd", ["", '"', "*", "a' OR '1'='1", "x" * 2_000])
def test_any_text_is_an_ordinary_name(index: Index, odd: str) -> None:
    put(index, "d", ["text"])
    assert documents(index, ANYONE, [odd], frozenset({odd}), 5) == {}


def test_a_principal_of_another_tenant_is_refused(index: Index) -> None:
    put(index, "d", ["text"])
    with pytest.raises(errors.Forbidden):
        sample(index, Principal("globex", None, frozenset()))
