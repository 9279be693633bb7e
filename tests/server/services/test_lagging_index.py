"""Documents in an index that shows rows with a delay end as in an index that shows them at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import Unavailable
from groundwire.ports import DocumentVersion, Phrase, SegmentInput
from groundwire.services.ingest.request import IngestStatus
from tests.server.services.lagging_index import DELAY_S, LaggingIndexDoubles
from tests.support.documents.index_documents import query, search
from tests.support.isolation.policies import NO_READERS, PUBLIC, for_users
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import World

PATH = "/nowhere/a.txt"


@dataclass
class Clock:
    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Lagging:
    world: World
    tenant: str
    clock: Clock

    @property
    def index(self) -> Any:
        return self.world.services.stores.indexes.for_tenant(self.tenant)

    def ingest(self, text: str, policy: Policy = PUBLIC) -> Document:
        outcome = self.world.ingest(self.tenant, text, policy, path=PATH)
        assert outcome.document is not None
        return outcome.document

    def stored(self, doc_id: str) -> Document:
        return self.world.services.stores.documents.read(self.tenant, [doc_id])[doc_id]

    def reconcile(self) -> None:
        assert self.world.services.administration.reconciler.reconcile_stale(self.tenant)

    def reconcile_in_time(self) -> None:
        for _ in range(3):
            self.clock.now += DELAY_S
            self.reconcile()
        assert self.world.services.stores.documents.stale_documents(self.tenant) == []


@pytest.fixture
def delayed(world: World, tenant: str) -> Lagging:
    clock = Clock()
    services = world.services
    exchange(
        services,
        indexes=LaggingIndexDoubles(services.stores.indexes, clock),
        image_indexes=LaggingIndexDoubles(services.stores.image_indexes, clock),
    )
    return Lagging(world, tenant, clock)


@pytest.fixture(autouse=True)
def reported_time(delayed: Lagging, monkeypatch: pytest.MonkeyPatch) -> None:
    exchange(delayed.world.services, clock=delayed.clock)


def test_an_earlier_version_that_was_not_seen_yet_is_cleared_when_it_is(delayed: Lagging) -> None:
    delayed.ingest("one\n\ntwo")
    delayed.clock.now += 10
    second = delayed.ingest("three")
    assert delayed.stored(second.doc_id).sync.is_stale
    delayed.clock.now += DELAY_S - 1
    delayed.reconcile()
    assert delayed.stored(second.doc_id).sync.is_stale
    delayed.reconcile_in_time()
    assert (delayed.index.count_rows(), delayed.stored(second.doc_id).version) == (1, 2)


def test_an_unchanged_document_is_not_ingested_again_for_want_of_rows_that_are_not_seen_yet(delayed: Lagging) -> None:
    delayed.ingest("one")
    again = delayed.world.ingest(delayed.tenant, "one", PUBLIC, path=PATH)
    assert again.status is IngestStatus.UNCHANGED
    delayed.reconcile_in_time()
    delayed.index.prune(again.document.doc_id if again.document else "", None)
    assert delayed.world.ingest(delayed.tenant, "one", PUBLIC, path=PATH).status is IngestStatus.INDEXED


def test_a_policy_reaches_rows_that_were_not_seen_when_it_changed(delayed: Lagging) -> None:
    document = delayed.ingest("one", for_users("ana"))
    delayed.world.services.administration.document_admin.override_policy(
        delayed.tenant, document.doc_id, for_users("ben")
    )
    delayed.reconcile_in_time()
    found = [
        search(delayed.index, query(phrases(delayed), Principal(delayed.tenant, user, frozenset[str]()), ["default"]))[
            0
        ].bm25
        for user in ("ana", "ben")
    ]
    assert [len(each) for each in found] == [0, 1]


def phrases(delayed: Lagging) -> Sequence[Any]:
    [vector] = delayed.world.services.models.embedders.default.embed(["one"], "query")
    return [Phrase("one", vector)]


def test_a_deleted_document_leaves_no_row_behind(delayed: Lagging) -> None:
    document = delayed.ingest("one")
    delayed.world.services.administration.document_admin.delete(delayed.tenant, document.doc_id)
    assert delayed.stored(document.doc_id).state is DocumentState.DELETING
    delayed.reconcile_in_time()
    assert delayed.index.count_rows() == 0
    assert delayed.stored(document.doc_id).state is DocumentState.DELETED


@pytest.mark.parametrize("wait", [0, 10, DELAY_S, 3 * DELAY_S])
def test_rows_of_an_interrupted_attempt_never_become_those_of_other_content(
    delayed: Lagging, wait: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def put_and_die(*rows: Any) -> None:
        put(*rows)
        raise Unavailable("The index does not answer.")

    put = delayed.index.put
    monkeypatch.setattr(delayed.index, "put", put_and_die)
    with pytest.raises(Unavailable):
        delayed.ingest("what was there before", NO_READERS)
    monkeypatch.setattr(delayed.index, "put", put)
    delayed.clock.now += wait
    document = delayed.ingest("one")
    delayed.reconcile_in_time()
    stored = delayed.stored(document.doc_id)
    # Under one number an index that adds row to row could not tell them apart.
    assert stored.version == 2
    segments = delayed.index.segments(DocumentVersion(stored.doc_id, stored.version))
    assert [each.text for each in segments] == ["one"]
    assert delayed.index.count_rows() == 1


def test_rewritten_rows_are_reconciled_when_they_are_seen_and_written_once(delayed: Lagging) -> None:
    document, services = delayed.ingest("one"), delayed.world.services
    delayed.reconcile_in_time()
    version, vectors = DocumentVersion(document.doc_id, document.version), delayed.index.vectors(document.doc_id)
    rows = [SegmentInput(each, vectors[each.uid].passage) for each in delayed.index.segments(version)]
    delayed.index.put(version, document.readers, rows)
    delayed.clock.now += DELAY_S
    assert list(delayed.index.outdated_documents("", 5)) == [document.doc_id]
    services.administration.reconciler.rewrite_rows(delayed.tenant)
    services.administration.reconciler.rewrite_rows(delayed.tenant)
    assert delayed.stored(document.doc_id).sync.is_stale
    services.administration.document_admin.delete(delayed.tenant, document.doc_id)
    delayed.reconcile()
    assert delayed.stored(document.doc_id).state is DocumentState.DELETING
    delayed.reconcile_in_time()
    assert delayed.index.count_rows() == 0
