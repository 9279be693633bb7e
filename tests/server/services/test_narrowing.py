"""Whatever a call asks for, its hits are among those that its key gets without narrowing."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.collection import Collection
from groundwire.domain.filters.expression import Filter
from groundwire.domain.filters.own.parser import parse_filter
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.search.request import ALL_DOCUMENTS, DocumentSelection, SearchMode, SearchRequest
from groundwire.ports import Embedders, ModelId, Vector
from groundwire.services.search import Search, SearchResult
from tests.server.services.search_requests import requested
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.plugins.draws import examples
from tests.support.worlds.world import World

FOLDER, VAULT = frozenset({"shelf"}), frozenset({"vault"})
IDS = ("shelf0", "shelf1", "vault0", "vault1", "closed0", "unknown")
EVERYTHING = 50


class NeverEmbedding:
    """Embedders that a test must not reach."""

    def for_model(self, model: ModelId) -> "NeverEmbedding":
        return self

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        raise AssertionError(f"{texts} were embedded.")


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    for doc_id in IDS[:4]:
        text = f"The ledger {doc_id} of the pump."
        world.ingest(made, text, PUBLIC, path=f"/nowhere/{doc_id}.txt", collection=doc_id[:-1], doc_id=doc_id)
    world.ingest(
        made, "The closed ledger.", NO_READERS, path="/nowhere/closed0.txt", collection="closed", doc_id="closed0"
    )
    world.services.stores.collections.put(made, Collection("empty", 0.4))
    return made


def holding(tenant: str, key: CollectionGrant) -> Caller:
    scopes = frozenset({Scope.SEARCH})
    return Caller(Principal(tenant, None, frozenset()), "kid", KeyKind.ACT_AS, scopes, key, USUAL_OPTIONS)


def narrowed(
    caller: Caller,
    collections: CollectionGrant = ALL_COLLECTIONS,
    documents: DocumentSelection = ALL_DOCUMENTS,
    where: Filter | None = None,
    mode: SearchMode = SearchMode.HYBRID,
    top_n: int | None = None,
) -> SearchRequest:
    return SearchRequest.for_caller(
        caller, ["ledger pump"], collections=collections, documents=documents, where=where, top_n=top_n, mode=mode
    )


def shown(result: SearchResult) -> set[str]:
    return {each.document.doc_id for passage in result.passages for each in (passage, *passage.also_in)}


def test_no_request_widens_what_a_key_gets(world: World, tenant: str) -> None:
    names = st.frozensets(st.sampled_from(["shelf", "vault", "closed", "empty", "nowhere"]))
    search = world.services.reading.search

    @settings(deadline=None, max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        key=st.sampled_from([ALL_COLLECTIONS, FOLDER, VAULT, frozenset[str]()]),
        collections=st.just(ALL_COLLECTIONS) | names,
        documents=st.just(ALL_DOCUMENTS) | st.frozensets(st.sampled_from(IDS)),
        where=st.sampled_from([None, "year = 2024", "not (year = 2024)"]),
        mode=st.sampled_from(SearchMode),
        top_n=st.none() | st.integers(-1, 100),
    )
    def check(
        key: CollectionGrant,
        collections: CollectionGrant,
        documents: DocumentSelection,
        where: str | None,
        mode: SearchMode,
        top_n: int | None,
    ) -> None:
        caller = holding(tenant, key)
        whole = shown(search(*requested(caller, ["ledger pump"], EVERYTHING)))
        parsed = None if where is None else parse_filter(where)
        request = narrowed(caller, collections, documents, parsed, mode, top_n)
        found = shown(search(caller, request))
        assert found <= whole <= set(IDS[:4])
        assert documents == ALL_DOCUMENTS or found <= documents
        assert collections == ALL_COLLECTIONS or {doc_id[:-1] for doc_id in found} <= collections

    check()


def test_a_request_built_without_the_service_is_bounded_by_the_key_as_well(world: World, tenant: str) -> None:
    request = narrowed(holding(tenant, ALL_COLLECTIONS))
    assert shown(world.services.reading.search(holding(tenant, FOLDER), request)) == {"shelf0", "shelf1"}
    wide = replace(request, collections=VAULT)
    assert world.services.reading.search.traced(holding(tenant, FOLDER), wide).answer == ()


@pytest.mark.parametrize("name", ["closed", "empty", "nowhere"])
def test_a_collection_that_is_hidden_empty_or_unknown_has_no_hits(world: World, tenant: str, name: str) -> None:
    caller = holding(tenant, ALL_COLLECTIONS)
    result = world.services.reading.search(caller, narrowed(caller, frozenset({name})))
    assert result == SearchResult((), None, 0)


def test_a_lexical_search_embeds_nothing_and_needs_no_notice(world: World, tenant: str) -> None:
    services, caller = world.services, holding(tenant, ALL_COLLECTIONS)
    unembedding = Search(
        services.stores.indexes,
        cast("Embedders", NeverEmbedding()),
        services.stores.documents,
        services.stores.collections,
        None,
        (),
        services.clock,
    )
    result = unembedding(caller, narrowed(caller, mode=SearchMode.LEXICAL))
    assert (shown(result), result.notice) == (set(IDS[:4]), None)
    with pytest.raises(AssertionError, match="were embedded"):
        unembedding(caller, narrowed(caller, mode=SearchMode.SEMANTIC))


def test_a_semantic_search_ranks_by_semantic_score_whatever_the_weights_of_collections(
    world: World, tenant: str
) -> None:
    caller = holding(tenant, ALL_COLLECTIONS)
    world.services.stores.collections.put(tenant, Collection("vault", 1.0))
    trace = world.services.reading.search.traced(caller, narrowed(caller, mode=SearchMode.SEMANTIC))
    [scores] = trace.scores
    near = dict(zip(scores.keys, scores.vector, strict=True))
    assert not any(scores.bm25)
    assert [near[row.key] for row in trace.fused] == sorted(near.values(), reverse=True)
