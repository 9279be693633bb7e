"""Object events come twice, delayed, out of order, for changed objects, and more at once than there is time for."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from groundwire.domain.documents.record import DocumentState
from groundwire.domain.errors import Unavailable
from groundwire.entry.cli.sample_events.upload_event import sample_upload_event
from groundwire.services.documents import reconcile
from groundwire.services.object_events import subtree
from tests.support.aws import buckets
from tests.support.aws.ingestion_stack import TENANT, Context, Deployment
from tests.support.documents.earlier_rows import put_as_before
from tests.support.registry.records import in_state, stale

_PATHS = ["handbook/a.txt", "handbook/sales/b.txt"]
_CONTENTS = ["The ledger is open.", "The ledger is closed."]
_POLICIES = ["any_tags: [staff]\n", "any_tags: [sales]\n", "public: true\n"]
_POLICY_FILES = ["handbook/.policy.yaml", "handbook/sales/.policy.yaml"]

changes = st.one_of(
    st.tuples(st.sampled_from(_PATHS), st.sampled_from([*_CONTENTS, None])),
    st.tuples(st.sampled_from(_POLICY_FILES), st.sampled_from([*_POLICIES, None])),
)
"""Which file, and what is put there; None: it is deleted."""


def carried_out(stack: Deployment, change: tuple[str, str | None]) -> dict[str, object]:
    path, content = change
    return stack.bucket.delete(path) if content is None else stack.bucket.put(path, content)


def emptied(stack: Deployment) -> None:
    for path in (*_PATHS, *_POLICY_FILES):
        assert stack.deliver(stack.bucket.delete(path)) == []
    stack.drain()
    assert stack.documents() == []


@settings(
    deadline=None,
    max_examples=5,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    history=st.lists(changes, min_size=2, max_size=4), early=st.integers(0, 4), chance=st.randoms(use_true_random=False)
)
def test_events_in_any_order_and_twice_end_as_in_order(
    stack: Deployment, history: list[tuple[str, str | None]], early: int, chance: Random
) -> None:
    emptied(stack)
    for change in history:
        assert stack.deliver(carried_out(stack, change)) == []
    stack.drain()
    in_order = stack.state()
    emptied(stack)
    reported = [carried_out(stack, change) for change in history[:early]]
    # Some is heard before the rest has happened, and again behind it.
    for event in chance.sample(reported, len(reported) // 2):
        assert stack.deliver(event) == []
    reported += [carried_out(stack, change) for change in history[early:]]
    reported += chance.choices(reported, k=2)
    chance.shuffle(reported)
    for event in reported:
        assert stack.deliver(event) == []
    stack.drain()
    assert stack.state() == in_order, reported


def test_an_event_that_comes_twice_is_processed_once(stack: Deployment) -> None:
    event = stack.bucket.put("handbook/a.txt", "one")
    parser: Any = stack.services.ingestion.parser
    stack.deliver(event)
    stack.services.administration.document_admin.delete(TENANT, stack.document("a.txt").doc_id)
    stack.deliver(event, event)
    assert (stack.documents(), parser.parsed) == ([], 1)


def test_messages_that_no_time_is_left_for_are_sent_on_and_count_as_no_attempt(stack: Deployment) -> None:
    events = [stack.bucket.put(f"handbook/{number}.txt", f"{number}") for number in range(4)]
    spent = Context([1_000])
    assert stack.deliver(*events, context=spent) == []
    assert len(stack.documents()) == 1
    assert stack.drain(Context()) == 3
    assert len(stack.documents()) == 4


def test_while_another_writes_for_the_tenant_the_message_waits_and_does_not_fail(stack: Deployment) -> None:
    lock: Any = stack.services.stores.ingest_lock
    lock._wait_s = 0
    event = stack.bucket.put("handbook/a.txt", "one")
    with lock.hold(TENANT):
        assert stack.deliver(event) == []
        assert stack.documents() == []
    assert stack.drain() == 1
    assert len(stack.documents()) == 1


def test_one_bad_message_does_not_keep_the_others(stack: Deployment) -> None:
    good = stack.bucket.put("handbook/a.txt", "one")
    assert stack.deliver({"detail": {}}, good, {"task": "unknown"}, {"task": "file", "tenant": 1}) == ["0", "2", "3"]
    assert len(stack.documents()) == 1


def test_a_collections_name_that_cannot_be_one_fails(stack: Deployment) -> None:
    assert stack.deliver(stack.bucket.put("hand book/a.txt", "one")) == ["0"]


def test_ingestion_stores_nothing_where_sources_lie(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put("handbook/a.txt", "one"))
    assert stack.bucket.paths() == [f"tenants/{TENANT}/handbook/a.txt"]
    assert stack.bucket.work_left() == []


def test_the_sample_event_is_understood(stack: Deployment) -> None:
    records: Any = sample_upload_event(TENANT)["Records"]
    buckets.client().put_object(Bucket=buckets.NAME, Key=f"tenants/{TENANT}/handbook/handbook.pdf", Body=b"Leave.")
    assert stack.deliver(json.loads(records[0]["body"])) == []
    assert stack.document("handbook.pdf").state is DocumentState.INDEXED


def test_a_sweep_finds_nothing_to_do_where_all_is_reconciled(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put("handbook/a.txt", "one"))
    assert stack.deliver({"sweep": True}) == []
    assert stack.sent() == []


def test_a_sweep_reconciles_what_was_left_unless_a_message_is_still_awaited(
    stack: Deployment,
) -> None:
    documents = stack.services.stores.documents
    names = ("a.txt", "waiting.txt", "left.txt")
    stack.deliver(*(stack.bucket.put(f"handbook/{name}", name) for name in names))
    states = (DocumentState.INDEXED, DocumentState.PARSING, DocumentState.PARSING)
    for name, state in zip(names, states, strict=True):
        stored = stack.document(name)
        at = 0.0 if name == "left.txt" else stored.updated_at
        documents.write(TENANT, replace(in_state(stale(stored), state), updated_at=at), stored)
    assert documents.tenants_with_stale_documents() == [TENANT]
    assert stack.deliver({"sweep": True}) == []
    assert stack.drain() == 1
    assert [each.source_file_name for each in documents.stale_documents(TENANT)] == ["waiting.txt"]
    assert stack.document("left.txt").state is DocumentState.REFUSED


def test_sweeps_rewrite_rows_of_a_tenant_that_ingests_nothing_more(
    stack: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconcile, "_MAX_REWRITTEN_DOCUMENTS", 2)
    stack.deliver(*(stack.bucket.put(f"handbook/{number}.txt", f"{number}") for number in range(3)))
    before, index = stack.documents(), stack.services.stores.indexes.for_tenant(TENANT)
    for each in before:
        put_as_before(index, each)
    for left in (1, 0):
        assert stack.deliver({"sweep": True}) == []
        assert stack.drain() == 1
        assert len(index.outdated_documents("", 5)) == left
    assert stack.documents() == before
    assert stack.deliver({"sweep": True}) == []
    assert stack.sent() == []


def test_a_sweep_reaches_stale_documents_while_the_index_does_not_answer(
    stack: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack.deliver(stack.bucket.put("handbook/a.txt", "one"))
    stored = stack.document("a.txt")
    stack.services.stores.documents.write(TENANT, stale(stored), stored)
    indexes = type(stack.services.stores.indexes)

    def fail(*_: object, may_wake: bool) -> list[str]:
        raise Unavailable("The index does not answer.")

    monkeypatch.setattr(indexes, "outdated_tenants", fail)
    assert stack.deliver({"sweep": True}) == []
    assert stack.drain() == 1
    assert stack.services.stores.documents.stale_documents(TENANT) == []


@pytest.mark.parametrize("left_ms", [300_000, 1_000])
def test_a_policy_file_above_many_files_is_followed_page_by_page(
    stack: Deployment, monkeypatch: pytest.MonkeyPatch, left_ms: int
) -> None:
    monkeypatch.setattr(subtree, "PAGE_SIZE", 3)
    stack.deliver(*(stack.bucket.put(f"handbook/{number}.txt", f"{number}") for number in range(7)))
    messages = 1
    assert (
        stack.deliver(stack.bucket.put("handbook/.policy.yaml", "any_tags: [staff]\n"), context=Context([left_ms]))
        == []
    )
    while sent := stack.sent():
        assert stack.deliver(*sent, context=Context([left_ms])) == []
        messages += len(sent)
    assert {each.policy.any_tags for each in stack.documents()} == {frozenset({"staff"})}
    assert messages == (3 if left_ms > 90_000 else 8)
