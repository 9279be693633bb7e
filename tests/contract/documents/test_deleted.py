"""A deleted document's path stays recorded as given up, with the time."""

from dataclasses import replace

import pytest

from groundwire.domain.access.decision import Decision
from groundwire.domain.documents.changes.tombstones import forgotten, restored
from groundwire.domain.documents.deletion import NO_DELETION, Deletion
from groundwire.domain.documents.record import Document, DocumentState, IndexSync, Ingestion, names_digest
from groundwire.domain.errors import Conflict
from tests.support.registry.backends import Stores
from tests.support.registry.records import DOCUMENT, NOW, tenant

COLLECTION, PATH = "handbook", "/docs/leave.pdf"
LIVING = replace(DOCUMENT, collection=COLLECTION, source_path=PATH)


@pytest.fixture(autouse=True)
def two_tenants(stores: Stores) -> None:
    stores.tenants.add(tenant("t-acme"))
    stores.tenants.add(tenant("t-blue"))


def dead(document: Document, at: float, mark: str = "") -> Document:
    place = names_digest(COLLECTION, PATH, None)
    return replace(
        document,
        ingestion=Ingestion(DocumentState.DELETED),
        source_path=None,
        policy_version=document.policy_version + 1,
        deletion=Deletion(place, mark, Decision("ann", at, "k_1", "wrong prices")),
    )


def deleted(stores: Stores, document: Document, at: float, mark: str = "") -> Document:
    stores.documents.write("t-acme", document, expected=None)
    deleted_ids = dead(document, at, mark)
    stores.documents.write_attachment_tree("t-acme", [(deleted_ids, document)])
    return deleted_ids


def when(stores: Stores, collection: str = COLLECTION, path: str = PATH) -> float:
    return stores.documents.from_source("t-acme", collection, path).deleted_at


def test_a_path_without_a_deletion_has_no_time_of_deletion(stores: Stores) -> None:
    assert when(stores) == 0
    stores.documents.write("t-acme", LIVING, expected=None)
    assert when(stores) == 0


def test_the_time_of_the_latest_deletion_is_known_at_its_own_path_alone(stores: Stores) -> None:
    deleted(stores, LIVING, NOW + 5.5)
    deleted(stores, replace(LIVING, doc_id="d-earlier"), NOW)
    assert when(stores) == NOW + 5.5
    assert when(stores, path="/docs/leave") == when(stores, collection="prices") == 0
    assert stores.documents.from_source("t-blue", COLLECTION, PATH).deleted_at == 0
    assert stores.documents.from_source("t-acme", COLLECTION, PATH).living is None


def test_a_document_whose_file_was_missing_keeps_no_such_time(stores: Stores) -> None:
    stores.documents.write("t-acme", LIVING, expected=None)
    deleted_ids = replace(dead(LIVING, NOW), deletion=NO_DELETION)
    stores.documents.write("t-acme", deleted_ids, LIVING)
    assert when(stores) == 0


def test_one_that_lives_again_is_found_from_its_path_and_counts_no_more(stores: Stores) -> None:
    deleted_ids = deleted(stores, LIVING, NOW)
    again = replace(deleted_ids, ingestion=Ingestion(DocumentState.INDEXED), source_path=PATH)
    stores.documents.write("t-acme", again, deleted_ids)
    assert when(stores) == 0
    assert stores.documents.from_source("t-acme", COLLECTION, PATH).living == again


def test_another_document_of_that_path_is_found_beside_the_tombstone(stores: Stores) -> None:
    deleted(stores, LIVING, NOW)
    other = replace(LIVING, doc_id="d-other")
    stores.documents.write("t-acme", other, expected=None)
    assert stores.documents.from_source("t-acme", COLLECTION, PATH).living == other
    assert when(stores) == NOW


def test_neither_time_nor_path_outlives_its_tenant(stores: Stores) -> None:
    deleted(stores, LIVING, NOW)
    stores.tenants.delete("t-acme")
    stores.tenants.add(tenant("t-acme"))
    assert when(stores) == 0


def test_deletions_of_a_path_come_with_the_latest_first_and_restored_ones_last(stores: Stores) -> None:
    later = deleted(stores, LIVING, NOW + 5)
    earlier = deleted(stores, replace(LIVING, doc_id="d-earlier"), NOW)
    assert stores.documents.from_source("t-acme", COLLECTION, PATH).deletions == (later, earlier)
    stores.documents.write("t-acme", restored(later), later)
    assert stores.documents.from_source("t-acme", COLLECTION, PATH).deletions == (earlier, restored(later))
    assert when(stores) == NOW


def test_a_deleted_content_is_found_by_its_mark_within_its_tenant_until_it_is_restored(stores: Stores) -> None:
    first = deleted(stores, LIVING, NOW, "mark-1")
    deleted(stores, replace(LIVING, doc_id="d-other"), NOW, "mark-2")
    assert stores.documents.marked_with_content("t-acme", "mark-1") == [first]
    assert stores.documents.marked_with_content("t-blue", "mark-1") == []
    assert stores.documents.marked_with_content("t-acme", "mark") == []
    assert stores.documents.marked_with_content("t-acme", "") == []
    stores.documents.write("t-acme", restored(first), first)
    assert stores.documents.marked_with_content("t-acme", "mark-1") == []


def test_a_living_document_is_found_by_the_mark_of_its_former_content_until_it_has_none(stores: Stores) -> None:
    former = replace(LIVING, deletion=Deletion(content_mark="mark-1"))
    stores.documents.write("t-acme", former, expected=None)
    assert stores.documents.marked_with_content("t-acme", "mark-1") == [former]
    assert stores.documents.from_source("t-acme", COLLECTION, PATH).living == former
    later = replace(former, version=former.version + 1, deletion=NO_DELETION)
    stores.documents.write("t-acme", later, former)
    assert stores.documents.marked_with_content("t-acme", "mark-1") == []


def test_deletions_in_force_are_paged_by_id(stores: Stores) -> None:
    documents = [deleted(stores, replace(LIVING, doc_id=f"d-{number}"), NOW + number) for number in range(3)]
    stores.documents.write("t-acme", replace(LIVING, doc_id="d-9"), expected=None)
    stores.documents.write("t-acme", restored(documents[1]), documents[1])
    assert stores.documents.page_deletions("t-acme", None, 1) == [documents[0]]
    assert stores.documents.page_deletions("t-acme", "d-0", 5) == [documents[2]]
    assert stores.documents.page_deletions("t-blue", None, 5) == []


def test_living_documents_and_all_tombstones_are_paged_together_by_id(stores: Stores) -> None:
    ended = deleted(stores, replace(LIVING, doc_id="d-1"), NOW)
    stores.documents.write("t-acme", restored(ended), ended)
    in_force = deleted(stores, replace(LIVING, doc_id="d-2"), NOW)
    living = replace(LIVING, doc_id="d-3")
    stores.documents.write("t-acme", living, expected=None)
    assert stores.documents.page_records("t-acme", None, 2) == [restored(ended), in_force]
    assert stores.documents.page_records("t-acme", "d-2", 2) == [living]
    assert stores.documents.page_records("t-blue", None, 5) == []


def test_the_deleted_attachments_of_a_document_are_found(stores: Stores) -> None:
    mail = replace(LIVING, doc_id="d-mail")
    child = replace(LIVING, doc_id="d-child", source_path=f"{PATH}#a.pdf", parent="d-mail")
    for each in (mail, child):
        stores.documents.write("t-acme", each, expected=None)
    deleted_child = replace(dead(child, NOW, "mark-1"), deletion=Deletion("", "mark-1", Decision("ann", NOW, "", "")))
    stores.documents.write_attachment_tree("t-acme", [(dead(mail, NOW), mail), (deleted_child, child)])
    assert stores.documents.deleted_children("t-acme", "d-mail") == [deleted_child]
    assert stores.documents.deleted_children("t-blue", "d-mail") == []
    stores.documents.write("t-acme", restored(deleted_child), deleted_child)
    assert stores.documents.deleted_children("t-acme", "d-mail") == [restored(deleted_child)]


def test_nothing_finds_a_forgotten_document_again(stores: Stores) -> None:
    record = deleted(stores, LIVING, NOW, "mark-1")
    stores.documents.write("t-acme", forgotten(record), record)
    assert stores.documents.from_source("t-acme", COLLECTION, PATH).deletions == ()
    assert stores.documents.marked_with_content("t-acme", "mark-1") == []
    assert stores.documents.page_deletions("t-acme", None, 5) == []
    [left] = stores.documents.read("t-acme", [record.doc_id]).values()
    assert (left.source_file_name, left.deletion) == ("", NO_DELETION)


def test_a_reconciliation_that_read_the_record_before_its_restoration_does_not_undo_it(stores: Stores) -> None:
    record = deleted(stores, LIVING, NOW, "mark-1")
    stores.documents.write("t-acme", restored(record), record)
    with pytest.raises(Conflict):
        stores.documents.write("t-acme", replace(record, sync=IndexSync(is_stale=False)), record)
    assert when(stores) == 0
