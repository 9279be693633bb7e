"""A parser that is busy, or that cannot start: the owner sees it at once, and nothing is lost."""

import hashlib
import time
from dataclasses import replace
from functools import partial

import pytest

from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.record import DocumentState, RefusalCause
from groundwire.domain.documents.uploads import Upload, UploadState
from groundwire.domain.errors import ParserBroken, ParserBusy, ParsingFailed
from groundwire.services.ingest.request import DeclaredPolicy, IngestRequest, IngestStatus
from groundwire.services.object_events.processor import RETRY_WINDOW_SECONDS
from groundwire.services.object_events.tasks import MAX_QUICK_RETRIES
from groundwire.services.object_events.unread_files import TenantRebuild, is_unread
from groundwire_readers.contents.parsed import ParsedDocument
from tests.support.aws.ingestion_stack import RECEIVES, TENANT, Deployment
from tests.support.documents.mail_parser import Mails, mail
from tests.support.worlds.exchange import exchange

BUSY = ParserBusy("The parser has no capacity.")
BROKEN = ParserBroken("The parser does not start.")
ENDED = ParsingFailed("the parser ended while it read the file")
FATAL = b"A text at which the parser ends."
UPLOADED = b"The ledger grants thirty days."
UPLOAD_PATH = "handbook/.uploads/up_1/file"


class Unsteady(Mails):
    """A parser that raises the given error until it is mended.

    Attributes:
        spared: number of calls that succeed first.
        fatal: the content at which it ends.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fatal = FATAL
        self.error: Exception | None = None
        self.spared = 0

    def parse(
        self, content: bytes, file_type: str, *, with_images: bool = False, with_thumbnails: bool = False
    ) -> ParsedDocument:
        if content == self.fatal:
            raise ENDED
        if self.error is not None and not self.spared:
            raise self.error
        self.spared = max(0, self.spared - 1)
        return super().parse(content, file_type, with_images=with_images, with_thumbnails=with_thumbnails)


@pytest.fixture
def parser(stack: Deployment) -> Unsteady:
    unsteady = Unsteady()
    exchange(stack.services, parser=unsteady)
    return unsteady


def upload(stack: Deployment) -> None:
    nobody = Policy(public=False, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
    digest = hashlib.sha256(UPLOADED).hexdigest()
    stack.services.stores.uploads.add(
        TENANT, Upload("up_1", "leave", "handbook", "leave.txt", digest, nobody, time.time() + 300)
    )


def ticket_state(stack: Deployment) -> UploadState:
    ticket = stack.services.stores.uploads.get(TENANT, "up_1")
    assert ticket is not None
    return ticket.state


def test_a_file_waits_with_the_reason_while_the_parser_is_busy_and_is_indexed_by_a_retry(
    stack: Deployment, parser: Unsteady
) -> None:
    parser.error = BUSY
    assert stack.deliver(stack.bucket.put("handbook/a.txt", "one")) == []
    assert (stack.document("a.txt").state, stack.document("a.txt").reason) == (DocumentState.WAITING, str(BUSY))
    parser.error = None
    assert stack.drain() == 1
    assert (stack.document("a.txt").state, stack.document("a.txt").reason) == (DocumentState.INDEXED, None)


def test_a_file_fails_in_the_first_attempt_of_a_parser_that_cannot_start_and_no_message_is_left(
    stack: Deployment, parser: Unsteady
) -> None:
    parser.error = BROKEN
    assert stack.deliver(stack.bucket.put("handbook/a.txt", "one")) == []
    document = stack.document("a.txt")
    assert document.state is DocumentState.FAILED
    assert str(document.reason).startswith(f"{BROKEN} The operator of the service can find the cause")
    assert stack.sent() == []


def test_a_file_whose_parser_stays_busy_fails_in_the_last_attempt(stack: Deployment, parser: Unsteady) -> None:
    parser.error = BUSY
    event = stack.bucket.put("handbook/a.txt", "one")
    stack.deliver(event)
    for _ in range(MAX_QUICK_RETRIES):
        [event] = stack.sent()
        stack.deliver(event)
    assert stack.document("a.txt").state is DocumentState.WAITING
    assert stack.deliver(event, receives=RECEIVES) == ["0"]
    document = stack.document("a.txt")
    assert document.state is DocumentState.FAILED
    assert "busy" in str(document.reason)


def test_an_indexed_version_answers_while_its_next_file_waits_or_has_failed(
    stack: Deployment, parser: Unsteady
) -> None:
    stack.deliver(stack.bucket.put("handbook/.policy.yaml", "any_tags: [staff]\n"))
    stack.deliver(stack.bucket.put("handbook/a.txt", "one"))
    before = stack.document("a.txt")
    for error, cause in ((BUSY, RefusalCause.PARSER_BUSY), (BROKEN, RefusalCause.PARSER_BROKEN)):
        parser.error = error
        stack.deliver(stack.bucket.put("handbook/a.txt", f"two {cause}"))
        stack.sent()
        current = stack.document("a.txt")
        assert (current.state, current.version, current.policy) == (DocumentState.INDEXED, 1, before.policy)
        assert current.ingestion.refusal is not None
        assert current.ingestion.refusal.cause is cause


def test_a_mail_whose_attachment_meets_a_busy_parser_waits_and_is_complete_after_the_retry(
    stack: Deployment, parser: Unsteady
) -> None:
    parser.error, parser.spared = BUSY, 1
    assert stack.deliver(stack.bucket.put("handbook/m.eml", mail("Hello.", {"a.txt": b"one"}))) == []
    assert stack.document("m.eml").state is DocumentState.WAITING
    parser.error = None
    stack.drain()
    assert {each.source_file_name: each.state for each in stack.documents()} == {
        "m.eml": DocumentState.INDEXED,
        "a.txt": DocumentState.INDEXED,
    }


@pytest.mark.parametrize(("error", "state"), [(BUSY, DocumentState.WAITING), (BROKEN, DocumentState.FAILED)])
def test_an_uploaded_file_and_its_ticket_stay_until_a_parser_has_read_it(
    stack: Deployment, parser: Unsteady, error: Exception, state: DocumentState
) -> None:
    upload(stack)
    parser.error = error
    event = stack.bucket.put(UPLOAD_PATH, UPLOADED)
    assert stack.deliver(event) == []
    stack.sent()
    assert (stack.document("leave.txt").state, ticket_state(stack)) == (state, UploadState.ARRIVED)
    assert stack.bucket.paths() == [f"tenants/{TENANT}/{UPLOAD_PATH}"]
    parser.error = None
    assert stack.deliver({"task": "file", "tenant": TENANT, "path": UPLOAD_PATH, "sequencer": None, "at": 0.0}) == []
    assert (stack.document("leave.txt").state, ticket_state(stack)) == (DocumentState.INDEXED, UploadState.DONE)
    assert stack.bucket.paths() == []


def test_a_sweep_gives_up_a_waiting_file_whose_messages_have_ended(stack: Deployment, parser: Unsteady) -> None:
    parser.error = BUSY
    stack.deliver(stack.bucket.put("handbook/a.txt", "one"))
    stack.sent()
    sweep = {"task": "sweep", "tenant": TENANT}
    stack.deliver(sweep)
    waiting = stack.document("a.txt")
    assert waiting.state is DocumentState.WAITING
    earlier = replace(waiting, updated_at=waiting.updated_at - RETRY_WINDOW_SECONDS)
    stack.services.stores.documents.write(TENANT, earlier, waiting)
    stack.deliver(sweep)
    assert (stack.document("a.txt").state, stack.document("a.txt").reason) == (DocumentState.FAILED, str(BUSY))


def test_a_file_at_which_the_parser_ends_fails_in_its_first_attempt_and_a_rebuild_reads_it(
    stack: Deployment, parser: Unsteady
) -> None:
    assert stack.deliver(stack.bucket.put("handbook/a.txt", FATAL), stack.bucket.put("handbook/b.txt", "two")) == []
    document = stack.document("a.txt")
    assert (document.state, document.reason, is_unread(document)) == (DocumentState.FAILED, str(ENDED), True)
    assert stack.document("b.txt").state is DocumentState.INDEXED
    assert stack.sent() == []
    parser.fatal = b""
    rebuild(stack)
    assert (stack.document("a.txt").state, stack.document("a.txt").reason) == (DocumentState.INDEXED, None)


def test_the_other_files_of_a_run_are_ingested_when_the_parser_ends_at_one(stack: Deployment, parser: Unsteady) -> None:
    assert parser.fatal == FATAL
    requests = [
        IngestRequest(TENANT, "handbook", name, name, partial(bytes, content), DeclaredPolicy(None, None), None, None)
        for name, content in (("a.txt", b"one"), ("b.txt", FATAL), ("c.txt", b"three"))
    ]
    results = list(stack.services.ingestion.batch(TENANT, "handbook", requests, lambda _done, _total: None))
    assert [result.status for result in results] == [IngestStatus.INDEXED, IngestStatus.REFUSED, IngestStatus.INDEXED]
    assert stack.document("b.txt").state is DocumentState.FAILED


def test_a_mail_answers_without_the_attachment_at_which_the_parser_ends_until_a_rebuild(
    stack: Deployment, parser: Unsteady
) -> None:
    attachments = {"a.txt": FATAL, "b.txt": b"two"}
    assert stack.deliver(stack.bucket.put("handbook/m.eml", mail("Hello.", attachments))) == []
    states = {each.source_file_name: each.state for each in stack.documents()}
    assert states == {
        "m.eml": DocumentState.INDEXED,
        "a.txt": DocumentState.FAILED,
        "b.txt": DocumentState.INDEXED,
    }
    parser.fatal = b""
    rebuild(stack)
    assert {each.state for each in stack.documents()} == {DocumentState.INDEXED}
    assert not [each for each in stack.documents() if is_unread(each)]


def test_an_uploaded_file_at_which_the_parser_ends_stays_until_a_rebuild(stack: Deployment, parser: Unsteady) -> None:
    upload(stack)
    parser.fatal = UPLOADED
    assert stack.deliver(stack.bucket.put(UPLOAD_PATH, UPLOADED)) == []
    assert (stack.document("leave.txt").state, ticket_state(stack)) == (DocumentState.FAILED, UploadState.ARRIVED)
    assert stack.sent() == []
    parser.fatal = b""
    rebuild(stack)
    assert (stack.document("leave.txt").state, ticket_state(stack)) == (DocumentState.INDEXED, UploadState.DONE)
    assert stack.bucket.paths() == []


def rebuild(stack: Deployment) -> None:
    services = stack.services
    page = TenantRebuild(
        services.stores.documents, services.stores.source_objects, services.stores.work_queue, time.time
    ).queue_unread(TENANT, "")
    assert (page.queued, page.without_file) == (1, 0)
    assert stack.drain() == 1
