"""Uploads come in between the files of a run, runs follow each other, and none refuses what another announced."""

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.documents.uploads import TICKET_SECONDS, Upload
from groundwire.services.documents.reconcile import QUEUE_SECONDS
from groundwire.services.ingest.request import IngestRequest, IngestResult, IngestStatus
from groundwire.services.uploads.ingestion import UploadResult
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.worlds.world import World

LONG = [f"/long/{number}.txt" for number in range(4)]


@pytest.fixture
def tenant(world: World) -> str:
    return world.tenant("acme")


def request(tenant: str, path: str) -> IngestRequest:
    text = f"The pump of {path}."
    name = path.rpartition("/")[2]
    return IngestRequest(tenant, "default", path, name, text.encode, DeclaredPolicy(PUBLIC, None), None, None)


def run(world: World, tenant: str, paths: list[str]) -> Iterator[IngestResult]:
    requests = [request(tenant, path) for path in paths]
    return iter(world.services.ingestion.batch(tenant, "default", requests, lambda _done, _total: None))


def states(world: World, tenant: str) -> dict[str, DocumentState]:
    documents = world.services.stores.documents.all(tenant, None)
    return {str(document.source_path): document.state for document in documents}


def queued(world: World, tenant: str) -> list[Document]:
    return [each for each in world.services.stores.documents.all(tenant, None) if each.state is DocumentState.QUEUED]


def test_an_upload_comes_in_while_a_long_run_continues(world: World, tenant: str) -> None:
    content = b"The pump of the upload."
    long_run = run(world, tenant, LONG)
    assert next(long_run).status is IngestStatus.INDEXED

    digest = hashlib.sha256(content).hexdigest()
    now = world.services.clock()
    upload = Upload("up_1", "uploaded", "default", "u.txt", digest, PUBLIC, now + TICKET_SECONDS)
    world.services.stores.uploads.add(tenant, upload)
    assert world.services.ingestion.uploads(tenant, "up_1", "v", now, lambda: content) is UploadResult.DONE
    assert [each.source_path for each in queued(world, tenant)] == LONG[1:]

    assert [each.status for each in long_run] == [IngestStatus.INDEXED] * 3
    assert set(states(world, tenant).values()) == {DocumentState.INDEXED}
    assert len(states(world, tenant)) == len(LONG) + 1


def test_a_run_follows_the_one_before_and_has_the_last_word(world: World, tenant: str) -> None:
    long_run = run(world, tenant, LONG)
    next(long_run)
    later: list[IngestStatus] = []

    def narrow() -> None:
        requests = [replace(request(tenant, path), policy=DeclaredPolicy(NO_READERS, None)) for path in LONG]
        results = world.services.ingestion.batch(tenant, "default", requests, lambda _done, _total: None)
        later.extend(each.status for each in results)

    second = threading.Thread(target=narrow)
    second.start()
    assert [each.status for each in long_run] == [IngestStatus.INDEXED] * 3
    second.join()
    assert later == [IngestStatus.POLICY_CHANGED] * len(LONG)
    assert {each.policy for each in world.services.stores.documents.all(tenant, None)} == {NO_READERS}


def test_a_run_that_was_ended_leaves_no_files_queued_after_the_next_run_and_the_same_run_continues(
    world: World, tenant: str
) -> None:
    ended = run(world, tenant, LONG)
    next(ended)
    del ended
    assert [each.status for each in run(world, tenant, ["/other/a.txt"])] == [IngestStatus.INDEXED]
    assert queued(world, tenant) == []

    again = [each.status for each in run(world, tenant, LONG)]
    assert again == [IngestStatus.UNCHANGED] + [IngestStatus.INDEXED] * 3
    assert queued(world, tenant) == []


def test_files_that_no_run_takes_up_are_forgotten_after_a_day(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = run(world, tenant, LONG)
    next(ended)
    del ended
    later = world.services.clock() + QUEUE_SECONDS + 60
    monkeypatch.setattr(world.services.administration.reconciler, "_clock", lambda: later)
    assert [each.status for each in run(world, tenant, ["/other/a.txt"])] == [IngestStatus.INDEXED]
    assert set(states(world, tenant)) == {LONG[0], "/other/a.txt"}
