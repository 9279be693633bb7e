"""Pictures are found by an image model where one is set, whatever their texts are."""

from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.search.joint_vectors import PICTURE_WEIGHT, JointModel
from groundwire.ports import DocumentVersion, ModelId, SegmentInput
from groundwire.services.documents.images.embedding import image_index_model, with_pictures_of
from groundwire.services.documents.images.search import (
    PICTURES_NOT_COMPARED,
    ImageRequest,
    ImageSearchResult,
)
from groundwire.services.ingest.request import IngestStatus
from groundwire.services.reindex import ReindexOptions
from groundwire_readers.contents.parsed import ParsedDocument
from tests.support.documents.index_documents import segment
from tests.support.documents.plain_text_parser import PICTURE, PNG
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.models.colors import MODEL, Colors, Thumbnails
from tests.support.models.hashed_words import HashedWords
from tests.support.models.image_models import unit
from tests.support.models.two_models import TwoModels
from tests.support.worlds.document_library import asker
from tests.support.worlds.exchange import exchange, forget
from tests.support.worlds.world import World

FILE = "/nowhere/flags.txt"


class OnePicture(Thumbnails):
    """Draws every image as the same picture."""

    def parse(
        self, content: bytes, file_type: str, *, with_images: bool = False, with_thumbnails: bool = False
    ) -> ParsedDocument:
        parsed = super().parse(content, file_type, with_images=with_images, with_thumbnails=with_thumbnails)
        images = [replace(each, content=PNG, digest=sha256(PNG).hexdigest()) for each in parsed.images]
        return replace(parsed, images=tuple(images))


@pytest.fixture
def colors(world: World) -> Colors:
    made = Colors()
    exchange(world.services, image_embedder=made, parser=Thumbnails())
    return made


@pytest.fixture
def tenant(world: World, colors: Colors) -> str:
    made = world.tenant("amber")
    ingest(world, made)
    return made


def ingest(world: World, tenant: str) -> IngestStatus:
    captions = "\n\n".join(f"{PICTURE}Flag of the {name} district" for name in ("upper", "middle", "lower"))
    return world.ingest(tenant, f"Flags.\n\n{captions}", PUBLIC, path=FILE, doc_id="flags").status


def searched(world: World, tenant: str, query: str) -> ImageSearchResult:
    [result] = world.services.reading.image_search(asker(tenant), [ImageRequest(query, ALL_COLLECTIONS, None, 3)])
    return result


def first(world: World, tenant: str, query: str) -> int:
    return searched(world, tenant, query).images[0].number


@pytest.mark.parametrize(("color", "number"), [("red", 0), ("green", 1), ("blue", 2)])
def test_a_picture_is_found_by_what_it_shows(world: World, tenant: str, color: str, number: int) -> None:
    assert first(world, tenant, f"something {color}") == number


def test_each_vector_of_a_long_text_has_the_picture_beside_it(world: World, colors: Colors) -> None:
    models = TwoModels()
    exchange(world.services, embedders=models)
    tenant = world.tenant("birch")
    caption = " ".join(f"Sentence {number} of the caption." for number in range(40))
    world.ingest(tenant, f"Flags.\n\n{PICTURE}{caption}", PUBLIC, path=FILE, doc_id="flags")
    shown = unit(1.0, 0.0, 0.0, 0.1) * PICTURE_WEIGHT
    for _ in range(2):
        [row] = world.services.stores.image_indexes.for_tenant(tenant).vectors("flags").values()
        pictures = [np.frombuffer(each, "<f4")[-MODEL.dimension - 1 : -1] for each in (row.passage, *row.windows)]
        assert len(pictures) > 2
        assert np.allclose(pictures, shown, atol=0.001)
        world.services.administration.reindexer(tenant, models.other.model, ReindexOptions(lambda _done, _total: None))


def test_a_picture_is_found_by_its_caption_as_without_a_model(world: World, tenant: str) -> None:
    found = searched(world, tenant, "flag of the lower district")
    assert found.degradation is None
    assert {each.number for each in found.images} == {0, 1, 2}
    assert found.images[0].text == "Flag of the lower district"


@pytest.mark.parametrize("caption", ["Seal of the harbour", "Emblem of the school"])
def test_the_same_picture_of_two_documents_is_one_image_with_the_caption_that_answers(
    world: World, colors: Colors, caption: str
) -> None:
    exchange(world.services, image_embedder=colors, parser=OnePicture())
    tenant = world.tenant("birch")
    for name, text in (("harbour", "Seal of the harbour"), ("school", "Emblem of the school")):
        world.ingest(tenant, f"Text.\n\n{PICTURE}{text}", PUBLIC, path=f"/nowhere/{name}.txt", doc_id=name)
    assert [each.text for each in searched(world, tenant, caption).images] == [caption]


def test_pictures_have_the_rights_of_their_document(world: World, tenant: str) -> None:
    world.services.administration.document_admin.override_policy(tenant, "flags", NO_READERS)
    assert searched(world, tenant, "something blue").images == []


def test_where_the_model_does_not_answer_captions_are_searched_and_the_answer_names_it(
    world: World, tenant: str, colors: Colors
) -> None:
    colors.is_down = True
    found = searched(world, tenant, "flag of the lower district")
    assert found.images[0].text == "Flag of the lower district"
    assert found.degradation == PICTURES_NOT_COMPARED


def test_pictures_of_one_caption_stay_apart_where_the_model_is_taken_away(world: World) -> None:
    exchange(world.services, image_embedder=Colors(), parser=Thumbnails())
    tenant = world.tenant("birch")

    def shown(text: str) -> list[int]:
        captions = "\n\n".join(f"{PICTURE}Flag #{number}" for number in range(3))
        world.ingest(tenant, f"{text}\n\n{captions}", PUBLIC, path=FILE, doc_id="flags")
        index, document = (
            world.services.stores.image_indexes.for_tenant(tenant),
            world.services.stores.documents.all(tenant, None)[0],
        )
        vectors = index.vectors("flags")
        rows = [vectors[each.uid].passage for each in index.segments(DocumentVersion("flags", document.version))]
        return [int(np.frombuffer(each, "<f4")[-MODEL.dimension - 1 : -1].argmax()) for each in rows]

    assert shown("Flags.") == [0, 1, 2]
    exchange(world.services, image_embedder=None)
    for name in ("batch", "image_search"):
        forget(world.services, name)
    assert shown("Flags of the districts.") == [0, 1, 2]


def test_an_unchanged_file_is_not_embedded_again(world: World, tenant: str, colors: Colors) -> None:
    colors.seen.clear()
    assert ingest(world, tenant) is IngestStatus.UNCHANGED
    assert colors.seen == []


def test_a_model_concerns_files_with_images_alone_and_to_take_it_away_none(world: World) -> None:
    tenant = world.tenant("birch")

    def ingest_plain() -> IngestStatus:
        return world.ingest(tenant, "Flags.", PUBLIC, path="/nowhere/plain.txt", doc_id="plain").status

    assert (ingest(world, tenant), ingest_plain()) == (IngestStatus.INDEXED, IngestStatus.INDEXED)
    for embedder in (Colors(), None):
        exchange(world.services, image_embedder=embedder, parser=Thumbnails())
        for name in ("reindexer", "batch"):
            forget(world.services, name)
        if embedder is not None:
            model = world.services.stores.indexes.for_tenant(tenant).model
            world.services.administration.reindexer(tenant, model, ReindexOptions(lambda _done, _total: None))
            assert ingest(world, tenant) is IngestStatus.INDEXED
        assert (ingest(world, tenant), ingest_plain()) == (IngestStatus.UNCHANGED, IngestStatus.UNCHANGED)


def test_another_model_of_texts_keeps_the_pictures(world: World, tenant: str, colors: Colors) -> None:
    models = TwoModels()
    exchange(world.services, embedders=models)
    colors.seen.clear()
    world.services.administration.reindexer(tenant, models.other.model, ReindexOptions(lambda _done, _total: None))
    assert first(world, tenant, "something blue") == 2
    assert colors.seen == []
    assert ingest(world, tenant) is IngestStatus.UNCHANGED


def test_an_index_from_before_the_model_gets_pictures_by_reindexing_and_the_next_ingestion(world: World) -> None:
    tenant = world.tenant("birch")
    ingest(world, tenant)
    exchange(world.services, image_embedder=Colors(), parser=Thumbnails())
    for name in ("image_search", "reindexer", "batch"):
        forget(world.services, name)
    assert ingest(world, tenant) is IngestStatus.UNCHANGED
    model = world.services.stores.indexes.for_tenant(tenant).model
    world.services.administration.reindexer(tenant, model, ReindexOptions(lambda _done, _total: None))
    assert ingest(world, tenant) is IngestStatus.INDEXED
    assert first(world, tenant, "something blue") == 2


def test_a_picture_of_another_dimension_is_not_put_into_a_row() -> None:
    text, before = HashedWords.model, image_index_model(HashedWords.model, Colors())
    other = image_index_model(text, Colors(ModelId(MODEL.name, MODEL.dimension + 1)))
    joint, earlier = JointModel.parse(other.name), JointModel.parse(before.name)
    assert joint is not None
    assert earlier is not None
    blank = bytes(4 * text.dimension)
    row = SegmentInput(segment("flags", 0, "Flag"), joint.row(blank, None))
    kept = with_pictures_of(row, earlier.row(blank, bytes(4 * MODEL.dimension)), other, before)
    assert kept == row
