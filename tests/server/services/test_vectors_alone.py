"""A search of an index that stores vectors alone: the order is that of the vectors."""

from dataclasses import replace
from typing import cast

import pytest

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.collection import Collection
from groundwire.domain.errors import InvalidInput, Unavailable
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchMode
from groundwire.ports import DocumentVersion, Embedders, Indexes
from groundwire.services.collections.readable import ReadableCollections
from groundwire.services.reindex.index_transfer import read_rows
from groundwire.services.search.listing import PassageListing, PassageSelection
from groundwire.services.search.results import SearchResult
from groundwire.services.search.search import Search
from tests.server.services.search_requests import requested
from tests.server.services.test_degraded import Silent
from tests.support.documents.index_documents import for_tags
from tests.support.documents.vector_index import InMemoryVectorIndex
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World

TEXTS = {
    "valve": "The pump has a valve of brass.",
    "pump": "A pump, a pump and a pump.",
    "leave": "Holidays are booked in spring.",
    "secret": "The pump of the board has a secret valve.",
}


class VectorIndexes:
    """The index of each tenant, of vectors alone."""

    def __init__(self, **stores: InMemoryVectorIndex) -> None:
        self._stores = stores

    def for_tenant(self, tenant: str) -> InMemoryVectorIndex:
        return self._stores[tenant]


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    for doc_id, text in TEXTS.items():
        policy = for_tags("board") if doc_id == "secret" else PUBLIC
        collection = "rest" if doc_id == "leave" else "plant"
        world.ingest(made, text, policy, path=f"/nowhere/{doc_id}.txt", doc_id=doc_id, collection=collection)
    # Weights of words that differ would mix up the order of the collections.
    world.services.stores.collections.put(made, Collection("plant", 0.9))
    return made


@pytest.fixture
def indexes(world: World, tenant: str) -> Indexes:
    """Return the tenant's rows in a store of vectors alone."""
    engine = world.services.stores.indexes.for_tenant(tenant)
    store = InMemoryVectorIndex(tenant, engine.model)
    for record in world.services.stores.documents.all(tenant, None):
        version = DocumentVersion(record.doc_id, record.version)
        store.put(version, record.readers, read_rows(engine, version), record.metadata)
    return cast("Indexes", VectorIndexes(**{tenant: store}))


def caller_with(tenant: str, *tags: str) -> Caller:
    principal = Principal(tenant, None, frozenset(tags))
    return Caller(principal, "kid", KeyKind.ACT_AS, frozenset({Scope.SEARCH}), ALL_COLLECTIONS, USUAL_OPTIONS)


def searching(world: World, indexes: Indexes, embedders: object = None) -> Search:
    services = world.services
    chosen = cast("Embedders", embedders or services.models.embedders)
    return Search(indexes, chosen, services.stores.documents, services.stores.collections, None, (), services.clock)


def ranked(result: SearchResult) -> list[tuple[str, float]]:
    return [(each.document.doc_id, each.score) for each in result.passages]


def test_search_ranks_by_vectors_where_the_index_has_no_words(world: World, tenant: str, indexes: Indexes) -> None:
    caller, request = requested(caller_with(tenant), ["valve pump", "holidays"], 8)
    engine = searching(world, world.services.stores.indexes)
    by_vectors = searching(world, indexes)(caller, request)
    by_similarity = engine(caller, replace(request, mode=SearchMode.SEMANTIC))
    assert [doc_id for doc_id, _ in ranked(by_vectors)] == [doc_id for doc_id, _ in ranked(by_similarity)]
    assert dict(ranked(by_vectors)) == pytest.approx(dict(ranked(by_similarity)), abs=2e-3)
    assert dict(ranked(by_vectors)) != pytest.approx(dict(ranked(engine(caller, request))), abs=2e-3)
    assert by_vectors.notice is None


def test_search_of_vectors_alone_returns_what_the_caller_may_read(world: World, tenant: str, indexes: Indexes) -> None:
    search = searching(world, indexes)
    public, board = (
        {each.document.doc_id for each in search(*requested(caller_with(tenant, *tags), ["pump"], 8)).passages}
        for tags in ((), ("board",))
    )
    assert public == TEXTS.keys() - {"secret"}
    assert board == TEXTS.keys()


def test_lexical_search_is_refused_where_the_index_has_no_words(world: World, tenant: str, indexes: Indexes) -> None:
    caller, request = requested(caller_with(tenant), ["pump"], 8)
    for by_keywords in (replace(request, mode=SearchMode.LEXICAL), replace(request, has_lexical_order=True)):
        with pytest.raises(InvalidInput, match="vectors alone"):
            searching(world, indexes)(caller, by_keywords)


def test_search_of_vectors_alone_fails_while_the_embedder_does_not_answer(
    world: World, tenant: str, indexes: Indexes
) -> None:
    with pytest.raises(Unavailable):
        searching(world, indexes, Silent())(*requested(caller_with(tenant), ["pump"], 8))


def test_passages_of_vectors_alone_are_not_listed_and_the_error_names_the_reason(
    world: World, tenant: str, indexes: Indexes
) -> None:
    services, caller = world.services, caller_with(tenant)
    selection = PassageSelection(["plant"], ALL_DOCUMENTS, None)
    with pytest.raises(InvalidInput, match="not listed or counted"):
        PassageListing(indexes, services.stores.documents).count(caller, selection)
    readable = ReadableCollections(lambda: indexes, lambda: services.stores.documents, services.stores.collections)
    with pytest.raises(InvalidInput, match="not listed or counted"):
        readable.existing(caller, ["plant"])
