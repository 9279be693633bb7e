"""A collection exists for a caller when the index admits it to a passage and the registry confirms the document."""

from dataclasses import replace

import pytest

from groundwire.domain.access.policy import NO_READERS, Principal, single_policy
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant
from groundwire.domain.limits import COLLECTION_SAMPLE_DOCUMENTS
from groundwire.domain.search.request import ALL_DOCUMENTS
from groundwire.ports import DocumentsByCollection, RowSelection, lexical_half
from groundwire.services.collections.readable import ReadableCollections
from tests.support.documents.passages import call
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World


def reader(tenant: str, user: str | None = None, collections: CollectionGrant = ALL_COLLECTIONS) -> Caller:
    return replace(call().caller, principal=Principal(tenant, user, frozenset()), collections=collections)


def names(world: World, caller: Caller) -> list[str]:
    return [each.name for each in world.services.reading.readable_collections.all(caller)]


def test_only_collections_with_a_readable_document_exist(world: World, tenant: str) -> None:
    assert names(world, reader(tenant)) == ["open"]
    assert names(world, reader(tenant, "ana")) == ["open", "vault"]


def test_a_key_of_some_collections_reaches_no_others(world: World, tenant: str) -> None:
    assert names(world, reader(tenant, "ana", frozenset({"vault", "nothing"}))) == ["vault"]
    assert names(world, reader(tenant, "ana", frozenset())) == []


def test_a_tenant_without_documents_has_no_collection(world: World) -> None:
    assert names(world, reader(world.tenant("birch"))) == []


def test_hidden_empty_and_unknown_names_are_requested_alike(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = lexical_half(world.services.stores.indexes.for_tenant(tenant))
    requested: list[object] = []
    select = index.select

    def counted(query: DocumentsByCollection) -> object:
        requested.append((len(query.rows.collections), len(query.excluded), query.most))
        return select(query)

    monkeypatch.setattr(index, "select", counted)
    readable = world.services.reading.readable_collections
    for name in ("vault", "empty", "unknown", '"'):
        assert readable.existing(reader(tenant), [name]) == frozenset()
    assert requested == [(1, 0, COLLECTION_SAMPLE_DOCUMENTS)] * 4


def test_what_the_registry_hides_does_not_exist_while_the_index_still_admits_it(world: World, tenant: str) -> None:
    services = world.services
    index = services.stores.indexes.for_tenant(tenant)
    services.administration.document_admin.override_policy(tenant, "open", NO_READERS)
    index.set_readers("open", single_policy(PUBLIC))
    rows = RowSelection(reader(tenant).principal, ["open"], ALL_DOCUMENTS, None)
    assert lexical_half(index).select(DocumentsByCollection(rows, frozenset(), 5)) == {"open": ["open"]}
    assert names(world, reader(tenant)) == []


def test_further_documents_are_sampled_while_the_first_are_denied(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = world.services
    for number in range(4):
        world.ingest(
            tenant, f"Pump {number}.", PUBLIC, path=f"/nowhere/{number}.txt", collection="many", doc_id=f"d{number}"
        )
    index = services.stores.indexes.for_tenant(tenant)
    for number in range(3):
        services.administration.document_admin.override_policy(tenant, f"d{number}", NO_READERS)
        index.set_readers(f"d{number}", single_policy(PUBLIC))
    monkeypatch.setattr("groundwire.services.collections.readable.COLLECTION_SAMPLE_DOCUMENTS", 2)
    assert "many" in names(world, reader(tenant))


def test_the_round_trips_are_bounded(world: World, tenant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    round_trips: list[frozenset[str]] = []

    class Endless:
        @property
        def lexical(self) -> "Endless":
            return self

        def select(self, query: DocumentsByCollection) -> dict[str, list[str]]:
            round_trips.append(query.excluded)
            return {name: [f"gone{len(round_trips)}"] for name in query.rows.collections}

        def for_tenant(self, _tenant: str) -> "Endless":
            return self

    services, endless = world.services, Endless()
    monkeypatch.setitem(vars(services.stores), "indexes", endless)
    readable = ReadableCollections(
        lambda: services.stores.indexes, lambda: services.stores.documents, services.stores.collections
    )
    assert readable.all(reader(tenant)) == []
    assert [len(each) for each in round_trips] == [0, 1, 2]
