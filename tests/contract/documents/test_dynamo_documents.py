"""Cases of a store across a network: partial and lost answers, lagging indexes, limits, and crashes between calls."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from groundwire.adapters.aws.dynamodb.client.attributes import read_text, text
from groundwire.adapters.aws.dynamodb.documents.store import DynamoDocuments
from groundwire.domain import errors
from groundwire.domain.access.policy import NO_READERS
from groundwire.domain.documents.record import Document, DocumentState
from tests.contract.documents.test_large_attachment_trees import ATTACHMENT_TREE, MANY, closed
from tests.support.engines import dynamodb
from tests.support.registry.backends import dynamo_place
from tests.support.registry.records import DOCUMENT, in_state, stale, tombstone

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

CLOSED = replace(DOCUMENT, policy=NO_READERS, policy_version=2)
BULKY = replace(DOCUMENT, metadata={"notes": ("x" * 1_000,) * 300})


class Killed(BaseException):
    """The process ends here."""


class Cloud:
    """The table, and its client, whose requests a test can meddle with."""

    def __init__(self, url: str) -> None:
        self.client: DynamoDBClient = dynamodb.client(url)
        self.table = dynamo_place(url).tables.documents
        self.documents = DynamoDocuments(self.client, self.table)

    @contextmanager
    def meddling(self, event: str, meddle: Callable[..., Any]) -> Generator[None]:
        self.client.meta.events.register(event, meddle)
        try:
            yield
        finally:
            self.client.meta.events.unregister(event, meddle)

    def copy_attribute(self, name: str, one: str, other: str) -> None:
        """Copy an attribute of the item of the document `one` to the item of the document `other`."""
        item = self.client.get_item(TableName=self.table, Key=_key(one)).get("Item", {})
        self.client.update_item(
            TableName=self.table,
            Key=_key(other),
            UpdateExpression="SET #name = :value",
            ExpressionAttributeNames={"#name": name},
            ExpressionAttributeValues={":value": item[name]},
        )

    def ids(self, prefix: str) -> list[str]:
        items = self.client.scan(TableName=self.table).get("Items", [])
        return [each for each in (read_text(item, "id") for item in items) if each.startswith(prefix)]


def _key(doc_id: str) -> "Item":
    return {"tenant": text("t-acme"), "id": text(f"document#{doc_id}")}


@pytest.fixture
def cloud(dynamodb_url: str) -> Cloud:
    return Cloud(dynamodb_url)


def nth(number: int, act: Callable[[], object]) -> Callable[..., None]:
    """Acts on the `number`-th request, counted from 1."""
    count = [0]

    def meddle(**_: object) -> None:
        count[0] += 1
        if count[0] == number:
            act()

    return meddle


def test_records_that_are_too_much_for_one_answer_are_all_read(cloud: Cloud) -> None:
    bulky = [replace(BULKY, doc_id=f"d-{number}", source_path=None) for number in range(60)]
    cloud.documents.add_queued("t-acme", bulky)
    answers: list[int] = []

    def count(**_: object) -> None:
        answers.append(1)

    with cloud.meddling("after-call.dynamodb.BatchGetItem", count):
        assert cloud.documents.read("t-acme", [each.doc_id for each in bulky]) == {each.doc_id: each for each in bulky}
    # One answer holds 16 MB at most.
    assert len(answers) == 2


def unread(parsed: dict[str, Any], **_: object) -> None:
    """The table has no capacity left for this request."""
    (table,) = parsed["Responses"]
    keys = [{"tenant": each["tenant"], "id": each["id"]} for each in parsed["Responses"][table]]
    parsed.update(Responses={}, UnprocessedKeys={table: {"Keys": keys, "ConsistentRead": True}})


def test_what_a_busy_table_leaves_unread_is_requested_again(cloud: Cloud) -> None:
    cloud.documents.write("t-acme", DOCUMENT, expected=None)
    answers: list[dict[str, Any]] = []

    def refuse_twice(parsed: dict[str, Any], **_: object) -> None:
        answers.append(parsed)
        if len(answers) <= 2:
            unread(parsed)

    with cloud.meddling("after-call.dynamodb.BatchGetItem", refuse_twice):
        assert cloud.documents.read("t-acme", ["d-1"]) == {"d-1": DOCUMENT}
    assert len(answers) == 3


def test_a_table_that_stays_busy_is_unavailable_never_a_document_that_is_unknown(cloud: Cloud) -> None:
    cloud.documents.write("t-acme", DOCUMENT, expected=None)
    with cloud.meddling("after-call.dynamodb.BatchGetItem", unread), pytest.raises(errors.Unavailable) as problem:
        cloud.documents.read("t-acme", ["d-1"])
    assert problem.value.retry_after_s == 1


def test_an_id_that_no_key_can_hold_is_unknown(cloud: Cloud) -> None:
    cloud.documents.write("t-acme", DOCUMENT, expected=None)
    assert cloud.documents.read("t-acme", ["x" * 2_000, "d-1"]) == {"d-1": DOCUMENT}


@contextmanager
def a_lost_answer(cloud: Cloud, operation: str) -> Generator[None]:
    """The first request is carried out, its answer never comes, and it is sent again."""
    sent: list[int] = []

    def discard(attempts: int, **_: object) -> float | None:
        sent.append(attempts)
        return 0 if len(sent) == 1 else None

    with cloud.meddling(f"needs-retry.dynamodb.{operation}", discard):
        yield
    assert sent == [1, 2]


def test_a_write_whose_answer_was_lost_is_no_conflict_with_itself(cloud: Cloud) -> None:
    with a_lost_answer(cloud, "TransactWriteItems"):
        cloud.documents.write("t-acme", DOCUMENT, expected=None)
    with a_lost_answer(cloud, "TransactWriteItems"):
        cloud.documents.write("t-acme", CLOSED, expected=DOCUMENT)
    assert cloud.documents.read("t-acme", ["d-1"]) == {"d-1": CLOSED}


def test_an_index_that_is_behind_the_table_is_not_believed(cloud: Cloud) -> None:
    refused = in_state(replace(DOCUMENT, doc_id="d-0"), DocumentState.REFUSED)
    deleted = replace(tombstone(DOCUMENT), doc_id="d-2")
    cloud.documents.add_queued("t-acme", [stale(DOCUMENT), refused, deleted])
    for attribute in ("listed", "content", "stale"):
        for other in ("d-0", "d-2"):
            cloud.copy_attribute(attribute, "d-1", other)
    found = stale(DOCUMENT)
    assert cloud.documents.page_indexed("t-acme", "handbook", None, 1) == [found]
    assert cloud.documents.page_indexed("t-acme", "handbook", None, 3) == [found]
    assert cloud.documents.page_indexed("t-acme", "handbook", "d-1", 1) == []
    assert cloud.documents.stale_documents("t-acme") == [found]
    assert cloud.documents.by_content("t-acme", "handbook", DOCUMENT.content_hash) == [refused, found]


def test_a_document_is_named_at_one_path_and_at_none_when_it_no_longer_exists(cloud: Cloud) -> None:
    moved = replace(DOCUMENT, source_path="/moved")
    cloud.documents.write("t-acme", DOCUMENT, expected=None)
    cloud.documents.write("t-acme", moved, expected=DOCUMENT)
    assert len(cloud.ids("source#")) == 1
    cloud.documents.write("t-acme", tombstone(moved), expected=moved)
    assert cloud.ids("source#") == []


def test_a_write_between_reading_and_writing_is_seen(cloud: Cloud) -> None:
    cloud.documents.write("t-acme", DOCUMENT, expected=None)
    other = DynamoDocuments(dynamodb.client(cloud.client.meta.endpoint_url), cloud.table)
    moved = replace(DOCUMENT, source_path="/moved")
    with cloud.meddling(
        "before-call.dynamodb.TransactWriteItems", nth(1, lambda: other.write("t-acme", moved, DOCUMENT))
    ):
        cloud.documents.write("t-acme", CLOSED, expected=DOCUMENT)
    assert cloud.documents.from_source("t-acme", "handbook", "/moved").living is None
    assert cloud.documents.from_source("t-acme", "handbook", "/docs/leave.pdf").living == CLOSED
    with (
        cloud.meddling(
            "before-call.dynamodb.TransactWriteItems", nth(1, lambda: other.write("t-acme", tombstone(CLOSED), CLOSED))
        ),
        pytest.raises(errors.Conflict),
    ):
        cloud.documents.write("t-acme", DOCUMENT, expected=CLOSED)


def test_a_record_that_must_not_change_is_checked_until_the_others_are_written(cloud: Cloud) -> None:
    child = replace(DOCUMENT, doc_id="d-2")
    cloud.documents.add_queued("t-acme", [DOCUMENT, child])
    other = DynamoDocuments(dynamodb.client(cloud.client.meta.endpoint_url), cloud.table)
    with (
        cloud.meddling(
            "before-call.dynamodb.TransactWriteItems", nth(1, lambda: other.write("t-acme", CLOSED, DOCUMENT))
        ),
        pytest.raises(errors.Conflict),
    ):
        cloud.documents.write_all("t-acme", [(closed(child), child), (DOCUMENT, DOCUMENT)])
    assert cloud.documents.read("t-acme", ["d-2"]) == {"d-2": child}


def kill() -> None:
    raise Killed


def states(cloud: Cloud) -> tuple[Document, set[int]]:
    stored = cloud.documents.read("t-acme", [each.doc_id for each in ATTACHMENT_TREE])
    return stored["d-1"], {stored[each.doc_id].policy_version for each in MANY}


def test_a_process_that_dies_within_a_large_attachment_tree_leaves_it_to_be_completed(cloud: Cloud) -> None:
    cloud.documents.add_queued("t-acme", ATTACHMENT_TREE)
    attachment_tree = [(closed(each), each) for each in ATTACHMENT_TREE]
    with cloud.meddling("before-call.dynamodb.TransactWriteItems", nth(2, kill)), pytest.raises(Killed):
        cloud.documents.write_attachment_tree("t-acme", attachment_tree)
    assert states(cloud) == (DOCUMENT, {1, 2})
    children = cloud.documents.children("t-acme", "d-1")
    rest = [(each if each.policy == NO_READERS else closed(each), each) for each in [DOCUMENT, *children]]
    cloud.documents.write_attachment_tree("t-acme", rest)
    assert states(cloud) == (CLOSED, {2})


def test_a_process_that_dies_before_its_transaction_leaves_nothing(cloud: Cloud) -> None:
    with cloud.meddling("before-call.dynamodb.TransactWriteItems", nth(1, kill)), pytest.raises(Killed):
        cloud.documents.add_queued("t-acme", ATTACHMENT_TREE[:20])
    assert cloud.documents.all("t-acme", None) == []
    assert cloud.documents.children("t-acme", "d-1") == []


def test_a_record_that_no_item_can_hold_is_refused_with_what_to_shorten(cloud: Cloud) -> None:
    crowd = frozenset(f"{number:04}" + "ü" * 252 for number in range(1_000))
    crowded = replace(DOCUMENT, policy=replace(DOCUMENT.policy, users=crowd))
    for too_large in (crowded, replace(DOCUMENT, metadata={"notes": ("x" * 1_000,) * 410})):
        with pytest.raises(errors.InvalidInput, match=r"larger than 400 KB\. Name a common tag in its policy"):
            cloud.documents.write("t-acme", too_large, expected=None)
    assert cloud.documents.read("t-acme", ["d-1"]) == {}


def test_the_largest_record_that_is_let_through_is_one_that_an_item_can_hold(cloud: Cloud) -> None:
    def fits(length: int) -> bool:
        try:
            cloud.documents.write("t-acme", replace(DOCUMENT, doc_id=f"d-{length:06}", title="x" * length), None)
        except errors.InvalidInput:
            return False
        return True

    assert [fits(length) for length in (408_000, 409_600)] == [True, False]


def test_more_than_a_transaction_holds_is_refused_before_anything_is_written(cloud: Cloud) -> None:
    cloud.documents.add_queued("t-acme", MANY)
    bulky = [replace(BULKY, doc_id=f"d-bulky-{number}") for number in range(14)]
    cloud.documents.add_queued("t-acme", bulky)
    for records in (MANY, bulky):
        with pytest.raises(errors.InvalidInput, match="fewer of them together"):
            cloud.documents.write_all("t-acme", [(closed(each), each) for each in records])
        stored = cloud.documents.read("t-acme", [each.doc_id for each in records])
        assert {each.policy_version for each in stored.values()} == {1}
    cloud.documents.write_attachment_tree("t-acme", [(closed(each), each) for each in bulky])
    assert cloud.documents.read("t-acme", ["d-bulky-13"]) == {"d-bulky-13": closed(bulky[13])}


def test_a_table_that_cannot_be_reached_is_unavailable() -> None:
    documents = DynamoDocuments(dynamodb.client("http://127.0.0.1:9"), "documents")
    with pytest.raises(errors.Unavailable):
        documents.read("t-acme", ["d-1"])
    with pytest.raises(errors.Unavailable):
        documents.write("t-acme", DOCUMENT, expected=None)
