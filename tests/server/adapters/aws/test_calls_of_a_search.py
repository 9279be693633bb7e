"""Calls of a search in a deployment to tables and index, counted over the deployed handlers."""

import itertools
import json
import threading
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest

from groundwire import wiring
from groundwire.adapters.aws.dynamodb.administered.collections import CACHE_TTL_SECONDS
from groundwire.adapters.aws.dynamodb.index_generations import DynamoIndexGenerations
from groundwire.adapters.opensearch import SERVICES, OpenSearchIndexes, connect
from groundwire.domain.access.policy import Policy, single_policy
from groundwire.domain.documents.collection import Collection
from groundwire.ports import DocumentVersion, SegmentInput
from groundwire.ports.indexes import IndexKind
from tests.server.adapters.aws.deployment import TENANT, Deployment, message
from tests.support.documents.passages import document, segment
from tests.support.models.hashed_words import HashedWords, OnlyHashedWords
from tests.support.opensearch import emulator
from tests.support.opensearch.emulator import OpenSearchEmulator
from tests.support.worlds.exchange import exchange

if TYPE_CHECKING:
    from groundwire.wiring.cloud.services import ApiFunction

ADMISSION = ["UpdateItem", "UpdateItem"]
BLOCK = ["BatchGetItem"]
"""Writes of a call within even rates: of the key's row, and of the tenant's."""
PUBLIC = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
_NOW = 2_000_000_000.0
TEXTS = ["The pump has a valve.", "A valve needs a seal.", "Holidays are booked in spring."]
PHRASES = ["Which pump has a valve?", "valve", "pump seal", "spring holidays", "seal of a valve"]


class Counted:
    """A deployment whose calls are counted, with one document of three passages.

    Attributes:
        tables: operations on them since `forget`, in order. door: of the index.
    """

    def __init__(self, deployment: Deployment, door: OpenSearchEmulator, services: "ApiFunction") -> None:
        self.deployment = deployment
        self.door = door
        self.tables: list[str] = []
        self.services = services
        services.stores._dynamodb.meta.events.register("before-call.dynamodb", self._count)

    def forget(self) -> None:
        self.tables.clear()
        self.door.calls.clear()

    def search(self) -> list[dict[str, Any]]:
        arguments = {"search_phrases": PHRASES}
        # With tags, as agents send them: without, the tags that the tenant keeps for the user are one read more.
        requested = message("tools/call", name="rag_search", arguments=arguments)
        answer = self.deployment.answer(requested, tags=[])
        return json.loads(answer["body"])["result"]["segments"]

    def _count(self, model: Any, **_: object) -> None:
        self.tables.append(model.name)


@pytest.fixture
def counted(deployment: Deployment, opensearch_url: str) -> Generator[Counted]:
    services = cast("ApiFunction", wiring.admin_services())
    with emulator.opened(opensearch_url, "opensearch", 0) as door:
        rules = SERVICES["opensearch"]
        index_generations = DynamoIndexGenerations(
            services.stores._dynamodb, services.installation.deployment.require("DOCUMENTS_TABLE"), IndexKind.PASSAGES
        )
        engine = connect(door.url, rules, collection=None, login=None)
        with closing(
            OpenSearchIndexes(engine, rules, IndexKind.PASSAGES, index_generations, HashedWords.model)
        ) as indexes:
            exchange(services, indexes=indexes, embedders=OnlyHashedWords())
            put_document(services)
            yield Counted(deployment, door, services)
            indexes.drop(TENANT)


def put_document(services: "ApiFunction") -> None:
    record = document()
    services.stores.collections.put(TENANT, Collection(record.collection, 0.4))
    services.stores.documents.write(TENANT, replace(record, policy=PUBLIC, segments=len(TEXTS)), None)
    segments = [segment(text, number) for number, text in enumerate(TEXTS)]
    vectors = HashedWords().embed(TEXTS, "passage")
    inputs = [SegmentInput(each, vector) for each, vector in zip(segments, vectors, strict=True)]
    services.stores.indexes.for_tenant(TENANT).put(
        DocumentVersion(record.doc_id, record.version), single_policy(PUBLIC), inputs
    )


def test_a_search_of_a_user_writes_once_reads_twice_and_calls_the_index_twice_at_most(
    counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes = itertools.count(0, 60.0)
    monkeypatch.setattr(counted.services.access.authorize, "_clock", lambda: _NOW + next(minutes))
    assert {segment["raw_text"] for segment in counted.search()} == set(TEXTS)

    for _ in range(3):
        counted.forget()
        assert len(counted.search()) == len(TEXTS)
        # Admission, which checks the key and spends a call of its rate; the block of the user; the records of all
        # candidates, consistently.
        assert counted.tables == [*ADMISSION, *BLOCK, "BatchGetItem"]
        assert counted.door.calls[0] == "POST /_msearch"
        assert len(counted.door.calls) <= 2


def test_while_a_burst_is_spent_admission_writes_twice(counted: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted.services.access.authorize, "_clock", lambda: _NOW)
    counted.search()
    counted.forget()

    counted.search()

    assert counted.tables == [*ADMISSION, *ADMISSION, *BLOCK, "BatchGetItem"]


def test_once_a_minute_a_search_reads_the_names_of_collections_too(
    counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes = itertools.count(0, 60.0)
    monkeypatch.setattr(counted.services.access.authorize, "_clock", lambda: _NOW + next(minutes))
    counted.search()
    later = time.monotonic() + CACHE_TTL_SECONDS
    monkeypatch.setattr(counted.services.stores.collections_for_search, "_clock", lambda: later)
    counted.forget()

    counted.search()

    assert counted.tables == [*ADMISSION, *BLOCK, "Query", "BatchGetItem"]


def test_a_client_that_introduces_itself_wakes_the_index_of_its_tenant_once(counted: Counted) -> None:
    counted.forget()
    for method in ("initialize", "tools/list"):
        opening = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}}
        counted.deployment.answer(message(method, **opening))
        for thread in [each for each in threading.enumerate() if each.name == "warming"]:
            thread.join()

    assert counted.door.calls == ["POST /gw-t_acme-1/_count"]


def test_a_schedule_keeps_the_index_awake_and_leaves_no_trace_in_the_audit_log(counted: Counted) -> None:
    counted.forget()

    assert counted.deployment.order({"groundwire": "warm"})["statusCode"] == 204

    assert counted.door.calls == ["POST /gw-*/_search"]
    assert counted.tables == []
    assert counted.deployment.audit_lines() == []


def test_the_records_are_read_consistently(counted: Counted) -> None:
    counted.search()
    requested: list[dict[str, Any]] = []
    events = counted.services.stores._dynamodb.meta.events

    def keep(params: dict[str, Any], **_: object) -> None:
        requested.append(params)

    events.register("provide-client-params.dynamodb.BatchGetItem", keep)

    counted.search()

    assert len(requested) == len([*BLOCK, "BatchGetItem"])
    assert all(table["ConsistentRead"] for params in requested for table in params["RequestItems"].values())
