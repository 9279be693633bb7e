"""Repeated deletions: an entry that cannot be deleted is named, and the others are deleted."""

from collections.abc import Callable
from contextlib import suppress
from typing import cast

import pytest

from groundwire.domain.access.decision import Decision
from groundwire.domain.audit.deletions import LaterDeletions, later_deletions
from groundwire.domain.documents.deletion import DeletionExtent
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document
from groundwire.domain.errors import Conflict, DomainError, InvalidInput, Unavailable
from groundwire.services.documents import collection_deletion
from groundwire.services.ingest.deletions.administration import IsAllowed
from groundwire.services.ingest.deletions.replay import DeletionReplay
from tests.server.services.crashing import PowerCutError
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.worlds.world import World


@pytest.mark.parametrize("error", [Conflict("busy"), InvalidInput("an attachment"), Unavailable("away")])
def test_an_entry_that_fails_is_named_and_does_not_end_the_others(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch, error: DomainError
) -> None:
    ids = ["first", "second", "third"]
    later = LaterDeletions()
    for doc_id in ids:
        world.ingest(tenant, f"The {doc_id} text.", PUBLIC, path=f"/nowhere/{doc_id}.txt", doc_id=doc_id)
        later.add({"action": "documents.delete", "tenant": tenant, "documents": [f"{doc_id}@9"]})
    admin = world.services.administration.document_admin
    delete = admin.delete_if

    def failing(
        owner: str, doc_id: str, decision: Decision, is_allowed: IsAllowed, extent: Callable[[Document], DeletionExtent]
    ) -> object:
        if doc_id == ids[1]:
            raise error
        return delete(owner, doc_id, decision, is_allowed, extent)

    monkeypatch.setattr(admin, "delete_if", failing)
    result = DeletionReplay(admin, world.services.stores.documents)(later)
    assert set(result.documents) == {ids[0], ids[2]}
    assert [(each.name, each.reason) for each in result.failed] == [(ids[1], str(error))]


@pytest.mark.parametrize("extent", [*DeletionExtent, None])
def test_a_repeated_deletion_holds_back_what_the_first_one_did(
    world: World, tenant: str, extent: DeletionExtent | None
) -> None:
    administration = world.services.administration
    world.ingest(tenant, "The lease of Ostrov.", PUBLIC, path="/nowhere/lease.txt", doc_id="lease")
    later, stated = LaterDeletions(), {} if extent is None else {"extent": extent.value}
    later.add({"action": "documents.delete", "tenant": tenant, "documents": ["lease@9"], "kid": "KID", **stated})
    DeletionReplay(administration.document_admin, world.services.stores.documents)(later)
    copy = world.ingest(tenant, "The lease of Ostrov.", PUBLIC, path="/nowhere/copy.txt", restores=False)
    # A line of an earlier release states nothing, and its deletion held for the content.
    assert copy.status.value == ("held_back" if extent in {DeletionExtent.CONTENT, None} else "indexed")
    [left] = world.services.stores.documents.read(tenant, ["lease"]).values()
    assert left.deletion.is_own is (extent is DeletionExtent.OWN)


class Written:
    """Lines of a log, and the power that goes after some of them."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch, lines_left: int) -> None:
        self.lines: list[dict[str, object]] = []
        self._left = lines_left
        append = world.services.stores.audit.append

        def record(line: dict[str, object]) -> None:
            if not self._left:
                raise PowerCutError
            self._left -= 1
            self.lines.append(line)
            append(line)

        monkeypatch.setattr(world.services.stores.audit, "append", record)


@pytest.mark.parametrize("lines_left", [1, 2, 3, 4])
@pytest.mark.parametrize("is_created_again", [False, True])
def test_a_deletion_of_a_collection_that_was_interrupted_is_repeated_as_far_as_it_came(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch, *, lines_left: int, is_created_again: bool
) -> None:
    monkeypatch.setattr(collection_deletion, "_BATCH", 2)
    administration, documents = world.services.administration, world.services.stores.documents
    for number in range(5):
        path = f"/nowhere/{number}.txt"
        world.ingest(tenant, f"The text {number}.", PUBLIC, path=path, doc_id=f"d{number}", collection="sales")
    before = documents.read(tenant, [f"d{number}" for number in range(5)])
    written = Written(world, monkeypatch, lines_left)
    with suppress(PowerCutError):
        administration.document_admin.delete_collection(tenant, "sales", Decision("olga", 0.0, "KID", "sold"))
    deleted = {doc_id for doc_id in before if documents.read(tenant, [doc_id])[doc_id].state in TOMBSTONE_STATES}
    lines = [*written.lines, {"action": "collection.set", "tenant": tenant, "collection": "sales"}]
    later = later_deletions(lines if is_created_again else written.lines, frozenset())
    if is_created_again:
        assert deleted <= {doc_id for _, doc_id in later.documents}
        assert {each.extent for each in later.documents.values()} <= {DeletionExtent.FILE}
    else:
        assert later.collections == {(tenant, "sales"): Decision("olga", 0.0, "KID", "sold")}
    assert all(len(cast("list[str]", line["documents"])) <= 2 for line in written.lines)


def test_a_document_that_changes_between_its_line_and_its_deletion_is_deleted_by_the_log(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    administration = world.services.administration
    world.ingest(tenant, "The text.", PUBLIC, path="/nowhere/a.txt", doc_id="a", collection="sales")
    admin, written = administration.document_admin, Written(world, monkeypatch, 9)
    delete = admin.delete

    def delete_later(owner: str, doc_id: str, decision: Decision) -> object:
        for policy in (NO_READERS, PUBLIC, NO_READERS):
            version = admin.override_policy(owner, doc_id, policy).policy_version
            names = [f"{doc_id}@{version}"]
            written.lines.append({"action": "ingest", "tenant": owner, "documents": names, "changes": []})
        return delete(owner, doc_id, decision)

    monkeypatch.setattr(admin, "delete", delete_later)
    admin.delete_collection(tenant, "sales", Decision("olga", 0.0, "", ""))
    written.lines.append({"action": "collection.set", "tenant": tenant, "collection": "sales"})
    assert (tenant, "a") in later_deletions(written.lines, frozenset()).documents
