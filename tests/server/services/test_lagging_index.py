"""Documents in an index that shows rows late end as if it showed them at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import Unavailable
from groundwire.ports import DocumentVersion, Phrase, SegmentInput
from groundwire.services.ingest.request import IngestStatus
from tests.server.services.lagging_index import DELAY_S, LateIndexes
from tests.support.documents.index_documents import query, search
from tests.support.isolation.policies import NO_READERS, PUBLIC, for_users
from tests.support.worlds.world import World

PATH = "/nowhere/a.txt"


@dataclass
class Clock:
    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Late:
    world: World
    tenant: str
    clock: Clock

    @property
    def index(self) -> Any:
        return self.world.services.indexes.for_tenant(self.tenant)

    def ingest(self, text: str, policy: Policy = PUBLIC) -> Document:
        outcome = self.world.ingest(self.tenant, text, policy, path=PATH)
        assert outcome.document is not None
        return outcome.document

    def stored(self, doc_id: str) -> Document:
        return self.world.services.documents.read(self.tenant, [doc_id])[doc_id]

    def settle(self) -> None:
        assert self.world.services.reconciler.reconcile_stale(self.tenant)

    def settle_in_time(self) -> None:
        for _ in range(3):
            self.clock.now += DELAY_S
            self.settle()
        assert self.world.services.documents.stale_documents(self.tenant) == []


@pytest.fixture
def late(world: World, tenant: str) -> Late:
    clock = Clock()
    services = world.services
    vars(services).update(
        indexes=LateIndexes(services.indexes, clock), image_indexes=LateIndexes(services.image_indexes, clock)
    )
    return Late(world, tenant, clock)


@pytest.fixture(autouse=True)
def told_time(late: Late, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(late.world.services), "clock", late.clock)


def test_an_earlier_version_that_was_not_seen_yet_is_cleared_when_it_is(late: Late) -> None:
    late.ingest("one\n\ntwo")
    late.clock.now += 10
    second = late.ingest("three")
    assert late.stored(second.doc_id).sync.is_stale
    late.clock.now += DELAY_S - 1
    late.settle()
    assert late.stored(second.doc_id).sync.is_stale
    late.settle_in_time()
    assert (late.index.count_rows(), late.stored(second.doc_id).version) == (1, 2)


def test_an_unchanged_document_is_not_ingested_again_for_want_of_rows_that_are_not_seen_yet(late: Late) -> None:
    late.ingest("one")
    again = late.world.ingest(late.tenant, "one", PUBLIC, path=PATH)
    assert again.status is IngestStatus.UNCHANGED
    late.settle_in_time()
    late.index.prune(again.document.doc_id if again.document else "", None)
    assert late.world.ingest(late.tenant, "one", PUBLIC, path=PATH).status is IngestStatus.INDEXED


def test_a_policy_reaches_rows_that_were_not_seen_when_it_changed(late: Late) -> None:
    document = late.ingest("one", for_users("ana"))
    late.world.services.document_admin.override_policy(late.tenant, document.doc_id, for_users("ben"))
    late.settle_in_time()
    found = [
        search(late.index, query(phrases(late), Principal(late.tenant, user, frozenset[str]()), ["default"]))[0].bm25
        for user in ("ana", "ben")
    ]
    assert [len(each) for each in found] == [0, 1]


def phrases(late: Late) -> Sequence[Any]:
    [vector] = late.world.services.embedders.default.embed(["one"], "query")
    return [Phrase("one", vector)]


def test_a_deleted_document_leaves_no_row_behind(late: Late) -> None:
    document = late.ingest("one")
    late.world.services.document_admin.delete(late.tenant, document.doc_id)
    assert late.stored(document.doc_id).state is DocumentState.DELETING
    late.settle_in_time()
    assert late.index.count_rows() == 0
    assert late.stored(document.doc_id).state is DocumentState.DELETED


@pytest.mark.parametrize("wait", [0, 10, DELAY_S, 3 * DELAY_S])
def test_rows_of_an_interrupted_attempt_never_become_those_of_other_content(
    late: Late, wait: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def put_and_die(*rows: Any) -> None:
        put(*rows)
        raise Unavailable("The index does not answer.")

    put = late.index.put
    monkeypatch.setattr(late.index, "put", put_and_die)
    with pytest.raises(Unavailable):
        late.ingest("what was there before", NO_READERS)
    monkeypatch.setattr(late.index, "put", put)
    late.clock.now += wait
    document = late.ingest("one")
    late.settle_in_time()
    stored = late.stored(document.doc_id)
    # Under one number an index that adds row to row could not tell them apart.
    assert stored.version == 2
    segments = late.index.segments(DocumentVersion(stored.doc_id, stored.version))
    assert [each.text for each in segments] == ["one"]
    assert late.index.count_rows() == 1


def test_rewritten_rows_are_reconciled_when_they_are_seen_and_written_once(late: Late) -> None:
    document, services = late.ingest("one"), late.world.services
    late.settle_in_time()
    version, vectors = DocumentVersion(document.doc_id, document.version), late.index.vectors(document.doc_id)
    rows = [SegmentInput(each, vectors[each.uid].passage) for each in late.index.segments(version)]
    late.index.put(version, document.policy, rows)
    late.clock.now += DELAY_S
    assert list(late.index.outdated_documents("", 5)) == [document.doc_id]
    services.reconciler.rewrite_rows(late.tenant)
    services.reconciler.rewrite_rows(late.tenant)
    assert late.stored(document.doc_id).sync.is_stale
    services.document_admin.delete(late.tenant, document.doc_id)
    late.settle()
    assert late.stored(document.doc_id).state is DocumentState.DELETING
    late.settle_in_time()
    assert late.index.count_rows() == 0
