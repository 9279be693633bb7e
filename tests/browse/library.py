"""Tenants with many small documents, and callers who look through them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundwire.domain.access import Policy, Principal
from groundwire.domain.caller import Caller
from groundwire.domain.documents import Collection, Document
from groundwire.domain.grants import EVERY, CollectionGrant, KeyKind
from groundwire.domain.scopes import Scope
from groundwire.services.browse import Entry, Place, Reading, Shelves
from tests.isolation.world import World
from tests.mindset.parts import document
from tests.services.policies import NOBODY, PUBLIC

__all__ = ["NOBODY", "PUBLIC", "asker", "keep", "names", "reading", "record", "shelves", "walked"]

_END: Final = 1_000
"""Pages after which a list that never ends is given up."""


def asker(
    tenant: str,
    user: str | None = None,
    tags: Sequence[str] = (),
    *,
    collections: CollectionGrant = EVERY,
    toolset: str = "default",
) -> Caller:
    """A call for this user with these tags."""
    principal = Principal(tenant, user, frozenset(tags))
    return Caller(principal, "kid", KeyKind.ACT_AS, frozenset({Scope.SEARCH}), collections, 8, toolset)


def record(doc_id: str, collection: str = "default", policy: Policy = PUBLIC) -> Document:
    """An indexed document's record."""
    return replace(document(), doc_id=doc_id, collection=collection, policy=policy, source_path=f"/{doc_id}")


def keep(world: World, tenant: str, *records: Document) -> None:
    """The registry has these, and their collections."""
    services = world.services
    for name in {each.collection for each in records}:
        services.collections.put(tenant, Collection(name, 0.5))
    services.documents.queue(tenant, records)


def shelves(world: World) -> Shelves:
    """Over the world's registry."""
    return Shelves(world.services.documents, world.services.collections)


def reading(world: World) -> Reading:
    """Over the world's registry and index."""
    return Reading(world.services.documents, world.services.indexes)


def names(entries: Sequence[Entry]) -> list[str]:
    """Collections by name and a colon, documents by id."""
    return [f"{entry.name}:" if isinstance(entry, Collection) else entry.doc_id for entry in entries]


def walked(where: Shelves, caller: Caller) -> list[str]:
    """The whole list, page by page."""
    found: list[str] = []
    place: Place | None = None
    for _ in range(_END):
        listing = where.page(caller, place)
        found += names(listing.entries)
        place = listing.next
        if place is None:
            return found
    raise AssertionError("the list never ends")
