"""Pictures in an engine's index: a field and a graph of their own beside those of the texts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.adapters.local.registry.index_generations import SqliteIndexGenerations
from groundwire.adapters.opensearch.backing_indexes import backing_index_name
from groundwire.domain.documents.record import DocumentState
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.ports.indexes import IndexKind
from groundwire.services.documents.images.embedding import image_index_model
from groundwire.services.documents.images.search import ImageRequest
from tests.support.documents.plain_text_parser import PICTURE
from tests.support.isolation.policies import PUBLIC
from tests.support.models.colors import Colors, Thumbnails
from tests.support.models.hashed_words import HashedWords
from tests.support.opensearch.emulator import OpenSearchEmulator, opened
from tests.support.opensearch.indexes import indexes_at
from tests.support.opensearch.signed_calls import call
from tests.support.worlds.document_library import asker
from tests.support.worlds.exchange import exchange
from tests.support.worlds.on_opensearch import open_world_at
from tests.support.worlds.world import World


@pytest.fixture
def emulated(opensearch_url: str) -> Iterator[OpenSearchEmulator]:
    with opened(opensearch_url, "opensearch", 0) as made:
        yield made


@pytest.fixture
def world(emulated: OpenSearchEmulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with open_world_at(emulated, tmp_path, monkeypatch) as made:
        services, colors = made.services, Colors()
        model = image_index_model(HashedWords.model, colors)
        generations = SqliteIndexGenerations(services.stores.database, IndexKind.IMAGES)
        indexes = indexes_at(emulated.url, emulated.name, generations, model, IndexKind.IMAGES)
        exchange(services, image_embedder=colors, parser=Thumbnails(), image_indexes=indexes)
        yield made


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    ingest(world, made, "upper", "middle", "lower")
    return made


def ingest(world: World, tenant: str, *districts: str) -> None:
    captions = "\n\n".join(f"{PICTURE}Flag of the {name} district" for name in districts)
    result = world.ingest(tenant, f"Flags.\n\n{captions}", PUBLIC, path="/nowhere/flags.txt", doc_id="flags")
    assert result.document is not None
    assert result.document.state is DocumentState.INDEXED


def first(world: World, tenant: str, query: str) -> str:
    [result] = world.services.reading.image_search(asker(tenant), [ImageRequest(query, ALL_COLLECTIONS, None, 3)])
    return result.images[0].text


@pytest.mark.parametrize(("color", "district"), [("red", "upper"), ("green", "middle"), ("blue", "lower")])
def test_a_picture_is_found_by_what_it_shows(world: World, tenant: str, color: str, district: str) -> None:
    assert first(world, tenant, f"something {color}") == f"Flag of the {district} district"


def test_an_image_is_found_by_its_caption(world: World, tenant: str) -> None:
    assert first(world, tenant, "flag of the lower district") == "Flag of the lower district"


def test_rows_return_the_vectors_that_were_put(world: World, tenant: str) -> None:
    index = world.services.stores.image_indexes.for_tenant(tenant)
    before = index.vectors("flags")
    assert len(before) == 3
    assert {len(each.passage) for each in before.values()} == {4 * index.model.dimension}
    ingest(world, tenant, "upper", "middle", "lower", "far")
    assert first(world, tenant, "something blue") == "Flag of the lower district"


def test_pictures_have_a_field_of_their_own(tenant: str, emulated: OpenSearchEmulator) -> None:
    name = backing_index_name(tenant, 1, IndexKind.IMAGES)
    _, answer = call(emulated.url, "GET", f"/{name}/_mapping")
    [mapping] = answer.values()
    fields = mapping["mappings"]["properties"]
    assert (fields["vector"]["dimension"], fields["picture"]["dimension"]) == (HashedWords.model.dimension, 4)
