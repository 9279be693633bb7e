"""Users: the tags that a tenant stores for them."""

from typing import Final

from fastapi import APIRouter

from groundwire.domain.access.policy_input import parse_tags
from groundwire.domain.access.tags import parse_user
from groundwire.domain.errors import Forbidden
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.entry.rest.middleware.context import CurrentContext, RestContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.schema import NewTagsAllowed, RequestModel, ResponseModel, Tags, declared_errors
from groundwire.entry.serialization.entities import user_to_json
from groundwire.services.documents.tags.view import caller_view


class UserTags(RequestModel):
    """Tags to store for a user."""

    tags: Tags
    new_tags: NewTagsAllowed = False


class UserRecord(ResponseModel):
    """A user with the stored tags."""

    user: str
    tags: list[str]


class UserList(ResponseModel):
    """All users with stored tags, by name."""

    users: list[UserRecord]


class GoneUser(ResponseModel):
    """A user whose stored tags were deleted."""

    user: str


router: Final = APIRouter(prefix="/v1/users", tags=["users"], route_class=ScopedRoute)

JsonObject = dict[str, object]

_ALL_COLLECTIONS_REQUIRED: Final = (
    "Tags of a user apply to every collection, so only a key for all collections may change them."
)


@router.get("", response_model=UserList)
async def list_users(context: CurrentContext) -> JsonObject:
    """List the users with stored tags."""
    _require_all_collections(context)
    return {"users": [user_to_json(user, tags) for user, tags in context.services.stores.users.all(context.tenant)]}


# The name of a user may contain a slash.
@router.put("/{user:path}", response_model=UserRecord, responses=declared_errors(409, 413))
async def set_user(user: str, entry: UserTags, context: CurrentContext) -> JsonObject:
    """Replace the stored tags of a user."""
    _require_all_collections(context)
    user_name, tags = parse_user(user), parse_tags(entry.tags)
    context.services.administration.new_tags.check(caller_view(context.caller), tags, allows_new=entry.new_tags)
    context.services.stores.users.set(context.tenant, user_name, tags)
    context.note(entry=user_name)
    return user_to_json(user_name, tags)


@router.delete("/{user:path}", response_model=GoneUser, responses=declared_errors(404))
async def delete_user(user: str, context: CurrentContext) -> JsonObject:
    """Delete the stored tags of a user; the next call has none."""
    _require_all_collections(context)
    user_name = parse_user(user)
    context.services.stores.users.delete(context.tenant, user_name)
    context.note(entry=user_name)
    return {"user": user_name}


def _require_all_collections(context: RestContext) -> None:
    if context.caller.collections != ALL_COLLECTIONS:
        raise Forbidden(_ALL_COLLECTIONS_REQUIRED)
