from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from threading import Event

import pytest

from groundwire.domain.errors import Conflict, InvalidInput, NotFound
from groundwire.ports import IngestLock, LockHolder
from groundwire.services.keys.tenants import TenantAdmin, TenantContent
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World, caller

LEAVE = "The ledger grants thirty days.\n\nThe ledger asks for notice."


def test_a_deletion_erases_everything_of_the_tenant_and_reports_it(world: World, tenant: str) -> None:
    world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/a.txt")
    world.ingest(tenant, "Gone.", PUBLIC, path="/nowhere/b.txt", doc_id="gone")
    world.services.administration.document_admin.delete(tenant, "gone")
    world.services.stores.users.set(tenant, "ana", frozenset({"red"}))
    key = world.acting_key(tenant)
    assert world.search(caller(key), "ledger").status == 200
    erased = world.services.administration.tenant_admin.delete("amber")
    # The secret behind the marks of deleted contents is a definition.
    numbers = {"keys": 1, "users": 1, "collections": 1, "documents": 2, "sessions": 0, "segments": 2, "files": 1}
    assert erased == numbers | {"definitions": 1}
    assert not (world.services.settings.home / "tenants" / tenant).exists()
    assert world.search(caller(key), "ledger").status == 401


def test_nothing_of_a_deleted_tenant_is_left_in_any_file_of_the_home(world: World, tenant: str) -> None:
    canary = "quillwort"
    world.ingest(tenant, f"The {canary} ledger.", PUBLIC, path=f"/nowhere/{canary}.txt")
    world.services.administration.tenant_admin.delete(tenant)
    world.reopen()
    assert world.services.stores.tenants.all() == []
    home = world.services.settings.home
    tenants = [path for path in (home / "tenants").rglob("*") if path.is_file()]
    assert [path for path in tenants if canary.encode() in path.read_bytes()] == []


def test_a_link_of_a_deleted_tenant_opens_nothing(world: World, tenant: str) -> None:
    world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/a.txt")
    [segment, _] = world.search(caller(world.acting_key(tenant)), "ledger").segments
    world.services.administration.tenant_admin.delete(tenant)
    assert world.open(segment["source_url"]).status == 404


def test_other_tenants_keep_what_is_theirs(world: World, tenant: str) -> None:
    other = world.tenant("birch")
    for each in (tenant, other):
        world.ingest(each, "The ledger.", PUBLIC, path="/nowhere/a.txt", doc_id="same")
    key = world.acting_key(other)
    world.services.administration.tenant_admin.delete(tenant)
    assert world.search(caller(key), "ledger").texts == {"The ledger."}


def test_a_name_that_comes_back_is_another_tenant(world: World, tenant: str) -> None:
    world.ingest(tenant, "The ledger.", PUBLIC, path="/nowhere/a.txt")
    world.services.administration.tenant_admin.delete("amber")
    again = world.tenant("amber")
    assert again != tenant
    assert world.search(caller(world.acting_key(again)), "ledger").texts == set()


class WatchedLock:
    """The real lock, which also signals a call for it."""

    def __init__(self, lock: IngestLock) -> None:
        self._lock = lock
        self.requested = Event()

    def hold(self, tenant: str) -> AbstractContextManager[None]:
        return self._lock.hold(tenant)

    def hold_for_deletion(self, tenant: str) -> AbstractContextManager[None]:
        self.requested.set()
        return self._lock.hold_for_deletion(tenant)

    def holder(self, tenant: str) -> LockHolder | None:
        return self._lock.holder(tenant)

    def drop(self, tenant: str) -> None:
        self._lock.drop(tenant)


def test_a_deletion_waits_for_an_ingestion_that_runs(world: World, tenant: str) -> None:
    world.ingest(tenant, "The ledger.", PUBLIC, path="/nowhere/a.txt")
    whole = world.services
    lock = WatchedLock(whole.stores.ingest_lock)
    administration = TenantAdmin(
        whole.stores.tenants,
        whole.stores.keys,
        TenantContent(
            whole.stores.indexes,
            whole.stores.image_indexes,
            whole.stores.blobs,
            whole.installation.evaluations,
            whole.installation.ingestion_runs,
        ),
        lock,
        whole.clock,
        lambda: "t_made",
    )
    with ThreadPoolExecutor(1) as pool:
        with whole.stores.ingest_lock.hold(tenant):
            deletion = pool.submit(administration.delete, tenant)
            assert lock.requested.wait(10)
            assert whole.stores.indexes.for_tenant(tenant).count_rows() == 1
            assert all(key.revoked for key in whole.stores.keys.all(tenant))
            assert [each.tenant for each in whole.stores.tenants.all()] == [tenant]
        assert deletion.result()["segments"] == 1
    assert whole.stores.tenants.all() == []


def test_names_are_unique_and_usable(world: World, tenant: str) -> None:
    administration = world.services.administration.tenant_admin
    with pytest.raises(Conflict):
        administration.create("amber")
    for unusable in ("", "  ", "a\nb", "x" * 256):
        with pytest.raises(InvalidInput):
            administration.create(unusable)
    with pytest.raises(NotFound):
        administration.delete("nobody")


def test_no_key_is_made_once_a_deletion_has_started(world: World, tenant: str) -> None:
    world.services.stores.tenants.mark_deleting(tenant)
    with pytest.raises(NotFound):
        world.acting_key(tenant)
    assert world.services.administration.tenant_admin.delete(tenant)["keys"] == 0


def test_what_was_written_behind_a_deletion_is_swept_away_and_counted(world: World, tenant: str) -> None:
    world.services.administration.tenant_admin.delete(tenant)
    world.services.stores.blobs.put(tenant, "late", b"Of a call that was admitted before.")
    assert world.services.administration.tenant_admin.erase_remaining(tenant)["files"] == 1
    assert set(world.services.administration.tenant_admin.erase_remaining(tenant).values()) == {0}
    assert not (world.services.settings.home / "tenants" / tenant).exists()


def test_a_living_tenant_is_never_swept(world: World, tenant: str) -> None:
    world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/a.txt")
    with pytest.raises(Conflict):
        world.services.administration.tenant_admin.erase_remaining(tenant)
    assert world.search(caller(world.acting_key(tenant)), "ledger").texts != set()
