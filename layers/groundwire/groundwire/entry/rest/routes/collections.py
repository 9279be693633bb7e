"""Collections: settings and records."""

from collections import Counter
from typing import Annotated, Final, Literal

from fastapi import APIRouter
from pydantic import Field

from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.collection import PolicyAuthority
from groundwire.domain.errors import Forbidden, NotFound
from groundwire.domain.keys.sharing import is_within_originals
from groundwire.entry.rest.middleware.context import CurrentContext, RestContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.routes.documents.documents import ReasonParameter, noted_reason
from groundwire.entry.rest.schema import RequestModel, ResponseModel, declared_errors
from groundwire.entry.serialization.entities import collection_to_json
from groundwire.services.documents.managed import decision_of


class CollectionSettings(RequestModel):
    """Properties of a collection; absent ones do not change, or have their default in a new collection."""

    bm25_weight: Annotated[float, Field(ge=0, le=1, strict=True)] | None = Field(
        default=None, description="Weight of keyword search (BM25) in the ranking."
    )
    language: Annotated[str, Field(pattern=r"^([a-z]{2}|auto)$")] | None = Field(
        default=None,
        description="Language of its documents, such as `de`; `auto`: detected in each document.",
        examples=["de"],
    )
    description: str | None = Field(
        default=None,
        description="Description for agents, at most 300 characters. An empty text removes it.",
    )
    floor: Annotated[float, Field(ge=0, le=1, strict=True)] | Literal["auto"] | None = Field(
        default=None,
        description="Least relevance of a passage; 0: no floor; `auto`: the fitted one.",
    )
    policy_authority: PolicyAuthority | None = Field(
        default=None,
        description="`people`: a person can limit declared readers. `files`: only files and options name readers; "
        "closing and deletion last.",
    )
    no_originals: bool | None = Field(
        default=None, description="Links to its documents show passages and never give the original file."
    )


class CollectionRecord(ResponseModel):
    """A collection; `documents` is the number of those that the key manages."""

    name: str
    documents: int
    bm25_weight: float | None = Field(description="Null for a key without the scope `admin`.")
    language: str | None = Field(description="Null for a key without the scope `admin`, too.")
    description: str | None = Field(description="Null for a key without the scope `admin`, too.")
    floor: float | None = Field(default=None, description="Present if the collection has a floor.")
    policy_authority: PolicyAuthority = Field(
        default=PolicyAuthority.PEOPLE, description="Who names the readers of its documents; absent for `people`."
    )
    no_originals: bool = Field(default=False, description="Present if links never give an original file.")


class CollectionList(ResponseModel):
    """Collections of the key, by name; without the scope `admin`, names of those in which it manages a document."""

    collections: list[CollectionRecord]


class DescriptionProposal(ResponseModel):
    """A proposed description; null if the collection has no public document."""

    name: str
    description: str | None


class GoneCollection(ResponseModel):
    """A deleted collection, with the number of its documents."""

    name: str
    documents: int


router: Final = APIRouter(prefix="/v1/collections", tags=["collections"], route_class=ScopedRoute)

JsonObject = dict[str, object]


@router.get("", response_model=CollectionList, response_model_exclude_unset=True)
async def list_collections(context: CurrentContext) -> JsonObject:
    """List the collections of the key with the number of documents that it manages."""
    counts = _document_counts(context)
    allowed = [
        each
        for each in context.services.stores.collections.all(context.tenant)
        if context.caller.allows_collection(each.name)
    ]
    if Scope.ADMIN not in context.caller.scopes:
        # A collection of closed documents does not exist for the key. Its first document by this key must not show that
        # it existed before, which its settings would.
        return {"collections": [_unknown_settings(each.name, counts) for each in allowed if counts[each.name]]}
    return {"collections": [collection_to_json(each, counts[each.name]) for each in allowed]}


@router.put(
    "/{name}", response_model=CollectionRecord, response_model_exclude_unset=True, responses=declared_errors(413)
)
async def set_collection(name: str, settings: CollectionSettings, context: CurrentContext) -> JsonObject:
    """Create or change a collection; a language counts for documents that are ingested later."""
    if not context.caller.allows_collection(name):
        # One message for both cases, so that a key cannot probe for names.
        raise Forbidden("There is no collection of this name, or the key may not use it.")
    if not is_within_originals(context.caller, gives_originals=settings.no_originals is False):
        raise Forbidden("The key gives no original files, so it cannot give those of a collection.")
    collection = context.services.administration.collection_admin.set(
        context.tenant,
        name,
        settings.bm25_weight,
        settings.language,
        floor=settings.floor,
        description=settings.description,
        policy_authority=settings.policy_authority,
        no_originals=settings.no_originals,
    )
    context.note(collection=name)
    return collection_to_json(collection, _document_counts(context)[name])


@router.get("/{name}/proposal", response_model=DescriptionProposal, responses=declared_errors(404))
async def propose_description(name: str, context: CurrentContext) -> JsonObject:
    """Propose a description from the public documents of the collection; nothing is stored."""
    if not context.caller.allows_collection(name):
        raise NotFound(f"There is no collection {name!r}.", "collection")
    context.services.administration.collection_admin.find(context.tenant, name)
    context.note(collection=name)
    return {"name": name, "description": context.services.administration.description_proposer(context.tenant, name)}


@router.delete("/{name}", response_model=GoneCollection, responses=declared_errors(404))
async def delete_collection(name: str, context: CurrentContext, reason: ReasonParameter = "") -> JsonObject:
    """Delete a collection with its documents; no ingestion creates it again until a person does."""
    if not context.caller.allows_collection(name):
        raise NotFound(f"There is no collection {name!r}.", "collection")
    context.services.administration.collection_admin.find(context.tenant, name)
    context.note(collection=name)
    decision = decision_of(context.caller, noted_reason(context, reason))
    deleted = context.services.administration.document_admin.delete_collection(context.tenant, name, decision)
    context.note(counts={"documents": len(deleted)})
    return {"name": name, "documents": len(deleted)}


def _unknown_settings(name: str, counts: Counter[str]) -> JsonObject:
    return {"name": name, "documents": counts[name], "bm25_weight": None, "language": None, "description": None}


def _document_counts(context: RestContext) -> Counter[str]:
    """Return the number of documents in each collection that the caller may know of."""
    managed = context.services.administration.managed_documents.all(context.caller)
    return Counter(document.collection for document in managed)
