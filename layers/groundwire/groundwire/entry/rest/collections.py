"""`/v1/collections`: parts of the tenant's documents; those that the key does not reach are not there."""

from collections import Counter
from typing import Final

from fastapi import APIRouter

from groundwire.domain.errors import Denied, NotFound
from groundwire.entry.rest.models.collections import (
    CollectionList,
    CollectionRecord,
    CollectionSettings,
    GoneCollection,
)
from groundwire.entry.rest.scoped_route import ScopedRoute
from groundwire.entry.rest.work import Asked, Work
from groundwire.entry.rows import collection_row

router: Final = APIRouter(prefix="/v1/collections", tags=["collections"], route_class=ScopedRoute)

Row = dict[str, object]


@router.get("", response_model=CollectionList)
async def list_collections(work: Asked) -> Row:
    """The collections, and how many documents each has."""
    counts = _counts(work)
    reached = [each for each in work.services.collections.all(work.tenant) if work.caller.reaches(each.name)]
    return {"collections": [collection_row(each, counts[each.name]) for each in reached]}


@router.put("/{name}", response_model=CollectionRecord)
async def set_collection(name: str, settings: CollectionSettings, work: Asked) -> Row:
    """The collection is there; a language is that of documents that are ingested from now on."""
    if not work.caller.reaches(name):
        raise Denied("The key does not reach a collection of this name.")
    changed = work.services.collection_care.set(work.tenant, name, settings.bm25_weight, settings.language)
    work.note(collection=name)
    return collection_row(changed, _counts(work)[name])


@router.delete("/{name}", response_model=GoneCollection)
async def delete_collection(name: str, work: Asked) -> Row:
    """The collection is gone with its documents."""
    if not work.caller.reaches(name):
        raise NotFound(f"There is no collection {name!r}.", "collection")
    work.services.collection_care.find(work.tenant, name)
    work.note(collection=name)
    return {"name": name, "documents": work.services.document_care.delete_collection(work.tenant, name)}


def _counts(work: Work) -> Counter[str]:
    """Of living documents, those that the caller may know of."""
    found = work.services.stewardship.all(work.caller)
    return Counter(document.collection for document in found)
