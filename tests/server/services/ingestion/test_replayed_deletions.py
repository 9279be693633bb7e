"""Repeated deletions: an entry that cannot be deleted is named, and the others are deleted."""

import pytest

from groundwire.domain.access.decision import Decision
from groundwire.domain.audit.deletions import LaterDeletions
from groundwire.domain.errors import Conflict, DomainError, InvalidInput, Unavailable
from groundwire.services.ingest.deletions.replay import DeletionReplay
from tests.support.isolation.policies import PUBLIC
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
    delete = admin.delete

    def failing(owner: str, doc_id: str, decision: Decision) -> object:
        if doc_id == ids[1]:
            raise error
        return delete(owner, doc_id, decision)

    monkeypatch.setattr(admin, "delete", failing)
    result = DeletionReplay(admin, world.services.stores.documents)(later)
    assert set(result.documents) == {ids[0], ids[2]}
    assert [(each.name, each.reason) for each in result.failed] == [(ids[1], str(error))]
