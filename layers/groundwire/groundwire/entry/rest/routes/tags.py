"""Tags of a tenant: who uses them, and which of some tags nobody has."""

from typing import Annotated, Final

from fastapi import APIRouter, Query
from pydantic import Field

from groundwire.domain.errors import Forbidden
from groundwire.domain.keys.sharing import is_bounded
from groundwire.domain.limits import MAX_TAGS_PER_CHECK
from groundwire.entry.operator.access.tags import rename_facts, tags_with_calls
from groundwire.entry.rest.middleware.context import CurrentContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.schema import RequestModel, ResponseModel, StrictBoolean, Timestamp, declared_errors
from groundwire.entry.serialization.tags import new_tags_to_json, rename_to_json, tags_to_json
from groundwire.services.documents.tags.view import caller_view


class TagRecord(ResponseModel):
    """Uses of a tag within the rights of the key."""

    tag: str
    documents: int = Field(description="Number of documents whose readers it decides.")
    collections: list[str] = Field(description="Collections of these documents.")
    keys: int = Field(description="Number of keys in force that have it.")
    max_tags: int = Field(description="Number of keys in force whose `max_tags` name it.")
    users: int | None = Field(description="Number of users with it in their stored tags; null: not for this key.")
    groups: int | None = Field(description="Number of groups that are mapped to it; null: not for this key.")
    sources: int | None = Field(description="Number of MCP sources with it in a policy; null: not for this key.")
    last_used: Timestamp | None = Field(description="Time of the last call with a key that has it.")
    last_call: Timestamp | None = Field(
        default=None,
        description="Time of the last call that had it, with `last_calls=true`; null: none was recognised.",
    )


class TagRecords(ResponseModel):
    """Tags in use, by name."""

    tags: list[TagRecord]
    complete: bool = Field(description="False if a limit ended the search for tags.")
    unrecognised_calls: int = Field(
        default=0, description="Number of calls whose tags were not recognised; present with `last_calls=true`."
    )


class TagsToCheck(RequestModel):
    """Tags, or prefixes that end in `*`."""

    tags: Annotated[list[str], Field(max_length=MAX_TAGS_PER_CHECK)]


class NewTagRecord(ResponseModel):
    """A tag that nobody has."""

    tag: str
    meant: str | None = Field(description="Tag in use that was probably meant; null: none resembles it.")


class NewTagList(ResponseModel):
    """Tags of the request that nobody has, by name."""

    new: list[NewTagRecord]
    complete: bool = Field(description="False if a limit ended the search, so that somebody may have them.")


class RenameOrder(RequestModel):
    """A tag to rename."""

    tag: str
    new_tag: str
    merge: StrictBoolean = Field(default=False, description="Make the two tags one, if the new one is in use.")
    plan: StrictBoolean = Field(default=False, description="Return what would change, and change nothing.")


class RenameResult(ResponseModel):
    """Uses that the renaming changes."""

    tag: str
    new_tag: str
    documents: int
    deleted_documents: int = Field(description="Number of deleted documents, which may return with their last readers.")
    users: int
    keys: int
    max_tags: int = Field(description="Number of keys whose calls may send the old tag by name or prefix.")
    groups: int
    sources: int
    from_policy_files: int = Field(
        description="Number of these documents whose readers a policy file names; the file must be changed, too."
    )
    new_tag_in_use: bool


router: Final = APIRouter(prefix="/v1/tags", tags=["tags"], route_class=ScopedRoute)

JsonObject = dict[str, object]


@router.get("", response_model=TagRecords, response_model_exclude_unset=True)
async def list_tags(
    context: CurrentContext,
    *,
    last_calls: Annotated[bool, Query(description="Read the audit log for the last call of each tag, too.")] = False,
) -> JsonObject:
    """List the tags that documents, keys, users, groups and MCP sources use, within the collections of this key."""
    # Counts of what a key may not see would tell that it exists.
    view = caller_view(context.caller)
    if last_calls:
        # Before the log is read, so that no line changes this answer.
        if is_bounded(context.caller):
            raise Forbidden("Calls belong to the whole tenant, so this needs a key for all collections and dialects.")
        return tags_with_calls(context.services, view)
    return tags_to_json(context.services.administration.tags.directory(view), view)


@router.post("/check", response_model=NewTagList, responses=declared_errors(413))
async def check_tags(body: TagsToCheck, context: CurrentContext) -> JsonObject:
    """Return those of the tags that nobody has within the rights of this key, and the tag that was probably meant."""
    found = context.services.administration.tags.new_tags(caller_view(context.caller), body.tags)
    return new_tags_to_json(found)


@router.post("/rename", response_model=RenameResult, responses=declared_errors(404, 409, 413))
async def rename_tag(body: RenameOrder, context: CurrentContext) -> JsonObject:
    """Rename a tag wherever the tenant uses it; repeat the call if it was interrupted."""
    # A renaming changes documents and keys of the whole tenant, which a bounded key may not even know.
    if is_bounded(context.caller):
        raise Forbidden(
            "A tag applies to the whole tenant, so only a key for all collections and all dialects may rename it."
        )
    renaming = context.services.administration.tag_renaming
    # A plan writes nothing, so it leaves no line about a change in the audit log.
    if body.plan:
        return rename_to_json(renaming.plan(context.tenant, body.tag, body.new_tag))
    changed = renaming(context.tenant, body.tag, body.new_tag, merges=body.merge)
    context.note(**rename_facts(changed))
    return rename_to_json(changed)
