"""Once with nothing exchanged: the real model, the real parser in its worker, the sample documents."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.entry.cli.ingest.file_requests import FileRequests
from groundwire.services.ingest.request import IngestStatus
from groundwire.settings import folders
from tests.support.isolation import oracle
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, caller, open_real_world

WHO = [
    (None, frozenset[str]()),
    ("jonas@weirhaven.example", frozenset({"department:production", "level:manager"})),
    ("elif@weirhaven.example", frozenset({"department:sales"})),
    ("ines@weirhaven.example", frozenset({"department:engineering"})),
    ("mira@weirhaven.example", frozenset({"department:hr", "level:manager"})),
    ("olaf@weirhaven.example", frozenset({"department:hr"})),
]


@pytest.fixture
def real_world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with fresh_home() as home, open_real_world(home, monkeypatch) as opened:
        yield opened


def test_the_samples_answer_everybody_by_their_policies_alone(real_world: World) -> None:
    tenant = real_world.tenant("demo")
    root = folders.checkout_folder()
    assert root is not None
    requests = FileRequests(tenant, "company").for_paths([root / "samples" / "documents"]).requests
    outcomes = list(real_world.services.ingestion.batch(tenant, "company", requests, lambda _done, _total: None))
    assert {outcome.status for outcome in outcomes} == {IngestStatus.INDEXED}
    records = {outcome.document.doc_id: outcome.document for outcome in outcomes if outcome.document}
    # Without a floor every question finds something, so that the policies are tried by each of them.
    key = real_world.acting_key(tenant, floor=0.0)
    shown: set[str] = set()
    for question in _questions(root):
        for user, tags in WHO:
            segments = real_world.search(caller(key, user, tags), question).segments
            found = {segment["segment_uid"].rpartition(".")[0] for segment in segments}
            assert all(oracle.may_read(user, tags, records[doc_id].policy) for doc_id in found)
            assert found, (question, user)
            shown |= found
    for doc_id, record in records.items():
        uid = f"{doc_id}.0123456789abcdef"
        for user, tags in WHO:
            granted = real_world.verify(caller(key, user, tags), uid).result["has_access"]
            assert granted == oracle.may_read(user, tags, record.policy)
    readable = {d for d, record in records.items() if any(oracle.may_read(u, t, record.policy) for u, t in WHO)}
    assert shown == readable


def _questions(root: Path) -> list[str]:
    lines = (root / "samples" / "questions" / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    return [str(json.loads(line)["text"]) for line in lines][::4]
