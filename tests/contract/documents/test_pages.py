"""A collection's indexed documents, a page at a time."""

from dataclasses import replace
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.domain.documents.record import Document, DocumentState
from tests.support.plugins.draws import examples
from tests.support.registry.backends import Stores
from tests.support.registry.records import DOCUMENT, in_state, tenant, tombstone

ids = st.text(st.characters(codec="utf-8"), min_size=1, max_size=4)


@pytest.fixture
def stores(stores: Stores) -> Stores:
    """With two tenants."""
    stores.tenants.add(tenant("t-acme"))
    stores.tenants.add(tenant("t-blue"))
    return stores


def queue(stores: Stores, *doc_ids: str) -> None:
    stores.documents.add_queued("t-acme", [replace(DOCUMENT, doc_id=doc_id) for doc_id in doc_ids])


def page(stores: Stores, after: str | None, limit: int) -> list[str]:
    return [each.doc_id for each in stores.documents.page_indexed("t-acme", "handbook", after, limit)]


def test_pages_follow_each_other_by_id_until_one_is_short(stores: Stores) -> None:
    queue(stores, "d-5", "d-1", "d-4", "d-2", "d-3")
    assert page(stores, None, 2) == ["d-1", "d-2"]
    assert page(stores, "d-2", 2) == ["d-3", "d-4"]
    assert page(stores, "d-4", 2) == ["d-5"]
    assert page(stores, "d-5", 2) == []


def test_a_page_continues_from_an_id_that_no_longer_exists(stores: Stores) -> None:
    queue(stores, "d-1", "d-3")
    assert page(stores, "d-2", 2) == ["d-3"]


def test_a_page_holds_whole_records(stores: Stores) -> None:
    stores.documents.write("t-acme", DOCUMENT, expected=None)
    assert stores.documents.page_indexed("t-acme", "handbook", None, 10) == [DOCUMENT]


def test_only_indexed_documents_of_this_tenant_and_collection_are_on_a_page(stores: Stores) -> None:
    queue(stores, "d-1")
    other_place = replace(DOCUMENT, doc_id="d-elsewhere", collection="handbook#2")
    others = [in_state(replace(DOCUMENT, doc_id=state.value), state) for state in DocumentState]
    for document in (other_place, tombstone(replace(DOCUMENT, doc_id="d-gone")), *others):
        stores.documents.write("t-acme", document, expected=None)
    stores.documents.write("t-blue", replace(DOCUMENT, doc_id="d-theirs"), expected=None)
    assert page(stores, None, 10) == ["d-1", "indexed"]


def test_a_document_enters_and_leaves_the_pages_with_its_record(stores: Stores) -> None:
    waiting = in_state(replace(DOCUMENT, version=0), DocumentState.PARSING)
    moved = replace(DOCUMENT, collection="prices", version=2)
    stores.documents.write("t-acme", waiting, expected=None)
    assert page(stores, None, 1) == []
    stores.documents.write("t-acme", DOCUMENT, expected=waiting)
    assert page(stores, None, 1) == ["d-1"]
    stores.documents.write("t-acme", moved, expected=DOCUMENT)
    assert page(stores, None, 1) == []
    assert stores.documents.page_indexed("t-acme", "prices", None, 1) == [moved]
    stores.documents.write("t-acme", tombstone(moved), expected=moved)
    assert stores.documents.page_indexed("t-acme", "prices", None, 1) == []


def walked(stores: Stores, owner: str, limit: int) -> list[Document]:
    found: list[Document] = []
    while True:
        after = found[-1].doc_id if found else None
        some = stores.documents.page_indexed(owner, "handbook", after, limit)
        found += some
        if len(some) < limit:
            return found


@settings(deadline=None, max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(known=st.sets(ids, max_size=8), limit=st.integers(1, 4))
def test_a_walk_over_the_pages_meets_each_document_once_in_order(
    shared_stores: Stores, known: set[str], limit: int
) -> None:
    owner = f"t-{uuid4().hex}"
    shared_stores.tenants.add(tenant(owner))
    shared_stores.documents.add_queued(owner, [replace(DOCUMENT, doc_id=doc_id) for doc_id in known])
    assert [each.doc_id for each in walked(shared_stores, owner, limit)] == sorted(known)
