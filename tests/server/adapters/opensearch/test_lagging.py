"""An index that shows writes with a delay reports the delay, and does not delay changes that take effect at once."""

from collections.abc import Generator
from pathlib import Path

import pytest

from groundwire.domain.access.policy import single_policy
from groundwire.ports import DocumentVersion, Index
from groundwire.services.reindex.index_transfer import IndexTransfer
from tests.server.adapters.opensearch.rows import PASSAGES, held, passages, put_passages
from tests.support.documents.index_documents import ANYONE, MODEL, TENANT, for_tags, readable
from tests.support.opensearch.emulator import GENERATIONS
from tests.support.opensearch.indexes import Opened, opened
from tests.support.worlds.on_opensearch import AFTER_ITS_TIME, open_lagging_world
from tests.support.worlds.world import caller


@pytest.fixture(params=AFTER_ITS_TIME)
def delayed(request: pytest.FixtureRequest, opensearch_url: str, tmp_path: Path) -> Generator[Opened]:
    """Indexes that show writes when the service's own time has passed."""
    service = str(request.param)
    with opened(opensearch_url, service, tmp_path, MODEL, GENERATIONS[service].visible_after) as made:
        made.indexes.for_tenant(TENANT)
        made.emulated.advance(GENERATIONS[service].visible_in)
        yield made


@pytest.fixture
def index(delayed: Opened) -> Index:
    return delayed.indexes.for_tenant(TENANT)


def test_the_first_document_of_a_new_tenant_need_not_wait_until_its_index_is_searched(delayed: Opened) -> None:
    index = delayed.indexes.for_tenant("globex")
    put_passages(index, passages())
    delayed.emulated.advance(index.visible_after_seconds)
    assert index.count_rows() == PASSAGES


def test_a_write_is_seen_no_later_than_the_index_states(delayed: Opened, index: Index) -> None:
    put_passages(index, passages())
    assert index.count_rows() == 0
    delayed.emulated.advance(index.visible_after_seconds)
    assert index.count_rows() == PASSAGES


def test_a_deletion_and_a_policy_are_seen_by_the_index_with_a_delay(delayed: Opened, index: Index) -> None:
    put_passages(index, passages())
    put_passages(index, passages(), doc_id="e")
    delayed.emulated.advance(index.visible_after_seconds)
    index.prune("d", None)
    index.set_readers("e", single_policy(for_tags("hr")))
    assert readable(index, ANYONE) == {"d", "e"}
    delayed.emulated.advance(index.visible_after_seconds)
    assert readable(index, ANYONE) == set()


def test_rows_put_again_before_they_were_visible_are_stored_once(delayed: Opened, index: Index) -> None:
    put_passages(index, passages())
    put_passages(index, passages())
    delayed.emulated.advance(index.visible_after_seconds)
    assert index.count_version_rows(DocumentVersion("d", 1)) == PASSAGES
    put_passages(index, passages())
    assert (held(delayed).total(), set(held(delayed).values())) == (PASSAGES, {1})


@pytest.mark.parametrize("service", AFTER_ITS_TIME)
def test_who_lost_a_right_is_shown_nothing_although_the_index_still_finds_it(
    service: str, opensearch_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_lagging_world(opensearch_url, service, monkeypatch) as world:
        tenant = world.tenant("amber")
        for doc_id in ("deleted", "closed", "kept"):
            world.ingest(
                tenant, f"The ledger is {doc_id}.", for_tags("staff"), path=f"/nowhere/{doc_id}.txt", doc_id=doc_id
            )
        headers = caller(world.acting_key(tenant), "ana", frozenset({"staff"}))
        assert len(world.search(headers, "ledger").texts) == 3
        world.services.administration.document_admin.delete(tenant, "deleted")
        world.services.administration.document_admin.override_policy(tenant, "closed", for_tags("hr"))
        assert world.services.stores.indexes.for_tenant(tenant).count_rows() == 3
        assert world.search(headers, "ledger").texts == {"The ledger is kept."}
        world.emulated.advance(GENERATIONS[service].visible_after)
        assert world.services.stores.indexes.for_tenant(tenant).count_rows() < 3
        assert world.search(headers, "ledger").texts == {"The ledger is kept."}


@pytest.mark.parametrize("service", AFTER_ITS_TIME)
def test_a_copy_that_is_put_again_before_it_is_visible_is_stored_once(
    service: str, opensearch_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_lagging_world(opensearch_url, service, monkeypatch) as world:
        tenant, indexes = world.tenant("amber"), world.services.stores.indexes
        world.ingest(tenant, "The ledger is kept.", for_tags("staff"), path="/nowhere/kept.txt", doc_id="kept")
        world.emulated.advance(GENERATIONS[service].visible_after)
        copy = IndexTransfer(
            world.services.stores.documents, indexes, world.services.stores.image_indexes, world.emulated.advance
        )
        header, copied = copy.header(tenant), list(copy.export(tenant, set(), silent))
        indexes.drop(tenant)
        done = [copy.import_documents(tenant, header, copied, len(copied), silent) for _ in range(2)]
        assert [(each.written, each.already_present) for each in done] == [(1, 0), (0, 1)]
        world.emulated.advance(GENERATIONS[service].visible_after)
        assert indexes.for_tenant(tenant).count_version_rows(DocumentVersion("kept", 1)) == len(copied[0].rows)


def silent(done: int, total: int) -> None:
    """Nobody watches."""
