"""Rows of an earlier form are written anew: a few at a time, without embedding, under the rights of the moment."""

from dataclasses import replace
from typing import Any

import pytest

from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.documents.record import Document
from groundwire.domain.filters.expression import Compare, Operator
from groundwire.ports import DocumentVersion, Index, Phrase
from groundwire.services.documents import reconcile
from tests.support.documents.earlier_rows import put_as_before
from tests.support.documents.index_documents import query, search
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.worlds.world import World


@pytest.fixture
def tenant(world: World) -> str:
    """Documents whose rows are of the form of before."""
    made = world.tenant("amber")
    for number in range(4):
        world.ingest(made, f"The ledger {number}.", PUBLIC, path=f"/nowhere/d{number}.txt", doc_id=f"d{number}")
    index = world.services.stores.indexes.for_tenant(made)
    for record in records(world, made):
        put_as_before(index, record)
    return made


def records(world: World, tenant: str) -> list[Document]:
    return sorted(world.services.stores.documents.all(tenant, None), key=lambda record: record.doc_id)


def phrase_of(world: World) -> Phrase:
    [vector] = world.services.models.embedders.default.embed(["ledger"], "query")
    return Phrase("ledger", vector)


def principal(tenant: str) -> Principal:
    return Principal(tenant, None, frozenset())


def rewrite(world: World, tenant: str, **bounds: float) -> list[str]:
    """Run the job under the lock, and return the documents that are left."""
    with world.services.stores.ingest_lock.hold(tenant):
        world.services.administration.reconciler.rewrite_rows(tenant, **bounds)
    return list(world.services.stores.indexes.for_tenant(tenant).outdated_documents("", 100))


def test_rows_are_rewritten_with_their_vectors_and_nothing_is_embedded(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = world.services
    index, before = services.stores.indexes.for_tenant(tenant), records(world, tenant)
    vectors = {each.doc_id: index.vectors(each.doc_id) for each in before}

    def refused(*_: object) -> Any:
        raise AssertionError("a text was embedded")

    monkeypatch.setattr(type(services.models.embedders), "for_model", refused)
    assert rewrite(world, tenant) == []
    assert records(world, tenant) == before
    assert {each.doc_id: index.vectors(each.doc_id) for each in before} == vectors
    assert index.count_rows() == sum(each.segments for each in before)


def test_one_run_writes_a_few_documents_and_the_next_one_continues(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rewrite(world, tenant, seconds=0) == ["d0", "d1", "d2", "d3"]
    monkeypatch.setattr(reconcile, "_MAX_REWRITTEN_DOCUMENTS", 3)
    assert rewrite(world, tenant) == ["d3"]
    assert rewrite(world, tenant) == []


def test_the_next_ingestion_rewrites_rows(world: World, tenant: str) -> None:
    world.ingest(tenant, "Another one.", PUBLIC, path="/nowhere/other.txt", doc_id="other")
    index = world.services.stores.indexes.for_tenant(tenant)
    assert list(index.outdated_documents("", 100)) == []


def test_a_document_with_incomplete_rows_does_not_block_others(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconcile, "_MAX_REWRITTEN_DOCUMENTS", 1)
    services = world.services
    record = records(world, tenant)[0]
    services.stores.documents.write(tenant, replace(record, segments=record.segments + 1), record)
    assert rewrite(world, tenant) == ["d0", "d2", "d3"]


@pytest.mark.parametrize("policy", [NO_READERS, PUBLIC])
def test_a_policy_that_changes_while_rows_are_written_is_that_of_the_rows(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch, policy: Policy
) -> None:
    services = world.services
    index = services.stores.indexes.for_tenant(tenant)
    put = type(index).put

    def put_and_change(own: Index, *arguments: Any) -> None:
        monkeypatch.setattr(type(index), "put", put)
        services.administration.document_admin.override_policy(tenant, "d0", policy)
        own.put(*arguments)

    monkeypatch.setattr(type(index), "put", put_and_change)
    assert rewrite(world, tenant) == []
    [scores] = search(index, query([phrase_of(world)], principal(tenant), ["default"]))
    found = {each.doc_id for each in scores.segments.values()}
    assert ("d0" in found) is (policy == PUBLIC)
    assert not any(each.sync.is_stale for each in records(world, tenant))


def test_a_document_that_is_deleted_while_its_rows_are_written_leaves_none(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = world.services
    index = services.stores.indexes.for_tenant(tenant)
    put = type(index).put

    def put_after_deletion(own: Index, *arguments: Any) -> None:
        monkeypatch.setattr(type(index), "put", put)
        services.administration.document_admin.delete(tenant, "d0")
        own.put(*arguments)

    monkeypatch.setattr(type(index), "put", put_after_deletion)
    assert rewrite(world, tenant) == []
    assert index.count_version_rows(DocumentVersion("d0", 1)) == 0


def test_a_rewritten_document_is_found_by_its_own_fields_alone(world: World, tenant: str) -> None:
    index, where = world.services.stores.indexes.for_tenant(tenant), Compare("/source_file_name", Operator.EQ, "d2.txt")

    def found() -> set[str]:
        [scores] = search(index, query([phrase_of(world)], principal(tenant), ["default"], where=where))
        return {each.doc_id for each in scores.segments.values()}

    assert found() == {"d0", "d1", "d2", "d3"}
    rewrite(world, tenant)
    assert found() == {"d2"}
