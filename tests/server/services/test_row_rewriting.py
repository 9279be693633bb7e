"""Where no schedule starts sweeps, a server rewrites rows of an earlier form in steps, while nobody ingests."""

import logging
import os
import threading
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from groundwire.domain.access.policy import single_policy
from groundwire.domain.errors import Unavailable
from groundwire.entry.cli.server import commands
from groundwire.ports import DocumentVersion
from groundwire.services.documents import reconcile
from groundwire.services.ingest.rows.segments import embed_segments
from groundwire.services.reindex import ReindexOptions
from groundwire.services.reindex.row_rewriting import PAUSE_SECONDS, RETRY_SECONDS
from tests.support.documents.earlier_rows import put_as_before
from tests.support.isolation.policies import PUBLIC
from tests.support.models.two_models import TwoModels
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import World


@pytest.fixture
def tenants(world: World) -> list[str]:
    """Two tenants with rows of the form of before."""
    made = [world.tenant("amber"), world.tenant("basalt")]
    for tenant in made:
        for number in range(3):
            world.ingest(tenant, f"The ledger {number}.", PUBLIC, path=f"/nowhere/d{number}.txt")
        for record in world.services.stores.documents.all(tenant, None):
            put_as_before(world.services.stores.indexes.for_tenant(tenant), record)
    return made


def outdated(world: World, tenants: list[str]) -> list[int]:
    indexes = world.services.stores.indexes
    return [len(indexes.for_tenant(tenant).outdated_documents("", 10)) for tenant in tenants]


def test_tenants_take_turns_until_no_row_is_left(
    world: World, tenants: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconcile, "_MAX_REWRITTEN_DOCUMENTS", 2)
    seen = [outdated(world, tenants)]
    for pause in world.services.ingestion.row_rewriting.steps():
        assert pause == PAUSE_SECONDS
        seen.append(outdated(world, tenants))
    assert seen[:3] == [[3, 3], [1, 3], [1, 1]]
    assert outdated(world, tenants) == [0, 0]
    assert list(world.services.ingestion.row_rewriting.steps()) == []


def test_a_tenant_that_ingests_is_left_alone_and_tried_again_later(world: World, tenants: list[str]) -> None:
    steps = world.services.ingestion.row_rewriting.steps()
    with world.services.stores.ingest_lock.hold(tenants[0]):
        assert list(islice(steps, 2)) == [RETRY_SECONDS, RETRY_SECONDS]
        assert outdated(world, tenants) == [3, 0]
    assert list(steps) == []
    assert outdated(world, tenants) == [0, 0]


def test_an_index_that_does_not_answer_keeps_no_other_tenant_waiting(
    world: World, tenants: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fail_first(monkeypatch, world, 1)
    steps = world.services.ingestion.row_rewriting.steps()
    assert next(steps) == RETRY_SECONDS
    assert outdated(world, tenants) == [3, 0]
    assert list(steps) == []
    assert outdated(world, tenants) == [0, 0]
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


def test_a_failure_that_repeats_is_logged_with_its_tenant_and_its_reason(
    world: World, tenants: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fail_first(monkeypatch, world, 3)
    assert list(world.services.ingestion.row_rewriting.steps()) == [RETRY_SECONDS, RETRY_SECONDS]
    [warning] = [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]
    assert tenants[0] in warning
    assert "The index does not answer." in warning


def fail_first(monkeypatch: pytest.MonkeyPatch, world: World, count: int) -> None:
    """Make the first rewrites fail."""
    reconciler, failures = type(world.services.administration.reconciler), iter(range(count))
    rewrite = reconciler.rewrite_rows

    def rewrite_later(own: Any, tenant: str, seconds: float) -> bool:
        if next(failures, None) is not None:
            raise Unavailable("The index does not answer.")
        return rewrite(own, tenant, seconds)

    monkeypatch.setattr(reconciler, "rewrite_rows", rewrite_later)


def test_the_search_for_rows_of_an_earlier_format_creates_no_index(world: World) -> None:
    tenant = world.tenant("amber")
    assert list(world.services.ingestion.row_rewriting.steps()) == []
    assert not world.services.stores.indexes.exists(tenant)
    assert not world.services.stores.image_indexes.exists(tenant)


@pytest.mark.parametrize("resume_after", ["", "d1", "d3"])
def test_rows_of_a_next_index_that_an_earlier_release_began_are_rewritten_before_the_swap(
    world: World, resume_after: str
) -> None:
    models, services, tenant = TwoModels(), world.services, world.tenant("amber")
    exchange(services, embedders=models)
    for number in range(4):
        world.ingest(tenant, f"The ledger {number}.", PUBLIC, path=f"/nowhere/d{number}.txt", doc_id=f"d{number}")
    live, building = (
        services.stores.indexes.for_tenant(tenant),
        services.stores.indexes.start_generation(tenant, models.other.model),
    )
    before = services.stores.documents.all(tenant, None)
    for record in before:
        put_as_before(live, record)
        if record.doc_id != "d3":
            version = DocumentVersion(record.doc_id, record.version)
            rows = embed_segments(models.other, live.segments(version), {}, lambda _done, _total: None).inputs
            building.put(version, single_policy(record.policy), rows, record.metadata)
    # A rewrite while the next index is built changes the live one alone.
    assert list(services.ingestion.row_rewriting.steps()) == []
    assert outdated(world, [tenant]) == [0]
    models.other.passages.clear()
    options = ReindexOptions(lambda _done, _total: None, resume_after=resume_after)
    services.administration.reindexer(tenant, models.other.model, options)
    # What was complete is written anew without embedding; what was missing is embedded.
    assert outdated(world, [tenant]) == [0]
    assert models.other.passages == ["d3\nThe ledger 3."]
    index = services.stores.indexes.for_tenant(tenant)
    assert index.model == models.other.model
    assert index.count_rows() == sum(each.segments for each in before)
    assert list(services.ingestion.row_rewriting.steps()) == []


def test_a_server_rewrites_rows_while_it_serves(
    world: World, tenants: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[list[int]] = []

    def serve_until_rewritten(*_: object) -> None:
        [thread] = [each for each in threading.enumerate() if each.name == commands.THREAD_NAME]
        thread.join()
        found.append(outdated(world, tenants))

    monkeypatch.setattr(commands, "FIRST_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr("groundwire.entry.local_server.server.serve", serve_until_rewritten)
    # The command sets these for its process.
    for name in ("POWERTOOLS_METRICS_DISABLED", "POWERTOOLS_LOG_LEVEL", "OPENBLAS_NUM_THREADS"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    for name in ("GROUNDWIRE_PUBLIC_URL", "GROUNDWIRE_BIND_HOST"):
        monkeypatch.setenv(name, "http://127.0.0.1")
    commands.serve(port=0)
    assert found == [[0, 0]]


def test_the_end_of_a_server_ends_the_work_after_the_step_in_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "FIRST_PAUSE_SECONDS", 0.0)
    started, taken = threading.Event(), list[int]()

    def steps() -> Iterator[float]:
        for number in range(1_000):
            taken.append(number)
            started.set()
            yield RETRY_SECONDS

    with commands.run_steps(steps()):
        started.wait()
    assert taken == [0]
    assert commands.THREAD_NAME not in {each.name for each in threading.enumerate()}


def test_a_server_that_ends_at_once_begins_no_step() -> None:
    taken: list[int] = []

    def steps() -> Iterator[float]:
        taken.append(1)
        yield 0.0

    with commands.run_steps(steps()):
        pass
    assert taken == []
