"""Documents larger than one invocation, parts that do not answer, and messages that nothing can be made of."""

from typing import Any, Self

import pytest

from groundwire.domain.documents.record import Document, DocumentState
from groundwire.services.object_events.tasks import MAX_QUICK_RETRIES
from tests.server.services.ingestion.counting import Counting
from tests.support.aws.ingestion_stack import RECEIVES, TENANT, Context, Deployment
from tests.support.worlds.exchange import exchange

STAFF = "any_tags: [staff]\n"


@pytest.fixture
def embedder(stack: Deployment) -> Counting:
    counting = Counting()
    exchange(stack.services, embedders=counting)
    return counting


def large(passages: int) -> str:
    return "\n\n".join(f"Passage {number} of the ledger." for number in range(passages))


def test_a_large_document_goes_on_in_further_messages_and_nothing_is_embedded_twice(
    stack: Deployment, embedder: Counting
) -> None:
    event = stack.bucket.put("handbook/large.txt", large(300))
    invocations = 1
    assert stack.deliver(event, context=Context([1_000])) == []
    assert stack.document("large.txt").state is DocumentState.PARSING
    assert stack.bucket.work_left() != []
    while messages := stack.sent():
        assert stack.deliver(*messages, context=Context([1_000])) == []
        invocations += 1
    document = stack.document("large.txt")
    assert (document.state, document.segments, document.version) == (DocumentState.INDEXED, 300, 1)
    assert invocations == 5
    assert len(embedder.texts) == len(set(embedder.texts)) == 300
    assert stack.bucket.work_left() == []


def test_what_was_killed_in_between_is_continued_when_its_message_comes_again(
    stack: Deployment, embedder: Counting
) -> None:
    event = stack.bucket.put("handbook/large.txt", large(200))
    stack.deliver(event, context=Context([1_000]))
    lost = stack.sent()
    embedded = len(embedder.texts)
    assert stack.deliver(*lost) == []
    assert len(embedder.texts) == 200 > embedded
    assert stack.document("large.txt").segments == 200


def test_many_files_each_cost_the_same_and_a_batch_that_died_is_carried_on_with(
    stack: Deployment, embedder: Counting
) -> None:
    events = [stack.bucket.put(f"handbook/{number}.txt", f"File {number}.") for number in range(12)]
    assert stack.deliver(*events[:6]) == []
    parser: Any = stack.services.ingestion.parser
    # The answer to the first batch was lost: everything comes again.
    assert stack.deliver(*events) == []
    assert (len(embedder.texts), parser.parsed, len(stack.documents())) == (12, 12, 12)


def test_while_the_embedder_is_down_the_message_comes_again_and_nothing_is_lost(
    stack: Deployment, embedder: Counting
) -> None:
    event = stack.bucket.put("handbook/a.txt", "one")
    embedder.is_down = True
    assert stack.deliver(event) == []
    assert stack.document("a.txt").state is DocumentState.PARSING
    embedder.is_down = False
    assert stack.drain() == 1
    assert stack.document("a.txt").state is DocumentState.INDEXED


def test_it_comes_again_soon_a_few_times_and_then_as_often_as_the_queue_gives_it_out(
    stack: Deployment, embedder: Counting
) -> None:
    embedder.is_down = True
    assert stack.deliver(stack.bucket.put("handbook/a.txt", "one")) == []
    for _ in range(MAX_QUICK_RETRIES - 1):
        [message] = stack.sent()
        assert stack.deliver(message) == []
    [message] = stack.sent()
    assert stack.deliver(message) == ["0"]
    assert stack.sent() == []
    assert stack.document("a.txt").state is DocumentState.PARSING
    assert stack.deliver(message, receives=RECEIVES) == ["0"]
    assert stack.document("a.txt").state is DocumentState.REFUSED


def test_after_the_last_attempt_the_record_states_why_and_the_message_still_fails(
    stack: Deployment, embedder: Counting
) -> None:
    event = stack.bucket.put("handbook/a.txt", "one")
    embedder.is_down = True
    assert stack.deliver(event, receives=RECEIVES) == ["0"]
    refused = stack.document("a.txt")
    assert refused.state is DocumentState.REFUSED
    # What the part says of itself may name tables and functions: it is for the operator.
    assert "(a part of the service did not answer)" in str(refused.reason)
    embedder.is_down = False
    # As an operator sends it back from the queue of dead letters.
    assert stack.deliver(event) == []
    assert (stack.document("a.txt").state, stack.document("a.txt").reason) == (DocumentState.INDEXED, None)


def test_a_process_that_dies_in_the_last_attempt_has_left_a_reason(stack: Deployment) -> None:
    class Power(BaseException):
        pass

    class Deadly:
        version = ocr_version = ""

        def for_tenant(self, _tenant: str) -> Self:
            return self

        def parse(
            self, content: bytes, file_type: str, *, with_images: bool = False, with_thumbnails: bool = False
        ) -> Document:
            raise Power

    event = stack.bucket.put("handbook/a.txt", "one")
    exchange(stack.services, parser=Deadly())
    with pytest.raises(Power):
        stack.deliver(event, receives=RECEIVES)
    document = stack.document("a.txt")
    assert document.state is DocumentState.REFUSED
    assert f"{RECEIVES} attempts" in str(document.reason)


def test_an_earlier_version_goes_on_answering_when_a_later_one_is_given_up(
    stack: Deployment, embedder: Counting
) -> None:
    stack.deliver(stack.bucket.put("handbook/.policy.yaml", STAFF), stack.bucket.put("handbook/a.txt", "one"))
    event = stack.bucket.put("handbook/a.txt", "two")
    embedder.is_down = True
    assert stack.deliver(event, receives=RECEIVES) == ["0"]
    document = stack.document("a.txt")
    assert (document.state, document.version) == (DocumentState.INDEXED, 1)
    assert "could not be ingested" in str(document.reason)
    assert stack.services.stores.indexes.for_tenant(TENANT).count_rows() == 1
