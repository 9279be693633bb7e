"""Attachment trees: which records are written in one transaction, which wait, and which are unchanged."""

from dataclasses import replace

import pytest

from groundwire.domain import errors
from groundwire.domain.access.policy import NO_READERS
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.ports import MAX_ATOMIC_WRITES
from tests.support.registry.backends import Stores
from tests.support.registry.records import DOCUMENT, NOW, in_state, tenant, tombstone

CHILD = replace(DOCUMENT, doc_id="d-child", parent="d-1", source_path="/docs/leave.pdf#a", created_at=NOW)
QUEUED = in_state(replace(DOCUMENT, doc_id="d-new", version=0, source_path="/docs/new.pdf"), DocumentState.QUEUED)


@pytest.fixture(autouse=True)
def acme(stores: Stores) -> None:
    stores.tenants.add(tenant("t-acme"))
    stores.documents.write("t-acme", DOCUMENT, expected=None)
    stores.documents.write("t-acme", CHILD, expected=None)


def closed(document: Document) -> Document:
    return replace(document, policy=NO_READERS, policy_version=document.policy_version + 1)


def stored(stores: Stores) -> dict[str, Document]:
    return dict(stores.documents.read("t-acme", ["d-1", "d-child", "d-new"]))


def test_an_attachment_tree_changes_in_one_step(stores: Stores) -> None:
    stores.documents.write_attachment_tree("t-acme", [(closed(DOCUMENT), DOCUMENT), (closed(CHILD), CHILD)])
    assert stored(stores) == {"d-1": closed(DOCUMENT), "d-child": closed(CHILD)}


def test_an_attachment_tree_with_one_changed_record_is_not_written(stores: Stores) -> None:
    changed = closed(CHILD)
    stores.documents.write("t-acme", changed, expected=CHILD)
    with pytest.raises(errors.Conflict):
        stores.documents.write_attachment_tree("t-acme", [(closed(DOCUMENT), DOCUMENT), (closed(CHILD), CHILD)])
    assert stored(stores) == {"d-1": DOCUMENT, "d-child": changed}


def test_an_attachment_tree_without_one_of_its_living_children_is_refused(stores: Stores) -> None:
    with pytest.raises(errors.Conflict):
        stores.documents.write_attachment_tree("t-acme", [(closed(DOCUMENT), DOCUMENT)])
    assert stored(stores)["d-1"] == DOCUMENT
    stores.documents.write("t-acme", tombstone(CHILD), expected=CHILD)
    stores.documents.write_attachment_tree("t-acme", [(closed(DOCUMENT), DOCUMENT)])
    assert stored(stores)["d-1"] == closed(DOCUMENT)


def test_a_record_may_be_its_own_expectation(stores: Stores) -> None:
    stores.documents.write_all("t-acme", [(closed(CHILD), CHILD), (DOCUMENT, DOCUMENT)])
    stores.documents.write("t-acme", closed(DOCUMENT), expected=DOCUMENT)
    with pytest.raises(errors.Conflict):
        stores.documents.write_all("t-acme", [(CHILD, closed(CHILD)), (DOCUMENT, DOCUMENT)])
    assert stored(stores) == {"d-1": closed(DOCUMENT), "d-child": closed(CHILD)}


def test_what_waits_is_queued_in_one_step_and_never_replaces_a_record(stores: Stores) -> None:
    stores.documents.add_queued("t-acme", [QUEUED, replace(QUEUED, doc_id="d-1")])
    assert stored(stores) == {"d-1": DOCUMENT, "d-child": CHILD, "d-new": QUEUED}


def test_only_records_that_never_were_indexed_are_removed(stores: Stores) -> None:
    stores.documents.add_queued("t-acme", [QUEUED])
    for document in (DOCUMENT, QUEUED, replace(QUEUED, doc_id="d-unknown")):
        stores.documents.delete_unindexed("t-acme", document)
    assert stored(stores) == {"d-1": DOCUMENT, "d-child": CHILD}


def test_a_record_whose_readers_somebody_changed_meanwhile_is_not_removed(stores: Stores) -> None:
    stores.documents.add_queued("t-acme", [QUEUED])
    decided = replace(QUEUED, policy_version=QUEUED.policy_version + 1)
    stores.documents.write("t-acme", decided, expected=QUEUED)
    stores.documents.delete_unindexed("t-acme", QUEUED)
    assert stored(stores)["d-new"] == decided


def test_children_are_the_living_ones(stores: Stores) -> None:
    later = replace(CHILD, doc_id="d-later", created_at=NOW + 1)
    stores.documents.write("t-acme", later, expected=None)
    assert stores.documents.children("t-acme", "d-1") == [CHILD, later]
    deleting = in_state(CHILD, DocumentState.DELETING)
    stores.documents.write("t-acme", deleting, expected=CHILD)
    assert stores.documents.children("t-acme", "d-1") == [later]
    assert stores.documents.children("t-acme", "d-later") == []


def test_a_path_is_one_thing_for_a_file_and_another_for_an_attachment(stores: Stores) -> None:
    path = "/docs/leave.pdf#a"
    assert stores.documents.from_source("t-acme", "handbook", path).living is None
    assert stores.documents.from_source("t-acme", "handbook", path, "d-1").living == CHILD
    assert stores.documents.from_source("t-acme", "handbook", path, "d-2").living is None


def test_sketches_are_those_of_indexed_documents_that_have_one(stores: Stores) -> None:
    sketched = replace(DOCUMENT, doc_id="d-sketched", sketch=b"abcd")
    refused = in_state(replace(sketched, doc_id="d-refused"), DocumentState.REFUSED)
    for document in (sketched, refused):
        stores.documents.write("t-acme", document, expected=None)
    assert stores.documents.sketches("t-acme") == [("d-sketched", b"abcd")]


def test_as_many_as_any_store_writes_together_are_written_in_one_step(stores: Stores) -> None:
    some = [replace(CHILD, doc_id=f"d-x{number:03}", source_path=f"/{number}") for number in range(MAX_ATOMIC_WRITES)]
    stores.documents.add_queued("t-acme", some)
    stores.documents.write_all("t-acme", [(closed(each), each) for each in some])
    assert stores.documents.children("t-acme", "d-1") == [CHILD, *map(closed, some)]


def test_attachments_may_come_before_the_record_of_their_mail(stores: Stores) -> None:
    early = replace(CHILD, doc_id="d-early", parent="d-late")
    delayed = replace(DOCUMENT, doc_id="d-late", source_path="/late")
    stores.documents.write("t-acme", early, expected=None)
    assert stores.documents.read("t-acme", ["d-late"]) == {}
    assert delayed.doc_id not in [each.doc_id for each in stores.documents.all("t-acme", None)]
    stores.documents.write("t-acme", delayed, expected=None)
    assert stores.documents.children("t-acme", "d-late") == [early]
    with pytest.raises(errors.Conflict):
        stores.documents.write_attachment_tree("t-acme", [(closed(delayed), delayed)])
