from dataclasses import replace
from pathlib import Path

import pytest

from groundwire.domain.documents.record import DocumentState
from groundwire.domain.errors import NotFound
from groundwire.wiring.local.services import open_home
from tests.support.isolation.policies import NO_READERS, PUBLIC, for_users
from tests.support.worlds.world import World, caller

LEAVE = "The ledger grants thirty days."
UNKNOWN = "This document does not exist or you may not read it."
DELETED = "Document has been deleted"


@pytest.fixture
def as_ana(world: World, tenant: str) -> dict[str, str]:
    return caller(world.acting_key(tenant), "ana")


@pytest.fixture
def uid(world: World, tenant: str, as_ana: dict[str, str]) -> str:
    world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/leave.txt", doc_id="leave")
    [segment] = world.search(as_ana, "ledger").segments
    return segment["segment_uid"]


def access(world: World, headers: dict[str, str], uid: str) -> tuple[bool, str | None]:
    result = world.verify(headers, uid).result
    return result["has_access"], result["error"]


def test_a_policy_is_in_force_on_the_next_call(world: World, tenant: str, as_ana: dict[str, str], uid: str) -> None:
    world.services.administration.document_admin.override_policy(tenant, "leave", for_users("ben"))
    assert world.search(as_ana, "ledger").texts == set()
    assert access(world, as_ana, uid) == (False, UNKNOWN)
    world.services.administration.document_admin.override_policy(tenant, "leave", for_users("ana"))
    assert world.search(as_ana, "ledger").texts == {LEAVE}
    assert access(world, as_ana, uid) == (True, None)


def test_a_removed_right_is_on_record_also_where_the_index_cannot_be_opened(
    world: World, tenant: str, uid: str
) -> None:
    without_model = open_home(replace(world.services.settings, model=Path("/nonexistent")))
    for change in (
        lambda: without_model.administration.document_admin.override_policy(tenant, "leave", NO_READERS),
        lambda: without_model.administration.document_admin.delete(tenant, "leave"),
    ):
        with pytest.raises(NotFound, match="model"):
            change()
    without_model.close()
    document = world.services.stores.documents.read(tenant, ["leave"])["leave"]
    assert (document.policy, document.state, document.sync.is_stale) == (NO_READERS, DocumentState.DELETING, True)


def test_the_same_policy_again_changes_nothing_but_when_it_was_given(world: World, tenant: str, uid: str) -> None:
    before = world.services.stores.documents.read(tenant, ["leave"])["leave"]
    after = world.services.administration.document_admin.override_policy(tenant, "leave", PUBLIC)
    assert after.policy_overridden_at > before.policy_overridden_at
    assert (
        replace(
            after,
            policy_overridden_at=before.policy_overridden_at,
            policy_source=before.policy_source,
            updated_at=before.updated_at,
        )
        == before
    )


def test_a_deletion_is_in_force_on_the_next_call_and_leaves_no_text_behind(
    world: World, tenant: str, as_ana: dict[str, str], uid: str
) -> None:
    world.services.administration.document_admin.delete(tenant, "leave")
    assert world.search(as_ana, "ledger").texts == set()
    assert world.services.stores.indexes.for_tenant(tenant).count_rows() == 0
    assert not list((world.services.settings.home / "tenants" / tenant / "blobs").iterdir())
    tombstone = world.services.stores.documents.read(tenant, ["leave"])["leave"]
    assert (tombstone.state, tombstone.title, tombstone.source_path) == (DocumentState.DELETED, "", None)


def test_a_deletion_is_reported_only_to_those_whom_the_last_policy_admits(
    world: World, tenant: str, as_ana: dict[str, str], uid: str
) -> None:
    as_ben = caller(world.acting_key(tenant), "ben")
    world.services.administration.document_admin.override_policy(tenant, "leave", for_users("ana"))
    world.services.administration.document_admin.delete(tenant, "leave")
    assert access(world, as_ana, uid) == (False, DELETED)
    assert access(world, as_ben, uid) == (False, UNKNOWN)


def test_forbidden_deleted_and_unknown_are_answered_byte_for_byte_alike(
    world: World, tenant: str, as_ana: dict[str, str], uid: str
) -> None:
    world.ingest(tenant, "Forbidden.", NO_READERS, path="/nowhere/forbidden.txt", doc_id="forbidden")
    world.ingest(tenant, "Gone.", NO_READERS, path="/nowhere/gone.txt", doc_id="gone")
    world.services.administration.document_admin.delete(tenant, "gone")
    names = ("forbidden", "gone", "never")
    answers = {world.verify(as_ana, f"{name}.0123456789abcdef").bytes for name in names}
    assert len(answers) == 1


def test_what_is_not_there_cannot_be_changed(world: World, tenant: str, uid: str) -> None:
    administration = world.services.administration.document_admin
    with pytest.raises(NotFound):
        administration.override_policy(tenant, "never", PUBLIC)
    administration.delete(tenant, "leave")
    with pytest.raises(NotFound):
        administration.delete(tenant, "leave")
    with pytest.raises(NotFound):
        administration.override_policy(tenant, "leave", PUBLIC)


def test_another_tenant_cannot_change_a_document_by_its_id(world: World, as_ana: dict[str, str], uid: str) -> None:
    stranger = world.tenant("birch")
    with pytest.raises(NotFound):
        world.services.administration.document_admin.delete(stranger, "leave")
    assert world.search(as_ana, "ledger").texts == {LEAVE}


def test_a_collection_goes_with_its_documents_and_no_others(world: World, tenant: str, as_ana: dict[str, str]) -> None:
    world.ingest(tenant, "The ledger of the shelf.", PUBLIC, path="/nowhere/a.txt", collection="shelf")
    world.ingest(tenant, "The ledger of the vault.", PUBLIC, path="/nowhere/b.txt", collection="vault")
    assert len(world.services.administration.document_admin.delete_collection(tenant, "shelf")) == 1
    assert world.search(as_ana, "ledger").texts == {"The ledger of the vault."}
    assert [each.name for each in world.services.stores.collections.all(tenant)] == ["vault"]
    with pytest.raises(NotFound):
        world.services.administration.document_admin.delete_collection(tenant, "shelf")
