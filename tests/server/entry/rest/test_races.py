"""Rights are those of the very record that is changed, not of one that was looked at a moment before."""

from dataclasses import replace

import pytest

from groundwire.domain.access.policy import NO_READERS
from groundwire.domain.access.scopes import Scope
from groundwire.services.documents.managed import ManagedDocuments
from tests.server.entry.rest.api import api, key
from tests.server.entry.rest.test_documents import CLOSED, put, tagged
from tests.support.worlds.world import World


def test_a_document_that_was_closed_to_an_owner_in_between_stays_as_it_is(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(world, tenant, "d-1", tagged("sales"), by="olga")
    owner = api(key(world, tenant, Scope.INGEST, tags=frozenset({"sales"})))
    allow = ManagedDocuments.check_may_grant
    documents = world.services.stores.documents

    def closes(*arguments: object) -> None:
        stored = documents.read(tenant, ["d-1"])["d-1"]
        documents.write(tenant, replace(stored, policy=NO_READERS, policy_version=2), stored)
        allow(*arguments)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(ManagedDocuments, "check_may_grant", closes)
    opened = owner.put("/v1/documents/d-1/policy", **CLOSED | {"any_tags": ["sales"]})
    deleted = owner.delete("/v1/documents/d-1")

    assert (opened.status, deleted.status) == (404, 404)
    assert documents.read(tenant, ["d-1"])["d-1"].policy == NO_READERS
