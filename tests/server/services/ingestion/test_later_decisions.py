"""What somebody decided about a document after its file was put, or its ticket made, goes before what comes later."""

import copy
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.documents.record import DocumentState, Refusal, RefusalCause
from groundwire.domain.documents.uploads import TICKET_SECONDS, Upload, UploadState
from groundwire.services.documents.admin import DocumentAdmin
from groundwire.services.ingest.deletions.administration import everybody_decides
from groundwire.services.uploads.ingestion import UploadResult
from groundwire_readers.contents.parsed import ParsedDocument
from tests.support.aws.ingestion_stack import RECEIVES, TENANT, Deployment
from tests.support.documents.mail_parser import Mails
from tests.support.documents.plain_text_parser import UNREADABLE
from tests.support.worlds.exchange import exchange

PUBLIC = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
ANN = replace(PUBLIC, public=False, users=frozenset({"ann"}))
PATH = "handbook/leave.txt"
TICKET_PATH = "handbook/.uploads/up_1/file"
CONTENT = b"The ledger grants thirty days."


@dataclass
class Meanwhile(Mails):
    """A parser during whose work something happens once."""

    happens: Callable[[], object] | None = None
    parsed: int = 0

    def parse(
        self, content: bytes, file_type: str, *, with_images: bool = False, with_thumbnails: bool = False
    ) -> ParsedDocument:
        happens, self.happens = self.happens, None
        if happens is not None:
            happens()
        return super().parse(content, file_type, with_images=with_images, with_thumbnails=with_thumbnails)


def close(stack: Deployment, doc_id: str) -> None:
    stack.services.administration.document_admin.override_policy(TENANT, doc_id, NO_READERS)


def delete(stack: Deployment, doc_id: str) -> None:
    stack.services.administration.document_admin.delete(TENANT, doc_id)


def public_leave(stack: Deployment) -> str:
    stack.deliver(stack.bucket.put("handbook/.policy.yaml", "public: true\n"))
    stack.deliver(stack.bucket.put(PATH, "Thirty days."))
    return stack.document("leave.txt").doc_id


def close_earlier(stack: Deployment, doc_id: str, policy: Policy, seconds: float) -> None:
    """Override the policy of the document as an administrator did that many seconds ago."""
    services = stack.services
    administration = DocumentAdmin(
        services.stores.documents,
        services.stores.collections,
        services.administration.deletion_memory,
        services.administration.reconciler,
        services.administration.write_line,
        lambda: time.time() - seconds,
    )
    administration.override_policy(TENANT, doc_id, policy)


def delete_later(stack: Deployment, doc_id: str) -> None:
    """Delete the document as an administrator will in ten seconds."""
    services = stack.services
    administration = services.administration
    DocumentAdmin(
        services.stores.documents,
        services.stores.collections,
        administration.deletion_memory,
        administration.reconciler,
        administration.write_line,
        lambda: time.time() + 10,
    ).delete(TENANT, doc_id)


def later(event: dict[str, object], seconds: int) -> dict[str, object]:
    at = datetime.now(UTC) + timedelta(seconds=seconds)
    return {**event, "time": at.strftime("%Y-%m-%dT%H:%M:%SZ")}


def ticket(stack: Deployment, content: bytes = CONTENT, doc_id: str = "leave") -> Upload:
    upload = Upload(
        ticket="up_1",
        doc_id=doc_id,
        collection="handbook",
        file_name="leave.txt",
        sha256=hashlib.sha256(content).hexdigest(),
        policy=PUBLIC,
        expires_at=time.time() + TICKET_SECONDS,
    )
    stack.services.stores.uploads.add(TENANT, upload)
    return upload


def reported(stack: Deployment) -> tuple[UploadState, str]:
    upload = stack.services.stores.uploads.get(TENANT, "up_1")
    assert upload is not None
    return upload.state, str(upload.reason)


def test_an_event_of_a_file_from_before_a_revocation_does_not_restore_the_right(stack: Deployment) -> None:
    doc_id = public_leave(stack)
    notice = stack.bucket.put(PATH, "Forty days.")
    close(stack, doc_id)
    assert stack.deliver(notice) == []
    assert (stack.document("leave.txt").version, stack.document("leave.txt").policy) == (2, NO_READERS)


def test_a_file_that_is_put_after_that_has_its_folders_policy_again(stack: Deployment) -> None:
    close(stack, public_leave(stack))
    assert stack.deliver(later(stack.bucket.put(PATH, "Forty days."), 2)) == []
    document = stack.document("leave.txt")
    assert (document.policy, document.policy_source) == (PUBLIC, PolicySource.FILE)
    stack.deliver(stack.bucket.delete("handbook/.policy.yaml"))
    assert stack.document("leave.txt").policy == NO_READERS


@pytest.mark.parametrize("is_new", [True, False])
def test_a_right_that_is_revoked_while_the_file_is_read_stays_revoked(stack: Deployment, *, is_new: bool) -> None:
    parser = Meanwhile()
    exchange(stack.services, parser=parser)
    stack.deliver(stack.bucket.put("handbook/.policy.yaml", "public: true\n"))
    if not is_new:
        stack.deliver(stack.bucket.put(PATH, "Thirty days."))
    notice = stack.bucket.put(PATH, "Forty days.")
    parser.happens = lambda: close(stack, stack.document("leave.txt").doc_id)
    assert stack.deliver(notice) == []
    stack.drain()
    document = stack.document("leave.txt")
    assert (document.state, document.policy) == (DocumentState.INDEXED, NO_READERS)


@pytest.mark.parametrize("notice", ["handbook/.meta.yaml", "handbook/leave.txt.meta.yaml", PATH])
def test_content_that_was_put_after_a_manual_policy_has_its_own_policy_whichever_event_comes_first(
    stack: Deployment, notice: str
) -> None:
    first = stack.bucket.put(PATH, "Thirty days.")
    stack.deliver(first)
    close_earlier(stack, stack.document("leave.txt").doc_id, PUBLIC, 60)
    delayed = later(stack.bucket.put(PATH, "Between."), -90)
    stack.bucket.put(PATH, "For Ann alone.", groundwire_policy='{"users": ["ann"]}')
    assert stack.deliver(delayed if notice == PATH else stack.bucket.put(notice, "year: 2024\n")) == []
    stack.drain()
    document = stack.document("leave.txt")
    assert (document.version, document.policy) == (2, ANN)


def test_a_policy_that_came_with_the_object_does_not_undo_what_was_set_manually(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put(PATH, "Thirty days.", groundwire_policy='{"public": true}'))
    close(stack, stack.document("leave.txt").doc_id)
    assert stack.deliver(stack.bucket.put("handbook/.meta.yaml", "year: 2024\n")) == []
    stack.drain()
    document = stack.document("leave.txt")
    assert (document.metadata, document.policy) == ({"year": 2024}, NO_READERS)


def test_a_file_that_cannot_be_ingested_restores_no_right_either(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put("handbook/.policy.yaml", "public: true\n"))
    notice = stack.bucket.put(PATH, UNREADABLE)
    stack.deliver(notice)
    close(stack, stack.document("leave.txt").doc_id)
    again: dict[str, Any] = copy.deepcopy(notice)
    again["detail"]["object"]["sequencer"] = "FF"
    stack.deliver(again, receives=RECEIVES)
    assert stack.document("leave.txt").policy == NO_READERS


def test_a_document_that_was_deleted_by_its_id_does_not_come_back_with_a_metadata_file(stack: Deployment) -> None:
    delete(stack, public_leave(stack))
    stack.deliver(stack.bucket.put("handbook/.meta.yaml", "year: 2024\n"))
    stack.deliver(stack.bucket.put("handbook/leave.txt.meta.yaml", "team: people\n"))
    stack.drain()
    assert stack.documents() == []


def test_an_event_of_its_earlier_file_does_not_restore_a_deleted_document(stack: Deployment) -> None:
    doc_id = public_leave(stack)
    notice = later(stack.bucket.put(PATH, "Forty days."), -2)
    delete(stack, doc_id)
    assert stack.deliver(notice) == []
    stack.drain()
    assert stack.documents() == []
    assert f"tenants/{TENANT}/{PATH}" in stack.bucket.paths()


def test_such_an_event_that_fails_makes_no_record_either(stack: Deployment) -> None:
    doc_id = public_leave(stack)
    notice = later(stack.bucket.put(PATH, UNREADABLE), -2)
    delete(stack, doc_id)
    stack.deliver(notice, receives=RECEIVES)
    assert stack.documents() == []


def restoring(stack: Deployment, content: str = "Forty days.") -> dict[str, object]:
    """Put the file as somebody does who wants the deleted document back."""
    return stack.bucket.put(PATH, content, groundwire_restore="true")


def deleted_in_the_second_of(stack: Deployment, event: dict[str, object], doc_id: str) -> dict[str, object]:
    """Delete the document; return the S3 event with the time of the deletion in whole seconds."""
    delete(stack, doc_id)
    at = stack.services.stores.documents.read(TENANT, [doc_id])[doc_id].deletion.deleted_at
    return {**event, "time": datetime.fromtimestamp(int(at), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}


def test_the_record_of_a_file_put_in_the_second_of_a_deletion_asks_to_put_it_again(
    stack: Deployment,
) -> None:
    doc_id = public_leave(stack)
    notice = deleted_in_the_second_of(stack, restoring(stack), doc_id)
    assert stack.deliver(notice) == []
    passed_over = stack.document("leave.txt")
    assert (passed_over.state, passed_over.version) == (DocumentState.REFUSED, 0)
    assert "upload it again" in str(passed_over.reason)
    assert stack.deliver(later(restoring(stack), 2)) == []
    assert [each.state for each in stack.documents()] == [DocumentState.INDEXED]


def test_no_other_event_restores_the_deleted_document_of_that_record(stack: Deployment) -> None:
    doc_id = public_leave(stack)
    file = restoring(stack)
    notice = deleted_in_the_second_of(stack, file, doc_id)
    older: dict[str, Any] = copy.deepcopy(later(file, -5))
    older["detail"]["object"]["sequencer"] = "FF"
    stack.deliver(notice)
    stack.deliver(stack.bucket.put("handbook/.meta.yaml", "year: 2024\n"))
    stack.deliver(stack.bucket.put("handbook/leave.txt.meta.yaml", "team: people\n"))
    stack.deliver(older)
    stack.drain()
    assert [each.state for each in stack.documents()] == [DocumentState.REFUSED]
    assert stack.services.stores.indexes.for_tenant(TENANT).count_rows() == 0


def test_a_document_of_a_chosen_id_is_itself_again_when_its_file_is_put_again(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put("handbook/leave.txt.meta.yaml", "doc_id: leave\n"))
    doc_id = public_leave(stack)
    stack.deliver(deleted_in_the_second_of(stack, restoring(stack), doc_id))
    assert stack.document("leave.txt").state is DocumentState.REFUSED
    assert stack.deliver(later(restoring(stack), 2)) == []
    assert [(each.doc_id, each.state) for each in stack.documents()] == [("leave", DocumentState.INDEXED)]


@pytest.mark.parametrize("content", ["Thirty days.", "Forty days."])
def test_a_file_that_is_put_again_after_its_documents_deletion_stays_deleted(stack: Deployment, content: str) -> None:
    delete(stack, public_leave(stack))
    assert stack.deliver(later(stack.bucket.put(PATH, content), 2)) == []
    stack.drain()
    assert stack.documents() == []


def test_a_file_that_is_put_again_to_restore_it_is_the_same_document_again(stack: Deployment) -> None:
    doc_id = public_leave(stack)
    delete(stack, doc_id)
    assert stack.deliver(later(restoring(stack), 2)) == []
    assert [(each.doc_id, each.state) for each in stack.documents()] == [(doc_id, DocumentState.INDEXED)]


def test_an_object_that_was_put_to_restore_it_does_not_undo_a_later_deletion(stack: Deployment) -> None:
    doc_id = public_leave(stack)
    delete(stack, doc_id)
    notice: dict[str, Any] = later(restoring(stack), 2)
    stack.deliver(notice)
    delete_later(stack, doc_id)
    again = copy.deepcopy(notice)
    again["detail"]["object"]["sequencer"] = "FF"
    stack.deliver(again)
    stack.deliver(stack.bucket.put("handbook/leave.txt.meta.yaml", "team: people\n"))
    stack.drain()
    assert stack.documents() == []


def test_the_content_of_a_deleted_document_is_held_back_at_another_path_of_its_collection_alone(
    stack: Deployment,
) -> None:
    delete(stack, public_leave(stack))
    stack.deliver(stack.bucket.put("handbook/copy.txt", "Thirty days."))
    stack.deliver(stack.bucket.put("handbook/other.txt", "Forty days."))
    stack.deliver(stack.bucket.put("elsewhere/copy.txt", "Thirty days."))
    stack.drain()
    assert [(each.collection, each.source_file_name) for each in stack.documents()] == [
        ("elsewhere", "copy.txt"),
        ("handbook", "other.txt"),
    ]


def test_a_restored_document_returns_with_the_next_event_of_its_file(stack: Deployment) -> None:
    doc_id = public_leave(stack)
    delete(stack, doc_id)
    stack.services.administration.deletion_admin.restore(TENANT, doc_id, everybody_decides)
    stack.deliver(stack.bucket.put(PATH, "Thirty days."))
    assert [(each.doc_id, each.state) for each in stack.documents()] == [(doc_id, DocumentState.INDEXED)]


def test_a_document_that_is_deleted_while_its_file_is_read_stays_deleted(stack: Deployment) -> None:
    parser = Meanwhile()
    exchange(stack.services, parser=parser)
    notice = later(stack.bucket.put(PATH, "Forty days."), -2)
    parser.happens = lambda: delete(stack, stack.document("leave.txt").doc_id)
    assert stack.deliver(notice) == []
    stack.drain()
    assert stack.documents() == []


def test_a_file_that_was_missing_for_a_moment_is_ingested_however_delayed_its_event_is(stack: Deployment) -> None:
    public_leave(stack)
    stack.deliver(later(stack.bucket.delete(PATH), -1))
    assert stack.documents() == []
    assert stack.deliver(later(stack.bucket.put(PATH, "Forty days."), -1)) == []
    assert stack.document("leave.txt").state is DocumentState.INDEXED


@pytest.mark.parametrize("happens", [close, delete])
def test_a_ticket_does_not_undo_what_was_decided_about_its_document_since(
    stack: Deployment, happens: Callable[[Deployment, str], None]
) -> None:
    doc_id = public_leave(stack)
    ticket(stack, doc_id=doc_id)
    happens(stack, doc_id)
    [before] = stack.services.stores.documents.read(TENANT, [doc_id]).values()
    assert stack.deliver(stack.bucket.put(TICKET_PATH, CONTENT)) == []
    assert reported(stack)[0] is UploadState.REFUSED
    assert "changed after" in reported(stack)[1]
    assert stack.services.stores.documents.read(TENANT, [doc_id]) == {doc_id: before}


def test_a_ticket_takes_over_no_document_that_came_into_being_since(stack: Deployment) -> None:
    ticket(stack)
    stack.deliver(stack.bucket.put("handbook/.policy.yaml", "users: [ann]\n"))
    stack.deliver(stack.bucket.put("handbook/theirs.txt.meta.yaml", "doc_id: leave\n"))
    stack.deliver(stack.bucket.put("handbook/theirs.txt", "Secret."))
    [theirs] = stack.documents()
    assert stack.deliver(stack.bucket.put(TICKET_PATH, CONTENT)) == []
    assert reported(stack)[0] is UploadState.REFUSED
    assert stack.documents() == [theirs]
    assert (theirs.doc_id, theirs.policy) == ("leave", ANN)


def test_a_ticket_that_is_given_up_leaves_the_document_of_another_alone(stack: Deployment) -> None:
    ticket(stack)
    stack.deliver(stack.bucket.put("handbook/theirs.txt.meta.yaml", "doc_id: leave\n"))
    stack.deliver(stack.bucket.put("handbook/theirs.txt", "Secret."))
    before = stack.documents()
    stack.services.stores.uploads.claim(TENANT, "up_1", "1", time.time())
    stack.services.ingestion.uploads.refuse(TENANT, "up_1", Refusal(RefusalCause.CONTENT, "it was too much"))
    assert reported(stack) == (UploadState.REFUSED, "it was too much")
    assert stack.documents() == before


def test_a_right_that_is_revoked_while_an_upload_is_read_stays_revoked(stack: Deployment) -> None:
    parser = Meanwhile()
    exchange(stack.services, parser=parser)
    ticket(stack)
    parser.happens = lambda: close(stack, "leave")
    notice = stack.bucket.put(TICKET_PATH, CONTENT)
    assert stack.deliver(notice) == []
    stack.drain()
    assert (stack.document("leave.txt").state, stack.document("leave.txt").policy) == (
        DocumentState.INDEXED,
        NO_READERS,
    )


def test_the_same_file_sent_twice_with_one_ticket_undoes_nothing(stack: Deployment) -> None:
    ticket(stack)

    def arrive() -> UploadResult:
        return stack.services.ingestion.uploads(TENANT, "up_1", "digest", time.time(), lambda: CONTENT)

    assert arrive() is UploadResult.DONE
    close(stack, "leave")
    assert arrive() is UploadResult.DONE
    assert stack.document("leave.txt").policy == NO_READERS
    delete(stack, "leave")
    assert arrive() is UploadResult.DONE
    assert stack.documents() == []
