"""Users: the tags that a tenant stores for them."""

from typing import Final

from fastapi import APIRouter

from groundwire.domain.access.policy_input import parse_tags
from groundwire.domain.access.tags import parse_user
from groundwire.domain.errors import Forbidden
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.entry.rest.middleware.context import CurrentContext, RestContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.schema import RequestModel, ResponseModel, Tags
from groundwire.entry.serialization.entities import user_to_json


class UserTags(RequestModel):
    """What the user holds, exactly."""

    tags: Tags


class UserRecord(ResponseModel):
    """A user's entry."""

    user: str
    tags: list[str]


class UserList(ResponseModel):
    """Every user that has an entry, by name."""

    users: list[UserRecord]


class GoneUser(ResponseModel):
    """A user that has no entry any more."""

    user: str


router: Final = APIRouter(prefix="/v1/users", tags=["users"], route_class=ScopedRoute)

JsonObject = dict[str, object]

_ALL_COLLECTIONS_REQUIRED: Final = "A user's tags count in every collection: they are for a key that reaches them all."


@router.get("", response_model=UserList)
async def list_users(context: CurrentContext) -> JsonObject:
    """Every user that has an entry."""
    _require_all_collections(context)
    return {"users": [user_to_json(user, tags) for user, tags in context.services.users.all(context.tenant)]}


@router.put("/{user:path}", response_model=UserRecord)
async def set_user(user: str, entry: UserTags, context: CurrentContext) -> JsonObject:
    """The user's entry is exactly these tags."""
    _require_all_collections(context)
    user_name, tags = parse_user(user), parse_tags(entry.tags)
    context.services.users.set(context.tenant, user_name, tags)
    context.note(entry=user_name)
    return user_to_json(user_name, tags)


@router.delete("/{user:path}", response_model=GoneUser)
async def delete_user(user: str, context: CurrentContext) -> JsonObject:
    """A call that names the user and no tags has none from now on."""
    _require_all_collections(context)
    user_name = parse_user(user)
    context.services.users.delete(context.tenant, user_name)
    context.note(entry=user_name)
    return {"user": user_name}


def _require_all_collections(context: RestContext) -> None:
    if context.caller.collections != ALL_COLLECTIONS:
        raise Forbidden(_ALL_COLLECTIONS_REQUIRED)
