"""Tenants with many small documents, and callers who look through them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.collection import Collection
from groundwire.domain.documents.record import Document
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.services.documents.browse import CatalogEntry, CatalogPosition, DocumentCatalog, DocumentReader
from tests.support.documents.passages import document
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.worlds.world import World

__all__ = ["NO_READERS", "PUBLIC", "asker", "catalog", "keep", "names", "reading", "record", "walked"]

_END: Final = 1_000
"""Pages after which a list that never ends is given up."""


def asker(
    tenant: str,
    user: str | None = None,
    tags: Sequence[str] = (),
    *,
    collections: CollectionGrant = ALL_COLLECTIONS,
    toolset: str = "default",
) -> Caller:
    """A call for this user with these tags."""
    principal = Principal(tenant, user, frozenset(tags))
    options = replace(USUAL_OPTIONS, toolset=toolset)
    return Caller(principal, "kid", KeyKind.ACT_AS, frozenset({Scope.SEARCH}), collections, options)


def record(doc_id: str, collection: str = "default", policy: Policy = PUBLIC) -> Document:
    """An indexed document's record."""
    return replace(document(), doc_id=doc_id, collection=collection, policy=policy, source_path=f"/{doc_id}")


def keep(world: World, tenant: str, *records: Document) -> None:
    """The registry has these, and their collections."""
    services = world.services
    for name in {each.collection for each in records}:
        services.stores.collections.put(tenant, Collection(name, 0.5))
    services.stores.documents.add_queued(tenant, records)


def catalog(world: World) -> DocumentCatalog:
    """Over the world's registry."""
    return DocumentCatalog(world.services.stores.documents, world.services.stores.collections)


def reading(world: World) -> DocumentReader:
    """Over the world's registry and index."""
    return DocumentReader(world.services.stores.documents, world.services.stores.indexes)


def names(entries: Sequence[CatalogEntry]) -> list[str]:
    """Collections by name and a colon, documents by id."""
    return [f"{entry.name}:" if isinstance(entry, Collection) else entry.doc_id for entry in entries]


def walked(where: DocumentCatalog, caller: Caller) -> list[str]:
    """The whole list, page by page."""
    found: list[str] = []
    place: CatalogPosition | None = None
    for _ in range(_END):
        listing = where.page(caller, place)
        found += names(listing.entries)
        place = listing.next_position
        if place is None:
            return found
    raise AssertionError("the list never ends")
