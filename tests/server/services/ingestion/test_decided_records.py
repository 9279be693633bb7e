"""A person's decision about the readers lasts for records without a version, and for each way in which they go."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import NO_READERS
from groundwire.domain.audit.ingestion import FinishedDocument
from groundwire.domain.documents.changes.ceiling import closed_by_person, lifted
from groundwire.domain.documents.record import Document, DocumentState, Refusal, RefusalCause
from groundwire.services.documents.reconcile import QUEUE_SECONDS
from groundwire.services.ingest.deletions.administration import everybody_decides
from groundwire.services.ingest.runs.listing import delete_left_out
from tests.support.aws.ingestion_stack import TENANT, Deployment
from tests.support.documents.plain_text_parser import UNREADABLE
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World, caller

BY_ANN = Decision("ann", 0.0, "", "audit")
TEXT = "The ledger grants thirty days."


def close(world: World, tenant: str, doc_id: str) -> None:
    world.services.administration.document_admin.decide_readers_if(tenant, doc_id, closed_by_person, BY_ANN)


def stored(world: World, tenant: str, doc_id: str) -> Document:
    return world.services.stores.documents.read(tenant, [doc_id])[doc_id]


def refused(world: World, tenant: str, path: str) -> str:
    """Return the id of the closed record of a file that cannot be read."""
    record = world.ingest(tenant, UNREADABLE, PUBLIC, path=path).document
    assert record is not None
    close(world, tenant, record.doc_id)
    return record.doc_id


def test_a_sweep_keeps_the_record_of_a_file_that_no_run_has_read(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    announced = replace(stored_record(world, tenant), doc_id="announced", source_path="/nowhere/announced.txt")
    queued = replace(announced, version=0, ingestion=replace(announced.ingestion, state=DocumentState.QUEUED))
    world.services.stores.documents.add_queued(tenant, [replace(queued, sync=replace(queued.sync, is_stale=True))])
    close(world, tenant, "announced")
    later = world.services.clock() + QUEUE_SECONDS + 60
    monkeypatch.setattr(world.services.administration.reconciler, "_clock", lambda: later)
    world.services.administration.reconciler.reconcile_stale(tenant)
    record = stored(world, tenant, "announced")
    assert (record.state, record.ceiling is not None) == (DocumentState.REFUSED, True)


def stored_record(world: World, tenant: str) -> Document:
    record = world.ingest(tenant, "A text.", PUBLIC, path="/nowhere/text.txt").document
    assert record is not None
    return record


def test_a_file_with_the_content_of_a_deleted_one_keeps_the_ceiling_of_its_refused_record(
    world: World, tenant: str
) -> None:
    world.ingest(tenant, TEXT, PUBLIC, path="/nowhere/lease.txt", doc_id="lease")
    world.services.administration.document_admin.delete(tenant, "lease", BY_ANN)
    doc_id = refused(world, tenant, "/nowhere/copy.txt")
    held = world.ingest(tenant, TEXT, PUBLIC, path="/nowhere/copy.txt", restores=False)
    assert held.status.value == "held_back"
    again = world.ingest(tenant, "Another text.", PUBLIC, path="/nowhere/copy.txt").document
    assert again is not None
    assert (again.doc_id, again.readers.ceiling) == (doc_id, NO_READERS)


def test_a_file_that_gets_the_content_of_a_vanished_one_keeps_the_ceiling_of_its_refused_record(
    world: World, tenant: str, tmp_path: Path
) -> None:
    first = world.ingest(tenant, TEXT, PUBLIC, path=str(tmp_path / "gone.txt")).document
    assert first is not None
    doc_id = refused(world, tenant, str(tmp_path / "lease.txt"))
    again = world.ingest(tenant, TEXT, PUBLIC, path=str(tmp_path / "lease.txt")).document
    assert again is not None
    assert (again.doc_id, again.readers.ceiling) == (doc_id, NO_READERS)


def test_a_file_that_is_left_out_since_keeps_the_ceiling_of_its_refused_record(world: World, tenant: str) -> None:
    doc_id = refused(world, tenant, "/nowhere/lease.xyz")
    announced: list[FinishedDocument] = []

    def announce(_before: Document, after: Document) -> None:
        announced.append(FinishedDocument.of(after, "deleted", None))

    delete_left_out(world.services.stores.documents, tenant, "default", ["/nowhere/lease.xyz"], announce)
    assert announced == []
    assert stored(world, tenant, doc_id).ceiling is not None


def test_an_object_that_is_not_read_keeps_the_ceiling_of_its_refused_record(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put("handbook/leave.txt", UNREADABLE))
    doc_id = stack.document("leave.txt").doc_id
    record = stack.document("leave.txt")
    odd = replace(record, source_path=str(record.source_path).replace(".txt", ".xyz"), source_file_name="leave.xyz")
    stack.services.stores.documents.write(TENANT, odd, record)
    stack.services.administration.document_admin.decide_readers_if(TENANT, doc_id, closed_by_person, BY_ANN)
    stack.deliver(stack.bucket.put("handbook/leave.xyz", "Thirty days."))
    assert stack.document("leave.xyz").ceiling is not None


def test_an_object_whose_upload_order_was_unknown_keeps_its_ceiling(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put("handbook/leave.txt", UNREADABLE))
    record = stack.document("leave.txt")
    unknown = Refusal(RefusalCause.UPLOAD_ORDER, "uploaded in the second of its deletion")
    waiting = replace(record, ingestion=replace(record.ingestion, refusal=unknown))
    stack.services.stores.documents.write(TENANT, waiting, record)
    stack.services.administration.document_admin.decide_readers_if(TENANT, record.doc_id, closed_by_person, BY_ANN)
    stack.deliver(stack.bucket.put("handbook/leave.txt", "Thirty days."))
    document = stack.document("leave.txt")
    assert (document.version, document.readers.ceiling) == (1, NO_READERS)
    assert document.updated_at <= time.time()


@pytest.mark.parametrize("way", ["a run with restore", "restoration by a person"])
def test_a_closed_document_that_was_deleted_stays_closed_where_its_content_returns_under_another_name(
    world: World, tenant: str, way: str
) -> None:
    world.ingest(tenant, TEXT, PUBLIC, path="/nowhere/lease.txt", doc_id="lease")
    close(world, tenant, "lease")
    world.services.administration.document_admin.delete(tenant, "lease", BY_ANN)
    restores = way == "a run with restore"
    if not restores:
        world.services.administration.deletion_admin.restore(tenant, "lease", everybody_decides)
    back = world.ingest(tenant, TEXT, PUBLIC, path="/nowhere/renamed.txt", restores=restores).document
    assert back is not None
    assert (back.state, back.readers.ceiling) == (DocumentState.INDEXED, NO_READERS)
    assert back.readers.declared == PUBLIC
    # Lifted by a person, it is read as declared.
    world.services.administration.document_admin.decide_readers_if(tenant, back.doc_id, lifted, BY_ANN)
    assert world.search(caller(world.acting_key(tenant), "ann"), "ledger").texts == {TEXT}
