"""Another model in an index with delayed rows: no row is lost or embedded twice, and no search finds less."""

import pytest

from groundwire.domain.access.policy import Principal
from groundwire.ports import Phrase
from groundwire.services.reindex import Reindexer, ReindexOptions
from tests.server.services.lagging_index import DELAY_S, LaggingIndexDoubles
from tests.support.documents.index_documents import doc_ids, query, search
from tests.support.isolation.policies import PUBLIC
from tests.support.models.two_models import TwoModels
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import World

NAMES = ("ada", "bea", "cid")


class Time:
    """Passes only while somebody waits."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0
        self.pauses = 0

    def __call__(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.now += seconds
        self.pauses += 1


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def models() -> TwoModels:
    return TwoModels()


@pytest.fixture
def delayed(world: World, models: TwoModels, time: Time, monkeypatch: pytest.MonkeyPatch) -> World:
    services = world.services
    exchange(
        services,
        embedders=models,
        indexes=LaggingIndexDoubles(services.stores.indexes, time),
        image_indexes=LaggingIndexDoubles(services.stores.image_indexes, time),
    )
    exchange(services, clock=time)
    return world


@pytest.fixture
def reindex(delayed: World, time: Time) -> Reindexer:
    services = delayed.services
    return Reindexer(
        services.stores.documents,
        services.stores.indexes,
        services.stores.image_indexes,
        services.models.embedders,
        None,
        services.stores.ingest_lock,
        time.pause,
    )


def ingest_file(world: World, tenant: str, *names: str) -> None:
    for name in names:
        world.ingest(tenant, f"The ledger of {name}.", PUBLIC, path=f"/nowhere/{name}.txt", doc_id=name)


def found(world: World, tenant: str, models: TwoModels) -> set[str]:
    index = world.services.stores.indexes.for_tenant(tenant)
    [vector] = models.for_model(index.model).embed(["ledger"], "query")
    anyone = Principal(tenant, None, frozenset())
    [scores] = search(index, query([Phrase("ledger", vector)], anyone, ["default"]))
    return doc_ids(scores)


def quiet(_done: int, _total: int) -> None: ...


def test_everything_is_found_at_the_moment_in_which_the_new_index_answers(
    delayed: World, tenant: str, models: TwoModels, reindex: Reindexer, time: Time
) -> None:
    ingest_file(delayed, tenant, *NAMES)
    time.now += DELAY_S
    assert reindex(tenant, models.other.model, ReindexOptions(quiet)).embedded_count == 3
    assert time.pauses == 1
    assert found(delayed, tenant, models) == set(NAMES)


def test_a_document_that_is_not_seen_yet_is_waited_for(
    delayed: World, tenant: str, models: TwoModels, reindex: Reindexer, time: Time
) -> None:
    ingest_file(delayed, tenant, *NAMES)
    assert reindex(tenant, models.other.model, ReindexOptions(quiet)).embedded_count == 3
    assert found(delayed, tenant, models) == set(NAMES)


def test_rows_that_are_missing_for_good_are_waited_for_once(
    delayed: World, tenant: str, models: TwoModels, reindex: Reindexer, time: Time
) -> None:
    ingest_file(delayed, tenant, *NAMES)
    time.now += DELAY_S
    delayed.services.stores.indexes.for_tenant(tenant).prune("bea", None)
    assert reindex(tenant, models.other.model, ReindexOptions(quiet)).embedded_count == 2
    assert time.pauses == 2
    assert found(delayed, tenant, models) == {"ada", "cid"}


@pytest.mark.parametrize("change", ["new version", "deletion"])
def test_what_changes_while_it_is_filled_costs_no_second_start(
    delayed: World, tenant: str, models: TwoModels, reindex: Reindexer, time: Time, change: str
) -> None:
    def new_version() -> None:
        delayed.ingest(tenant, "The ledger is new.", PUBLIC, path="/nowhere/ada.txt", doc_id="ada")

    def deletion() -> None:
        delayed.services.administration.document_admin.delete(tenant, "ada")

    changes = {"new version": new_version, "deletion": deletion}
    ingest_file(delayed, tenant, *NAMES)
    time.now += DELAY_S
    reported: list[str] = []

    def once(doc_id: str) -> None:
        reported.append(doc_id)
        if len(reported) == 2:
            changes[change]()

    done = reindex(tenant, models.other.model, ReindexOptions(quiet, once))
    assert done.embedded_count == (4 if change == "new version" else 3)
    time.now += DELAY_S
    delayed.services.administration.reconciler.reconcile_stale(tenant)
    expected = set(NAMES) if change == "new version" else {"bea", "cid"}
    assert found(delayed, tenant, models) == expected
    assert delayed.services.stores.indexes.for_tenant(tenant).count_rows() == len(expected)
