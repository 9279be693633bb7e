"""Files that come by ticket."""

import hashlib
import time
from dataclasses import replace
from typing import Self

import pytest

from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.access.user_blocks import UserBlock
from groundwire.domain.documents.record import DocumentState, Refusal, RefusalCause
from groundwire.domain.documents.uploads import TICKET_SECONDS, Upload, UploadPolicySource, UploadState
from groundwire_readers.contents.parsed import ParsedDocument
from tests.server.services.ingestion.counting import Counting
from tests.support.aws.ingestion_stack import RECEIVES, TENANT, Deployment
from tests.support.documents.plain_text_parser import UNREADABLE
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.registry.records import PERSONAL_KEY
from tests.support.worlds.exchange import exchange

CONTENT = b"The ledger grants thirty days."
ANN = Policy(public=False, users=frozenset({"ann"}), any_tags=frozenset(), all_tags=frozenset())
PATH = "handbook/.uploads/up_1/file"


def ticket(stack: Deployment, content: bytes = CONTENT, user: str | None = None, kid: str | None = None) -> Upload:
    upload = Upload(
        ticket="up_1",
        doc_id="leave",
        collection="handbook",
        file_name="leave.txt",
        sha256=hashlib.sha256(content).hexdigest(),
        policy=ANN,
        expires_at=time.time() + 300,
        metadata={"team": "people"},
        source_url="https://intranet.example/leave",
        user=user,
        kid=kid,
    )
    stack.services.stores.uploads.add(TENANT, upload)
    return upload


def state(stack: Deployment) -> tuple[UploadState, str | None]:
    upload = stack.services.stores.uploads.get(TENANT, "up_1")
    assert upload is not None
    return upload.state, upload.reason


class Deadly:
    """A parser with which the process ends."""

    version = "deadly"
    ocr_version = ""

    def for_tenant(self, _tenant: str) -> Self:
        return self

    def parse(
        self, content: bytes, kind: str, *, with_images: bool = False, with_thumbnails: bool = False
    ) -> ParsedDocument:
        raise SystemExit(kind)


def test_a_file_with_a_ticket_is_ingested_as_the_ticket_states_and_its_object_goes(stack: Deployment) -> None:
    ticket(stack)
    stack.deliver(stack.bucket.put("handbook/.policy.yaml", "public: true\n"))
    assert stack.deliver(stack.bucket.put(PATH, CONTENT, groundwire_policy='{"public": true}')) == []
    document = stack.document("leave.txt")
    assert (document.doc_id, document.policy, document.metadata) == ("leave", ANN, {"team": "people"})
    assert document.source_url == "https://intranet.example/leave"
    assert document.policy_source is PolicySource.OPTION
    assert stack.services.stores.blobs.get(TENANT, str(document.blob)) == CONTENT
    assert stack.bucket.paths() == [f"tenants/{TENANT}/handbook/.policy.yaml"]
    assert state(stack) == (UploadState.DONE, None)


@pytest.mark.parametrize("overridden", [False, True])
def test_a_file_for_which_no_policy_is_declared_keeps_the_readers_of_the_present_record(
    stack: Deployment, *, overridden: bool
) -> None:
    upload = ticket(stack)
    stack.deliver(stack.bucket.put(PATH, CONTENT))
    if overridden:
        stack.services.administration.document_admin.override_policy(TENANT, "leave", PUBLIC)
    undeclared = replace(
        upload,
        ticket="up_2",
        sha256=hashlib.sha256(b"Forty days.").hexdigest(),
        policy=NO_READERS,
        policy_source=UploadPolicySource.NONE,
        expires_at=time.time() + TICKET_SECONDS,
    )
    stack.services.stores.uploads.add(TENANT, undeclared)
    stack.deliver(stack.bucket.put("handbook/.uploads/up_2/file", b"Forty days."))
    document = stack.document("leave.txt")
    readers = (PUBLIC, PolicySource.MANUAL) if overridden else (ANN, PolicySource.OPTION)
    assert (document.version, document.policy, document.policy_source) == (2, *readers)


def test_a_new_file_for_which_no_policy_is_declared_has_no_readers(stack: Deployment) -> None:
    stack.services.stores.uploads.add(
        TENANT, replace(ticket(stack), ticket="up_2", policy_source=UploadPolicySource.NONE)
    )
    stack.deliver(stack.bucket.put("handbook/.uploads/up_2/file", CONTENT))
    assert stack.document("leave.txt").policy == NO_READERS


def test_the_object_that_goes_does_not_take_the_document_along(stack: Deployment) -> None:
    ticket(stack)
    stack.deliver(stack.bucket.put(PATH, CONTENT))
    assert stack.deliver(stack.bucket.delete(PATH)) == []
    assert stack.document("leave.txt").state is DocumentState.INDEXED


def test_a_file_without_a_ticket_is_deleted_and_nothing_is_indexed(stack: Deployment) -> None:
    assert stack.deliver(stack.bucket.put(PATH, CONTENT)) == []
    assert (stack.documents(), stack.bucket.paths()) == ([], [])


def test_a_ticket_that_ended_is_none(stack: Deployment) -> None:
    upload = ticket(stack)
    stack.services.stores.uploads.add(TENANT, replace(upload, ticket="up_2", expires_at=time.time() - 10))
    stack.deliver(stack.bucket.put("handbook/.uploads/up_2/file", CONTENT))
    assert (stack.documents(), stack.bucket.paths()) == ([], [])


def test_a_ticket_is_used_once_so_that_nobody_can_undo_a_later_policy(stack: Deployment) -> None:
    ticket(stack)
    stack.deliver(stack.bucket.put(PATH, CONTENT))
    closed = replace(ANN, users=frozenset[str]())
    stack.services.administration.document_admin.override_policy(TENANT, "leave", closed)
    stack.deliver(stack.bucket.put(PATH, CONTENT))
    assert stack.document("leave.txt").policy == closed
    assert stack.bucket.paths() == []


def test_other_content_than_the_ticket_is_for_is_refused_with_a_reason(stack: Deployment) -> None:
    ticket(stack)
    assert stack.deliver(stack.bucket.put(PATH, b"Something else.")) == []
    refused, reason = state(stack)
    assert refused is UploadState.REFUSED
    assert "SHA-256" in str(reason)
    assert stack.document("leave.txt").state is DocumentState.REFUSED
    assert stack.services.stores.indexes.for_tenant(TENANT).count_rows() == 0


@pytest.fixture
def embedder(stack: Deployment) -> Counting:
    counting = Counting()
    exchange(stack.services, embedders=counting)
    return counting


def test_the_last_attempt_is_made_and_replaces_the_refusal_that_was_reported_before_it(
    stack: Deployment, embedder: Counting
) -> None:
    ticket(stack)
    notice = stack.bucket.put(PATH, CONTENT)
    embedder.is_down = True
    for receives in range(1, RECEIVES):
        stack.deliver(notice, receives=receives)
    stack.sent()
    embedder.is_down = False
    assert stack.deliver(notice, receives=RECEIVES) == []
    assert state(stack) == (UploadState.DONE, None)
    assert (stack.document("leave.txt").state, stack.document("leave.txt").reason) == (DocumentState.INDEXED, None)
    assert stack.bucket.paths() == []


def test_a_last_attempt_that_ends_the_process_leaves_the_ticket_refused(stack: Deployment) -> None:
    ticket(stack)
    notice = stack.bucket.put(PATH, CONTENT)
    exchange(stack.services, parser=Deadly())
    for receives in (1, RECEIVES):
        with pytest.raises(SystemExit):
            stack.deliver(notice, receives=receives)
    assert state(stack)[0] is UploadState.REFUSED
    assert "attempts" in str(state(stack)[1])


def test_what_was_not_ingested_is_kept_for_the_operator_and_the_message_fails(
    stack: Deployment, embedder: Counting
) -> None:
    ticket(stack)
    notice = stack.bucket.put(PATH, CONTENT)
    embedder.is_down = True
    for receives in range(2, RECEIVES + 1):
        stack.deliver(notice, receives=receives)
    assert stack.deliver(notice, receives=RECEIVES) == ["0"]
    refused, reason = state(stack)
    assert (refused, "could not be ingested" in str(reason)) == (UploadState.REFUSED, True)
    assert stack.bucket.paths() == [f"tenants/{TENANT}/{PATH}"]
    embedder.is_down = False
    # As an operator sends it back from the queue of dead letters.
    assert stack.deliver(notice) == []
    assert state(stack) == (UploadState.DONE, None)


def test_what_was_ingested_is_not_refused_because_its_object_could_not_be_deleted(stack: Deployment) -> None:
    ticket(stack)
    stack.deliver(stack.bucket.put(PATH, CONTENT))
    stack.services.ingestion.uploads.refuse(TENANT, "up_1", Refusal(RefusalCause.CONTENT, "it was too much"))
    assert state(stack) == (UploadState.DONE, None)
    assert stack.document("leave.txt").reason is None


def test_a_file_that_cannot_be_read_is_reported_by_the_ticket(stack: Deployment) -> None:
    ticket(stack, UNREADABLE)
    stack.deliver(stack.bucket.put(PATH, UNREADABLE))
    assert state(stack) == (UploadState.REFUSED, "the file is damaged")


@pytest.mark.parametrize("path", ["handbook/copy.txt", "handbook/leave.txt"])
def test_the_same_content_in_another_place_does_not_take_the_documents_place(stack: Deployment, path: str) -> None:
    ticket(stack)
    stack.deliver(stack.bucket.put(PATH, CONTENT))
    stack.deliver(stack.bucket.put(path, CONTENT))
    assert len(stack.documents()) == 2
    [uploaded] = stack.services.stores.documents.read(TENANT, ["leave"]).values()
    assert uploaded.policy == ANN


def test_a_file_that_is_uploaded_after_its_tenant_was_deleted_is_deleted_too(stack: Deployment) -> None:
    ticket(stack)
    stack.services.stores.tenants.mark_deleting(TENANT)
    assert stack.deliver(stack.bucket.put(PATH, CONTENT)) == []
    assert stack.deliver(stack.bucket.put(PATH, CONTENT, of="t ..")) == []
    assert [path for path in stack.bucket.paths() if TENANT in path] == []
    assert stack.documents() == []


def test_the_file_of_a_ticket_whose_user_was_blocked_meanwhile_is_refused_and_goes(stack: Deployment) -> None:
    ticket(stack, user="ben@acme.example")
    stack.services.stores.users.block(TENANT, UserBlock("Ben@Acme.example", Decision("olga", 0, "", "")))
    assert stack.deliver(stack.bucket.put(PATH, CONTENT)) == []
    assert state(stack) == (UploadState.REFUSED, "the user who got the ticket is blocked")
    assert stack.services.stores.documents.all(TENANT, None) == []
    assert stack.bucket.paths() == []


def test_the_block_of_one_user_does_not_touch_the_ticket_of_another(stack: Deployment) -> None:
    ticket(stack, user="ann@acme.example")
    stack.services.stores.users.block(TENANT, UserBlock("ben@acme.example", Decision("olga", 0, "", "")))
    assert stack.deliver(stack.bucket.put(PATH, CONTENT)) == []
    assert state(stack) == (UploadState.DONE, None)


def test_the_file_of_a_ticket_whose_key_was_revoked_meanwhile_is_refused_and_goes(stack: Deployment) -> None:
    created = replace(PERSONAL_KEY, tenant=TENANT)
    stack.services.stores.keys.add(created, b"digest")
    ticket(stack, kid=created.kid)
    stack.services.stores.keys.revoke(TENANT, created.kid)
    assert stack.deliver(stack.bucket.put(PATH, CONTENT)) == []
    assert state(stack) == (UploadState.REFUSED, "the key that got the ticket was revoked")
    assert stack.services.stores.documents.all(TENANT, None) == []
    assert stack.bucket.paths() == []


def test_the_ticket_of_a_key_in_force_is_good_and_that_of_an_unknown_key_is_not(stack: Deployment) -> None:
    created = replace(PERSONAL_KEY, tenant=TENANT)
    stack.services.stores.keys.add(created, b"digest")
    upload = ticket(stack, kid=created.kid)
    stack.services.stores.uploads.add(TENANT, replace(upload, ticket="up_2", doc_id="other", kid="KIDKIDKIDKID"))
    assert stack.deliver(stack.bucket.put(PATH, CONTENT)) == []
    assert stack.deliver(stack.bucket.put("handbook/.uploads/up_2/file", CONTENT)) == []
    assert state(stack) == (UploadState.DONE, None)
    assert [each.doc_id for each in stack.services.stores.documents.all(TENANT, None)] == ["leave"]
