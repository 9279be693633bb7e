"""Rows of images go wherever those of passages go: into a backup, an export, and back when they are missing."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from groundwire.domain.access.policy import single_policy
from groundwire.domain.documents.record import Document
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.ports import DocumentVersion, SegmentInput
from groundwire.ports.indexes import IndexKind
from groundwire.services.documents.images.search import ImageRequest
from groundwire.services.ingest.request import IngestStatus
from groundwire.wiring.local.services import LocalServices, open_home
from groundwire_readers.contents.parsed import ImageLeftOut, ParsedDocument
from tests.support.documents.plain_text_parser import PICTURE, PlainText
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.document_library import asker
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import World

CREST = "The crest of the harbour"


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    ingest(world, made)
    return made


def ingest(world: World, tenant: str) -> IngestStatus:
    text = f"The harbour.\n\n{PICTURE}{CREST}"
    return world.ingest(tenant, text, PUBLIC, path="/nowhere/harbour.txt", doc_id="harbour").status


def found(services: LocalServices, tenant: str) -> list[str]:
    [result] = services.reading.image_search(asker(tenant), [ImageRequest("crest harbour", ALL_COLLECTIONS, None, 5)])
    return [each.text for each in result.images]


def record(services: LocalServices, tenant: str) -> Document:
    [document] = services.stores.documents.all(tenant, None)
    return document


def size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


@pytest.fixture
def other_place(world: World, tmp_path: Path) -> Iterator[LocalServices]:
    """The services of a backup."""
    world.services.upkeep.back_up(tmp_path / "copy")
    opened = open_home(replace(world.services.settings, home=tmp_path / "copy"))
    exchange(opened, embedders=world.services.models.embedders, model=world.services.models.model)
    yield opened
    opened.close()


def test_a_backup_answers_with_the_same_images_and_pictures(
    tenant: str, other_place: LocalServices, world: World
) -> None:
    assert found(other_place, tenant) == found(world.services, tenant) == [CREST]


def test_an_export_puts_the_images_into_another_index(world: World, tenant: str, tmp_path: Path) -> None:
    services = world.services
    transfer, file = services.administration.index_transfer, services.files.index_file(tmp_path / "amber.index.gz")
    header = transfer.header(tenant)
    file.append(header, transfer.export(tenant, frozenset(), lambda _done, _total: None))
    for indexes in (services.stores.indexes, services.stores.image_indexes):
        indexes.drop(tenant)
    assert found(services, tenant) == []
    transfer.import_documents(tenant, header, file.documents(header), 1, lambda _done, _total: None)
    assert found(services, tenant) == [CREST]


def test_rows_of_images_that_are_missing_are_made_by_the_next_ingestion(world: World, tenant: str) -> None:
    assert ingest(world, tenant) is IngestStatus.UNCHANGED
    world.services.stores.image_indexes.drop(tenant)
    assert ingest(world, tenant) is IngestStatus.INDEXED
    assert found(world.services, tenant) == [CREST]


def test_an_extraction_that_failed_is_tried_again_by_the_next_ingestion(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant, parse = world.tenant("birch"), PlainText.parse

    def failing(parser: PlainText, content: bytes, file_type: str, **options: bool) -> ParsedDocument:
        parsed = parse(parser, content, file_type, **options)
        return replace(parsed, images=(), images_left_out={ImageLeftOut.EXTRACTION_FAILED: 1})

    with monkeypatch.context() as patch:
        patch.setattr(PlainText, "parse", failing)
        assert ingest(world, tenant) is IngestStatus.INDEXED
        assert found(world.services, tenant) == []
    assert ingest(world, tenant) is IngestStatus.INDEXED
    assert found(world.services, tenant) == [CREST]
    assert ingest(world, tenant) is IngestStatus.UNCHANGED


def test_rows_of_an_earlier_form_are_rewritten(world: World, tenant: str) -> None:
    services = world.services
    index, document = services.stores.image_indexes.for_tenant(tenant), record(services, tenant)
    version, vectors = DocumentVersion("harbour", document.version), index.vectors("harbour")
    rows = [SegmentInput(each, vectors[each.uid].passage) for each in index.segments(version)]
    index.put(version, single_policy(document.policy), rows, {})
    assert index.outdated_documents("", 10) == ["harbour"]
    with services.stores.ingest_lock.hold(tenant):
        services.administration.reconciler.rewrite_rows(tenant)
    assert index.outdated_documents("", 10) == []
    assert found(services, tenant) == [CREST]


def test_compaction_frees_the_space_of_deleted_images(world: World, tenant: str) -> None:
    services = world.services
    captions = "\n\n".join(f"{PICTURE}{CREST} on page {number} " + "x" * 400 for number in range(200))
    world.ingest(tenant, f"Text.\n\n{captions}", PUBLIC, path="/nowhere/atlas.txt", doc_id="atlas")
    services.administration.document_admin.delete(tenant, "atlas")
    folder = services.stores.embedded_indexes(IndexKind.IMAGES).for_tenant(tenant).path.parent
    before = size(folder)
    services.upkeep.compact(tenant)
    assert size(folder) < before - 100_000


def test_documents_and_tenants_are_deleted_where_the_image_model_is_missing(
    world: World, tenant: str, tmp_path: Path
) -> None:
    settings = replace(world.services.settings, image_model=tmp_path / "missing")
    without_model = open_home(settings)
    exchange(without_model, embedders=world.services.models.embedders, model=world.services.models.model)
    without_model.administration.document_admin.delete(tenant, "harbour")
    assert world.services.stores.image_indexes.for_tenant(tenant).count_rows() == 0
    ingest(world, tenant)
    without_model.administration.tenant_admin.delete(tenant)
    assert not world.services.stores.image_indexes.exists(tenant)
    assert without_model.administration.tenant_admin.create("birch").name == "birch"
    without_model.close()
