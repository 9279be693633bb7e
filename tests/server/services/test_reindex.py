"""A tenant gets another model while the present one answers, whatever happens meanwhile."""

from collections import Counter
from collections.abc import Callable

import pytest

from groundwire.domain.access.policy import Principal, single_policy
from groundwire.domain.documents.record import DocumentState
from groundwire.domain.errors import Conflict, NotFound
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.ports import DocumentVersion, ModelId, Phrase
from groundwire.services.documents.images.search import ImageRequest
from groundwire.services.ingest.request import IngestStatus
from groundwire.services.ingest.rows.segments import embed_segments
from groundwire.services.reindex import Reindexer, ReindexOptions, ReindexResult
from groundwire.services.reindex.generation_builder import GenerationBuilder
from groundwire.wiring.local.services import open_home
from tests.server.services.crashing import Fuse, crash_everywhere
from tests.support.documents.index_documents import query, search
from tests.support.documents.plain_text_parser import PICTURE
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.models.two_models import TwoModels
from tests.support.worlds.document_library import asker
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import World, caller

TEXTS = {name: f"The ledger of {name}.\n\nThe key of {name}." for name in ("ada", "bea", "cid", "dot")}
THIRD = ModelId("third", 8)


@pytest.fixture
def models(world: World) -> TwoModels:
    models = TwoModels()
    exchange(world.services, embedders=models)
    return models


@pytest.fixture
def tenant(world: World, models: TwoModels) -> str:
    made = world.tenant("amber")
    for name, text in TEXTS.items():
        world.ingest(made, text, PUBLIC, path=f"/nowhere/{name}.txt", doc_id=name)
    models.default.passages.clear()
    return made


def quiet(_done: int, _total: int) -> None: ...


def never(seconds: float) -> None:
    raise AssertionError(f"waits {seconds} s for what is seen at once")


def reindex(world: World, tenant: str, models: TwoModels) -> ReindexResult:
    return world.services.administration.reindexer(tenant, models.other.model, ReindexOptions(quiet))


def reindexer_behind(fuse: Fuse, world: World) -> Reindexer:
    whole = world.services
    return Reindexer(
        fuse.on(whole.stores.documents),
        fuse.on(whole.stores.indexes),
        fuse.on(whole.stores.image_indexes),
        whole.models.embedders,
        whole.models.image_embedder,
        whole.stores.ingest_lock,
        never,
    )


def found(world: World, tenant: str) -> set[str]:
    return world.search(caller(world.acting_key(tenant)), "ledger key").texts


def paragraphs(*texts: str) -> set[str]:
    return {paragraph for text in texts for paragraph in text.split("\n\n")}


def test_the_old_model_answers_until_the_swap_and_the_new_one_after_it(
    world: World, tenant: str, models: TwoModels
) -> None:
    during: list[tuple[set[str], list[str]]] = []

    def search_meanwhile() -> None:
        models.default.queries.clear()
        during.append((found(world, tenant), list(models.default.queries)))

    models.other.meanwhile = search_meanwhile
    done = reindex(world, tenant, models)
    assert during == [(paragraphs(*TEXTS.values()), ["ledger key"])]
    assert models.other.queries == []
    assert found(world, tenant) == paragraphs(*TEXTS.values())
    assert models.other.queries == ["ledger key"]
    assert (done.previous_model, done.current_model) == (models.default.model, models.other.model)
    assert (done.documents, done.segments, done.embedded_count) == (4, 8, 8)


def test_another_process_searches_with_the_new_model_at_its_next_call(
    world: World, tenant: str, models: TwoModels
) -> None:
    other_place = open_home(world.services.settings)
    exchange(other_place, model=models.default.model)
    assert other_place.stores.indexes.for_tenant(tenant).model == models.default.model
    reindex(world, tenant, models)
    assert other_place.stores.indexes.for_tenant(tenant).model == models.other.model
    assert other_place.stores.indexes.for_tenant(tenant).count_rows() == 8
    other_place.close()


def test_an_unchanged_file_is_unchanged_after_the_swap_and_a_changed_one_is_embedded_by_the_new_model(
    world: World, tenant: str, models: TwoModels
) -> None:
    reindex(world, tenant, models)
    models.other.passages.clear()
    same = world.ingest(tenant, TEXTS["ada"], PUBLIC, path="/nowhere/ada.txt", doc_id="ada")
    assert (same.status, models.other.passages) == (IngestStatus.UNCHANGED, [])
    changed = world.ingest(tenant, "The ledger of ada.\n\nNew.", PUBLIC, path="/nowhere/ada.txt", doc_id="ada")
    assert (changed.status, changed.embedded_count) == (IngestStatus.INDEXED, 1)
    assert models.default.passages == []


def test_records_name_the_model_that_made_their_vectors(world: World, tenant: str, models: TwoModels) -> None:
    reindex(world, tenant, models)
    assert {record.model for record in world.services.stores.documents.all(tenant, None)} == {models.other.model.name}


def test_a_run_that_dies_at_any_call_leaves_the_old_model_answering_or_the_new_and_the_next_continues(
    world: World, tenant: str, models: TwoModels
) -> None:
    def attempt(fuse: Fuse) -> None:
        run = reindexer_behind(fuse, world)
        run(tenant, models.other.model, ReindexOptions(quiet))

    def check() -> None:
        assert found(world, tenant) == paragraphs(*TEXTS.values())

    assert crash_everywhere(attempt, check) > 5
    assert world.services.stores.indexes.for_tenant(tenant).model == models.other.model
    # What a run embedded and had no time to store is embedded once more, however often the runs after it die.
    assert set(Counter(models.other.passages).values()) == {2}
    assert found(world, tenant) == paragraphs(*TEXTS.values())


@pytest.mark.parametrize("when", range(4))
def test_a_document_removed_meanwhile_stays_removed(world: World, tenant: str, models: TwoModels, when: int) -> None:
    change_after(
        models, when, lambda: world.services.administration.document_admin.override_policy(tenant, "bea", NO_READERS)
    )
    reindex(world, tenant, models)
    assert found(world, tenant) == paragraphs(*(TEXTS[name] for name in ("ada", "cid", "dot")))
    [admitted] = search(
        world.services.stores.indexes.for_tenant(tenant),
        query(
            [Phrase("bea", models.other.embed(["bea"], "query")[0])], Principal(tenant, None, frozenset()), ["default"]
        ),
    )
    assert len(admitted.keys) == 6


@pytest.mark.parametrize("when", range(4))
def test_a_document_deleted_meanwhile_leaves_no_row(world: World, tenant: str, models: TwoModels, when: int) -> None:
    change_after(models, when, lambda: world.services.administration.document_admin.delete(tenant, "bea"))
    reindex(world, tenant, models)
    assert world.services.stores.indexes.for_tenant(tenant).count_rows() == 6
    assert world.services.stores.documents.read(tenant, ["bea"])["bea"].state is DocumentState.DELETED


@pytest.mark.parametrize("when", range(4))
def test_what_is_ingested_meanwhile_is_not_lost(world: World, tenant: str, models: TwoModels, when: int) -> None:
    def ingest() -> None:
        world.ingest(tenant, "The ledger of eve.", PUBLIC, path="/nowhere/eve.txt", doc_id="eve")
        world.ingest(tenant, "The ledger is new.", PUBLIC, path="/nowhere/bea.txt", doc_id="bea")

    change_after(models, when, ingest)
    reindex(world, tenant, models)
    kept = (TEXTS[name] for name in ("ada", "cid", "dot"))
    assert found(world, tenant) == paragraphs(*kept, "The ledger of eve.", "The ledger is new.")
    assert world.services.stores.indexes.for_tenant(tenant).count_rows() == 8


def test_a_document_deleted_between_two_runs_is_missing_from_the_index_that_is_being_made(
    world: World, tenant: str, models: TwoModels
) -> None:
    services = world.services
    filling = GenerationBuilder(
        tenant,
        services.stores.documents,
        services.stores.indexes,
        lambda document: document.segments,
        models.other,
        ReindexOptions(quiet),
        never,
    )
    filling.run_pass()
    world.services.administration.document_admin.delete(tenant, "bea")
    started = world.services.stores.indexes.building_generation(tenant)
    assert started is not None
    assert started.count_rows() == 6
    assert reindex(world, tenant, models).embedded_count == 0


def test_rows_that_a_killed_run_left_of_a_deleted_document_are_not_swapped_in(
    world: World, tenant: str, models: TwoModels
) -> None:
    started = world.services.stores.indexes.start_generation(tenant, models.other.model)
    segments = world.services.stores.indexes.for_tenant(tenant).segments(DocumentVersion("bea", 1))
    world.services.administration.document_admin.delete(tenant, "bea")
    started.put(
        DocumentVersion("bea", 1), single_policy(PUBLIC), embed_segments(models.other, segments, {}, quiet).inputs
    )
    reindex(world, tenant, models)
    assert world.services.stores.indexes.for_tenant(tenant).count_rows() == 6


def test_a_change_started_with_a_third_model_must_be_abandoned_first(
    world: World, tenant: str, models: TwoModels
) -> None:
    world.services.stores.indexes.start_generation(tenant, THIRD)
    with pytest.raises(Conflict):
        reindex(world, tenant, models)
    world.services.administration.reindexer.abandon(tenant)
    assert reindex(world, tenant, models).embedded_count == 8


def test_a_model_that_is_not_here_begins_nothing(world: World, tenant: str) -> None:
    with pytest.raises(NotFound):
        world.services.administration.reindexer(tenant, THIRD, ReindexOptions(quiet))
    assert world.services.stores.indexes.building_generation(tenant) is None


def test_the_model_that_answers_already_embeds_nothing(world: World, tenant: str, models: TwoModels) -> None:
    assert (
        world.services.administration.reindexer(tenant, models.default.model, ReindexOptions(quiet)).embedded_count == 0
    )
    assert models.default.passages == []


def test_progress_counts_every_segment_up_to_the_last(world: World, tenant: str, models: TwoModels) -> None:
    reported: list[tuple[int, int]] = []
    world.services.administration.reindexer(
        tenant, models.other.model, ReindexOptions(lambda done, total: reported.append((done, total)))
    )
    assert reported == sorted(reported)
    assert reported[-1] == (8, 8)


def change_after(models: TwoModels, calls: int, change: Callable[[], object]) -> None:
    """`change` happens within the call of the new model that follows so many others."""

    def wait(left: int) -> Callable[[], None]:
        def happens() -> None:
            if left:
                models.other.meanwhile = wait(left - 1)
            else:
                change()

        return happens

    models.other.meanwhile = wait(calls)


def test_images_get_the_other_model_too_and_are_found_by_it(world: World, models: TwoModels) -> None:
    tenant = world.tenant("amber")
    for name in ("ada", "bea"):
        text = f"The ledger of {name}.\n\n{PICTURE}The crest of {name}"
        world.ingest(tenant, text, PUBLIC, path=f"/nowhere/{name}.txt", doc_id=name)
    assert reindex(world, tenant, models).embedded_count == 4
    images = world.services.stores.image_indexes.for_tenant(tenant)
    assert (images.model, images.count_rows()) == (models.other.model, 2)
    models.other.queries.clear()
    found = world.services.reading.image_search(asker(tenant), [ImageRequest("crest of bea", ALL_COLLECTIONS, None, 1)])
    assert [image.document.doc_id for result in found for image in result.images] == ["bea"]
    assert models.other.queries == ["crest of bea"]


def test_a_run_that_dies_at_any_call_keeps_every_image(world: World, models: TwoModels) -> None:
    tenant = world.tenant("amber")
    world.ingest(tenant, f"The ledger.\n\n{PICTURE}The crest", PUBLIC, path="/nowhere/ada.txt", doc_id="ada")

    def attempt(fuse: Fuse) -> None:
        reindexer_behind(fuse, world)(tenant, models.other.model, ReindexOptions(quiet))

    def check() -> None:
        assert world.services.stores.image_indexes.for_tenant(tenant).count_rows() == 1

    assert crash_everywhere(attempt, check) > 5
    assert world.services.stores.image_indexes.for_tenant(tenant).model == models.other.model


def test_an_index_whose_images_are_missing_changes_its_model_as_well(world: World, models: TwoModels) -> None:
    tenant = world.tenant("amber")
    for text in (f"The ledger.\n\n{PICTURE}The crest", "The ledger."):
        world.ingest(tenant, text, PUBLIC, path="/nowhere/ada.txt", doc_id="ada")
    reindex(world, tenant, models)
    images = world.services.stores.image_indexes.for_tenant(tenant)
    assert (images.model, images.count_rows()) == (models.other.model, 0)


def test_documents_without_images_are_left_out_of_the_index_of_images(world: World, models: TwoModels) -> None:
    tenant, copied = world.tenant("amber"), list[str]()
    for name, images in (("ada", f"{PICTURE}The crest"), ("bea", "")):
        world.ingest(tenant, f"The ledger.\n\n{images}", PUBLIC, path=f"/nowhere/{name}.txt", doc_id=name)
    world.services.administration.reindexer(tenant, models.other.model, ReindexOptions(quiet, copied.append))
    assert copied == ["ada", "bea", "ada"]


def test_the_status_of_a_change_counts_the_images_after_the_passages(world: World, models: TwoModels) -> None:
    tenant = world.tenant("amber")
    world.ingest(tenant, f"The ledger.\n\n{PICTURE}The crest", PUBLIC, path="/nowhere/ada.txt", doc_id="ada")
    assert world.services.administration.reindexer.status(tenant).next_model is None
    world.services.stores.image_indexes.start_generation(tenant, models.other.model)
    status = world.services.administration.reindexer.status(tenant)
    assert (status.next_model, status.next_rows, status.live_rows) == (models.other.model, 0, 1)
