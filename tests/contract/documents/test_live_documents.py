"""Lists of a tenant's documents that are not deleted, in batches."""

from dataclasses import replace

import pytest

from groundwire.domain.documents.record import TOMBSTONE_STATES, DocumentState
from tests.support.registry.backends import Stores
from tests.support.registry.records import DOCUMENT, in_state, tenant


@pytest.fixture
def stores(stores: Stores) -> Stores:
    """With two tenants."""
    stores.tenants.add(tenant("t-acme"))
    stores.tenants.add(tenant("t-blue"))
    return stores


def living(stores: Stores, after: str | None, limit: int) -> list[str]:
    return [each.doc_id for each in stores.documents.page_live("t-acme", after, limit)]


def test_batches_follow_each_other_by_id_over_all_collections_until_one_is_short(stores: Stores) -> None:
    queued = [replace(DOCUMENT, doc_id=f"d-{at}", collection=f"c-{at % 2}") for at in (5, 1, 4, 2, 3)]
    stores.documents.add_queued("t-acme", queued)

    assert living(stores, None, 2) == ["d-1", "d-2"]
    assert living(stores, "d-2", 2) == ["d-3", "d-4"]
    assert living(stores, "d-4", 2) == ["d-5"]
    assert living(stores, "d-5", 2) == []


def test_a_batch_continues_from_an_id_that_no_longer_exists(stores: Stores) -> None:
    stores.documents.add_queued("t-acme", [replace(DOCUMENT, doc_id=each) for each in ("d-1", "d-3")])

    assert living(stores, "d-2", 2) == ["d-3"]


def test_a_batch_holds_whole_records_as_they_are_now(stores: Stores) -> None:
    stores.documents.write("t-acme", DOCUMENT, expected=None)

    assert stores.documents.page_live("t-acme", None, 10) == [DOCUMENT]


def test_every_state_but_the_tombstones_of_this_tenant_alone_is_listed(stores: Stores) -> None:
    for state in DocumentState:
        stores.documents.write("t-acme", in_state(replace(DOCUMENT, doc_id=state.value), state), expected=None)
    stores.documents.write("t-blue", replace(DOCUMENT, doc_id="d-theirs"), expected=None)

    assert living(stores, None, 10) == sorted(state.value for state in DocumentState if state not in TOMBSTONE_STATES)


def test_tombstones_do_not_shorten_a_batch(stores: Stores) -> None:
    for at in range(4):
        state = DocumentState.DELETED if at < 2 else DocumentState.INDEXED
        stores.documents.write("t-acme", in_state(replace(DOCUMENT, doc_id=f"d-{at}"), state), expected=None)

    assert living(stores, None, 2) == ["d-2", "d-3"]
