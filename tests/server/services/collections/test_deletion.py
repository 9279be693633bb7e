"""Deletion of a collection ends with no document of it, whatever happens to them meanwhile."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import pytest

from groundwire.adapters.local.registry.administered.collections import SqliteCollections
from groundwire.domain.documents.collection import Collection, PolicyAuthority
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import Unavailable
from groundwire.services.ingest.deletions.administration import everybody_decides
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World

Result = TypeVar("Result")


@pytest.fixture
def archive(world: World, tenant: str) -> list[str]:
    names = ["a", "b", "c"]
    for name in names:
        world.ingest(
            tenant, f"The ledger {name}.", PUBLIC, path=f"/nowhere/{name}.txt", doc_id=name, collection="archive"
        )
    return names


def once_after(read: Callable[..., Result], change: Callable[[], object]) -> Callable[..., Result]:
    """Return `read` that is followed by the change at its first call."""
    changes = [change]

    def reading(*arguments: object) -> Result:
        result = read(*arguments)
        if changes:
            changes.pop()()
        return result

    return reading


def remaining(world: World, tenant: str) -> list[Document]:
    return world.services.stores.documents.all(tenant, "archive")


@pytest.mark.usefixtures("archive")
def test_a_document_that_vanishes_meanwhile_does_not_end_the_deletion(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents, admin = world.services.stores.documents, world.services.administration.document_admin
    vanish = once_after(documents.all, lambda: admin.remove_source(tenant, "b", lambda _before, _after: None))
    monkeypatch.setattr(documents, "all", vanish)
    assert {each.doc_id for each in admin.delete_collection(tenant, "archive")} == {"a", "c"}
    assert remaining(world, tenant) == []


@pytest.mark.usefixtures("archive")
def test_a_document_that_comes_in_meanwhile_is_deleted_as_well(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents, admin = world.services.stores.documents, world.services.administration.document_admin
    overdue = "/nowhere/overdue.txt"
    arrive = once_after(
        documents.all, lambda: world.ingest(tenant, "The overdue ledger.", PUBLIC, path=overdue, collection="archive")
    )
    monkeypatch.setattr(documents, "all", arrive)
    memory = world.services.administration.deletion_memory
    # The check of the ingestion came before the deletion.
    monkeypatch.setattr(memory, "deleted_collection", lambda _tenant, _name: None)  # pyright: ignore[reportUnknownLambdaType]
    assert len(admin.delete_collection(tenant, "archive")) == 4
    assert remaining(world, tenant) == []


def test_a_tombstone_that_is_changed_meanwhile_keeps_no_mark_of_its_content(
    world: World, tenant: str, archive: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    administration, documents = world.services.administration, world.services.stores.documents
    restore = once_after(
        documents.page_deletions, lambda: administration.deletion_admin.restore(tenant, "b", everybody_decides)
    )
    monkeypatch.setattr(documents, "page_deletions", restore)
    administration.document_admin.delete_collection(tenant, "archive")
    stored = documents.read(tenant, archive)
    assert [stored[name].deletion.content_mark for name in archive] == ["", "", ""]
    assert "archive" not in {each.name for each in world.services.stores.collections.all(tenant)}


@pytest.mark.usefixtures("archive")
def test_setting_a_collection_whose_deletion_ended_half_way_lets_its_files_in_again(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    collections, administration = world.services.stores.collections, world.services.administration

    def refuse(_tenant: str, _name: str) -> None:
        raise Unavailable("the registry is locked")

    with monkeypatch.context() as broken:
        broken.setattr(collections, "delete", refuse)
        with pytest.raises(Unavailable):
            administration.document_admin.delete_collection(tenant, "archive")
    held = world.ingest(tenant, "Another ledger.", PUBLIC, path="d.txt", collection="archive", restores=False)
    assert held.status.value == "held_back"

    administration.collection_admin.set(tenant, "archive", None, None)
    again = world.ingest(tenant, "Another ledger.", PUBLIC, path="d.txt", collection="archive", restores=False)
    assert again.status.value == "indexed"


@pytest.mark.usefixtures("archive")
@pytest.mark.parametrize("authority", PolicyAuthority)
@pytest.mark.parametrize("returns_by", ["setting", "restored file"])
def test_who_names_the_readers_of_a_collection_lasts_beyond_its_deletion(
    world: World, tenant: str, authority: PolicyAuthority, returns_by: str
) -> None:
    administration = world.services.administration
    for _ in range(2):
        administration.collection_admin.set(tenant, "archive", None, None, policy_authority=authority.value)
        administration.document_admin.delete_collection(tenant, "archive")
        if returns_by == "setting":
            administration.collection_admin.set(tenant, "archive", None, "de")
        world.ingest(tenant, "Another ledger.", PUBLIC, path="d.txt", collection="archive", restores=True)
        assert administration.collection_admin.find(tenant, "archive").policy_authority is authority
        assert administration.deletion_memory.deleted_collection(tenant, "archive") is None
        assert administration.deletion_memory.deleted_collections(tenant) == []


@pytest.mark.usefixtures("archive")
@pytest.mark.parametrize("no_originals", [True, False])
@pytest.mark.parametrize("returns_by", ["setting", "restored file"])
def test_originals_that_a_collection_withholds_stay_withheld_beyond_its_deletion(
    world: World, tenant: str, returns_by: str, *, no_originals: bool
) -> None:
    administration = world.services.administration
    for _ in range(2):
        administration.collection_admin.set(tenant, "archive", None, None, no_originals=no_originals)
        administration.document_admin.delete_collection(tenant, "archive")
        if returns_by == "setting":
            administration.collection_admin.set(tenant, "archive", None, "de")
        world.ingest(tenant, "Another ledger.", PUBLIC, path="d.txt", collection="archive", restores=True)
        assert administration.collection_admin.find(tenant, "archive").no_originals is no_originals


def test_a_run_keeps_the_settings_of_a_collection_that_a_person_creates_meanwhile(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    administration, genuine = world.services.administration, SqliteCollections.add

    def after_a_person(store: SqliteCollections, owner: str, collection: Collection) -> bool:
        administration.collection_admin.set(tenant, "prices", None, None, no_originals=True)
        return genuine(store, owner, collection)

    monkeypatch.setattr(SqliteCollections, "add", after_a_person)
    world.ingest(tenant, "The prices.", PUBLIC, path="p.txt", collection="prices")
    assert administration.collection_admin.find(tenant, "prices").no_originals


@pytest.mark.usefixtures("archive")
def test_a_collection_that_is_set_while_it_is_deleted_keeps_these_settings(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    administration, documents = world.services.administration, world.services.stores.documents
    change = partial(administration.collection_admin.set, tenant, "archive", None, None, no_originals=True)
    monkeypatch.setattr(type(documents), "page_deletions", once_after(type(documents).page_deletions, change))
    administration.document_admin.delete_collection(tenant, "archive")
    world.ingest(tenant, "Another ledger.", PUBLIC, path="d.txt", collection="archive")
    assert administration.collection_admin.find(tenant, "archive").no_originals


@pytest.mark.usefixtures("archive")
def test_a_person_who_creates_a_collection_again_may_say_who_names_its_readers(world: World, tenant: str) -> None:
    administration = world.services.administration
    administration.collection_admin.set(tenant, "archive", None, None, policy_authority="files")
    administration.document_admin.delete_collection(tenant, "archive")
    administration.collection_admin.set(tenant, "archive", None, None, policy_authority="people")
    administration.document_admin.delete_collection(tenant, "archive")
    administration.collection_admin.set(tenant, "archive", None, None)
    assert administration.collection_admin.find(tenant, "archive").policy_authority is PolicyAuthority.PEOPLE
