"""A changed policy file is applied to each document; one that fails blocks no other, and manual overrides stay."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from groundwire.adapters.aws.dynamodb.documents.store import DynamoDocuments
from groundwire.adapters.aws.s3.source_objects import S3SourceObjects
from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.adapters.local.index.index import EmbeddedIndex
from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import Unavailable
from groundwire.ports import SourceObject
from groundwire.services.object_events import subtree
from groundwire.services.object_events.tasks import MAX_QUICK_RETRIES
from tests.support.aws.ingestion_stack import TENANT, Context, Deployment

ANN = Policy(public=False, users=frozenset({"ann"}), any_tags=frozenset(), all_tags=frozenset())
POLICY_FILE = "handbook/.policy.yaml"


@dataclass
class Meanwhile:
    """What happens once, in between."""

    happens: Callable[[], object] | None = None

    def now(self) -> None:
        happens, self.happens = self.happens, None
        if happens is not None:
            happens()


@dataclass
class Troubles:
    """Failures that a test sets, and the number of calls of the index."""

    is_down: bool = False
    never: set[str] = field(default_factory=set[str])
    requested: int = 0
    meanwhile: Meanwhile = field(default_factory=Meanwhile)
    side_file: Meanwhile = field(default_factory=Meanwhile)


@pytest.fixture
def troubles(stack: Deployment) -> Troubles:
    """Return the failures of the index, of single records, and of the bucket's policy file."""
    found = Troubles()

    class Indexes(EmbeddedIndexes):
        def for_tenant(self, tenant: str) -> EmbeddedIndex:
            found.requested += 1
            if found.is_down:
                raise Unavailable("The index sleeps.")
            return super().for_tenant(tenant)

    class Documents(DynamoDocuments):
        def write_attachment_tree(self, tenant: str, changes: Sequence[tuple[Document, Document]]) -> None:
            found.meanwhile.now()
            if any(after.source_file_name in found.never for after, _ in changes):
                raise Unavailable("The table is busy.")
            super().write_attachment_tree(tenant, changes)

    class Sources(S3SourceObjects):
        def find(self, tenant: str, path: str) -> SourceObject | None:
            if path == POLICY_FILE:
                found.side_file.now()
            return super().find(tenant, path)

    services: Any = stack.services
    services.stores.indexes.__class__ = Indexes
    services.stores.documents.__class__ = Documents
    services.stores.source_objects.__class__ = Sources
    return found


def put(stack: Deployment, number: int) -> None:
    stack.deliver(stack.bucket.put(POLICY_FILE, "public: true\n"))
    stack.deliver(*(stack.bucket.put(f"handbook/{each}.txt", f"Page {each}.") for each in range(number)))


def give(stack: Deployment, name: str, policy: Policy) -> None:
    stack.services.administration.document_admin.override_policy(TENANT, stack.document(name).doc_id, policy)


def policies(stack: Deployment) -> dict[str, Policy]:
    return {each.source_file_name: each.policy for each in stack.documents()}


def remove(stack: Deployment) -> list[str]:
    return stack.deliver(stack.bucket.put(POLICY_FILE, "users: [ann]\n"))


def test_a_policy_that_is_set_manually_while_a_policy_file_is_read_stays(stack: Deployment, troubles: Troubles) -> None:
    put(stack, 2)
    troubles.side_file.happens = lambda: give(stack, "0.txt", NO_READERS)
    assert stack.deliver(stack.bucket.put(POLICY_FILE, "public: true\n")) == []
    stack.drain()
    closed = stack.document("0.txt")
    assert (closed.policy, closed.policy_source) == (NO_READERS, PolicySource.MANUAL)


def test_a_right_is_revoked_for_all_documents_at_once_though_the_index_is_unavailable(
    stack: Deployment, troubles: Troubles
) -> None:
    put(stack, 5)
    troubles.is_down, troubles.requested = True, 0
    assert remove(stack) == []
    assert set(policies(stack).values()) == {ANN}
    # Whoever waits for it once per document is not done within the function's time.
    assert troubles.requested == 1
    troubles.is_down = False
    stack.drain()
    stack.deliver({"sweep": True})
    stack.drain()
    assert stack.services.stores.documents.stale_documents(TENANT) == []


def test_what_somebody_changes_in_that_moment_keeps_no_other_document_from_following(
    stack: Deployment, troubles: Troubles
) -> None:
    put(stack, 3)
    troubles.meanwhile.happens = lambda: give(stack, "0.txt", NO_READERS)
    assert remove(stack) == []
    stack.drain()
    assert policies(stack) == {"0.txt": NO_READERS, "1.txt": ANN, "2.txt": ANN}


def test_a_document_that_could_not_follow_does_so_a_moment_later(
    stack: Deployment, troubles: Troubles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subtree, "PAGE_SIZE", 3)
    put(stack, 7)
    troubles.never = {"0.txt", "4.txt"}
    assert remove(stack) == []
    messages = stack.sent()
    assert policies(stack)["1.txt"] == ANN
    troubles.never = set()
    assert stack.deliver(*messages) == []
    stack.drain()
    assert set(policies(stack).values()) == {ANN}


@pytest.mark.parametrize("left_ms", [300_000, 1_000])
def test_one_that_never_can_follow_fails_in_the_end_and_holds_up_no_other(
    stack: Deployment,
    troubles: Troubles,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    left_ms: int,
) -> None:
    monkeypatch.setattr(subtree, "PAGE_SIZE", 3)
    put(stack, 7)
    troubles.never = {"0.txt", "2.txt"}
    assert remove(stack) == []
    carried_out, failed = 0, list[dict[str, Any]]()
    while messages := stack.sent():
        for message in messages:
            carried_out += 1
            failed += [message] if stack.deliver(message, context=Context([left_ms])) else []
        assert carried_out < 10 * (MAX_QUICK_RETRIES + 1)
    assert {name for name, policy in policies(stack).items() if policy != ANN} == troubles.never
    assert failed
    assert "handbook/0.txt" in caplog.text
    troubles.never = set()
    # As an operator sends them back from the queue of dead letters.
    assert stack.deliver(*failed) == []
    assert set(policies(stack).values()) == {ANN}


def test_an_error_of_the_bucket_is_retried_soon_and_counts_as_no_failed_message(
    stack: Deployment, troubles: Troubles
) -> None:
    put(stack, 2)

    def silent() -> None:
        raise Unavailable("The bucket gets too many requests.")

    troubles.side_file.happens = silent
    assert remove(stack) == []
    stack.drain()
    assert set(policies(stack).values()) == {ANN}


def test_a_record_without_room_for_its_new_readers_is_closed_and_holds_up_no_other(stack: Deployment) -> None:
    long = {f"f{number}": ["x" * 999] * 64 for number in range(6)} | {"g": ["x" * 900] * 20}
    stack.deliver(stack.bucket.put(POLICY_FILE, "public: true\n"))
    stack.deliver(
        stack.bucket.put("handbook/a/0.txt.meta.yaml", json.dumps(long)),
        stack.bucket.put("handbook/a/0.txt", "Page 0."),
        stack.bucket.put("handbook/b/1.txt", "Page 1."),
    )
    stack.drain()
    assert all(each.policy.public for each in stack.documents())
    people = [f"person{number:04}@example.com" for number in range(300)]
    failed = stack.deliver(stack.bucket.put(POLICY_FILE, json.dumps({"users": people})))
    assert failed == []
    assert stack.document("0.txt").policy == NO_READERS
    assert stack.document("1.txt").policy.users == frozenset(people)


def test_what_a_policy_file_left_to_the_sweep_takes_no_time_of_files_and_no_more_than_a_sweep_has(
    stack: Deployment, troubles: Troubles
) -> None:
    stack.deliver(*(stack.bucket.put(f"handbook/{number}.txt", f"{number}") for number in range(7)))
    troubles.is_down = True
    stack.deliver(stack.bucket.put(POLICY_FILE, "users: [ann]\n"))
    troubles.is_down = False
    left = len(stack.services.stores.documents.stale_documents(TENANT))
    assert left > 1
    stack.sent()
    assert stack.deliver(stack.bucket.put("handbook/new.txt", "new")) == []
    assert len(stack.services.stores.documents.stale_documents(TENANT)) == left
    sweeps = 1
    stack.deliver({"task": "sweep", "tenant": TENANT}, context=Context([10_000]))
    while sent := stack.sent():
        sweeps += 1
        stack.deliver(*sent, context=Context([10_000]))
    assert stack.services.stores.documents.stale_documents(TENANT) == []
    assert sweeps == left
